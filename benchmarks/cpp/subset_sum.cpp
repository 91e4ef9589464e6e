// The largest subset sum up to a target by meeting in the middle as one writes it in C++: std::sort and two pointers; ends at a hit.
// Reads: how many numbers, the target, the numbers. Prints: the sum, seconds.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

static std::vector<int64_t> sums(const std::vector<int64_t>& numbers, size_t begin, size_t end) {
    std::vector<int64_t> found(1, 0);
    found.reserve((size_t)1 << (end - begin));
    for (size_t p = begin; p < end; p++)
        for (size_t i = 0, count = found.size(); i < count; i++) found.push_back(found[i] + numbers[p]);
    std::sort(found.begin(), found.end());
    return found;
}

int main() {
    size_t n;
    int64_t target;
    if (scanf("%zu %ld", &n, &target) != 2) return 1;
    std::vector<int64_t> numbers(n);
    for (auto& number : numbers)
        if (scanf("%ld", &number) != 1) return 1;
    const auto start = std::chrono::steady_clock::now();
    const auto a = sums(numbers, 0, n / 2), b = sums(numbers, n / 2, n);
    int64_t best = -1;
    for (size_t i = 0, j = b.size(); i < a.size() && j > 0 && best < target;) {
        const int64_t sum = a[i] + b[j - 1];
        if (sum <= target) {
            best = std::max(best, sum);
            i++;
        } else {
            j--;
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    printf("%ld %.4f\n", best, seconds.count());
}
