// Textbook C++ for knight distance (188): breadth-first search from K until H is reached.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <chrono>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

int main() {
    int columns, rows;
    if (scanf("%d %d", &columns, &rows) != 2) return 1;
    std::vector<std::string> cells(rows, std::string(columns + 1, ' '));
    for (auto& row : cells)
        if (scanf("%s", row.data()) != 1) return 1;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::vector<int>> distance(rows, std::vector<int>(columns, -1));
    std::queue<std::pair<int, int>> queue;
    int x = 0, y = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            if (cells[i][j] == 'K') queue.push({i, j}), distance[i][j] = 0;
            if (cells[i][j] == 'H') x = i, y = j;
        }
    const int di[] = {-2, -1, 1, 2, 2, 1, -1, -2}, dj[] = {1, 2, 2, 1, -1, -2, -2, -1};
    while (!queue.empty() && distance[x][y] < 0) {
        const auto [i, j] = queue.front();
        queue.pop();
        for (int k = 0; k < 8; k++) {
            const int a = i + di[k], b = j + dj[k];
            if (a < 0 || a >= rows || b < 0 || b >= columns || cells[a][b] == '*' || distance[a][b] >= 0) continue;
            distance[a][b] = distance[i][j] + 1;
            queue.push({a, b});
        }
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    printf("%d\n", distance[x][y]);
}
