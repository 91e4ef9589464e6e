// Textbook C++ for bin packing (165): items by descending weight, each into every open bin with room or into a new one, until no
// better packing is possible; it ends at once when the weight of all items allows no fewer bins. Reads and writes the judge format;
// prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

static int n, best, enough;
static long long capacity;
static std::vector<long long> weight, room;

static void pack(int item, int bins) {
    if (bins >= best || best == enough) return;
    if (item == n) {
        best = bins;
        return;
    }
    for (int b = 0; b < bins; b++)
        if (room[b] >= weight[item]) {
            room[b] -= weight[item];
            pack(item + 1, bins);
            room[b] += weight[item];
        }
    room[bins] = capacity - weight[item];
    pack(item + 1, bins + 1);
}

int main() {
    if (scanf("%d %lld", &n, &capacity) != 2) return 2;
    weight.resize(n);
    room.resize(n + 1);
    for (auto& w : weight)
        if (scanf("%lld", &w) != 1) return 2;
    const auto start = std::chrono::steady_clock::now();
    std::sort(weight.begin(), weight.end(), std::greater<long long>());
    long long sum = 0;
    for (auto w : weight) sum += w;
    enough = (sum + capacity - 1) / capacity;
    best = n + 1;
    pack(0, 0);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%d\n", best > n ? n : best);
    fprintf(stderr, "%.6f\n", seconds);
}
