// Textbook C++ for the birthday cake (168): depth first from the bottom, large radii and heights first, cut by the least volume and the
// least side of the layers left, and by what the volume left costs in the largest radius. Reads and writes the judge format; prints the
// seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

static int N, M, best = 1 << 30;
static int least_volume[256], least_side[256];

static void dive(int left, int radius, int height, int volume, int surface) {
    if (left == 0) {
        if (volume == N) best = std::min(best, surface);
        return;
    }
    if (volume + least_volume[left] > N || surface + least_side[left] >= best) return;
    if (left < M && surface + 2 * (N - volume) / (radius - 1) >= best) return;
    const int room = N - volume - least_volume[left - 1];
    for (int r = std::min(radius - 1, (int)std::sqrt((double)room)); r >= left; r--)
        for (int h = std::min(height - 1, room / (r * r)); h >= left; h--)
            dive(left - 1, r, h, volume + r * r * h, surface + 2 * r * h + (left == M ? r * r : 0));
}

int main() {
    if (std::scanf("%d %d", &N, &M) != 2) return 1;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 1; i <= M; i++) {
        least_volume[i] = least_volume[i - 1] + i * i * i;
        least_side[i] = least_side[i - 1] + 2 * i * i;
    }
    dive(M, 1 << 20, 1 << 20, 0, 0);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%d\n", best == 1 << 30 ? 0 : best);
    std::fprintf(stderr, "%.9f\n", took.count());
}
