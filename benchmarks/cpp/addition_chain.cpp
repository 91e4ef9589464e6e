// Textbook C++ for addition chains (170): iterative deepening from the logarithm up, larger sums first, no sum twice at a level, and a
// cut where doubling to the end falls short. Reads and writes the judge format; prints the seconds of the search to standard error.
#include <chrono>
#include <cstdio>
#include <string>
#include <unordered_set>

static long long chain[64], n;
static int length;

static bool extend(int place) {
    if (chain[place] == n) return true;
    if (place == length || chain[place] << (length - place) < n) return false;
    std::unordered_set<long long> tried;
    for (int i = place; i >= 0; i--)
        for (int j = i; j >= 0; j--) {
            const long long sum = chain[i] + chain[j];
            if (sum <= chain[place]) break;
            if (sum > n || !tried.insert(sum).second) continue;
            chain[place + 1] = sum;
            if (extend(place + 1)) return true;
        }
    return false;
}

int main() {
    std::string output;
    double seconds = 0;
    while (scanf("%lld", &n) == 1 && n) {
        const auto start = std::chrono::steady_clock::now();
        chain[0] = 1;
        for (length = 0; !extend(0); length++) {}
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        for (int i = 0; i <= length; i++) output += std::to_string(chain[i]) + (i < length ? " " : "\n");
    }
    fputs(output.c_str(), stdout);
    fprintf(stderr, "%.6f\n", seconds);
}
