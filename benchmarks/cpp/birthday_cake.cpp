// Textbook C++ for birthday cake (168): layers from the bottom up, larger radii and heights first, with the least volume and the least side of
// the layers to come and the side 2v/r that a volume needs. Reads and writes the judge format; prints the seconds between reading and writing
// to standard error.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

static int n, m;
static long long best;
static long long least_volume[128], least_side[128];

// k layers to come, of radii at most r and heights at most h, that hold the volume v.
static void dive(int k, int r, int h, long long v, long long surface) {
    if (k == 0) {
        if (v == 0) best = std::min(best, surface);
        return;
    }
    if (least_volume[k] > v || surface + least_side[k] >= best || surface + 2.0 * v / r >= best) return;
    const long long room = v - least_volume[k - 1];
    for (int i = std::min<long long>(r, std::sqrt((double)room / k)); i >= k; i--)
        for (int j = std::min<long long>(h, room / (i * i)); j >= k; j--)
            dive(k - 1, i - 1, j - 1, v - (long long)i * i * j, surface + 2 * i * j + (k == m ? i * i : 0));
}

int main() {
    std::vector<std::pair<int, int>> cases;
    while (scanf("%d %d", &n, &m) == 2) cases.emplace_back(n, m);
    for (int k = 1; k < 128; k++) {
        least_volume[k] = least_volume[k - 1] + (long long)k * k * k;
        least_side[k] = least_side[k - 1] + 2 * k * k;
    }
    const auto start = std::chrono::steady_clock::now();
    std::string out;
    for (const auto& one : cases) {
        n = one.first, m = one.second;
        best = 1LL << 60;
        dive(m, (int)std::sqrt((double)n) + 1, n, n, 0);
        out += std::to_string(best == 1LL << 60 ? 0 : best) + "\n";
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fputs(out.c_str(), stdout);
}
