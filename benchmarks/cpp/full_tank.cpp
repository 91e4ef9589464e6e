// Textbook C++ for full tank (176): Dijkstra's algorithm on (city, fuel), a unit at a time, with a priority queue.
// Reads and writes the judge format; prints the seconds between to standard error.
#include <chrono>
#include <cstdio>
#include <queue>
#include <string>
#include <vector>

struct State {
    long long cost;
    int city, fuel;
    bool operator<(const State& other) const { return cost > other.cost; }
};

int main() {
    int n, m, q;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<int> price(n);
    for (auto& p : price)
        if (scanf("%d", &p) != 1) return 1;
    std::vector<std::vector<std::pair<int, int>>> beside(n);
    for (int i = 0; i < m; i++) {
        int u, v, d;
        if (scanf("%d %d %d", &u, &v, &d) != 3) return 1;
        beside[u].push_back({v, d});
        beside[v].push_back({u, d});
    }
    if (scanf("%d", &q) != 1) return 1;
    double seconds = 0;
    while (q--) {
        int capacity, start, end;
        if (scanf("%d %d %d", &capacity, &start, &end) != 3) return 1;
        const auto begin = std::chrono::steady_clock::now();
        const int width = capacity + 1;
        std::vector<long long> best((size_t)n * width, 1LL << 62);
        std::vector<char> done((size_t)n * width, 0);
        std::priority_queue<State> queue;
        best[(size_t)start * width] = 0;
        queue.push({0, start, 0});
        long long answer = -1;
        while (!queue.empty()) {
            const auto [cost, city, fuel] = queue.top();
            queue.pop();
            if (city == end) {
                answer = cost;
                break;
            }
            const size_t here = (size_t)city * width + fuel;
            if (done[here]) continue;
            done[here] = 1;
            if (fuel < capacity && cost + price[city] < best[here + 1]) {
                best[here + 1] = cost + price[city];
                queue.push({best[here + 1], city, fuel + 1});
            }
            for (auto [other, d] : beside[city])
                if (d <= fuel && cost < best[(size_t)other * width + fuel - d]) {
                    best[(size_t)other * width + fuel - d] = cost;
                    queue.push({cost, other, fuel - d});
                }
        }
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (answer < 0)
            puts("impossible");
        else
            printf("%lld\n", answer);
    }
    fprintf(stderr, "%.6f\n", seconds);
}
