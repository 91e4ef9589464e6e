// Textbook C++ for the rolling block on the plane (192): the closed form, tried for the few possible numbers of turns.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

long long rolls(char pose, long long x, long long y) {
    if (pose == 'H') std::swap(x, y);
    const bool lying = pose != 'U';
    if (lying) x = (x < 0 ? -x - 1 : x) - 1;
    x = lying ? x : llabs(x), y = llabs(y);
    const long long p0 = std::max(0LL, x / 3), q0 = y / 3;
    long long best = -1;
    for (long long p = p0; p <= p0 + 1; p++)
        for (long long q = q0; q <= q0 + 1; q++) {
            const long long j = std::min(llabs(x - 3 * p0), llabs(x - 3 * p)), i = std::min(y - 3 * q0, llabs(y - 3 * q));
            if ((j && !q) || (i && !p && !lying)) continue;
            const long long cost = 2 * p + 2 * q + i + j + lying;
            if (best < 0 || cost < best) best = cost;
        }
    return best;
}

int main() {
    struct Line {
        char pose;
        long long x, y;
    };
    std::vector<Line> lines;
    for (Line line; scanf(" %c %lld %lld", &line.pose, &line.x, &line.y) == 3;) lines.push_back(line);
    std::vector<long long> answers;
    const auto start = std::chrono::steady_clock::now();
    for (auto& line : lines) answers.push_back(rolls(line.pose, line.x, line.y));
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    for (auto answer : answers) printf("%lld\n", answer);
}
