"""From the flags of a command to its task."""

import argparse
from collections.abc import Mapping
from typing import Any, get_type_hints

from sley.base.errors import InputError
from sley.cli import arguments
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.verification.task import BUFFER_SIZE, DEFAULT_SECONDS, EngineOptions, Granularity, Limits, Task

ENGINE_OPTIONS: dict[str, type[Any]] = get_type_hints(EngineOptions)


def task_of(chosen: argparse.Namespace) -> Task:
    """The task that the flags describe; a command without flags for it gets the default."""
    from sley.cli.check import make_task

    flags = vars(chosen)
    return make_task(
        chosen.files,
        selection=arguments.selection(flags.get("properties", [])),
        data_model=None if chosen.data_model is None else DataModel[chosen.data_model],
        include_dirs=tuple(chosen.include_dirs),
        defines=tuple(chosen.defines),
        models=tuple(chosen.models),
        harness=arguments.harness(flags),
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
        limits=Limits(seconds=flags.get("time_limit", DEFAULT_SECONDS), megabytes=flags.get("memory_limit")),
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


def _engines(flags: Mapping[str, Any]) -> tuple[str, ...]:
    """What is asked for; a memory model in a file is known to one."""
    engines = engines_of(flags.get("engine"))
    of_text = [flags.get(name) for name in ("memory_model", "model")]
    return engines or (("bmc",) if any(one is not None and one.text is not None for one in of_text) else ())


def engines_of(names: str | None) -> tuple[str, ...]:
    """What ``--engine`` asks for; nobody without it."""
    from sley.verification.engines import ENGINES

    engines = tuple(names.split(",")) if names is not None else ()
    for engine in engines:
        if engine not in ENGINES:
            raise InputError(f"argument --engine: `{engine}` is none of {', '.join(ENGINES)}")
    return engines
