"""The register of ready problems. Importing it loads none of them.

A problem is one file in this folder and one line here (a long search may be a file of its own). Every problem module defines:

    Instance, Answer        msgspec structs (frozen, tagged, with `version`): the values, and by msgspec their JSON. Of answers
                            of equal `cost` the better one has the smaller `total`, where there is such a field
    read(text)              judge format: an iterator over instances, raising InputError (line, column) where the text is bad
    write_instance(instance)        the way back
    CASES                   only where judge input is not one case after another: "counted" if the first line is the number of
                            cases (write_instance then writes a 1 there), "single" if it holds one case
    write(answer)           judge format of one answer (nothing for a solution of no moves); ValueError when it is not proved.
                            Where the format numbers the answers there is a second parameter `case`
    read_answers(text, instances)   judge output as a list of answers, one for each instance
    search(instance, **options) -> Solution     the solver; with PRUNINGS it takes `without=()`, names of those to switch off.
                            What is asked for goes into `moves` and `cost`, or into `value` where it is neither
    answer(instance, solution) -> Answer
    solve(instance, **options) -> Answer                    the two together
    PRUNINGS                name -> Pruning (see prunings.py), for `explain`; empty when there is nothing to switch off
    TIES                    only where one of several best answers is wanted: which
    check(instance, answer) -> str | None   the first thing that is wrong, from the rules alone (no code shared with search)
    difference(answer, best) -> str | None   why a valid answer is not as good as the best; only where status and cost do not tell
    generate(seed, **parameters) -> Instance
    steps(instance, answer) -> Iterator[...] the positions from first to last, for pictures; only where an answer is made of steps

Pictures are in `bestfirst.render`, in a module of the same name: `text(instance, color)`, `text_steps(instance, answer, color)`,
which yields the answer alone where there are no steps, and `svg(instance, answer=None)`.
"""

from __future__ import annotations

import difflib
import importlib
from types import ModuleType
from typing import NamedTuple


class Entry(NamedTuple):
    """A problem of the catalogue: its number in the source collection, its names, and what it asks in one line."""

    number: int
    slug: str
    title: str
    title_zh: str
    summary: str

    @property
    def module_name(self) -> str:
        """Name of its module, in this package and in `bestfirst.render`."""
        return self.slug.replace("-", "_")


REGISTER = (
    Entry(164, "reachability", "Reachability", "可达性统计", "how many vertices each vertex of a graph can reach"),
    Entry(165, "bin-packing", "Bin packing", "小猫爬山", "fewest bins of a capacity that hold all items"),
    Entry(167, "equal-sticks", "Equal sticks", "木棒", "smallest length of equal sticks that were cut into these pieces"),
    Entry(168, "birthday-cake", "Birthday cake", "生日蛋糕", "smallest surface of a stack of cylinders of a given volume"),
    Entry(170, "addition-chain", "Addition chain", "加成序列", "fewest additions that lead from 1 to n"),
    Entry(171, "subset-sum", "Subset sum", "送礼物", "largest weight up to a limit that some of the items have together"),
    Entry(172, "rolling-block", "Rolling block", "立体推箱子", "fewest rolls of a 1×1×2 block over a map with holes to its goal"),
    Entry(173, "grid-distance", "Grid distance", "矩阵距离", "steps from each cell of a matrix to the nearest 1"),
    Entry(174, "push-box", "Push-box", "推箱子", "fewest pushes, then fewest moves, that bring the box to its target"),
    Entry(
        175, "circuit-repair", "Circuit repair", "电路维修", "fewest tiles to turn so that a wire joins two corners of a board"
    ),
    Entry(176, "full-tank", "Full tank", "装满的油箱", "cheapest way to drive where fuel has another price in every city"),
    Entry(177, "ghost-chase", "Ghost chase", "噩梦", "earliest second at which two people can meet while ghosts spread"),
    Entry(178, "kth-walk", "K-th walk", "第K短路", "length of the k-th shortest walk between two vertices of a graph"),
    Entry(179, "sliding-tiles", "Sliding tiles", "八数码", "fewest moves that put the tiles of a board in order"),
    Entry(180, "book-sort", "Book sort", "排书", "fewest moves of a block of books that put a row of them in order"),
    Entry(181, "rotation-game", "Rotation game", "回转游戏", "fewest turns of lines that make the centre of a board equal"),
    Entry(182, "square-breaking", "Square breaking", "破坏正方形", "fewest matches to take away so that no square is complete"),
    Entry(184, "letter-sum", "Letter sum", "虫食算", "digits for letters that make a sum of words come out right"),
    Entry(185, "mayan-game", "Mayan game", "玛雅游戏", "clear a board of falling blocks in exactly n moves"),
    Entry(186, "bus-schedules", "Bus schedules", "巴士", "fewest bus lines that explain the arrivals of an hour"),
    Entry(
        187,
        "missile-defence",
        "Missile defence",
        "导弹防御系统",
        "fewest strictly increasing or decreasing subsequences that make up a sequence",
    ),
    Entry(188, "knight-distance", "Knight distance", "武士风度的牛", "fewest moves of a knight on a board with blocked cells"),
    Entry(189, "milkweed", "Milkweed", "乳草的入侵", "week in which a spreading weed takes the last of the grass"),
    Entry(
        190, "string-rewriting", "String rewriting", "字串变换", "fewest applications of rules that turn one string into another"
    ),
    Entry(191, "cloud-drift", "Cloud drift", "天气预报", "whether a cloud can water a town where no feast may get wet"),
    Entry(
        192,
        "rolling-block-plane",
        "Rolling block on the plane",
        "立体推箱子2",
        "fewest rolls of a 1×1×2 block over an unbounded floor to (0, 0)",
    ),
    Entry(
        193,
        "two-register-power",
        "Two-register power",
        "算乘方的牛",
        "fewest multiplications and divisions that make x^P in two registers",
    ),
    Entry(194, "flood-it", "Flood-It", "涂满它！", "fewest recolourings that make a board one colour"),
    Entry(195, "knight-shuffle", "Knight shuffle", "骑士精神", "fewest jumps that put 24 knights on 5×5 cells in their places"),
)


#: The problems by what they are about.
GROUPS = {
    "Reachability, distances and routes": (164, 173, 175, 176, 177, 178, 188, 189, 190, 191),
    "Boards and machines": (172, 174, 179, 181, 185, 192, 194, 195),
    "Packing, covering, dividing": (165, 167, 168, 171, 182, 186, 187),
    "Constraint puzzles": (166, 169, 183, 184),
    "Sequences": (170, 180, 193),
}


class UnknownProblem(LookupError):
    """No problem has this name; the message offers the nearest ones."""


def find(name: str) -> Entry:
    """The problem with this number, slug or title (English or Chinese; case and punctuation at the end do not matter)."""
    wanted = _normal(name)
    for entry in REGISTER:
        if wanted in map(_normal, (str(entry.number), entry.slug, entry.title, entry.title_zh)):
            return entry
    names = [name for entry in REGISTER for name in (entry.slug, entry.title_zh)]
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "see: bestfirst list"
    raise UnknownProblem(f"there is no problem {name!r}; {hint}")


def module(entry: Entry) -> ModuleType:
    """The module of a problem."""
    return importlib.import_module(f"bestfirst.catalogue.{entry.module_name}")


def renderer(entry: Entry) -> ModuleType:
    """The module that draws a problem."""
    return importlib.import_module(f"bestfirst.render.{entry.module_name}")


def _normal(name: str) -> str:
    return name.casefold().strip().rstrip("!！").replace("_", "-").replace(" ", "-")
