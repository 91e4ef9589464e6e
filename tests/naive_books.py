"""The slow twin of book sort: layers of rows around the one in order, by the rules and nothing else."""


def moves(row):
    """The rows that one move leads to."""
    n = len(row)
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n + 1):
                yield row[:i] + row[j:k] + row[i:j] + row[k:]


def layers(n):
    """The rows of n books at each distance."""
    found, known = [{tuple(range(1, n + 1))}], {tuple(range(1, n + 1))}
    while found[-1]:
        found.append({child for row in found[-1] for child in moves(row)} - known)
        known |= found[-1]
    return found[:-1]
