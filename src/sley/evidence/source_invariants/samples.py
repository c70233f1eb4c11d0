"""What some values of variables have in common, said in C.

Whatever is said is true of every sample. With all states as samples it is an invariant.
"""

from collections.abc import Mapping, Sequence

from sley.evidence.source_invariants.variables import ScalarName
from sley.logic.operators import to_signed
from sley.program.memory import Display, PointerLayout
from sley.semantics.values import Ranges, Undetermined

Sampled = Ranges | None
"""The values that a variable may have in a sample, as C reads its bits; None: any."""

MOST_VALUES = 3
"""So many values that are no range are listed."""

MOST_RELATIONS = 8

MOST_SAMPLES = 20_000
"""With more, no relations are looked for."""

_INT = 32


def as_c_reads(variable: ScalarName, value: object, pointers: PointerLayout) -> Sampled:
    """The values that C reads where a cell or a register holds this."""
    if isinstance(value, bool | int):
        ranges: Ranges = ((int(value), int(value)),)
    elif isinstance(value, Undetermined):
        ranges = value.ranges
    else:
        return None
    if variable.display is not Display.POINTER and any(_may_be_address(one, pointers) for one in ranges):
        return None
    half, most = 1 << (variable.width - 1), (1 << variable.width) - 1
    match variable.display:
        case Display.POINTER:
            return _as_pointer(ranges)
        case Display.SIGNED if any(low < half <= high for low, high in ranges):
            return None
        case Display.SIGNED:
            return tuple((_signed(low, variable), _signed(high, variable)) for low, high in ranges)
        case Display.CHAR if any(high >= half for _, high in ranges):
            return None  # whether it has a sign is not known
        case Display.BOOL if any(high > 1 for _, high in ranges):
            return None
        case _:
            return ranges if all(high <= most for _, high in ranges) else None


def _may_be_address(values: tuple[int, int], pointers: PointerLayout) -> bool:
    """Whether some number may be one of our addresses, which mean nothing to anybody else."""
    low, high = values
    first = pointers.address(pointers.first_object)
    last = (1 << pointers.width) - (1 << pointers.offset_bits)
    return high >= first and low < last


def _signed(value: int, variable: ScalarName) -> int:
    return to_signed(value, variable.width)


def _as_pointer(ranges: Ranges) -> Sampled:
    """Of a pointer only whether it is null: 0, or something else."""
    if ranges == ((0, 0),):
        return ranges
    return ((1, 1),) if all(low > 0 for low, _ in ranges) else None


class Samples:
    """Values of some variables, all of one place."""

    def __init__(self, variables: Sequence[ScalarName], pointers: PointerLayout) -> None:
        self.pointers = pointers
        self.variables = list(variables)
        self.rows: dict[tuple[Sampled, ...], None] = {}

    def add(self, values: Mapping[ScalarName, object]) -> None:
        """One sample; what is missing may have any value."""
        row = tuple(as_c_reads(one, values.get(one), self.pointers) for one in self.variables)
        self.rows[row] = None

    def text(self) -> str | None:
        """All that can be said, as a conjunction; None: nothing."""
        return conjunction(self.facts())

    def facts(self) -> list[str]:
        """What is true of every sample: of pairs of variables, and of single ones."""
        is_much = len(self.rows) > MOST_SAMPLES
        of_pairs = [] if is_much or not self.rows else _of_pairs(self._columns())
        return [*of_pairs, *(fact for facts in self.single_facts().values() for fact in facts)]

    def single_facts(self) -> dict[ScalarName, list[str]]:
        """What is true of single variables in every sample."""
        return {one: _of_one(one, column) for one, column in self._columns().items()} if self.rows else {}

    def count(self, variable: ScalarName) -> int:
        """How many different values a variable has."""
        return len(set(self._columns()[variable])) if self.rows else 0

    def _columns(self) -> dict[ScalarName, tuple[Sampled, ...]]:
        return dict(zip(self.variables, zip(*self.rows, strict=True), strict=True))


