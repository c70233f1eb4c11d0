"""The way in: C files become a program.

Only what is reachable from ``main`` is lowered: a work list of functions that are called or whose address is
taken, and of variables that they mention. Unused code costs nothing and cannot be unsupported.
"""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sley.base.errors import NoMainError, Unsupported, UnsupportedFeatureError
from sley.base.source import Span
from sley.frontend.builtins.memory import MALLOC_SUCCEEDS
from sley.frontend.comparisons import Comparisons
from sley.frontend.compilation_database import source_files
from sley.frontend.data_model import DataModel
from sley.frontend.deep_stack import run_deep
from sley.frontend.functions import FunctionLowering
from sley.frontend.globals import GlobalInitialisers
from sley.frontend.harness.files import errors_of_harness, with_harness
from sley.frontend.harness.plan import Harness
from sley.frontend.layouts import forget_layouts
from sley.frontend.library import ENTRY, Library
from sley.frontend.linking import linked
from sley.frontend.parse import ParseOptions, SourceParser
from sley.frontend.program_objects import ObjectTooLargeError, Outside, PlannedObject, ProgramObjects
from sley.frontend.syntax import Declaration, UnsupportedConstructError
from sley.logic.terms import Terms
from sley.program.memory import PointerLayout, Storage
from sley.program.program import PROCESS_END, Function, Program

NO_MAIN = (
    "there is no function `main`: name all files of the program, or, for a library, the functions "
    "that threads call (--entry f,g), or one more file with a `main` that uses it (sley explain harness)"
)


def load(  # noqa: PLR0913 - what a user can say about all files, each by its name
    paths: Sequence[Path],
    *,
    data_model: DataModel = DataModel.LP64,
    include_dirs: Sequence[Path] = (),
    defines: Sequence[str] = (),
    models: Sequence[Path] = (),
    allows_inner_overrun: bool = False,
    malloc_may_fail: bool = False,
    create_may_fail: bool = False,
    keeps_frames: bool = False,
    keeps_locals: bool = False,
    harness: Harness | None = None,
    target: str | None = None,
    arguments: tuple[str, ...] | None = None,
    argc_may_be_zero: bool = False,
) -> Program:
    """The program that C files make together, or those of a ``compile_commands.json`` or a folder.

    With ``allows_inner_overrun``, an index may leave the row or member that it is of, inside the same object.
    With ``malloc_may_fail`` and ``create_may_fail``, blocks of memory and threads may be refused.
    With ``keeps_frames``, a program that allocates memory has its local pointers in memory instead of
    registers, so that it is known what live frames hold when the process ends (leaks). With ``keeps_locals``,
    all local variables of the user are in memory, so that it is known whether they were written.
    With a ``harness``, the files are a library, and a ``main`` is written for it. Of several programs in a
    folder or a build, ``target`` names one.
    With ``arguments``, ``main`` gets these behind the name of the program; else any, but for the name also
    none if ``argc_may_be_zero``.

    Raises ``InputError`` for what is not legal C and ``UnsupportedFeatureError`` for what we do not model,
    with all places at once.
    """
    options = ParseOptions(
        data_model,
        tuple(include_dirs),
        tuple(defines),
        allows_inner_overrun,
        malloc_may_fail,
        create_may_fail,
        keeps_locals,
        arguments,
        argc_may_be_zero,
    )
    try:
        with _collection_paused():
            return run_deep(
                lambda: _load(list(paths), options, tuple(models), harness, target, keeps_frames=keeps_frames)
            )
    finally:
        forget_layouts()


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Nearly all that is made here stays: looking for garbage again and again costs a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _load(
    paths: list[Path],
    options: ParseOptions,
    models: tuple[Path, ...],
    harness: Harness | None,
    target: str | None,
    *,
    keeps_frames: bool,
) -> Program:
    parser = SourceParser(options)
    named = harness.functions if harness is not None else ()
    found = linked(source_files(paths, options.data_model), parser, target, named)
    files = found.files
    if harness is not None:
        files = with_harness(files, harness, parser)
    with errors_of_harness(files):
        library = Library(parser, files, models)
    if library.user_function(ENTRY) is None:
        raise NoMainError(NO_MAIN, Span(str(files[0].path), 1, 1))
    for layout in options.data_model.pointer_layouts():
        try:
            program = _linked(library, layout, keeps_frames=False)
            if keeps_frames and MALLOC_SUCCEEDS in program.assumptions:
                program = _linked(library, layout, keeps_frames=True)
            of_harness = () if harness is None else (harness.assumption,)
            return replace(program, assumptions=(*of_harness, *found.assumptions, *program.assumptions))
        except ObjectTooLargeError:
            continue
    raise UnsupportedFeatureError((Unsupported("an object larger than the memory that we model", None),))


