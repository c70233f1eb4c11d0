"""The variables that C can speak of at a place, and where their values are in the prepared program."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sley.base.source import Span
from sley.evidence.source_invariants.handles import Handles
from sley.evidence.source_invariants.places import PlaceInstance, SourcePlace
from sley.logic.sorts import FloatSort, width_of
from sley.program.memory import Display, MemoryObject, Storage
from sley.semantics.code import Code

MOST_CELLS = 8
"""Of an object with more scalars nothing is said."""

_PATH = re.compile(r"(\.[A-Za-z_]\w*|\[\d+\])*")
_SAYABLE = (Display.SIGNED, Display.UNSIGNED, Display.BOOL, Display.CHAR, Display.POINTER)


@dataclass(frozen=True, slots=True)
class RegisterOf:
    """A register of the thread in question."""

    name: str


@dataclass(frozen=True, slots=True)
class GlobalCell:
    """A scalar of a global object, by its number."""

    number: int
    index: int


@dataclass(frozen=True, slots=True)
class LocalCell:
    """A scalar of an object of the thread in question, by its slot."""

    slot: int
    index: int


Where = RegisterOf | GlobalCell | LocalCell


@dataclass(frozen=True, slots=True)
class ScalarName:
    """What C calls a scalar, and how it reads the bits."""

    text: str
    display: Display
    width: int


Named = dict[ScalarName, Where]


class Sayable:
    """Finds the variables of a program that have a name and hold integers or pointers of the user's."""

    def __init__(self, code: Code, unclear: Iterable[int] = ()) -> None:
        """Nothing is said of objects that are accessed at the locations ``unclear``."""
        self.code = code
        self._handles = Handles(code.program)
        self._unclear = self._handles.accessed(unclear)
        self._globals = list(self._global_variables())

    def at(self, place: SourcePlace) -> list[Named]:
        """For each site of a place, the variables that have a name at all of them, and where they are."""
        found = [self._named(site, place.point) for site in place.sites]
        common = [variable for variable in found[0] if all(variable in one for one in found)] if found else []
        return [{variable: one[variable] for variable in common} for one in found]

    @property
    def at_file_scope(self) -> Named:
        """The variables that all functions share."""
        return {variable: where for variable, where, _ in self._globals}

    def _named(self, site: PlaceInstance, point: Span) -> Named:
        names = site.template.names
        found: Named = {}
        if site.changed is None:
            return found
        for variable, cell, span in self._globals:
            is_before = span is not None and span.file == point.file and span < point
            if is_before and _base(variable.text) not in names.declared:
                found[variable] = cell
        own = [one for one in self._locals(site) if names.mean(one[2], point)]
        times = Counter(variable.text for variable, _, _ in own)
        for variable, where, name in own:
            if times[variable.text] == 1 and name not in site.changed:
                found[variable] = where
        return found

    def _global_variables(self) -> Iterator[tuple[ScalarName, GlobalCell, Span | None]]:
        """Those of the user's that no function declares: their names are those of the objects."""
        program = self.code.program
        for number, made in enumerate(program.objects, program.pointers.first_object):
            is_variable = made.storage is Storage.GLOBAL and not made.is_read_only
            if is_variable and made.name == made.c_name and number not in self._unclear:
                may_hold = self._handles.in_global(number)
                for index, variable in _cells(made):
                    if not (may_hold and self._is_wide(variable)):
                        yield variable, GlobalCell(number, index), made.span

    def _locals(self, site: PlaceInstance) -> Iterator[tuple[ScalarName, Where, str]]:
        template = site.template
        for register in template.registers:
            is_integer = register.display in _SAYABLE and not isinstance(register.sort, FloatSort)
            if register.c_name and is_integer and not self._handles.in_register(register):
                variable = ScalarName(register.c_name, register.display, width_of(register.sort))
                yield variable, RegisterOf(register.name), register.name
        for slot, made in enumerate(template.objects):
            may_hold = self._handles.in_local(template.name, slot)
            for index, variable in _cells(made):
                if not (may_hold and self._is_wide(variable)):
                    yield variable, LocalCell(slot, index), made.name

    def _is_wide(self, variable: ScalarName) -> bool:
        """Whether a handle has room in it."""
        return variable.width >= self.code.program.pointers.width


def _base(text: str) -> str:
    return re.split(r"[.\[]", text)[0]


def _cells(made: MemoryObject) -> Iterable[tuple[int, ScalarName]]:
    count = made.layout.count(made.size)
    for index in range(count) if count <= MOST_CELLS else ():
        cell = made.layout.cells[index % len(made.layout.cells)]
        path = made.layout.path_of(index, made.size)
        is_integer = cell.display in _SAYABLE and not isinstance(cell.sort, FloatSort)
        if is_integer and _PATH.fullmatch(path) and _is_name(made.c_name):
            yield index, ScalarName(made.c_name + path, cell.display, width_of(cell.sort))


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", text) is not None
