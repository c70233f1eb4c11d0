"""Deadlocks: all threads wait for good or have ended; or some wait for each other in a circle."""

from collections.abc import Iterator, Sequence

from sley.engines.bmc.events.graph import NodeWrite, WaitNode
from sley.engines.bmc.formula.errors import before_the_end
from sley.engines.bmc.formula.formula import Formula, Ordering
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.properties import Property
from sley.semantics.roles import DetachedRole, ThreadRole


def deadlocks(f: Formula) -> None:
    """A literal for either kind."""
    if Property.DEADLOCK not in f.properties:
        return
    waits = [wait for wait in f.graph.waits if f.occurs[wait.node] != f.terms.false]
    stuck = {wait.node: _stuck(f, wait) for wait in waits}
    waits_for = _waits_for(f, waits, stuck)
    _write_before_or_after_circle(f, waits)
    everywhere = _everywhere(f, stuck)
    if everywhere != f.terms.false:
        f.errors.append(f.implying("!deadlock", everywhere))
    circle = _circle(f, waits_for)
    if circle != f.terms.false:
        f.is_circle = f.implying("!circle", circle)
        f.errors.append(f.is_circle)


def _everywhere(f: Formula, stuck: dict[int, Term]) -> Term:
    """Every thread that exists has ended or is stuck, one is stuck, and the process goes on."""
    t = f.terms
    over: list[list[Term]] = [[] for _ in f.graph.threads]
    for exit_ in f.graph.exits:
        over[f.graph.nodes[exit_.node].thread].append(f.named(exit_.condition))
    for node, literal in stuck.items():
        over[f.graph.nodes[node].thread].append(literal)
    return t.and_(
        *(t.not_(f.named(end.condition)) for end in f.graph.ends),
        t.or_(*stuck.values()),
        *(t.or_(t.not_(events.occurs), *over[n]) for n, events in enumerate(f.graph.threads)),
    )


# --- threads that wait --------------------------------------------------------------------------------


def _stuck(f: Formula, wait: WaitNode) -> Term:
    """A literal that implies: a thread waits, and nothing that it waits for changes any more."""
    literal = _waiting(f, f"!stuck{wait.node}", wait, list(_changes(f, wait)))
    f.is_stuck[literal] = wait.node
    return literal


def _in_circle(f: Formula, wait: WaitNode, stuck: Term) -> Term:
    """As ``stuck``, but threads that do not hold the lock may write to it later."""
    changes, name = list(_changes(f, wait)), f"!circle{wait.node}"
    own = [write for write in changes if not _spoils(f, write)]
    literal = f.implying(name, stuck) if own == changes else _waiting(f, name, wait, own)
    f.is_in_circle[literal] = wait.node
    before_the_end(f, literal, wait.node)
    return literal


def _waiting(f: Formula, name: str, wait: WaitNode, changes: Sequence[NodeWrite]) -> Term:
    """A literal that implies: a thread waits, and some changes were made before."""
    t = f.terms
    literal = t.var(name, BOOL)
    holds = [f.occurs[wait.node]]
    if wait.instead_of is not None:
        holds.append(t.not_(f.occurs[wait.instead_of]))
    for write in changes:
        f.ordered((literal, f.named(write.condition)), write.node, wait.node)
    f.add(t.implies(literal, t.and_(*holds)))
    f.needs[literal] = [*holds, *(write.condition for write in changes)]
    return literal


def _changes(f: Formula, wait: WaitNode) -> Iterator[NodeWrite]:
    """Writes to what a thread waits for, unless they come before that in every run.

    Whether a thread is detached may change: when does not matter.
    """
    for variable in f.graph.nodes[wait.node].reads:
        if not isinstance(f.terms.symbol(variable), DetachedRole):
            for write in f.graph.variables[variable][1]:
                if write.node != wait.node and not f.graph.order.is_before(write.node, wait.node):
                    yield write


def _spoils(f: Formula, write: NodeWrite) -> bool:
    """Whether a write to a lock may be by a thread that does not hold it."""
    is_of_thread = isinstance(f.terms.symbol(write.variable), ThreadRole)
    return write.variable in f.graph.stored and not is_of_thread


# --- circles ------------------------------------------------------------------------------------------


def _waits_for(f: Formula, waits: Sequence[WaitNode], stuck: dict[int, Term]) -> dict[tuple[int, int], Term]:
    """Thread, other thread -> the first waits for the second."""
    t, found = f.terms, dict[tuple[int, int], Term]()
    for wait in waits:
        if wait.holder is None:
            continue
        thread, here = f.graph.nodes[wait.node].thread, _in_circle(f, wait, stuck[wait.node])
        for other in range(len(f.graph.threads)):
            is_holder = t.eq(wait.holder, t.bv(other + 1, t.width(wait.holder)))
            known = found.get((thread, other), t.false)
            found[thread, other] = t.or_(known, t.and_(here, is_holder))
    return found


def _write_before_or_after_circle(f: Formula, waits: Sequence[WaitNode]) -> None:
    """A write to a lock is before the wait for it, or after all waits of the circle."""
    t = f.terms
    here = {node: literal for literal, node in f.is_in_circle.items()}
    for wait in (wait for wait in waits if wait.node in here):
        for write in [write for write in _changes(f, wait) if _spoils(f, write)]:
            mine, happens = here[wait.node], f.named(write.condition)
            is_before = f.order.before(write.node, wait.node)
            f.needs[mine].append(write.condition)
            f.orderings.append(Ordering((mine, happens, is_before), write.node, wait.node))
            for node, literal in here.items():
                f.ordered((mine, literal, happens, t.not_(is_before)), node, write.node)


def _circle(f: Formula, waits_for: dict[tuple[int, int], Term]) -> Term:
    """Some thread waits for itself in the transitive closure."""
    t = f.terms
    threads = sorted({thread for thread, _ in waits_for})
    reach = {(a, b): waits_for.get((a, b), t.false) for a in threads for b in threads}
    for middle in threads:
        for first in threads:
            for last in threads:
                through = f.named(t.and_(reach[first, middle], reach[middle, last]))
                reach[first, last] = t.or_(reach[first, last], through)
    return t.or_(*(reach[thread, thread] for thread in threads))
