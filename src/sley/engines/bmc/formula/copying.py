"""The copy constraints Φ_C: every read copies a write, before it and with none in between.

As Φ¹, Φ², Φ³ of the paper (section 5.2), for the may-copy sets C(r) of ``pruning`` only (section 6).
"""

from collections.abc import Iterator, Sequence

from sley.engines.bmc.events.atomics import Atomics
from sley.engines.bmc.events.graph import NodeRead, NodeWrite
from sley.engines.bmc.formula.formula import Formula, Ordering, ReadChoice, relevant_symbols
from sley.engines.bmc.formula.order import Clause
from sley.engines.bmc.formula.pruning import Candidates, Pruning
from sley.engines.bmc.formula.ranges import bounds_of_reads, high_bits_are_zero
from sley.engines.bmc.options import Copies, Stage
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.semantics.roles import ThreadRole


def choose_candidates(f: Formula) -> None:
    """Which reads matter, and C(r) of each, with a literal copy(r, w) for its writes."""
    pruning, variables = Pruning(f), f.graph.variables
    everything = [write for _, writes in variables.values() for write in writes]
    possible = {
        read.symbol: pruning.candidates(read, everything if f.options.takes_all_pairs else writes)
        for variable, (reads, writes) in variables.items()
        for read in reads
        if variable not in f.graph.sums
    }
    relevant = _relevant(f, possible)
    for read in (read for reads, _ in variables.values() for read in reads):
        f.budget.spend()
        if f.atomics is not None:
            f.choices.extend(_weak_choices(f, f.atomics, read, possible[read.symbol]))
        elif f.options.has(Stage.PRUNING) and f.options.has(Stage.RELEVANCE) and read.symbol not in relevant:
            f.ignored.add(read.symbol)
        elif read.symbol in possible and f.matters(read) != f.terms.false:
            f.choices.append(_choice(f, read, possible[read.symbol]))
    f.counts |= {
        "nodes": len(f.graph.nodes),
        "shared reads": sum(1 for node in f.graph.nodes[1:] for v in node.reads if _is_memory(f, v)),
        "shared writes": sum(1 for node in f.graph.nodes[1:] for v in node.writes if _is_memory(f, v)),
        "reads": sum(len(reads) for reads, _ in variables.values()),
        "writes": sum(len(writes) for _, writes in variables.values()),
        "candidates before pruning": sum(len(reads) * len(writes) for reads, writes in variables.values()),
    }


def _is_memory(f: Formula, variable: Term) -> bool:
    """Whether accesses of a variable are global ones of the paper: of memory, not of how far a thread is."""
    return not isinstance(f.terms.symbol(variable), ThreadRole)


def _choice(f: Formula, read: NodeRead, candidates: Candidates) -> ReadChoice:
    occurs = f.named(f.matters(read))
    copied = [write for write in candidates.copied if f.may_copy is None or f.may_copy(read, write)]
    if len(copied) == 1:
        return ReadChoice(read, occurs, ((occurs, copied[0]),), tuple(candidates.visible))
    copies = zip(_copy_literals(f, read, copied), copied, strict=True)
    return ReadChoice(read, occurs, tuple(copies), tuple(candidates.visible))


def _copy_literals(f: Formula, read: NodeRead, copied: Sequence[NodeWrite]) -> Iterator[Term]:
    """copy(r, w) for each of the writes: a variable, or ID(r) = ID(w) (section 5.3)."""
    t, sort = f.terms, bitvec(len(copied).bit_length())
    for number, write in enumerate(copied):
        if f.options.copies is Copies.NUMBERS:
            yield f.named(t.eq(t.var(f"!id{read.symbol}", sort), t.const(number, sort)))
        else:
            which = "" if write.variable == read.variable else f":{write.variable}"
            yield t.var(f"!rf{read.symbol}:{write.node}{which}", BOOL)


def _weak_choices(
    f: Formula, atomics: Atomics, read: NodeRead, candidates: Candidates
) -> Iterator[ReadChoice]:
    """Where orders matter, so does every read; an atomic one may copy what others have overwritten."""
    if f.matters(read) == f.terms.false:
        return
    if read.variable not in atomics.variables:
        yield _choice(f, read, candidates)
    elif (event := atomics.of_node[read.node, read.variable]).reads:
        occurs = f.named(f.terms.and_(f.matters(read), event.occurs))
        copied = candidates.copied
        names = (f.terms.var(f"!rf{read.symbol}:{write.node}", BOOL) for write in copied)
        copies = zip(names, copied, strict=True)
        yield ReadChoice(read, occurs, ((occurs, copied[0]),) if len(copied) == 1 else tuple(copies), ())


