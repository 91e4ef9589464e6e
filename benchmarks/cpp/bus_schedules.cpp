// Textbook C++ for bus schedules (186): iterative deepening on the number of lines, taken in the order of their numbers of arrivals, cut
// where the lines left are too short. Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

struct Line {
    int first, interval, length;
};

static int waiting[60];
static std::vector<Line> lines;

static bool fits(const Line& line) {
    for (int t = line.first; t < 60; t += line.interval)
        if (waiting[t] == 0) return false;
    return true;
}

static void add(const Line& line, int change) {
    for (int t = line.first; t < 60; t += line.interval) waiting[t] += change;
}

static bool dive(int allowed, size_t from, int left) {
    if (left == 0) return true;
    if (allowed == 0) return false;
    for (size_t i = from; i < lines.size() && lines[i].length * allowed >= left; i++) {
        if (!fits(lines[i])) continue;
        add(lines[i], -1);
        if (dive(allowed - 1, i, left - lines[i].length)) return true;
        add(lines[i], 1);
    }
    return false;
}

int main() {
    std::vector<std::vector<int>> cases;
    for (int n; scanf("%d", &n) == 1;) {
        cases.emplace_back(n);
        for (int& minute : cases.back()) scanf("%d", &minute);
    }
    const auto start = std::chrono::steady_clock::now();
    std::string out;
    for (const auto& arrivals : cases) {
        std::fill_n(waiting, 60, 0);
        for (int minute : arrivals) waiting[minute]++;
        lines.clear();
        for (int a = 0; a < 30; a++)
            for (int d = a + 1; a + d < 60; d++) {
                const Line line{a, d, (59 - a) / d + 1};
                if (fits(line)) lines.push_back(line);
            }
        std::sort(lines.begin(), lines.end(), [](const Line& x, const Line& y) { return x.length > y.length; });
        int allowed = 1;
        while (!dive(allowed, 0, arrivals.size())) allowed++;
        out += std::to_string(allowed) + "\n";
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fputs(out.c_str(), stdout);
}
