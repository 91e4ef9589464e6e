// Textbook C++ for equal sticks (167): length by length, depth first, pieces by descending length, with the usual prunings: equal pieces
// that failed are passed over, and a piece that fails at the beginning or at the end of a stick fails it. Reads and writes the judge
// format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

static std::vector<int> piece;
static std::vector<char> used;
static int length, sticks;

static bool join(int done, int filled, int from) {
    if (done == sticks) return true;
    if (filled == length) return join(done + 1, 0, 0);
    int failed = 0;
    for (int i = from; i < (int)piece.size(); i++) {
        if (used[i] || filled + piece[i] > length || piece[i] == failed) continue;
        used[i] = 1;
        if (join(done, filled + piece[i], i + 1)) return true;
        used[i] = 0;
        failed = piece[i];
        if (filled == 0 || filled + piece[i] == length) return false;
    }
    return false;
}

int main() {
    int n;
    std::vector<int> answers;
    double seconds = 0;
    while (scanf("%d", &n) == 1 && n) {
        piece.clear();
        for (int i = 0, p; i < n; i++) {
            if (scanf("%d", &p) != 1) return 2;
            if (p <= 50) piece.push_back(p);
        }
        const auto start = std::chrono::steady_clock::now();
        std::sort(piece.begin(), piece.end(), std::greater<int>());
        int total = 0;
        for (int p : piece) total += p;
        for (length = piece[0];; length++) {
            if (total % length) continue;
            sticks = total / length;
            used.assign(piece.size(), 0);
            if (join(0, 0, 0)) break;
        }
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        answers.push_back(length);
    }
    for (int answer : answers) printf("%d\n", answer);
    fprintf(stderr, "%.6f\n", seconds);
}
