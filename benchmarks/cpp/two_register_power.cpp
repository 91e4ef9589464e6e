// Textbook C++ for two-register power (193): iterative deepening on the pair of exponents, the larger one at most 2P, cut where doubling
// falls short or the greatest common divisor does not divide P. Reads and writes the judge format; prints the seconds of the search to
// standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

static long long power;

static bool deepen(long long a, long long b, int left) {
    if (a == power || b == power) return true;
    if (left == 0 || a << left < power || a > 2 * power || power % std::gcd(a, b) != 0) return false;
    const long long made[4] = {2 * a, a + b, 2 * b, a - b};
    for (long long one : made)
        for (long long kept : {a, b})
            if (one != kept && deepen(std::max(one, kept), std::min(one, kept), left - 1)) return true;
    return false;
}

int main() {
    if (scanf("%lld", &power) != 1) return 2;
    const auto start = std::chrono::steady_clock::now();
    int operations = 0;
    while (!deepen(1, 0, operations)) operations++;
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    printf("%d\n", operations);
}
