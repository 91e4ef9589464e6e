"""The slow twin of the knight shuffle: layers of boards as strings, by the rules and nothing else."""

GOAL = "111110111100*110000100000"


def jumps(board):
    """The boards that one jump leads to."""
    gap = board.index("*")
    for cell in range(25):
        rows, columns = abs(cell // 5 - gap // 5), abs(cell % 5 - gap % 5)
        if {rows, columns} == {1, 2}:
            letters = list(board)
            letters[gap], letters[cell] = letters[cell], "*"
            yield "".join(letters)


def layers(farthest):
    """The boards at each distance from the goal, up to `farthest`."""
    found, known = [{GOAL}], {GOAL}
    for _ in range(farthest):
        found.append({child for board in found[-1] for child in jumps(board)} - known)
        known |= found[-1]
    return found