def _relevant(f: Formula, possible: dict[Term, Candidates]) -> frozenset[Term]:
    """The symbols that any answer or any replay depends on."""
    graph = f.graph
    roots = [f.wrong, *(cut.condition for cut in graph.cuts)]
    roots += [trouble.condition for trouble in graph.troubles]
    roots += [making.condition for events in graph.threads for making in events.makings]
    needs = dict(f.needs)
    for variable, (reads, writes) in graph.variables.items():
        for read in reads:
            needs[read.symbol] = [f.matters(read)]
            if variable in graph.sums:
                needs[read.symbol] += [graph.sums[variable].initial]
                needs[read.symbol] += [w.condition for w in writes if w.node not in (0, read.node)]
            else:
                visible = possible[read.symbol].visible
                needs[read.symbol] += [part for w in visible for part in (w.condition, w.value)]
    return relevant_symbols(f.terms, roots, needs)


def copied_occurs(f: Formula) -> None:
    """Φ²: copy(r, w) ⇒ occ(w) ∧ val(r) = val(w) (and HB(w, r): see ``copied_is_before``)."""
    t = f.terms
    for choice in f.choices:
        for copy, write in choice.copied:
            read = choice.read
            is_same = t.sort(read.symbol) == t.sort(write.value)
            value = t.eq(read.symbol, write.value) if is_same else t.false
            f.add(t.implies(copy, f.named(write.condition)), t.implies(copy, value))
            if read.variable != write.variable:
                f.add(t.implies(copy, f.same_place(read.variable, write.variable)))


def copies_some(f: Formula) -> None:
    """Φ¹: occ(r) ⇒ ∃w. copy(r, w)."""
    t = f.terms
    for choice in f.choices:
        f.add(t.implies(choice.occurs, t.or_(*(copy for copy, _ in choice.copied))))


def sees_sum(f: Formula) -> None:
    """Instead of Φ for variables that are only added to: a read sees all that was added before it."""
    variables = f.graph.variables
    for variable, found in f.graph.sums.items():
        reads, writes = variables[variable]
        for read in reads:
            if read.symbol not in f.ignored:
                added = list(_added_before(f, read, writes))
                f.add(f.terms.eq(read.symbol, found.total(f.terms, added)))


def _added_before(f: Formula, read: NodeRead, writes: list[NodeWrite]) -> Iterator[tuple[int, Term]]:
    """The nodes that may add something before a read, and when they do."""
    t = f.terms
    for write in writes:
        if write.node in (0, read.node) or f.graph.order.is_before(read.node, write.node):
            continue
        condition, is_before = f.named(write.condition), f.order.before(write.node, read.node)
        if is_before != t.true:
            happen = (f.named(f.matters(read)), condition)
            f.orderings.append(Ordering((*happen, is_before), write.node, read.node))
            f.orderings.append(Ordering((*happen, t.not_(is_before)), read.node, write.node))
        yield write.node, t.and_(condition, is_before)


def values_in_range(f: Formula) -> None:
    """Values that no chain of copies can produce (see ``ranges``); implied by Φ."""
    if not (f.options.has(Stage.PRUNING) and f.options.has(Stage.RELEVANCE)):
        return
    choices = [(choice.read, [w for _, w in choice.copied]) for choice in f.choices]
    chain = sum(bool(node.writes) for node in f.graph.nodes)
    for symbol, bounds in bounds_of_reads(f.terms, choices, chain).items():
        f.add(high_bits_are_zero(f.terms, symbol, bounds))


def copied_is_before(f: Formula) -> None:
    """Φ²: copy(r, w) ⇒ HB(w, r)."""
    for choice in f.choices:
        for copy, write in choice.copied:
            f.order.clause(f.terms.not_(copy), f.order.before(write.node, choice.read.node))


def none_between(f: Formula) -> None:
    """Φ³: copy(r, w) ∧ occ(w') ⇒ HB(w', w) or HB(r, w'), for every other write w' that reaches r."""
    t = f.terms
    for choice in f.choices:
        rivals = [
            (rival, t.not_(f.named(rival.condition)), f.order.before(choice.read.node, rival.node))
            for rival in choice.rivals
        ]
        for copy, write in choice.copied:
            f.budget.spend()
            for rival, is_missing, is_later in rivals:
                if rival is not write:
                    is_earlier = f.order.before(rival.node, write.node)
                    literals: Clause = (t.not_(copy), is_missing, is_earlier, is_later)
                    if rival.variable != write.variable:
                        literals += (t.not_(f.same_place(rival.variable, write.variable)),)
                    f.order.clause(*literals)
