"""Makes a program that differs smaller, by leaving out lines."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.fuzz.judge.comparison import Judge
from tests.fuzz.judge.draft import Program
from tests.fuzz.judge.sanitizers import observe


def minimised(program: Program, judge: Judge, folder: Path) -> Program:
    """A program with fewer lines and a difference of the same kind."""
    kinds = kinds_of(program, judge, folder)
    if not kinds or "generator" in {kind for kind, _ in kinds}:
        return program

    def still_differs(lines: list[str]) -> bool:
        candidate = replace(program, text="\n".join(lines) + "\n")
        return kinds <= kinds_of(candidate, judge, folder)

    return replace(program, text="\n".join(fewest(program.text.splitlines(), still_differs)) + "\n")


def kinds_of(program: Program, judge: Judge, folder: Path) -> frozenset[tuple[str, str | None]]:
    """What differs, without the words."""
    opinion = judge.opinion(program, observe([program], folder)[0])
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
