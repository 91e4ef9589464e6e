// Letter sums as for a contest: depth first, letters in the order of the columns from the right, digits from the largest; at each
// step every column whose three letters are known is tested, with the carry where it is known and with both where it is not.

#include <chrono>
#include <cstdio>
#include <cstring>

int n, digit[64], order[64];
bool used[64];
char word[3][64];

bool possible() {
    int carry = 0;  // -1: not known
    for (int i = n - 1; i >= 0; i--) {
        const int a = digit[word[0][i] - 'A'], b = digit[word[1][i] - 'A'], c = digit[word[2][i] - 'A'];
        if (a < 0 || b < 0 || c < 0) {
            carry = -1;
        } else if (carry >= 0) {
            if ((a + b + carry) % n != c) return false;
            carry = (a + b + carry) / n;
        } else if ((a + b) % n != c && (a + b + 1) % n != c) {
            return false;
        }
    }
    const int a = digit[word[0][0] - 'A'], b = digit[word[1][0] - 'A'];
    return carry <= 0 && (a < 0 || b < 0 || a + b < n);
}

bool dive(int depth) {
    if (!possible()) return false;
    if (depth == n) return true;
    for (int d = n - 1; d >= 0; d--) {
        if (used[d]) continue;
        used[d] = true;
        digit[order[depth]] = d;
        if (dive(depth + 1)) return true;
        used[d] = false;
    }
    digit[order[depth]] = -1;
    return false;
}

int main() {
    if (scanf("%d %63s %63s %63s", &n, word[0], word[1], word[2]) != 4) return 1;
    const auto start = std::chrono::steady_clock::now();
    int count = 0;
    bool seen[64] = {};
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < 3; j++) {
            const int letter = word[j][i] - 'A';
            if (!seen[letter]) order[count++] = letter;
            seen[letter] = true;
        }
    }
    for (int letter = 0; letter < n; letter++) {
        if (!seen[letter]) order[count++] = letter;
    }
    memset(digit, -1, sizeof digit);
    const bool found = dive(0);
    fprintf(stderr, "%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!found) puts("No solution");
    for (int i = 0; found && i < n; i++) printf("%d%c", digit[i], i + 1 < n ? ' ' : '\n');
}