def _linked(library: Library, layout: PointerLayout, *, keeps_frames: bool) -> Program:
    """The program; again from the start whenever a variable turns out to have unknown contents.

    Where such variables and texts from outside are must be known before the first access through a pointer
    is lowered.
    """
    foreign: dict[Declaration, str] = {}
    outside = Outside()
    while True:
        linker = _Linker(library, layout, foreign, outside, keeps_frames=keeps_frames)
        program = linker.run()
        if (linker.foreign, linker.outside) == (foreign, outside):
            return program
        foreign, outside = linker.foreign, linker.outside


def _place(unsupported: Unsupported) -> tuple[str, int, int, str]:
    span = unsupported.span or Span("", 0, 0)
    return span.file, span.line, span.column, unsupported.what


class _Linker:
    """Lowers everything that is reachable, with one pointer layout."""

    def __init__(
        self,
        library: Library,
        layout: PointerLayout,
        foreign: Mapping[Declaration, str],
        outside: Outside,
        *,
        keeps_frames: bool = False,
    ) -> None:
        self._library = library
        self._objects = ProgramObjects(Terms(), layout, library, keeps_frames)
        self._initialisers = GlobalInitialisers(self._objects)
        self._objects.initial_contents = self._define
        for declaration, what in foreign.items():
            self._objects.plan_foreign(declaration, what)
        self._objects.plan_outside(outside)
        self._functions: dict[str, Function] = {}
        self._unsupported: list[Unsupported] = []

    @property
    def foreign(self) -> dict[Declaration, str]:
        """The variables whose contents are not known, as far as they have turned up."""
        return self._objects.foreign

    @property
    def outside(self) -> Outside:
        """Which texts the program gets from outside."""
        return self._objects.outside

    def run(self) -> Program:
        """The program."""
        not_read = self._library.not_read
        refused = tuple(one.as_unsupported() for one in not_read if one.is_refused)
        if refused:
            raise UnsupportedFeatureError(refused)
        main = self._library.user_function(ENTRY)
        assert main is not None
        self._objects.requested[ENTRY] = main
        if self._library.destructors:
            self._request_model(PROCESS_END)
        while self._lower_functions() or self._define_variables():
            pass
        if self._unsupported:
            raise UnsupportedFeatureError(tuple(sorted(set(self._unsupported), key=_place)))
        for one in not_read:
            if not one.is_meaningful:
                self._objects.assumptions.setdefault(one.as_assumption())
        return Program(
            terms=self._objects.terms,
            functions=Comparisons(self._objects, {**self._functions, **self._objects.outlined}).checked(),
            objects=self._objects.finished(),
            entry=ENTRY,
            pointers=self._objects.pointers,
            assumptions=tuple(self._objects.assumptions),
            unmodelled=(
                *self._objects.unmodelled(),
                *(one.as_unsupported() for one in not_read if one.is_meaningful),
            ),
            keeps_frames=self._objects.keeps_frames,
        )

    def _request_model(self, name: str) -> None:
        model = self._library.model(name)
        assert model is not None, f"there is no model of {name}"
        self._objects.requested.setdefault(name, model)

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
            if planned.storage is Storage.THREAD:
                raise
            reason = Unsupported(error.what, error.span)
            what = f"the contents of `{planned.c_name}`, whose initialiser is not modelled ({reason}),"
            self._objects.foreign.setdefault(planned.declaration, what)
