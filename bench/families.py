"""Programs in growing sizes, run until one of them is not decided."""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Measurement, measure
from bench.running.plot import Point

FOLDER = Path(__file__).parent / "programs"
Defines = Mapping[str, int]


@dataclass(frozen=True)
class Family:
    """One C file whose macros grow with a size."""

    name: str
    file: str
    sizes: Sequence[int]
    defines: Callable[[int], Defines]
    expected: str = "safe"
    properties: str = "reach"
    unwind: Callable[[int], int] = lambda size: size + 1
    """For tools that have to be told: a bound that all loops stay below."""
    folder: Path = FOLDER
    options: Sequence[str] = ()
    """More flags of `sley check`."""

    @property
    def path(self) -> Path:
        return self.folder / self.file

    def macros(self, size: int) -> list[str]:
        return [part for name, value in self.defines(size).items() for part in ("-D", f"{name}={value}")]

    def flags(self, size: int) -> list[str]:
        """What `sley check` needs to know besides the file."""
        return ["--engine", "bmc", "--property", self.properties, *self.options, *self.macros(size)]


Tool = Callable[[Family, int], Measurement]
"""Checks the program of one size."""
Results = dict[str, Measurement]
"""By tool."""
Rows = list[tuple[int, Results]]
"""By size."""


class Runner:
    """Measures families with tools; each stops at its first size of a family that it does not decide."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self.wrong: list[str] = []
        """Who gave a wrong answer, as often."""
        self._over: set[tuple[str, str]] = set()

    def results(self, family: Family, size: int) -> Results:
        """One measurement for each tool that has not stopped before."""
        found: Results = {}
        for name, tool in self.tools.items():
            if (family.name, name) in self._over:
                continue
            found[name] = tool(family, size)
            if not found[name].is_decided:
                self._over.add((family.name, name))
            elif found[name].answer != family.expected:
                self.wrong.append(name)
        return found


def sley(variants: Mapping[str, Sequence[str]], seconds: float) -> Runner:
    """A runner of `sley check` with different flags."""

    def tool(flags: Sequence[str]) -> Tool:
        return lambda family, size: measure(family.path, [*family.flags(size), *flags], seconds)

    return Runner({name: tool(flags) for name, flags in variants.items()})


def cell(family: Family, result: Measurement | None) -> str:
    """Seconds, or what happened instead."""
    if result is None:
        return "-"
    if not result.is_decided:
        return result.answer if result.is_refused else f"{result.answer} {result.seconds:.1f}"
    return f"{result.seconds:.2f}" + ("" if result.answer == family.expected else f" WRONG: {result.answer}")


def some(results: Results) -> Measurement | None:
    """A decided measurement, the last one if there are several, for counts that are the same in all."""
    return next((found for found in reversed(results.values()) if found.is_decided), None)


# --- growth ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """What one tool needs for each size of a family."""

    points: Sequence[Point]

    def exponent(self, *, is_upper: bool = False) -> float | None:
        """Of the power of the size that fits best, over all decided sizes or their upper half."""
        decided = [point for point in self.points if point.is_complete and point.y > 0]
        chosen = decided[len(decided) // 2 :] if is_upper else decided
        return exponent([(point.x, point.y) for point in chosen])

    def note(self) -> str:
        """The exponents in words."""
        power, upper = self.exponent(), self.exponent(is_upper=True)
        if power is None:
            return "too few sizes for an exponent"
        return f"n^{power:.1f}" + ("" if upper is None else f", upper half n^{upper:.1f}")


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """The slope of the least-squares line through the logarithms; None for fewer than three points."""
    if len(points) < 3:
        return None
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((a - x) ** 2 for a in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread if spread else None


def curves(rows: Rows) -> dict[str, Curve]:
    """The seconds of each tool over the sizes; runs that were refused are left out."""
    points: dict[str, list[Point]] = {}
    for size, results in rows:
        for name, found in results.items():
            if not found.is_refused:
                points.setdefault(name, []).append(Point(size, found.seconds, found.is_decided))
    return {name: Curve(found) for name, found in points.items()}


# --- command lines ---------------------------------------------------------------------------------


def arguments(description: str, output: str | None = None) -> argparse.ArgumentParser:
    """What all drivers offer."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="of each run")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="names that contain this")
    parser.add_argument("--largest", type=int, default=None, metavar="N", help="no sizes above this")
    if output is not None:
        parser.add_argument("--output", type=Path, default=Path(output), metavar="FILE", help="the plot")
    return parser


def chosen_sizes(families: Sequence[Family], chosen: argparse.Namespace) -> list[tuple[Family, list[int]]]:
    """The families and sizes that the command line asks for."""
    found = []
    for family in families:
        if chosen.only and not any(part in family.name for part in chosen.only):
            continue
        found.append((family, [n for n in family.sizes if chosen.largest is None or n <= chosen.largest]))
    return found
