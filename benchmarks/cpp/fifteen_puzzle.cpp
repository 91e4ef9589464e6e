// IDA* on the 15-puzzle as one writes it in C++: recursive, Manhattan distance kept up to date, no move straight back.
// Usage: fifteen_puzzle TILE×16 → length, generated nodes (the start counted), seconds.
#include <chrono>
#include <cstdio>
#include <cstdlib>

static int distance_[16][16], neighbour[16][4], board[16], blank, threshold, following;
static long long generated;

static bool search(int g, int h, int last) {
    for (int move = 0; move < 4; move++) {
        if (last >= 0 && move == 3 - last) continue;
        const int cell = neighbour[blank][move];
        if (cell < 0) continue;
        const int tile = board[cell];
        generated++;
        const int child = h + distance_[tile][blank] - distance_[tile][cell];
        const int f = g + 1 + child;
        if (f > threshold) {
            if (f < following) following = f;
            continue;
        }
        if (child == 0) return true;
        const int before = blank;
        board[before] = tile;
        board[cell] = 0;
        blank = cell;
        if (search(g + 1, child, move)) return true;
        board[cell] = tile;
        board[before] = 0;
        blank = before;
    }
    return false;
}

int main(int, char** argv) {
    for (int cell = 0; cell < 16; cell++) {
        for (int tile = 1; tile < 16; tile++) distance_[tile][cell] = abs(tile / 4 - cell / 4) + abs(tile % 4 - cell % 4);
        neighbour[cell][0] = cell >= 4 ? cell - 4 : -1;
        neighbour[cell][1] = cell % 4 > 0 ? cell - 1 : -1;
        neighbour[cell][2] = cell % 4 < 3 ? cell + 1 : -1;
        neighbour[cell][3] = cell < 12 ? cell + 4 : -1;
    }
    int h = 0;
    for (int cell = 0; cell < 16; cell++) {
        board[cell] = atoi(argv[cell + 1]);
        if (board[cell]) h += distance_[board[cell]][cell];
        else blank = cell;
    }
    const auto start = std::chrono::steady_clock::now();
    generated = 1;
    for (threshold = h;; threshold = following) {
        following = 1 << 30;
        if (h == 0 || search(0, h, -1)) break;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%d %lld %.6f\n", threshold, generated, seconds);
}
