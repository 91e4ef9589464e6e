// Textbook C++ for the rotation game (181): iterative deepening with the number of wrong cells in the centre as the bound. Reads and
// writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

static const int lines[8][7] = {
    {0, 2, 6, 11, 15, 20, 22},    {1, 3, 8, 12, 17, 21, 23},    {10, 9, 8, 7, 6, 5, 4},    {19, 18, 17, 16, 15, 14, 13},
    {23, 21, 17, 12, 8, 3, 1},    {22, 20, 15, 11, 6, 2, 0},    {13, 14, 15, 16, 17, 18, 19}, {4, 5, 6, 7, 8, 9, 10}};
static const int centre[8] = {6, 7, 8, 11, 12, 15, 16, 17};
static const int opposite[8] = {5, 4, 7, 6, 1, 0, 3, 2};

static int board[24];
static std::string path;

static int wrong() {
    int count[4] = {0, 0, 0, 0};
    for (int cell : centre) count[board[cell]]++;
    return 8 - std::max({count[1], count[2], count[3]});
}

static void turn(int move) {
    const int* line = lines[move];
    const int first = board[line[0]];
    for (int i = 0; i < 6; i++) board[line[i]] = board[line[i + 1]];
    board[line[6]] = first;
}

static bool dive(int rest, int last) {
    const int h = wrong();
    if (h == 0) return true;
    if (h > rest) return false;
    for (int move = 0; move < 8; move++) {
        if (last >= 0 && move == opposite[last]) continue;
        turn(move);
        path.push_back('A' + move);
        if (dive(rest - 1, move)) return true;
        path.pop_back();
        turn(opposite[move]);
    }
    return false;
}

int main() {
    std::vector<int> numbers;
    for (int x; scanf("%d", &x) == 1 && x != 0;) numbers.push_back(x);
    const auto start = std::chrono::steady_clock::now();
    std::string out;
    for (size_t at = 0; at + 24 <= numbers.size(); at += 24) {
        std::copy_n(numbers.begin() + at, 24, board);
        path.clear();
        for (int depth = wrong(); !dive(depth, -1); depth++) {}
        out += (path.empty() ? "No moves needed" : path) + "\n" + std::to_string(board[6]) + "\n";
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fputs(out.c_str(), stdout);
}
