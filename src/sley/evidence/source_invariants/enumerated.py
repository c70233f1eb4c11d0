"""Invariants from all states of a program: what the values of variables have in common at a place."""

from collections.abc import Iterable, Iterator, Mapping

from sley.evidence.invariants import MutexInvariant, SourceInvariant
from sley.evidence.source_invariants.places import SourcePlace
from sley.evidence.source_invariants.samples import Samples
from sley.evidence.source_invariants.variables import (
    GlobalCell,
    LocalCell,
    Named,
    RegisterOf,
    Sayable,
    ScalarName,
    Where,
)
from sley.program import instructions as ir
from sley.program.memory import MemoryObject
from sley.semantics.code import Code
from sley.semantics.state import Block, State, is_ended, location_of


class StateReader:
    """Looks up the values of variables in states."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self._positions: dict[tuple[int, str], int | None] = {}

    def values(self, state: State, thread: int, named: Named) -> dict[ScalarName, object]:
        """The values of variables, as far as the state has them, in one thread."""
        blocks = state.blocks
        found = {one: self._value(state, blocks, thread, where) for one, where in named.items()}
        return {one: value for one, value in found.items() if value is not None}

    def _value(self, state: State, blocks: Mapping[int, Block], thread: int, where: Where) -> object:
        match where:
            case RegisterOf(name=name):
                at = state.threads[thread]
                position = self._position(at[0], name)
                return None if position is None else at[position]
            case GlobalCell(number=number, index=index):
                flat = self.code.memory_map.flat.get(number)
                return _cell(blocks, number, index) if flat is None else state.cells[flat[0] + index]
            case LocalCell(slot=slot, index=index):
                return _cell(blocks, self.code.program.local_number(thread, slot), index)

    def _position(self, location: int, name: str) -> int | None:
        key = location, name
        if key not in self._positions:
            live = [register.name for register in self.code.live.get(location, ())]
            self._positions[key] = live.index(name) + 1 if name in live else None
        return self._positions[key]


def _cell(blocks: Mapping[int, Block], number: int, index: int) -> object:
    block = blocks.get(number)
    return block.cells[index] if block is not None and index < len(block.cells) else None


class Enumeration:
    """All states of a program, and what they say of its variables."""

    def __init__(self, code: Code, states: Iterable[State]) -> None:
        self.code = code
        self.states = list(states)
        self.reader = StateReader(code)
        self.sayable = Sayable(code)
        self.changing = {one for one, values in self._values_at_file_scope().items() if len(values) > 1}
        """What is the same for ever is not worth saying."""

    def _values_at_file_scope(self) -> dict[ScalarName, set[object]]:
        named = self.sayable.at_file_scope
        found: dict[ScalarName, set[object]] = {one: set() for one in named}
        for state in {(state.cells, state.blocks): state for state in self.states}.values():
            for one, value in self.reader.values(state, 0, named).items():
                found[one].add(value)
        return found

    def _kept(self, named: Named) -> Named:
        return {
            one: where
            for one, where in named.items()
            if not isinstance(where, GlobalCell) or one in self.changing
        }

    def of_places(self, places: Iterable[SourcePlace]) -> Iterator[SourceInvariant]:
        """What holds at these places."""
        sampled = [_Sampled(place, [self._kept(one) for one in self.sayable.at(place)]) for place in places]
        by_stop: dict[int, list[tuple[Samples, Named]]] = {}
        samples = {id(one): Samples(one.variables, self.code.program.pointers) for one in sampled}
        for one in sampled:
            for stop, named in one.stops():
                by_stop.setdefault(stop, []).append((samples[id(one)], named))
        for state in self.states:
            for thread, at in enumerate(state.threads):
                for found, named in by_stop.get(location_of(at), ()) if not is_ended(at) else ():
                    found.add(self.reader.values(state, thread, named))
        for one in sampled:
            text = samples[id(one)].text()
            if text is not None:
                yield SourceInvariant(one.place.span, one.place.function, text, one.place.kind)

    def of_mutexes(self) -> Iterator[MutexInvariant]:
        """What holds of variables at file scope while a mutex is free, for those that are global objects."""
        named = self._kept(self.sayable.at_file_scope)
        for made, owner in dict(_mutexes(self.code)).items():
            samples = Samples(tuple(named), self.code.program.pointers)
            for state in self.states:
                if state.cells[owner] == 0:
                    samples.add(self.reader.values(state, 0, named))
            text = samples.text()
            if text is not None and made.span is not None:
                yield MutexInvariant(made.span, made.c_name, text)


class _Sampled:
    """A place with the variables at each of its sites."""

    def __init__(self, place: SourcePlace, named: list[Named]) -> None:
        self.place = place
        self.named = named
        self.variables = tuple(named[0]) if named else ()

    def stops(self) -> Iterator[tuple[int, Named]]:
        """Where threads stand then, and where the values are."""
        for site, named in zip(self.place.sites, self.named, strict=True):
            for stop in site.stops:
                yield stop, named


def _mutexes(code: Code) -> Iterator[tuple[MemoryObject, int]]:
    """The global objects that threads lock, with the cell that holds the owner."""
    program = code.program
    for edge in program.edges:
        if not isinstance(edge.instruction, ir.Lock):
            continue
        address = program.terms.number(edge.instruction.access.address)
        if address is None:
            continue
        made = program.static_object(program.pointers.number(address))
        owner = code.memory_map.flat_cell(address, edge.instruction.access.size)
        is_named = made is not None and made.c_name == made.name
        if made is not None and is_named and owner is not None and program.pointers.offset(address) == 0:
            yield made, owner
