"""The way in: C files become a program.

Only what is reachable from ``main`` is lowered: a work list of functions that are called or whose address is
taken, and of variables that they mention. Unused code costs nothing and cannot be unsupported.
"""

from collections.abc import Sequence
from pathlib import Path

from sley.base.errors import InputError, Unsupported, UnsupportedFeatureError
from sley.base.source import Span
from sley.frontend.calls import MALLOC_SUCCEEDS
from sley.frontend.clang_library import acting_attribute
from sley.frontend.data_model import DataModel
from sley.frontend.deep_stack import run_deep
from sley.frontend.functions import FunctionLowering
from sley.frontend.globals import GlobalInitialisers
from sley.frontend.library import ENTRY, Library
from sley.frontend.parse import ParseOptions, Parser
from sley.frontend.program_objects import ObjectTooLargeError, PlannedObject, ProgramObjects
from sley.frontend.syntax import UnsupportedConstructError
from sley.logic.terms import Terms
from sley.program.memory import PointerLayout
from sley.program.program import Function, Program

LONG_DOUBLE_IS_DOUBLE = "long double has the values of double"
ALWAYS_ASSUMED = "sequential consistency"


def load(
    paths: Sequence[Path],
    *,
    data_model: DataModel = DataModel.LP64,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
    models: Sequence[Path] = (),
    keeps_frames: bool = False,
) -> Program:
    """The program that the C files make together.

    With ``keeps_frames``, a program that allocates memory has its local pointers in memory instead of
    registers, so that it is known what live frames hold when the process ends (leaks).

    Raises ``InputError`` for what is not legal C and ``UnsupportedFeatureError`` for what we do not model,
    with all places at once.
    """
    options = ParseOptions(data_model, tuple(include_dirs), tuple(defines))
    return run_deep(lambda: _load(list(paths), options, tuple(models), keeps_frames=keeps_frames))


def _load(
    paths: list[Path], options: ParseOptions, models: tuple[Path, ...], *, keeps_frames: bool
) -> Program:
    library = Library(Parser(options), paths, models)
    if library.user_function(ENTRY) is None:
        raise InputError("there is no function `main`", Span(str(paths[0]), 1, 1))
    for layout in options.data_model.pointer_layouts():
        try:
            program = _Linker(library, layout).run()
            if keeps_frames and MALLOC_SUCCEEDS in program.assumptions:
                program = _Linker(library, layout, keeps_frames=True).run()
            return program
        except ObjectTooLargeError:
            continue
    raise UnsupportedFeatureError((Unsupported("an object larger than the memory that we model", None),))


def _place(unsupported: Unsupported) -> tuple[str, int, int, str]:
    span = unsupported.span or Span("", 0, 0)
    return span.file, span.line, span.column, unsupported.what


class _Linker:
    """Lowers everything that is reachable, with one pointer layout."""

    def __init__(self, library: Library, layout: PointerLayout, *, keeps_frames: bool = False) -> None:
        self._library = library
        self._objects = ProgramObjects(Terms(), layout, library, keeps_frames)
        self._initialisers = GlobalInitialisers(self._objects)
        self._objects.initial_contents = self._define
        self._functions: dict[str, Function] = {}
        self._unsupported: list[Unsupported] = []

    def run(self) -> Program:
        main = self._library.user_function(ENTRY)
        assert main is not None
        self._objects.requested[ENTRY] = main
        self._refuse_acting_functions()
        while self._lower_functions() or self._define_variables():
            pass
        if self._unsupported:
            raise UnsupportedFeatureError(tuple(sorted(set(self._unsupported), key=_place)))
        if self._library.has_long_double:
            self._objects.assumptions.setdefault(LONG_DOUBLE_IS_DOUBLE)
        return Program(
            terms=self._objects.terms,
            functions=self._functions,
            objects=tuple(planned.finished() for planned in self._objects.planned),
            entry=ENTRY,
            pointers=self._objects.pointers,
            assumptions=(ALWAYS_ASSUMED, *self._objects.assumptions),
            unmodelled=tuple(self._objects.unmodelled.values()),
            keeps_frames=self._objects.keeps_frames,
        )

    def _refuse_acting_functions(self) -> None:
        """Functions that run before or after main without a call are not modelled."""
        for reader in self._library.users:
            for cursor in reader.unit.functions.values():
                attribute = acting_attribute(cursor)
                if attribute in ("constructor", "destructor"):
                    span = reader.unit.span(cursor)
                    self._unsupported.append(Unsupported(f"the attribute `{attribute}`", span))

    def _lower_functions(self) -> bool:
        """Lower the functions that are requested and not lowered yet; whether there were any."""
        waiting = [name for name in self._objects.requested if name not in self._functions]
        for name in waiting:
            lowering = FunctionLowering(self._objects, name, *self._objects.requested[name])
            self._functions[name] = lowering.run()
            self._unsupported += lowering.unsupported
        return bool(waiting)

    def _define_variables(self) -> bool:
        waiting, self._objects.undefined = self._objects.undefined, []
        for planned in waiting:
            self._define(planned)
        return bool(waiting)

    def _define(self, planned: PlannedObject) -> None:
        assert planned.declaration is not None
        try:
            self._initialisers.define(planned, self._library.reader(planned.declaration))
        except UnsupportedConstructError as error:
            self._unsupported.append(Unsupported(error.what, error.span))
