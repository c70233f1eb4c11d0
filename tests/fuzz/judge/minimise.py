"""Makes a program that differs smaller, by leaving out lines."""

from collections.abc import Callable
from dataclasses import replace

from tests.fuzz.judge.comparison import Judge, Opinion
from tests.fuzz.judge.draft import Program
from tests.fuzz.judge.sanitizers import observe


def minimised(program: Program, opinion: Opinion, judge: Judge) -> Program:
    """A program with fewer lines and the same kinds of differences."""
    kinds = kinds_of(opinion)
    if "generator" in {kind for kind, _ in kinds}:
        return program
    all_engines = any(engine for _, engine in kinds)

    def still_differs(lines: list[str]) -> bool:
        candidate = replace(program, text="\n".join(lines) + "\n")
        seen = observe([candidate], judge.folder)[0]
        return kinds <= kinds_of(judge.opinion(candidate, seen, all_engines=all_engines))

    return replace(program, text="\n".join(fewest(program.text.splitlines(), still_differs)) + "\n")


def kinds_of(opinion: Opinion) -> frozenset[tuple[str, str | None]]:
    """What differs, without the words."""
    return frozenset((difference.kind, difference.engine) for difference in opinion.differences)


def fewest(lines: list[str], holds: Callable[[list[str]], bool]) -> list[str]:
    """Leave out ever smaller runs of lines as long as the rest still has what is looked for."""
    size = max(len(lines) // 2, 1)
    while size:
        start = 0
        while start < len(lines):
            rest = lines[:start] + lines[start + size :]
            if is_balanced(lines[start : start + size]) and holds(rest):
                lines = rest
            else:
                start += 1 if size < 3 else size // 2
        size //= 2
    return lines


def is_balanced(lines: list[str]) -> bool:
    """Whether the lines leave no brace open."""
    depth = 0
    for line in lines:
        depth += line.count("{") - line.count("}")
        if depth < 0:
            return False
    return depth == 0
