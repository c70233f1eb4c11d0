"""What values refer to, kept by differences, against a look at all values."""

import random

import pytest

from sley.base.persistent import PersistentTable, extended, items, replaced
from sley.logic.operators import Op
from sley.logic.terms import Terms
from sley.program.instructions import Cause
from sley.semantics.knowledge import variable_of
from sley.semantics.references import Numbers, References
from sley.semantics.state import HEAP_BLOCK, Block, CellValue, State
from sley.semantics.values import Computed, Undetermined, everything

BITS, BASE = 4, 1_000


def some_value(rng: random.Random) -> CellValue:
    number = rng.randrange(4)
    open_value = Undetermined(number, 8, everything(8), Cause.INPUT)
    return rng.choice((0, 1, BASE + number << BITS, (BASE + number << BITS) + 3, open_value))


def changed(state: State, rng: random.Random) -> State:
    blocks = state.blocks
    match rng.randrange(4):
        case 0:
            return state._replace(cells=replaced(state.cells, rng.randrange(100), some_value(rng)))
        case 1:
            cells = items(some_value(rng) for _ in range(rng.choice((2, 70))))
            block = Block(0, len(cells), cells, HEAP_BLOCK)
            return state._replace(blocks=blocks.replaced(BASE + rng.randrange(5), rng.choice((None, block))))
        case 2:
            return state._replace(threads=extended(state.threads, (5, some_value(rng))))
        case _:
            thread = (rng.randrange(9), some_value(rng), some_value(rng))
            return state._replace(threads=replaced(state.threads, rng.randrange(len(state.threads)), thread))


def all_values(state: State) -> list[object]:
    found: list[object] = [*state.cells]
    for block in state.blocks.values():
        found += block.cells
    for thread in state.threads:
        found += thread[1:]
    return found


@pytest.mark.parametrize("seed", range(10))
def test_answers_are_those_of_a_look_at_all_values(seed: int) -> None:
    rng = random.Random(seed)
    states = [State(items([0] * 100), PersistentTable(), ((1, 0),))]
    known = References(Terms(), BITS, BASE)
    for _ in range(150):
        states.append(changed(rng.choice(states[-4:]), rng))
        state = rng.choice(states)
        known.move(state.cells, state.blocks, state.threads)
        values = all_values(state)
        assert known.open.uses.keys() == {v.number for v in values if isinstance(v, Undetermined)}
        referred = {v >> BITS for v in values if isinstance(v, int) and v >> BITS >= BASE}
        assert known.dead == referred - set(state.blocks)
        used = referred | set(state.blocks)
        assert known.heap.unused() == next(n for n in range(BASE, BASE + 99) if n not in used)


def test_the_smallest_unused_number() -> None:
    numbers = Numbers(3)
    for number in (3, 4, 5, 4):
        numbers.change(number, 1)
    assert numbers.unused() == 6
    numbers.change(4, -1)
    assert numbers.unused() == 6
    numbers.change(4, -1)
    assert numbers.unused() == 4
    numbers.change(4, 1)
    assert numbers.unused() == 6


def test_values_that_are_not_decided_refer_to_what_they_are_made_of() -> None:
    terms = Terms()
    known = References(terms, BITS, BASE)
    made = Undetermined(0, 64, everything(64), Cause.INPUT)
    block, other = BASE + 3, BASE + 5
    behind = terms.apply(Op.BVADD, variable_of(terms, made), terms.bv((block << BITS) - 4, 64))
    fact = terms.eq(variable_of(terms, made), terms.bv(other << BITS, 64))
    assert known.of_open(made) == frozenset()
    assert known.of_open(Computed(behind, (made,))) >= {block}
    assert other in known.of_open(Computed(behind, (made,), frozenset({fact})))
    but = Undetermined(1, 64, ((0, (other << BITS) - 1), ((other << BITS) + 1, 2**64 - 1)), Cause.INPUT)
    assert other in known.of_open(but)
    for value, dead in ((0, set()), (Computed(behind, (made,)), {block}), (1, set())):
        known.move(items([value]), PersistentTable(), ())
        assert known.dead >= dead
        assert bool(known.dead) == bool(dead)
