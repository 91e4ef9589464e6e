// Textbook C++ for grid distance (173): breadth-first search from all cells of 1 at once; # is a wall.
// Reads and writes the judge format (with an argument it writes nothing); prints the seconds between to standard error.
#include <chrono>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

int main(int argc, char**) {
    int n, m;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<std::string> cells(n, std::string(m + 1, ' '));
    for (auto& row : cells) {
        if (scanf("%s", row.data()) != 1) return 1;
    }
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::vector<int>> distance(n, std::vector<int>(m, -1));
    std::queue<std::pair<int, int>> queue;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (cells[i][j] == '1') queue.push({i, j}), distance[i][j] = 0;
    const int di[] = {-1, 1, 0, 0}, dj[] = {0, 0, -1, 1};
    while (!queue.empty()) {
        auto [i, j] = queue.front();
        queue.pop();
        for (int k = 0; k < 4; k++) {
            const int x = i + di[k], y = j + dj[k];
            if (x < 0 || x >= n || y < 0 || y >= m || cells[x][y] == '#' || distance[x][y] != -1) continue;
            distance[x][y] = distance[i][j] + 1;
            queue.push({x, y});
        }
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (argc == 1)
        for (auto& row : distance)
            for (int j = 0; j < m; j++) printf("%d%c", row[j], j + 1 < m ? ' ' : '\n');
}
