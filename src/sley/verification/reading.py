"""From a task to the program that engines get."""

from dataclasses import replace

from sley.base.errors import InputError
from sley.frontend.compilation_database import SourceFile, source_files
from sley.frontend.harness.files import with_harness
from sley.frontend.linking import linked
from sley.frontend.litmus.load import load_litmus
from sley.frontend.litmus.test import SUFFIX
from sley.frontend.load import load
from sley.frontend.parse import ParseOptions, SourceParser
from sley.passes.error_calls import only_calls_of
from sley.passes.frozen import specialise
from sley.passes.guarantees import guaranteeing
from sley.passes.inline import InlineOptions
from sley.passes.machine_fences import without_machine_fences, without_unknown_fences
from sley.passes.pipeline import prepare
from sley.passes.plain_unlocks import with_stored_unlocks
from sley.passes.statements import merge_statements
from sley.passes.suppressed_races import with_relaxed
from sley.program.program import Program, Site
from sley.program.properties import Property
from sley.verification.recursion import deep_enough
from sley.verification.task import Granularity, Task

RACES = "there are no data races under {}, which is about accesses of a machine: choose other properties"


def loaded_program(task: Task) -> Program:
    """The program of a task as the front end makes it, with the fences that its memory model knows.

    Its orders and fences are others where the task says what they guarantee.
    """
    program = with_relaxed(_read(task), task.relaxed)
    if not task.memory_model.is_hardware:
        program = without_machine_fences(program)
    else:
        program = with_stored_unlocks(program)
        if not task.memory_model.has_store_buffers:  # where there are some, reads stay in order anyway
            program = without_unknown_fences(program)
    if task.guarantees is None:
        return program
    return guaranteeing(program, task.guarantees, task.memory_model)


def _read(task: Task) -> Program:
    is_c = all(path.suffix != SUFFIX for path in task.paths)
    if Property.UNINITIALISED in task.selection.properties and not is_c:
        raise InputError("whether variables were written is known of C files only: choose other properties")
    if task.harness is not None and not is_c:
        raise InputError("--entry is for libraries in C")
    if task.arguments is not None:
        _require_arguments_fit(task, is_c=is_c)
    if not is_c:
        if len(task.paths) > 1:
            raise InputError("a litmus test stands alone: give either one .litmus file or C files")
        return load_litmus(task.paths[0])
    return load(
        task.paths,
        data_model=task.data_model,
        include_dirs=task.include_dirs,
        defines=task.defines,
        models=task.models,
        allows_inner_overrun=task.allows_inner_overrun,
        malloc_may_fail=task.malloc_may_fail,
        create_may_fail=task.create_may_fail,
        keeps_frames=Property.LEAK in task.selection.properties,
        keeps_locals=Property.UNINITIALISED in task.selection.properties,
        harness=task.harness,
        target=task.target,
        arguments=task.arguments,
        argc_may_be_zero=task.argc_may_be_zero,
    )


def _require_arguments_fit(task: Task, *, is_c: bool) -> None:
    if not is_c or task.harness is not None:
        raise InputError("arguments (behind `--`) are for C programs with a `main`")
    if any("\0" in argument for argument in task.arguments or ()):
        raise InputError("an argument of a program has no null character inside")


def sources_of(task: Task) -> list[SourceFile]:
    """The C files of a task that are compiled: with a harness, that instead of those that it includes."""
    parser = SourceParser(ParseOptions(task.data_model, task.include_dirs, task.defines))
    named = () if task.harness is None else task.harness.functions
    files = linked(source_files(task.paths, task.data_model), parser, task.target, named).files
    return files if task.harness is None else with_harness(files, task.harness, parser)


def surveyed_program(loaded: Program, task: Task) -> Program:
    """A program of the front end, as it is looked at without inlining: whether memory leaks is not asked."""
    if loaded.keeps_frames:
        kept = replace(task.selection, properties=task.selection.properties - {Property.LEAK})
        loaded = loaded_program(replace(task, selection=kept))
    call = task.selection.error_call
    return loaded if call is None else only_calls_of(loaded, call)


def program_of(task: Task) -> Program:
    """The prepared program of a task, as engines get it."""
    return prepared(loaded_program(task), task)


def part_of(surveyed: Program, task: Task, followed: frozenset[Site]) -> Program:
    """The part of a surveyed program that runs to open checks take, with these calls inlined."""
    kept = replace(task.selection, properties=task.selection.properties - {Property.LEAK}, error_call=None)
    return prepared(surveyed, replace(task, selection=kept), followed)


def prepared(program: Program, task: Task, followed: frozenset[Site] | None = None) -> Program:
    """A program of the front end, as engines get it, or a part of it (``InlineOptions.followed``)."""
    if task.selection.error_call is not None:
        program = only_calls_of(program, task.selection.error_call)
    if task.granularity is Granularity.STATEMENT:
        if Property.RACE in task.selection.properties:
            raise InputError("data races have no meaning at statement granularity: choose other properties")
        if task.memory_model.is_hardware:
            raise InputError("machines know no statements: choose --granularity access")
        program = merge_statements(program)
    if task.memory_model.is_hardware and Property.RACE in task.selection.properties:
        raise InputError(RACES.format(task.memory_model.label))

    def flat(inlining: InlineOptions) -> Program:
        return specialise(prepare(program, task.selection.properties, inlining=inlining, is_specialised=True))

    if task.recursion is not None:
        return flat(InlineOptions(followed=followed, recursion_bound=task.recursion))
    inlining = InlineOptions(followed=followed)
    return flat(inlining) if followed is not None else deep_enough(flat, inlining)
