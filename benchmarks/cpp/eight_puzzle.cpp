// Breadth-first search over the whole 8-puzzle as one writes it in C++: std::unordered_map of packed states, std::queue.
// Prints: states, depth, seconds, bytes a state (all live heap blocks at the end, as the allocator rounds them).
#include <malloc.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <queue>
#include <unordered_map>

static size_t live, peak;

void* operator new(size_t size) {
    void* block = malloc(size);
    if (!block) throw std::bad_alloc();
    live += malloc_usable_size(block) + sizeof(size_t);
    if (live > peak) peak = live;
    return block;
}
void operator delete(void* block) noexcept {
    if (block) live -= malloc_usable_size(block) + sizeof(size_t);
    free(block);
}
void operator delete(void* block, size_t) noexcept { operator delete(block); }

struct Entry {
    uint64_t parent;
    uint8_t move, depth;
};

static int cell_of_blank(uint64_t state) {
    for (int cell = 0; cell < 9; cell++)
        if (((state >> (4 * cell)) & 15) == 0) return cell;
    return -1;
}

int main() {
    uint64_t start_state = 0;
    for (int cell = 0; cell < 9; cell++) start_state |= (uint64_t)cell << (4 * cell);
    const auto start = std::chrono::steady_clock::now();
    std::unordered_map<uint64_t, Entry> met;
    std::queue<uint64_t> frontier;
    met[start_state] = {0, 0, 0};
    frontier.push(start_state);
    int depth = 0;
    const int step[4] = {-3, -1, 1, 3};
    while (!frontier.empty()) {
        const uint64_t state = frontier.front();
        frontier.pop();
        const int blank = cell_of_blank(state);
        const int d = met[state].depth;
        if (d > depth) depth = d;
        for (int move = 0; move < 4; move++) {
            if ((move == 0 && blank < 3) || (move == 1 && blank % 3 == 0) || (move == 2 && blank % 3 == 2) || (move == 3 && blank > 5))
                continue;
            const int cell = blank + step[move];
            const uint64_t tile = (state >> (4 * cell)) & 15;
            const uint64_t child = (state & ~(15ULL << (4 * cell))) | (tile << (4 * blank));
            if (met.emplace(child, Entry{state, (uint8_t)move, (uint8_t)(d + 1)}).second) frontier.push(child);
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%zu %d %.6f %.1f\n", met.size(), depth, seconds, (double)peak / met.size());
}
