// Textbook C++ for push-box (174): states (box, side of the man), a breadth-first search of the man for each of them that stops
// when all sides are met; pushes by layers, then the fewest moves from the last layer back, then the first answer by the rule.
// Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

using std::string;
using std::vector;
static int stride, man0, box0, target;
static string grid;
static std::array<int, 4> step;
static vector<int> dist, queue_;

// Distances of the man from `from`; stops when the sides of the box, or `until`, are met.
static void walk(int from, int box, int until) {
    dist.assign(grid.size(), -1);
    queue_.clear();
    queue_.push_back(from);
    dist[from] = 0;
    int left = 0;
    for (int d = 0; d < 4; d++) left += grid[box - step[d]] != '#';
    for (size_t head = 0; head < queue_.size(); head++) {
        const int cell = queue_[head];
        if (cell == until) return;
        for (int d = 0; d < 4; d++)
            if (cell == box - step[d]) left--;
        if (until < 0 && left == 0) return;
        for (int d = 0; d < 4; d++) {
            const int next = cell + step[d];
            if (grid[next] != '#' && next != box && dist[next] < 0) dist[next] = dist[cell] + 1, queue_.push_back(next);
        }
    }
}

static string solve() {
    const int states = 4 * (int)grid.size();
    vector<int> layer(states, -1), order;
    vector<std::array<int, 4>> ways(states + 1);  // steps to each side, -1: none; the last row: from the start
    vector<long long> best(states + 1, -1);
    vector<int> choice(states + 1);
    const auto expand = [&](int state, int man, int box) {
        walk(man, box, -1);
        for (int e = 0; e < 4; e++) {
            const int side = box - step[e], ahead = box + step[e];
            ways[state][e] = grid[side] == '#' || grid[ahead] == '#' ? -1 : dist[side];
            if (ways[state][e] < 0) continue;
            if (layer[4 * ahead + e] >= 0) continue;
            layer[4 * ahead + e] = (state == states ? 0 : layer[state]) + 1;
            order.push_back(4 * ahead + e);
        }
    };
    expand(states, man0, box0);
    int last = 1 << 30;
    for (size_t head = 0; head < order.size(); head++) {
        const int state = order[head], box = state / 4;
        if (layer[state] > last) break;
        if (box == target) last = layer[state];
        if (layer[state] < last) expand(state, box - step[state % 4], box);
    }
    if (last == 1 << 30) return "Impossible.";
    const auto choose = [&](int state, int box, int depth) {
        for (int e = 0; e < 4; e++) {
            const int after = 4 * (box + step[e]) + e;
            if (ways[state][e] < 0 || layer[after] != depth + 1 || best[after] < 0) continue;
            const long long moves = ways[state][e] + 1 + best[after];
            if (best[state] < 0 || moves < best[state]) best[state] = moves, choice[state] = e;
        }
    };
    for (int i = (int)order.size() - 1; i >= 0; i--) {
        const int state = order[i];
        if (layer[state] == last && state / 4 == target) best[state] = 0;
        if (layer[state] < last) choose(state, state / 4, layer[state]);
    }
    choose(states, box0, 0);
    string moves;
    int state = states, man = man0, box = box0;
    while (box != target) {
        const int e = choice[state], side = box - step[e];
        walk(side, box, man);
        while (man != side)
            for (int d = 0; d < 4; d++)
                if (dist[man + step[d]] == dist[man] - 1 && dist[man] > 0) {
                    man += step[d];
                    moves += "nswe"[d];
                    break;
                }
        moves += "NSWE"[e];
        man = box;
        box += step[e];
        state = 4 * box + e;
    }
    return moves;
}

int main() {
    int rows, columns;
    double seconds = 0;
    for (int number = 1; std::cin >> rows >> columns && rows; number++) {
        stride = columns + 1;
        step = {-stride, stride, -1, 1};
        grid = string(stride, '#');
        for (int i = 0; i < rows; i++) {
            string row;
            std::cin >> row;
            grid += row + '#';
        }
        grid += string(stride, '#');
        const auto start = std::chrono::steady_clock::now();
        man0 = (int)grid.find('S'), box0 = (int)grid.find('B'), target = (int)grid.find('T');
        const string moves = solve();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        printf("Maze #%d\n%s\n\n", number, moves.c_str());
    }
    fprintf(stderr, "%.6f\n", seconds);
}
