// Textbook C++ for sliding tiles (179): breadth-first search on strings for 3x3, iterative deepening A* with the Manhattan distance for
// larger boards. Reads and writes the judge format; prints the seconds between reading and writing to standard error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

static int rows = 3, columns = 3, bound;
static std::vector<int> board;
static std::string path;
static const char* letters = "udlr";
static const int down[4] = {-1, 1, 0, 0}, right_[4] = {0, 0, -1, 1};

static std::string by_breadth(const std::string& start, const std::string& goal) {
    std::unordered_map<std::string, std::pair<std::string, char>> from;
    std::queue<std::string> queue;
    queue.push(start);
    from[start] = {"", ' '};
    while (!queue.empty() && !from.count(goal)) {
        const std::string now = queue.front();
        queue.pop();
        const int blank = now.find('x');
        for (int move = 0; move < 4; move++) {
            const int r = blank / 3 + down[move], c = blank % 3 + right_[move];
            if (r < 0 || r > 2 || c < 0 || c > 2) continue;
            std::string next = now;
            std::swap(next[blank], next[3 * r + c]);
            if (!from.count(next)) {
                from[next] = {now, letters[move]};
                queue.push(next);
            }
        }
    }
    if (!from.count(goal)) return "unsolvable";
    std::string moves;
    for (std::string at = goal; at != start; at = from[at].first) moves += from[at].second;
    std::reverse(moves.begin(), moves.end());
    return moves;
}

static int distance(int tile, int cell) {
    return abs((tile - 1) / columns - cell / columns) + abs((tile - 1) % columns - cell % columns);
}

static bool dive(int blank, int length, int h, int last) {
    if (h == 0) return true;
    for (int move = 0; move < 4; move++) {
        const int r = blank / columns + down[move], c = blank % columns + right_[move], cell = r * columns + c;
        if (r < 0 || r >= rows || c < 0 || c >= columns || move == (last ^ 1)) continue;
        const int tile = board[cell], next = h - distance(tile, cell) + distance(tile, blank);
        if (length + 1 + next > bound) continue;
        board[blank] = tile;
        path.push_back(letters[move]);
        if (dive(cell, length + 1, next, move)) return true;
        path.pop_back();
        board[cell] = tile;
    }
    return false;
}

int main() {
    std::vector<std::string> tokens;
    for (std::string token; std::cin >> token;) tokens.push_back(token);
    int r, c;
    if (sscanf(tokens[0].c_str(), "%dx%d", &r, &c) == 2) {
        rows = r;
        columns = c;
        tokens.erase(tokens.begin());
    }
    for (auto& token : tokens) board.push_back(token == "x" ? 0 : atoi(token.c_str()));
    const auto start = std::chrono::steady_clock::now();
    if (rows * columns == 9) {
        std::string text;
        for (auto& token : tokens) text += token;
        path = by_breadth(text, "12345678x");
    } else {
        int h = 0, blank = 0;
        for (int cell = 0; cell < rows * columns; cell++) {
            if (board[cell]) h += distance(board[cell], cell);
            else blank = cell;
        }
        for (bound = h; !dive(blank, 0, h, -2); bound += 2) {}
    }
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    puts(path.c_str());
}
