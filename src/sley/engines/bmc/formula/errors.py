"""What goes wrong: error locations and data races. Each gets a literal that implies that it happens.

The literal of a violation is the paper's path condition ψ of an error location (section 5.3).
"""

from sley.engines.bmc.events.graph import RaceTouch
from sley.engines.bmc.events.races import conflicts, overlap
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.options import Stage
from sley.logic.terms import Term
from sley.program.properties import Property


def violations(f: Formula) -> None:
    """A thread reaches an error location, and the process has not ended before."""
    for position, violation in enumerate(f.graph.violations):
        if f.occurs[violation.node] != f.terms.false:
            literal = f.implying(f"!wrong{position}", f.occurs[violation.node])
            f.is_violation[literal] = position
            before_the_end(f, literal, violation.node)
            f.errors.append(literal)


def races(f: Formula) -> None:
    """Two conflicting accesses happen next to each other in the order."""
    if Property.RACE not in f.properties:
        return
    t = f.terms
    # two sections next to each other do not race
    locksets = f.options.has(Stage.LOCKSETS) or f.options.has(Stage.SECTIONS)
    for one, other in conflicts(f.graph, locksets=locksets):
        f.budget.spend()
        happen = [_takes_part(f, one), _takes_part(f, other), overlap(t, one, other)]
        freed = [touch.freed for touch in (one, other) if touch.freed is not None]
        if freed:  # of two that free the block only the first one finds it
            happen.append(t.or_(*freed))
        holds = t.and_(*happen, f.order.adjacent(one.node, other.node))
        if holds == t.false:
            continue
        literal = f.implying(f"!race{len(f.is_race)}", holds)
        f.is_race[literal] = (one, other)
        before_the_end(f, literal, one.node, other.node)
        for inside, outside in ((one, other), (other, one)):
            if inside.is_inside and not outside.is_inside:  # so that it completes before the write
                f.ordered((literal,), inside.node, outside.node)
        f.errors.append(literal)


def _takes_part(f: Formula, touch: RaceTouch) -> Term:
    """The thread is about to make the access; whether it can (it may have to wait) does not matter."""
    return f.terms.and_(touch.condition, f.occurs[touch.node]) if touch.is_inside else touch.condition


def before_the_end(f: Formula, literal: Term, *nodes: int) -> None:
    """If the literal holds, the process has not ended before some nodes, unless it ends by one of them.

    A section that aborts and an access race before either: the access then never comes, and may be anywhere.
    """
    for end in f.graph.ends:
        is_over = f.named(end.condition)
        f.needs[literal].append(is_over)
        for node in nodes if end.node not in nodes else ():
            f.ordered((literal, is_over), node, end.node)
