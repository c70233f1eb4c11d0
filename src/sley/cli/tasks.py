"""From the flags of a command to its task."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

from sley.base.errors import InputError
from sley.cli import arguments
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.verification.property_files import Selection
from sley.verification.task import (
    BUFFER_SIZE,
    DEFAULT_SECONDS,
    ENGINE_NAMES,
    FOLDER_SECONDS,
    ONLY_FINDS,
    EngineOptions,
    Granularity,
    Limits,
    Task,
    everything,
)
from sley.verification.task_definition import read_task_definition

ENGINE_OPTIONS: dict[str, type[Any]] = get_type_hints(EngineOptions)


def task_of(chosen: argparse.Namespace) -> Task:
    """The task that the flags describe; a command without flags for it gets the default."""
    flags = vars(chosen)
    return make_task(
        chosen.files,
        selection=arguments.selection(flags.get("properties", [])),
        data_model=None if chosen.data_model is None else DataModel[chosen.data_model],
        include_dirs=tuple(chosen.include_dirs),
        defines=tuple(chosen.defines),
        models=tuple(chosen.models),
        harness=arguments.harness(flags),
        target=flags.get("target"),
        arguments=arguments.given(flags),
        argc_may_be_zero=flags.get("argc_may_be_zero", False),
        allows_inner_overrun=chosen.allow_inner_overrun,
        malloc_may_fail=flags.get("malloc_may_fail", False),
        create_may_fail=flags.get("create_may_fail", False),
        recursion=flags.get("recursion"),
        granularity=Granularity(flags.get("granularity", Granularity.ACCESS.value)),
        memory_model=flags.get("memory_model", MemoryModel.C11),
        buffer_size=flags.get("buffer_size", BUFFER_SIZE),
        instrument=Instrument(flags.get("instrument", Instrument.CRITICAL.value)),
        limits=Limits(
            seconds=flags.get("time_limit") or _default_seconds(chosen), megabytes=flags.get("memory_limit")
        ),
        engines=_engines(flags),
        all_bugs=flags.get("all_bugs", False),
        each_check=flags.get("each_check", False),
        uses_facts=not flags.get("no_facts", False),
        suppress=tuple(flags.get("suppress", ())),
        jobs=flags.get("jobs"),
        cluster=arguments.cluster(flags),
        options=EngineOptions(
            **{name: arguments.options_from(flags, options) for name, options in ENGINE_OPTIONS.items()}
        ),
    )


def _default_seconds(chosen: argparse.Namespace) -> float:
    """How long a user waits who does not say so: less for a table, which is there whenever time is up."""
    is_folder = any(path.is_dir() for path in chosen.files)
    is_whole = (
        vars(chosen).get("target") or vars(chosen).get("entry") or vars(chosen).get("arguments") is not None
    )
    return FOLDER_SECONDS if is_folder and not is_whole else DEFAULT_SECONDS


def _engines(flags: Mapping[str, Any]) -> tuple[str, ...]:
    """What is asked for; a memory model in a file is known to one."""
    engines = engines_of(flags.get("engine"))
    of_text = [flags.get(name) for name in ("memory_model", "model")]
    return engines or (("bmc",) if any(one is not None and one.text is not None for one in of_text) else ())


def make_task(
    files: Sequence[Path], *, selection: Selection | None, data_model: DataModel | None, **others: Any
) -> Task:
    """The task of a command line; a ``.yml`` file says what the command line does not."""
    paths = tuple(files)
    if any(file.suffix in (".yml", ".yaml") for file in files):
        if len(files) != 1:
            raise InputError("a task definition stands alone: give either one .yml file or C files")
        definition = read_task_definition(files[0], reads_properties=selection is None)
        paths = definition.paths
        selection = selection or definition.selection
        data_model = data_model or definition.data_model
    task = Task(paths=paths, **others)
    task = replace(task, selection=selection or everything(task.memory_model))
    return task if data_model is None else replace(task, data_model=data_model)


def engines_of(names: str | None) -> tuple[str, ...]:
    """What ``--engine`` asks for; none without it."""
    engines = tuple(names.split(",")) if names is not None else ()
    for engine in engines:
        if engine not in (*ENGINE_NAMES, ONLY_FINDS):
            raise InputError(
                f"argument --engine: `{engine}` is none of {', '.join(ENGINE_NAMES)}, {ONLY_FINDS}"
            )
    return engines
