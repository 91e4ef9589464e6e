// Textbook C++ for the k-th walk (178): exact distances to the target, then A* that takes each vertex at most K times.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <queue>
#include <vector>

using Item = std::pair<int64_t, int>;
using Queue = std::priority_queue<Item, std::vector<Item>, std::greater<>>;
using Graph = std::vector<std::vector<std::pair<int, int64_t>>>;
static const int64_t NONE = INT64_MAX / 4;

static int64_t kth(const Graph& graph, const Graph& back, int s, int t, int k) {
    std::vector<int64_t> h(graph.size(), NONE);
    std::vector<int> taken(graph.size());
    Queue queue;
    queue.push({h[t] = 0, t});
    while (!queue.empty()) {
        auto [near, v] = queue.top();
        queue.pop();
        if (near > h[v]) continue;
        for (auto [u, length] : back[v])
            if (near + length < h[u]) queue.push({h[u] = near + length, u});
    }
    if (h[s] == NONE) return -1;
    if (s == t) k++;
    queue.push({h[s], s});
    while (!queue.empty()) {
        auto [f, v] = queue.top();
        queue.pop();
        if (taken[v] == k) continue;
        if (++taken[v] == k && v == t) return f;
        for (auto [u, length] : graph[v])
            if (h[u] < NONE) queue.push({f - h[v] + length + h[u], u});
    }
    return -1;
}

int main() {
    int n, m, s, t, k;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    Graph graph(n), back(n);
    for (int i = 0; i < m; i++) {
        int a, b;
        long long length;
        if (scanf("%d %d %lld", &a, &b, &length) != 3) return 1;
        graph[a - 1].push_back({b - 1, length});
        back[b - 1].push_back({a - 1, length});
    }
    if (scanf("%d %d %d", &s, &t, &k) != 3) return 1;
    const auto start = std::chrono::steady_clock::now();
    const int64_t answer = kth(graph, back, s - 1, t - 1, k);
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    printf("%lld\n", (long long)answer);
}
