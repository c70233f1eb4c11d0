"""Nondeterministic choices of a step: how to make a step choose differently."""

from collections.abc import Iterator

from sley.semantics.memory import Choice, Memory
from sley.semantics.values import NeedsSplitError, Ranges, Undetermined


def parts_inside_step(question: NeedsSplitError, memory: Memory) -> list[tuple[Choice, ...]]:
    """Choices that split a value which the step itself made; raises again if the state has it.

    With them come the alternatives to what the step chose freely before it made the value: to run again with
    one part prescribes all of that.
    """
    at = memory.created.get(question.value.number)
    if at is None:
        raise question
    before = tuple(choice for choice, _ in memory.taken[:at])
    parts = [(*before, narrowed(question.value, part)) for part in question.parts]
    return [*parts, *alternatives(memory.taken[:at], len(memory.choices))]


def alternatives(taken: list[tuple[Choice, int]], start: int) -> Iterator[tuple[Choice, ...]]:
    """Prefixes that choose differently at one place from ``start`` on."""
    for at in range(start, len(taken)):
        before = tuple(choice for choice, _ in taken[:at])
        for other in range(1, taken[at][1]):
            yield (*before, other)


def narrowed(value: Undetermined, part: Ranges) -> int | Undetermined:
    """The value with its possible values narrowed to ``part``."""
    (low, high), *rest = part
    if not rest and low == high:
        return low
    return Undetermined(value.number, part, value.cause, value.text)
