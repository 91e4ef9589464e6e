// Exact cover by dancing links as one writes it in C++: recursive, four links a node, the item with the fewest options first.
// Reads: options, items, primary items; then for each option its size and its items (primary ones have the lower numbers).
// Prints: solutions, nodes (options tried, and the root), seconds.
#include <chrono>
#include <cstdio>
#include <vector>

static std::vector<int> left_of, right_of, up, down, item_of, size_of;
static long solutions = 0, nodes = 1;

static int add(int left, int right, int above, int below, int item) {
    left_of.push_back(left);
    right_of.push_back(right);
    up.push_back(above);
    down.push_back(below);
    item_of.push_back(item);
    return (int)item_of.size() - 1;
}

static void cover(int item) {
    left_of[right_of[item]] = left_of[item];
    right_of[left_of[item]] = right_of[item];
    for (int i = down[item]; i != item; i = down[i])
        for (int j = right_of[i]; j != i; j = right_of[j]) {
            down[up[j]] = down[j];
            up[down[j]] = up[j];
            size_of[item_of[j]]--;
        }
}

static void uncover(int item) {
    for (int i = up[item]; i != item; i = up[i])
        for (int j = left_of[i]; j != i; j = left_of[j]) {
            size_of[item_of[j]]++;
            down[up[j]] = j;
            up[down[j]] = j;
        }
    left_of[right_of[item]] = item;
    right_of[left_of[item]] = item;
}

static void search() {
    if (right_of[0] == 0) {
        solutions++;
        return;
    }
    int best = right_of[0];
    for (int item = best; item != 0; item = right_of[item])
        if (size_of[item] < size_of[best]) best = item;
    if (size_of[best] == 0) return;
    cover(best);
    for (int row = down[best]; row != best; row = down[row]) {
        nodes++;
        for (int j = right_of[row]; j != row; j = right_of[j]) cover(item_of[j]);
        search();
        for (int j = left_of[row]; j != row; j = left_of[j]) uncover(item_of[j]);
    }
    uncover(best);
}

int main() {
    int options, items, primary;
    if (scanf("%d %d %d", &options, &items, &primary) != 3) return 1;
    size_of.assign(items + 1, 0);
    for (int item = 0; item <= items; item++) {
        const bool listed = item <= primary;
        add(listed ? (item + primary) % (primary + 1) : item, listed ? (item + 1) % (primary + 1) : item, item, item, item);
    }
    for (int o = 0; o < options; o++) {
        int size, first = -1;
        if (scanf("%d", &size) != 1) return 1;
        while (size--) {
            int item;
            if (scanf("%d", &item) != 1) return 1;
            item++;
            const int node = add(0, 0, up[item], item, item);
            down[up[item]] = node;
            up[item] = node;
            size_of[item]++;
            if (first < 0) {
                first = left_of[node] = right_of[node] = node;
            } else {
                left_of[node] = left_of[first];
                right_of[node] = first;
                right_of[left_of[node]] = node;
                left_of[first] = node;
            }
        }
    }
    const auto start = std::chrono::steady_clock::now();
    search();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    printf("%ld %ld %.4f\n", solutions, nodes, seconds.count());
}
