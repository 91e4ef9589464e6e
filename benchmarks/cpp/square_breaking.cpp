// Square breaking as for a contest: iterative deepening, the first complete square's matches one after another, bounded by
// complete squares without common matches, found one after another.

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

typedef unsigned long long word;

struct Set {
    word a = 0, b = 0, c = 0;
    void add(int i) { (i < 64 ? a : i < 128 ? b : c) |= 1ULL << (i % 64); }
    void remove(int i) { (i < 64 ? a : i < 128 ? b : c) &= ~(1ULL << (i % 64)); }
    bool within(const Set& o) const { return (a & ~o.a) == 0 && (b & ~o.b) == 0 && (c & ~o.c) == 0; }
    void take(const Set& o) { a &= ~o.a, b &= ~o.b, c &= ~o.c; }
};

std::vector<Set> squares;
std::vector<std::vector<int>> sides;

bool dive(Set there, int rest) {
    int bound = 0, first = -1;
    Set left = there;
    for (size_t i = 0; i < squares.size(); i++) {
        if (!squares[i].within(left)) continue;
        left.take(squares[i]);
        if (first < 0) first = i;
        bound++;
    }
    if (bound > rest) return false;
    if (first < 0) return true;
    for (int match : sides[first]) {
        there.remove(match);
        if (dive(there, rest - 1)) return true;
        there.add(match);
    }
    return false;
}

int main() {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    double seconds = 0;
    std::string out;
    while (cases--) {
        int n, k;
        if (scanf("%d %d", &n, &k) != 2) return 1;
        Set there;
        for (int i = 0; i < 2 * n * (n + 1); i++) there.add(i);
        for (int i = 0, match; i < k && scanf("%d", &match) == 1; i++) there.remove(match - 1);
        const auto start = std::chrono::steady_clock::now();
        squares.clear();
        sides.clear();
        const int period = 2 * n + 1;
        for (int side = 1; side <= n; side++)
            for (int row = 0; row + side <= n; row++)
                for (int column = 0; column + side <= n; column++) {
                    Set square;
                    std::vector<int> matches;
                    for (int i = 0; i < side; i++) {
                        const int upper = period * row + column + i, left = period * (row + i) + column + n;
                        for (int match : {upper, upper + period * side, left, left + side}) {
                            square.add(match);
                            matches.push_back(match);
                        }
                    }
                    squares.push_back(square);
                    sides.push_back(matches);
                }
        int budget = 0;
        while (!dive(there, budget)) budget++;
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        out += std::to_string(budget) + "\n";
    }
    fprintf(stderr, "%.6f\n", seconds);
    fputs(out.c_str(), stdout);
}
