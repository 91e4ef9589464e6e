// Textbook C++ for book sort (180): iterative deepening up to 4 moves with a third of the breakpoints as the bound. Reads and writes the
// judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

static int n, row[32];

static bool deepen(int left) {
    int breakpoints = row[0] != 1;
    for (int p = 0; p + 1 < n; p++) breakpoints += row[p + 1] != row[p] + 1;
    breakpoints += row[n - 1] != n;
    if (breakpoints == 0) return true;
    if ((breakpoints + 2) / 3 > left) return false;
    int kept[32];
    std::copy(row, row + n, kept);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k <= n; k++) {
                std::rotate(row + i, row + j, row + k);
                const bool found = deepen(left - 1);
                std::copy(kept, kept + n, row);
                if (found) return true;
            }
    return false;
}

int main() {
    int cases;
    if (scanf("%d", &cases) != 1) return 2;
    std::vector<int> answers;
    double seconds = 0;
    while (cases--) {
        if (scanf("%d", &n) != 1) return 2;
        for (int p = 0; p < n; p++)
            if (scanf("%d", &row[p]) != 1) return 2;
        const auto start = std::chrono::steady_clock::now();
        int moves = 0;
        while (moves < 5 && !deepen(moves)) moves++;
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        answers.push_back(moves);
    }
    for (int moves : answers)
        if (moves < 5) printf("%d\n", moves);
        else puts("5 or more");
    fprintf(stderr, "%.6f\n", seconds);
}
