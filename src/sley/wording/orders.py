"""Weak memory orders in the user's words."""

from collections.abc import Sequence
from pathlib import PurePath

from sley.analyses.orders import WeakAccess

MAX_LINES = 5


def weak_orders(accesses: Sequence[WeakAccess]) -> str:
    """Which orders stand in which lines: ``memory_order_relaxed (queue.c:12, 21)``; the first few of each."""
    lines: dict[str, set[tuple[str, int]]] = {}
    for access in accesses:
        span = access.origin.span
        place = ("", 0) if span is None else (PurePath(span.file).name, span.line)
        lines.setdefault(f"memory_order_{access.order.value}", set()).add(place)
    return " and ".join(f"{order} ({_listed(sorted(places))})" for order, places in lines.items())


def _listed(places: Sequence[tuple[str, int]]) -> str:
    names, last = [], ""
    for file, line in places[:MAX_LINES]:
        names.append(str(line) if file == last else f"{file}:{line}")
        last = file
    return ", ".join(names) + (f" and {len(places) - MAX_LINES} more" if len(places) > MAX_LINES else "")
