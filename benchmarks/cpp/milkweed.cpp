// Textbook C++ for milkweed (189): breadth-first search from the start over eight neighbours.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

int main() {
    int columns, rows, x, y;
    if (scanf("%d %d %d %d", &columns, &rows, &x, &y) != 4) return 1;
    std::vector<std::string> cells(rows, std::string(columns + 1, ' '));
    for (auto& row : cells)
        if (scanf("%s", row.data()) != 1) return 1;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::vector<int>> week(rows, std::vector<int>(columns, -1));
    std::queue<std::pair<int, int>> queue;
    queue.push({rows - y, x - 1});
    week[rows - y][x - 1] = 0;
    int last = 0;
    while (!queue.empty()) {
        const auto [i, j] = queue.front();
        queue.pop();
        last = std::max(last, week[i][j]);
        for (int a = i - 1; a <= i + 1; a++)
            for (int b = j - 1; b <= j + 1; b++) {
                if (a < 0 || a >= rows || b < 0 || b >= columns || cells[a][b] == '*' || week[a][b] >= 0) continue;
                week[a][b] = week[i][j] + 1;
                queue.push({a, b});
            }
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    printf("%d\n", last);
}
