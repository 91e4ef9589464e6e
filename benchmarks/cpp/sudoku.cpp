// Textbook C++ for sudoku (166): bit masks of rows, columns and boxes, always the blank cell with the fewest digits left. Reads lines
// of 81 cells up to `end`, prints the first solution of each; with an argument searches on to a second solution. Prints the seconds
// between reading and writing to standard error.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

static int row[9], column[9], box[9], cells[81], blanks, wanted, found;
static std::string first;

static int left(int at) { return 511 & ~(row[at / 9] | column[at % 9] | box[at / 27 * 3 + at % 9 / 3]); }

static void flip(int at, int bit) {
    row[at / 9] ^= bit;
    column[at % 9] ^= bit;
    box[at / 27 * 3 + at % 9 / 3] ^= bit;
}

static void dive() {
    if (blanks == 0) {
        if (found++ == 0) {
            first.clear();
            for (int i = 0; i < 81; i++) first += (char)('1' + cells[i]);
        }
        return;
    }
    int best = -1, fewest = 10;
    for (int at = 0; at < 81 && fewest > 1; at++) {
        if (cells[at] >= 0) continue;
        const int count = __builtin_popcount(left(at));
        if (count < fewest) fewest = count, best = at;
    }
    for (int mask = left(best); mask && found < wanted; mask &= mask - 1) {
        const int bit = mask & -mask;
        cells[best] = __builtin_ctz(bit);
        flip(best, bit);
        blanks--;
        dive();
        blanks++;
        flip(best, bit);
    }
    cells[best] = -1;
}

int main(int argc, char**) {
    wanted = argc > 1 ? 2 : 1;
    std::vector<std::string> grids;
    for (std::string line; std::cin >> line && line != "end";) grids.push_back(line);
    const auto start = std::chrono::steady_clock::now();
    std::string out;
    for (const std::string& grid : grids) {
        for (int i = 0; i < 9; i++) row[i] = column[i] = box[i] = 0;
        blanks = found = 0;
        bool right = true;
        for (int at = 0; at < 81; at++) {
            cells[at] = grid[at] >= '1' && grid[at] <= '9' ? grid[at] - '1' : -1;
            if (cells[at] < 0) {
                blanks++;
            } else {
                right = right && (left(at) >> cells[at] & 1);
                flip(at, 1 << cells[at]);
            }
        }
        if (right) dive();
        out += (found ? first : "No solution") + "\n";
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fputs(out.c_str(), stdout);
}