def conjunction(facts: Sequence[str]) -> str | None:
    """All of some facts; None if there are none."""
    return " && ".join(f"({one})" if " || " in one and len(facts) > 1 else one for one in facts) or None


def _of_one(variable: ScalarName, column: Sequence[Sampled]) -> list[str]:
    """What a variable's values have in common."""
    text = variable.text
    ranges: set[tuple[int, int]] = set()
    for values in dict.fromkeys(column):
        if values is None:
            return []
        ranges |= set(values)
    least, most = min(low for low, _ in ranges), max(high for _, high in ranges)
    if variable.display is Display.POINTER:
        return [f"{text} {'==' if most == 0 else '!='} 0"] if least == most else []
    if least == most:
        return [f"{text} == {number_in_c(least)}"]
    single = sorted({low for low, high in ranges if low == high})
    if len(single) == len(ranges) <= MOST_VALUES and most - least >= len(single):
        return [" || ".join(f"{text} == {number_in_c(value)}" for value in single)]
    return _bounds(variable, least, most)


def _bounds(variable: ScalarName, least: int, most: int) -> list[str]:
    """That a variable lies between, unless its type says so."""
    smallest, largest = _type_bounds(variable)
    found = [f"{number_in_c(least)} <= {variable.text}"] if least > smallest else []
    return found + ([f"{variable.text} <= {number_in_c(most)}"] if most < largest else [])


def _type_bounds(variable: ScalarName) -> tuple[int, int]:
    if variable.display is Display.BOOL:
        return 0, 1
    if variable.display is Display.SIGNED:
        return -(1 << (variable.width - 1)), (1 << (variable.width - 1)) - 1
    return 0, (1 << variable.width) - 1


def number_in_c(value: int) -> str:
    """A literal of a type that holds it, so that comparisons mean what they mean for numbers."""
    if -(1 << 31) < value < 1 << 31:
        return str(value)
    if value == -(1 << 31):
        return "-2147483647 - 1"
    if value == -(1 << 63):
        return "-9223372036854775807LL - 1"
    return f"{value}LL" if value < 1 << 63 else f"{value}ULL"


def _of_pairs(columns: Mapping[ScalarName, Sequence[Sampled]]) -> list[str]:
    """Equalities, and sums and differences that never change, of integers that do."""
    numbers = {
        one: values for one, column in columns.items() if (values := _numbers(one, column)) is not None
    }
    found: list[str] = []
    related: set[ScalarName] = set()
    names = list(numbers)
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            if other in related or len(found) >= MOST_RELATIONS:
                continue
            relation = _relation(one.text, numbers[one], other.text, numbers[other])
            if relation is not None:
                found.append(relation)
                related.add(other)
    return found


def _numbers(variable: ScalarName, column: Sequence[Sampled]) -> list[int] | None:
    """The values of a variable that C computes with as ``int``, if it changes and is always known."""
    is_int = variable.display is Display.SIGNED and variable.width <= _INT
    if not is_int or len(set(column)) < 2:
        return None
    found = []
    for values in column:
        if values is None or len(values) != 1 or values[0][0] != values[0][1]:
            return None
        found.append(values[0][0])
    return found


def _relation(one: str, xs: Sequence[int], other: str, ys: Sequence[int]) -> str | None:
    differences = {x - y for x, y in zip(xs, ys, strict=True)}
    sums = {x + y for x, y in zip(xs, ys, strict=True)}
    if len(differences) == 1:
        (difference,) = differences
        if difference == 0:
            return f"{one} == {other}"
        if all(_fits(y + difference) for y in ys):
            sign = "+" if difference > 0 else "-"
            return f"{one} == {other} {sign} {abs(difference)}"
    if len(sums) == 1 and _fits(total := next(iter(sums))):
        return f"{one} + {other} == {number_in_c(total)}"
    return None


def _fits(value: int) -> bool:
    return -(1 << 31) < value < 1 << 31
