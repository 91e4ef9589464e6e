// Textbook C++ for cloud drift (191): day by day all states (place, dry days of the four corners), each once a day.
// Reads and writes the judge format; prints the seconds between to standard error.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

static char seen[9][7][7][7][7];

int main() {
    double seconds = 0;
    int n;
    while (scanf("%d", &n) == 1 && n > 0) {
        std::vector<std::array<int, 16>> marks(n);
        for (auto& day : marks)
            for (auto& mark : day)
                if (scanf("%d", &mark) != 1) return 1;
        const auto start = std::chrono::steady_clock::now();
        using State = std::array<int, 5>;
        std::vector<State> states, next;
        auto free = [&](int day, int place) {
            const int cell = place / 3 * 4 + place % 3;
            return !marks[day][cell] && !marks[day][cell + 1] && !marks[day][cell + 4] && !marks[day][cell + 5];
        };
        if (free(0, 4)) states.push_back({4, 1, 1, 1, 1});
        for (int day = 1; day < n && !states.empty(); day++) {
            next.clear();
            memset(seen, 0, sizeof seen);
            for (const auto& state : states)
                for (int place = 0; place < 9; place++) {
                    if ((place / 3 != state[0] / 3 && place % 3 != state[0] % 3) || !free(day, place)) continue;
                    State s = {place, state[1] + 1, state[2] + 1, state[3] + 1, state[4] + 1};
                    const int corners[] = {0, 2, 6, 8};
                    bool alive = true;
                    for (int i = 0; i < 4; i++) {
                        if (place == corners[i]) s[i + 1] = 0;
                        alive = alive && s[i + 1] < 7;
                    }
                    if (!alive) continue;
                    char& known = seen[place][s[1]][s[2]][s[3]][s[4]];
                    if (!known) known = 1, next.push_back(s);
                }
            states.swap(next);
        }
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        puts(states.empty() ? "0" : "1");
    }
    fprintf(stderr, "%.6f\n", seconds);
}
