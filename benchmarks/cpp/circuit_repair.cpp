// Textbook C++ for circuit repair (175): 0-1 breadth-first search over the corners with a deque.
// Reads and writes the judge format; prints the seconds between to standard error.
#include <chrono>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

int main() {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    double seconds = 0;
    while (cases--) {
        int r, c;
        if (scanf("%d %d", &r, &c) != 2) return 1;
        std::vector<std::string> tiles(r, std::string(c + 1, ' '));
        for (auto& row : tiles)
            if (scanf("%s", row.data()) != 1) return 1;
        const auto start = std::chrono::steady_clock::now();
        int answer = -1;
        if ((r + c) % 2 == 0) {
            std::vector<std::vector<int>> distance(r + 1, std::vector<int>(c + 1, 1 << 30));
            std::vector<std::vector<char>> done(r + 1, std::vector<char>(c + 1, 0));
            std::deque<std::pair<int, int>> queue;
            const int dx[] = {-1, -1, 1, 1}, dy[] = {-1, 1, -1, 1};
            const int tx[] = {-1, -1, 0, 0}, ty[] = {-1, 0, -1, 0};
            const char wire[] = {'\\', '/', '/', '\\'};
            distance[0][0] = 0;
            queue.push_back({0, 0});
            while (!queue.empty()) {
                const auto [x, y] = queue.front();
                queue.pop_front();
                if (x == r && y == c) break;
                if (done[x][y]) continue;
                done[x][y] = 1;
                for (int k = 0; k < 4; k++) {
                    const int a = x + dx[k], b = y + dy[k];
                    if (a < 0 || a > r || b < 0 || b > c) continue;
                    const int cost = tiles[x + tx[k]][y + ty[k]] != wire[k];
                    if (distance[x][y] + cost >= distance[a][b]) continue;
                    distance[a][b] = distance[x][y] + cost;
                    if (cost)
                        queue.push_back({a, b});
                    else
                        queue.push_front({a, b});
                }
            }
            answer = distance[r][c];
        }
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (answer < 0)
            puts("NO SOLUTION");
        else
            printf("%d\n", answer);
    }
    fprintf(stderr, "%.6f\n", seconds);
}
