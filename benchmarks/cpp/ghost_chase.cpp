// Textbook C++ for ghost chase (177): breadth-first search of both people, second by second.
// Reads and writes the judge format; prints the seconds between to standard error.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <string>
#include <vector>

using Place = std::pair<int, int>;

int n, m;
std::vector<std::string> cells;
std::vector<Place> ghosts;
std::vector<std::vector<char>> visited[2];
std::queue<Place> frontier[2];

bool taken(int x, int y, int second) {
    for (auto [a, b] : ghosts)
        if (abs(a - x) + abs(b - y) <= 2 * second) return true;
    return false;
}

bool step(int person, int second) {
    const int dx[] = {-1, 0, 0, 1}, dy[] = {0, -1, 1, 0};
    for (size_t left = frontier[person].size(); left > 0; left--) {
        const auto [x, y] = frontier[person].front();
        frontier[person].pop();
        if (taken(x, y, second)) continue;
        for (int k = 0; k < 4; k++) {
            const int a = x + dx[k], b = y + dy[k];
            if (a < 0 || a >= n || b < 0 || b >= m || cells[a][b] == 'X' || visited[person][a][b] || taken(a, b, second)) continue;
            if (visited[1 - person][a][b]) return true;
            visited[person][a][b] = 1;
            frontier[person].push({a, b});
        }
    }
    return false;
}

int solve() {
    ghosts.clear();
    for (int p = 0; p < 2; p++) {
        visited[p].assign(n, std::vector<char>(m, 0));
        frontier[p] = {};
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (cells[i][j] == 'Z') ghosts.push_back({i, j});
            const int p = cells[i][j] == 'M' ? 0 : cells[i][j] == 'G' ? 1 : -1;
            if (p >= 0) frontier[p].push({i, j}), visited[p][i][j] = 1;
        }
    for (int second = 1; !frontier[0].empty() || !frontier[1].empty(); second++) {
        for (int k = 0; k < 3; k++)
            if (step(0, second)) return second;
        if (step(1, second)) return second;
    }
    return -1;
}

int main() {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    double seconds = 0;
    while (cases--) {
        if (scanf("%d %d", &n, &m) != 2) return 1;
        cells.assign(n, std::string(m + 1, ' '));
        for (auto& row : cells)
            if (scanf("%s", row.data()) != 1) return 1;
        const auto start = std::chrono::steady_clock::now();
        const int answer = solve();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        printf("%d\n", answer);
    }
    fprintf(stderr, "%.6f\n", seconds);
}
