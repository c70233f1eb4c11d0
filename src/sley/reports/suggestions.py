"""Which memory orders a program needs, for people and for machines."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from sley.program.instructions import MemoryOrder
from sley.reports.json_report import Json, origin_to_json
from sley.reports.lines import Line, labelled, line
from sley.verification.suggestions import Orders, Suggestion, Suggestions

NOTHING = "There is nothing to choose: no atomic access, no fence, no place where one helps."
_LEAST = "These are the weakest orders, and the fewest fences, with which it is safe"
_BETTER = "With these orders and fences it is safe; whether less would do is not known"


def report(suggestions: Suggestions, width: int) -> list[Line]:
    """What could be weaker, what has to be stronger, and what is needed as it is."""
    if suggestions.unhelpful is not None:
        found = "no proof was found" if suggestions.undecided else "there is a bug"
        text = f"Even with all orders and fences that could be there, {found}: {suggestions.unhelpful}."
        return [line(""), *labelled("Order", [text], width)]
    if not suggestions.sites:
        return [line(""), *labelled("Order", [NOTHING], width)]
    weaker, stronger, kept = _sorted(suggestions.sites)
    return [
        line(""),
        *labelled("Order", [_claim(suggestions)], width),
        *labelled("Could", [f"{_where(one)}: {_change(one)}" for one in weaker], width),
        *labelled("Needs", [f"{_where(one)}: {_change(one)}{_else(one)}" for one in stronger], width),
        *labelled("Keep", [f"{_where(one)}: {_orders(one.needed)}{_else(one)}" for one in kept], width),
    ]


def _claim(suggestions: Suggestions) -> str:
    count = f"{suggestions.variants} variants verified, {suggestions.violated} of them with a bug"
    if not suggestions.undecided:
        return f"{_LEAST} ({count})."
    return f"{_BETTER} ({count}): {'; '.join(suggestions.undecided)}."


def _sorted(sites: Sequence[Suggestion]) -> tuple[list[Suggestion], list[Suggestion], list[Suggestion]]:
    """Those that could be weaker, those that have to be stronger, and those whose orders are needed."""
    in_order = sorted(sites, key=lambda one: (one.origin.span is not None, one.origin.span))
    changed = [one for one in in_order if one.needed != one.written]
    weaker = [one for one in changed if _is_weaker(one.needed, one.written)]
    kept = [one for one in in_order if one.needed == one.written and one.why]
    return weaker, [one for one in changed if one not in weaker], kept


def _is_weaker(one: Orders, other: Orders) -> bool:
    return all(map(_is_at_most, _both(one), _both(other)))


def _both(orders: Orders) -> tuple[MemoryOrder, MemoryOrder]:
    return orders.success or MemoryOrder.RELAXED, orders.failure or MemoryOrder.RELAXED


def _is_at_most(one: MemoryOrder, other: MemoryOrder) -> bool:
    guaranteed = [(order.acquires, order.releases, order is MemoryOrder.SEQUENTIAL) for order in (one, other)]
    return all(not has or allowed for has, allowed in zip(*guaranteed, strict=True))


def _where(one: Suggestion) -> str:
    span = one.origin.span
    place = "" if span is None else f"{PurePath(span.file).name}:{span.line}, "
    if not one.accessed:
        return f"{place}the fence"
    return f"{place}{'behind ' if one.is_fence else ''}`{one.accessed}`"


def _change(one: Suggestion) -> str:
    if one.needed.success is None:
        return "not needed"
    if one.written.success is None:
        return "a full fence"
    if one.written.failure != one.needed.failure and one.written.success == one.needed.success:
        return f"{_name(one.needed.failure)} where it fails, instead of {_name(one.written.failure)}"
    return f"{_orders(one.needed)} instead of {_orders(one.written)}"


def _orders(orders: Orders) -> str:
    failure = f", {_name(orders.failure)} where it fails" if orders.failure is not None else ""
    return _name(orders.success) + failure


def _name(order: MemoryOrder | None) -> str:
    return "none" if order is None else order.value


def _else(one: Suggestion) -> str:
    return f" (with less: {'; '.join(one.why)})" if one.why else ""


# --- for machines ------------------------------------------------------------------------------------


def to_json(suggestions: Suggestions) -> Json:
    """As ``docs/json-report.md`` describes it."""
    return {
        "sites": [dict(_fields(one)) for one in suggestions.sites],
        "variants": suggestions.variants,
        "violated": suggestions.violated,
        "undecided": list(suggestions.undecided),
        "unhelpful": suggestions.unhelpful,
    }


def _fields(one: Suggestion) -> Iterator[tuple[str, object]]:
    yield "origin", origin_to_json(one.origin)
    yield "accessed", one.accessed
    yield "is_fence", one.is_fence
    for name, orders in (("written", one.written), ("needed", one.needed)):
        yield name, _value(orders.success)
        yield f"{name}_if_failed", _value(orders.failure)
    yield "why", list(one.why)


def _value(order: MemoryOrder | None) -> str | None:
    return None if order is None else order.value
