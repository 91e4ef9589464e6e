// Textbook C++ for missile defence (187): iterative deepening on the number of systems; each missile goes to the increasing system with the
// highest last height below it, to the decreasing one with the lowest above it, or to a new one. Reads and writes the judge format;
// prints the seconds between reading and writing to standard error.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

static std::vector<long long> height;
static std::vector<long long> up, down;  // last heights

static bool dive(size_t at, size_t limit) {
    if (up.size() + down.size() > limit) return false;
    if (at == height.size()) return true;
    const long long x = height[at];
    int best = -1;
    for (size_t i = 0; i < up.size(); i++)
        if (up[i] < x && (best < 0 || up[i] > up[best])) best = i;
    if (best >= 0) {
        const long long before = up[best];
        up[best] = x;
        if (dive(at + 1, limit)) return true;
        up[best] = before;
    } else {
        up.push_back(x);
        if (dive(at + 1, limit)) return true;
        up.pop_back();
    }
    best = -1;
    for (size_t i = 0; i < down.size(); i++)
        if (down[i] > x && (best < 0 || down[i] < down[best])) best = i;
    if (best >= 0) {
        const long long before = down[best];
        down[best] = x;
        if (dive(at + 1, limit)) return true;
        down[best] = before;
    } else {
        down.push_back(x);
        if (dive(at + 1, limit)) return true;
        down.pop_back();
    }
    return false;
}

int main() {
    std::vector<std::vector<long long>> cases;
    for (int n; scanf("%d", &n) == 1 && n != 0;) {
        cases.emplace_back(n);
        for (long long& x : cases.back()) scanf("%lld", &x);
    }
    const auto start = std::chrono::steady_clock::now();
    std::string out;
    for (const auto& one : cases) {
        height = one;
        size_t limit = 1;
        for (;; limit++) {
            up.clear();
            down.clear();
            if (dive(0, limit)) break;
        }
        out += std::to_string(limit) + "\n";
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fputs(out.c_str(), stdout);
}
