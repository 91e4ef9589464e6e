// Textbook C++ for target sudoku (183): all completions, with bit masks of rows, columns and boxes, always the blank cell with the fewest
// digits left. Reads 81 numbers, prints the largest weighted sum or -1; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>

static int row[9], column[9], box[9], cells[81], blanks, best = -1;

static int weight(int at) { return 6 + std::min(std::min(at / 9, at % 9), std::min(8 - at / 9, 8 - at % 9)); }

static int left(int at) { return 511 & ~(row[at / 9] | column[at % 9] | box[at / 27 * 3 + at % 9 / 3]); }

static void flip(int at, int bit) {
    row[at / 9] ^= bit;
    column[at % 9] ^= bit;
    box[at / 27 * 3 + at % 9 / 3] ^= bit;
}

static void dive(int sum) {
    if (blanks == 0) {
        best = std::max(best, sum);
        return;
    }
    int chosen = -1, fewest = 10;
    for (int at = 0; at < 81 && fewest > 1; at++) {
        if (cells[at]) continue;
        const int count = __builtin_popcount(left(at));
        if (count < fewest) fewest = count, chosen = at;
    }
    for (int mask = left(chosen); mask; mask &= mask - 1) {
        const int bit = mask & -mask;
        cells[chosen] = __builtin_ctz(bit) + 1;
        flip(chosen, bit);
        blanks--;
        dive(sum + weight(chosen) * cells[chosen]);
        blanks++;
        flip(chosen, bit);
    }
    cells[chosen] = 0;
}

int main() {
    bool right = true;
    int sum = 0;
    for (int at = 0; at < 81; at++) {
        if (scanf("%d", &cells[at]) != 1) return 1;
        if (cells[at] == 0) {
            blanks++;
        } else {
            right = right && (left(at) >> (cells[at] - 1) & 1);
            flip(at, 1 << (cells[at] - 1));
            sum += weight(at) * cells[at];
        }
    }
    const auto start = std::chrono::steady_clock::now();
    if (right) dive(sum);
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    printf("%d\n", best);
}
