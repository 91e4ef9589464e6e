// Textbook C++ for the graph benchmarks. Reads "n m", then m lines "source target weight" (from 0), then one command:
//   distances S          Dijkstra with std::priority_queue
//   walks S T K          K-th shortest walk: A* on exact reverse distances, each vertex taken at most K times
//   paths S T K          K-th shortest simple path: Yen with Lawler's rule, A* on exact reverse distances
//   reachability         counts on an acyclic graph whose arcs lead to larger numbers: one std::vector<uint64_t> row a vertex
// Prints: the answer (sum of distances, cost of the last, sum of counts) and the seconds, reading left out.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <queue>
#include <set>
#include <vector>

using Cost = int64_t;
struct Arc {
    int target;
    Cost weight;
};
using Graph = std::vector<std::vector<Arc>>;
static const Cost NONE = INT64_MAX / 4;

static std::vector<Cost> dijkstra(const Graph& graph, int source) {
    std::vector<Cost> distance(graph.size(), NONE);
    std::priority_queue<std::pair<Cost, int>, std::vector<std::pair<Cost, int>>, std::greater<>> queue;
    distance[source] = 0;
    queue.push({0, source});
    while (!queue.empty()) {
        auto [near, vertex] = queue.top();
        queue.pop();
        if (near > distance[vertex]) continue;
        for (const Arc& arc : graph[vertex])
            if (near + arc.weight < distance[arc.target]) {
                distance[arc.target] = near + arc.weight;
                queue.push({near + arc.weight, arc.target});
            }
    }
    return distance;
}

static Graph reversed(const Graph& graph) {
    Graph back(graph.size());
    for (size_t v = 0; v < graph.size(); v++)
        for (const Arc& arc : graph[v]) back[arc.target].push_back({(int)v, arc.weight});
    return back;
}

static Cost walks(const Graph& graph, int s, int t, int k) {
    const std::vector<Cost> h = dijkstra(reversed(graph), t);
    if (h[s] == NONE) return -1;
    std::vector<int> taken(graph.size(), 0);
    std::priority_queue<std::pair<Cost, int>, std::vector<std::pair<Cost, int>>, std::greater<>> queue;
    queue.push({h[s], s});
    while (!queue.empty()) {
        auto [f, vertex] = queue.top();
        queue.pop();
        if (taken[vertex] == k) continue;
        taken[vertex]++;
        if (vertex == t && taken[t] == k) return f;
        for (const Arc& arc : graph[vertex])
            if (h[arc.target] < NONE) queue.push({f - h[vertex] + arc.weight + h[arc.target], arc.target});
    }
    return -1;
}

// A path by the positions of its arcs in their sources' lists.
struct Path {
    Cost cost;
    std::vector<int> vertices, arcs;
    size_t spur;
    bool operator>(const Path& other) const { return cost > other.cost; }
};

static Cost paths(const Graph& graph, int s, int t, int k) {
    const std::vector<Cost> h = dijkstra(reversed(graph), t);
    if (h[s] == NONE) return -1;
    const size_t n = graph.size();
    std::vector<Path> found;
    std::priority_queue<Path, std::vector<Path>, std::greater<>> candidates;
    std::vector<char> blocked(n);
    std::vector<Cost> g(n);
    std::vector<std::pair<int, int>> via(n);
    auto solve = [&](Path prefix, Cost cost, const std::set<int>& banned) {
        std::fill(blocked.begin(), blocked.end(), 0);
        for (int v : prefix.vertices) blocked[v] = 1;
        const int spur = prefix.vertices.back();
        blocked[spur] = 0;
        std::fill(g.begin(), g.end(), NONE);
        g[spur] = cost;
        std::priority_queue<std::pair<Cost, int>, std::vector<std::pair<Cost, int>>, std::greater<>> queue;
        queue.push({cost + h[spur], spur});
        while (!queue.empty()) {
            auto [f, vertex] = queue.top();
            queue.pop();
            if (f > g[vertex] + h[vertex]) continue;
            if (vertex == t) {
                std::vector<int> way, arcs;
                for (int v = t; v != spur; v = via[v].first) way.push_back(v), arcs.push_back(via[v].second);
                prefix.vertices.insert(prefix.vertices.end(), way.rbegin(), way.rend());
                prefix.arcs.insert(prefix.arcs.end(), arcs.rbegin(), arcs.rend());
                prefix.cost = f;
                candidates.push(std::move(prefix));
                return;
            }
            for (size_t i = 0; i < graph[vertex].size(); i++) {
                const Arc& arc = graph[vertex][i];
                if (h[arc.target] == NONE || blocked[arc.target] || (vertex == spur && banned.count((int)i))) continue;
                if (g[vertex] + arc.weight < g[arc.target]) {
                    g[arc.target] = g[vertex] + arc.weight;
                    via[arc.target] = {vertex, (int)i};
                    queue.push({g[arc.target] + h[arc.target], arc.target});
                }
            }
        }
    };
    solve(Path{0, {s}, {}, 0}, 0, {});
    while (!candidates.empty()) {
        found.push_back(candidates.top());
        candidates.pop();
        const Path path = found.back();
        if ((int)found.size() == k) return path.cost;
        Cost cost = 0;
        for (size_t i = 0; i < path.arcs.size(); i++) {
            if (i >= path.spur) {
                std::set<int> banned;
                for (const Path& other : found)
                    if (other.arcs.size() > i && std::equal(path.arcs.begin(), path.arcs.begin() + i, other.arcs.begin()))
                        banned.insert(other.arcs[i]);
                Path prefix{0, {path.vertices.begin(), path.vertices.begin() + i + 1}, {path.arcs.begin(), path.arcs.begin() + i}, i};
                solve(prefix, cost, banned);
            }
            cost += graph[path.vertices[i]][path.arcs[i]].weight;
        }
    }
    return -1;
}

static Cost reachability(const Graph& graph) {
    const size_t n = graph.size(), words = (n + 63) / 64;
    std::vector<std::vector<uint64_t>> rows(n, std::vector<uint64_t>(words));
    Cost total = 0;
    for (size_t v = n; v-- > 0;) {
        rows[v][v / 64] |= 1ULL << (v % 64);
        for (const Arc& arc : graph[v])
            for (size_t w = 0; w < words; w++) rows[v][w] |= rows[arc.target][w];
        for (uint64_t word : rows[v]) total += __builtin_popcountll(word);
    }
    return total;
}

int main() {
    int n, m, s, t, k;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    Graph graph(n);
    for (int i = 0; i < m; i++) {
        long long w;
        if (scanf("%d %d %lld", &s, &t, &w) != 3) return 1;
        graph[s].push_back({t, w});
    }
    char command[32];
    if (scanf("%31s", command) != 1) return 1;
    const bool pair = !strcmp(command, "walks") || !strcmp(command, "paths");
    if (pair && scanf("%d %d %d", &s, &t, &k) != 3) return 1;
    if (!strcmp(command, "distances") && scanf("%d", &s) != 1) return 1;
    const auto start = std::chrono::steady_clock::now();
    Cost answer = 0;
    if (!strcmp(command, "distances")) {
        for (Cost distance : dijkstra(graph, s))
            if (distance < NONE) answer += distance;
    } else if (!strcmp(command, "walks")) {
        answer = walks(graph, s, t, k);
    } else if (!strcmp(command, "paths")) {
        answer = paths(graph, s, t, k);
    } else {
        answer = reachability(graph);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%lld %.6f\n", (long long)answer, seconds);
}
