// Textbook C++ for subset sum (171): all sums of the first half, sorted, and for each sum of the second half the best partner by binary
// search; items by descending weight. Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

static long long limit, best;
static int n;
static std::vector<long long> weight, sums;

static void first(int item, int end, long long sum) {
    if (item == end) {
        sums.push_back(sum);
        return;
    }
    first(item + 1, end, sum);
    if (sum + weight[item] <= limit) first(item + 1, end, sum + weight[item]);
}

static void second(int item, long long sum) {
    if (item == n) {
        const auto partner = std::upper_bound(sums.begin(), sums.end(), limit - sum);
        best = std::max(best, sum + *(partner - 1));
        return;
    }
    second(item + 1, sum);
    if (sum + weight[item] <= limit) second(item + 1, sum + weight[item]);
}

int main() {
    if (scanf("%lld %d", &limit, &n) != 2) return 2;
    weight.resize(n);
    for (auto& w : weight)
        if (scanf("%lld", &w) != 1) return 2;
    const auto start = std::chrono::steady_clock::now();
    std::sort(weight.begin(), weight.end(), std::greater<long long>());
    first(0, n / 2, 0);
    std::sort(sums.begin(), sums.end());
    sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
    second(n / 2, 0);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%lld\n", best);
    fprintf(stderr, "%.6f\n", seconds);
}
