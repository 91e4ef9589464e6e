// Textbook C++ for the rolling block (172): breadth-first search over (row, column, pose) from the start.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <chrono>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

struct State {
    int x, y, pose;  // pose 0 upright, 1 lies on (x, y) and (x, y + 1), 2 lies on (x, y) and (x + 1, y)
};

// Left, right, up, down for each pose.
const int step[3][4][3] = {{{0, -2, 1}, {0, 1, 1}, {-2, 0, 2}, {1, 0, 2}},
                           {{0, -1, 0}, {0, 2, 0}, {-1, 0, 1}, {1, 0, 1}},
                           {{0, -1, 2}, {0, 1, 2}, {-1, 0, 0}, {2, 0, 0}}};

int main() {
    int n, m;
    double seconds = 0;
    while (scanf("%d %d", &n, &m) == 2 && n) {
        std::vector<std::string> cells(n, std::string(m + 1, ' '));
        for (auto& row : cells)
            if (scanf("%s", row.data()) != 1) return 1;
        const auto begin = std::chrono::steady_clock::now();
        std::vector<std::vector<int>> distance[3];
        for (auto& d : distance) d.assign(n, std::vector<int>(m, -1));
        auto floor = [&](int x, int y) { return x >= 0 && x < n && y >= 0 && y < m && cells[x][y] != '#'; };
        auto allowed = [&](const State& s) {
            if (!floor(s.x, s.y)) return false;
            if (s.pose == 0) return cells[s.x][s.y] != 'E';
            return s.pose == 1 ? floor(s.x, s.y + 1) : floor(s.x + 1, s.y);
        };
        State start{-1, -1, 0}, goal{};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (cells[i][j] == 'O') goal = {i, j, 0};
                if (cells[i][j] == 'X' && start.x < 0) start = {i, j, 0};
                else if (cells[i][j] == 'X') start.pose = i == start.x ? 1 : 2;
            }
        std::queue<State> queue;
        queue.push(start);
        distance[start.pose][start.x][start.y] = 0;
        while (!queue.empty() && distance[0][goal.x][goal.y] < 0) {
            const State s = queue.front();
            queue.pop();
            for (auto& by : step[s.pose]) {
                const State t{s.x + by[0], s.y + by[1], by[2]};
                if (!allowed(t) || distance[t.pose][t.x][t.y] >= 0) continue;
                distance[t.pose][t.x][t.y] = distance[s.pose][s.x][s.y] + 1;
                queue.push(t);
            }
        }
        const int rolls = distance[0][goal.x][goal.y];
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (rolls < 0) puts("Impossible");
        else printf("%d\n", rolls);
    }
    fprintf(stderr, "%.6f\n", seconds);
}
