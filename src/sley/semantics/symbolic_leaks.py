"""Lost memory in terms: which heap blocks nothing refers to when the process ends.

As in ``StatePredicates.leaked``, every value whose upper bits name an object refers to it, be it meant as a
pointer or not. Reachability over the blocks of a vocabulary is unrolled: a path need not be longer than there
are blocks.
"""

from collections.abc import Iterator, Mapping, Sequence

from sley.logic.sorts import BoolSort, width_of
from sley.logic.terms import Term
from sley.semantics.symbolic_memory import to_bits
from sley.semantics.vocabulary import EXITED, STATUS, Instance, Lifetime, Vocabulary

Held = Sequence[tuple[Term, Term]]
"""Values, each with the condition under which it is there."""


def lost_memory(vocabulary: Vocabulary, running: Mapping[int, int], without: int | None) -> Term:
    """Some live heap block cannot be reached from what is left when thread ``without`` has returned.

    ``running`` has the location of every thread that runs; if none does, nobody wants their results any more.
    """
    t = vocabulary.terms
    heap = [i for i in vocabulary.instances.values() if i.kind is Lifetime.HEAP]
    nodes = {i.number: i for i in heap}
    if without is not None:
        nodes |= {i.number: i for i in vocabulary.locals(without)}
    roots = [i for number, i in vocabulary.instances.items() if number not in nodes]
    held = [
        *(_thread_values(vocabulary, running, without) if running else ()),
        *(v for i in roots for v in _contents(vocabulary, i)),
    ]
    reached = {number: _refer(vocabulary, held, number) for number in nodes}
    arrows = {
        (source, target): _refer(vocabulary, list(_contents(vocabulary, i)), target)
        for source, i in nodes.items()
        for target in nodes
        if source != target
    }
    for _ in nodes:
        reached = {
            number: t.or_(known, *(t.and_(reached[n], arrows[n, number]) for n in nodes if n != number))
            for number, known in reached.items()
        }
    return t.or_(*(t.and_(vocabulary.alive(i), t.not_(reached[i.number])) for i in heap))


def _contents(vocabulary: Vocabulary, instance: Instance) -> Iterator[tuple[Term, Term]]:
    """The cells of an object; a heap block may be smaller than its capacity."""
    t = vocabulary.terms
    alive, size = vocabulary.alive(instance), vocabulary.size(instance)
    for index, cell in enumerate(vocabulary.cells(instance)):
        start = index // len(instance.layout.cells) * instance.layout.stride
        yield t.and_(alive, t.ult(t.bv(start, t.width(size)), size)), cell


def _thread_values(
    vocabulary: Vocabulary, running: Mapping[int, int], without: int | None
) -> Iterator[tuple[Term, Term]]:
    """The live registers of running threads and the results of exited ones."""
    t = vocabulary.terms
    for thread in range(len(vocabulary.threads)):
        if thread not in running:
            has_exited = t.eq(vocabulary.status(thread), t.const(EXITED, STATUS))
            yield has_exited, vocabulary.result(thread)
        elif thread != without:
            for register in vocabulary.code.live[running[thread]]:
                yield t.true, vocabulary.register(thread, register)


def _refer(vocabulary: Vocabulary, held: Held, number: int) -> Term:
    """One of the values that are there refers to the object."""
    t = vocabulary.terms
    return t.or_(*(t.and_(is_there, _refers(vocabulary, value, number)) for is_there, value in held))


def _refers(vocabulary: Vocabulary, value: Term, number: int) -> Term:
    t, split = vocabulary.terms, vocabulary.pointers.offset_bits
    sort = t.sort(value)
    upper = 0 if isinstance(sort, BoolSort) else width_of(sort) - split
    if upper <= 0 or number >> upper:
        return t.false
    bits = to_bits(t, value, width_of(sort))
    return t.eq(t.extract(bits, width_of(sort) - 1, split), t.bv(number, upper))
