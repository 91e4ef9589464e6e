// Textbook C++ for string rewriting (190): breadth-first search from both strings, the smaller layer first, in hash maps.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

using std::string;
using Rules = std::vector<std::pair<string, string>>;

static int solve(const string& a, const string& b, const Rules& rules, int most) {
    if (a == b) return 0;
    Rules back;
    for (const auto& [x, y] : rules) back.push_back({y, x});
    std::unordered_set<string> seen[2] = {{a}, {b}};
    std::vector<string> layer[2] = {{a}, {b}};
    for (int steps = 1; steps <= most; steps++) {
        const int side = layer[0].size() <= layer[1].size() ? 0 : 1;
        std::vector<string> next;
        for (const string& s : layer[side])
            for (const auto& [x, y] : side ? back : rules)
                for (size_t i = s.find(x); i != string::npos; i = s.find(x, i + 1)) {
                    string made = s.substr(0, i) + y + s.substr(i + x.size());
                    if (seen[1 - side].count(made)) return steps;
                    if (seen[side].insert(made).second) next.push_back(std::move(made));
                }
        if (next.empty()) return -1;
        layer[side] = std::move(next);
    }
    return -1;
}

int main() {
    string a, b, x, y;
    std::cin >> a >> b;
    Rules rules;
    while (std::cin >> x >> y) rules.push_back({x, y});
    const auto start = std::chrono::steady_clock::now();
    const int steps = solve(a, b, rules, 10);
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (steps < 0) puts("NO ANSWER!");
    else printf("%d\n", steps);
}
