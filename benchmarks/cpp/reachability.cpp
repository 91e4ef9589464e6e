// Textbook C++ for reachability (164) on acyclic graphs: topological order, one std::bitset row a vertex.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <vector>

static const int MOST = 30000;

int main() {
    int n, m;
    if (scanf("%d %d", &n, &m) != 2 || n > MOST) return 1;
    std::vector<std::vector<int>> following(n);
    std::vector<int> entering(n), order;
    for (int i = 0; i < m; i++) {
        int x, y;
        if (scanf("%d %d", &x, &y) != 2) return 1;
        following[x - 1].push_back(y - 1);
        entering[y - 1]++;
    }
    const auto start = std::chrono::steady_clock::now();
    for (int v = 0; v < n; v++)
        if (entering[v] == 0) order.push_back(v);
    for (size_t i = 0; i < order.size(); i++)
        for (int v : following[order[i]])
            if (--entering[v] == 0) order.push_back(v);
    std::vector<std::bitset<MOST>> reached(n);
    std::vector<int> counts(n);
    for (size_t i = order.size(); i-- > 0;) {
        const int v = order[i];
        reached[v][v] = 1;
        for (int next : following[v]) reached[v] |= reached[next];
        counts[v] = reached[v].count();
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    for (int count : counts) printf("%d\n", count);
}
