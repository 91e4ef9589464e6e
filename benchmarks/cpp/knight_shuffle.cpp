// Textbook C++ for the knight shuffle (195): iterative deepening with the number of knights on a wrong cell as the bound, up to 15
// jumps. Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <chrono>
#include <cstdio>
#include <vector>

static const char* goal[5] = {"11111", "01111", "00*11", "00001", "00000"};
static const int di[8] = {-2, -2, -1, -1, 1, 1, 2, 2}, dj[8] = {-1, 1, -2, 2, -2, 2, -1, 1};
static char board[5][6];

static int wrong() {
    int count = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) count += board[i][j] != '*' && board[i][j] != goal[i][j];
    return count;
}

static bool deepen(int i, int j, int left, int last) {
    const int bound = wrong();
    if (bound > left) return false;
    if (bound == 0 && board[2][2] == '*') return true;
    if (left == 0) return false;
    for (int m = 0; m < 8; m++) {
        const int r = i + di[m], c = j + dj[m];
        if (m == 7 - last || r < 0 || c < 0 || r > 4 || c > 4) continue;
        board[i][j] = board[r][c];
        board[r][c] = '*';
        const bool found = deepen(r, c, left - 1, m);
        board[r][c] = board[i][j];
        board[i][j] = '*';
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
        int gi = 0, gj = 0;
        for (int i = 0; i < 5; i++) {
            if (scanf("%5s", board[i]) != 1) return 2;
            for (int j = 0; j < 5; j++)
                if (board[i][j] == '*') gi = i, gj = j;
        }
        const auto start = std::chrono::steady_clock::now();
        int answer = -1;
        for (int limit = 0; limit <= 15 && answer < 0; limit++)
            if (deepen(gi, gj, limit, 8)) answer = limit;
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        answers.push_back(answer);
    }
    for (int answer : answers) printf("%d\n", answer);
    fprintf(stderr, "%.6f\n", seconds);
}
