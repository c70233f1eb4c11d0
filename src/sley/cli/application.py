"""The commands and their flags; what they do is in the other modules of this package."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sley import __version__
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.cli import arguments
from sley.cli.exit_codes import ExitCode
from sley.cli.terminal import warn
from sley.engines.explore.options import ExploreOptions
from sley.frontend.data_model import DataModel
from sley.verification.task import DEFAULT_SECONDS, Limits

app = typer.Typer(
    name="sley",
    help="A model checker for multi-threaded C.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
show_app = typer.Typer(help="Show a program's control flow, or the last result.", no_args_is_help=True)
app.add_typer(show_app, name="show")

USAGE_ERRORS: tuple[type[Exception], ...] = tuple(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)
"""The class of all usage errors, wherever the installed typer keeps it."""

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="C files of one program, or a .yml task.", show_default=False),
]
Properties = Annotated[
    list[str],
    typer.Option(
        "--property", "-p", metavar="NAME|FILE.prp",
        help="Check only this: reach, race, deadlock, memory, overflow, division, misuse, or a .prp file.",
        show_default="all",
    ),
]  # fmt: skip
Model = Annotated[
    DataModel | None, typer.Option("--data-model", help="Sizes of C types.", show_default="LP64")
]
Includes = Annotated[
    list[Path], typer.Option("-I", metavar="DIR", help="Search this folder for headers.", show_default=False)
]
Defines = Annotated[
    list[str], typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro.", show_default=False)
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        parser=arguments.seconds,
        metavar="TIME",
        help="Such as 10s or 5m.",
        show_default="300s",
    ),
]
MemoryLimit = Annotated[
    int | None,
    typer.Option("--memory-limit", parser=arguments.megabytes, metavar="SIZE", help="Such as 500MB or 2GB."),
]


def invoke(command_line: list[str]) -> int:
    """Run a command line; the exit code."""
    try:
        code = app(command_line, prog_name="sley", standalone_mode=False)
    except USAGE_ERRORS as error:
        _complain(error.format_message())  # type: ignore[attr-defined]
        return ExitCode.USAGE
    except InputError as error:
        warn(" ".join(str(error).split()))
        return ExitCode.USAGE
    except (typer.Abort, KeyboardInterrupt):
        return _stopped("interrupted")
    except UnsupportedFeatureError as error:
        _stopped(str(error))
        return ExitCode.NOT_SUPPORTED
    except GaveUpError as error:
        return _stopped(str(error))
    except BrokenPipeError:
        sys.stdout = None  # whoever read our output has gone: nothing more to say, and no complaint either
        return ExitCode.UNKNOWN
    return code if isinstance(code, int) else ExitCode.SAFE


def _complain(message: str) -> None:
    """One line for a mistake; the help text as it is for a command without arguments."""
    if message.startswith("Usage:"):
        print(message, file=sys.stderr)
    else:
        warn(" ".join(message.split()))


def _stopped(reason: str) -> int:
    """Ended before there was a result to report."""
    print(f"REASON: {reason}\nRESULT: unknown")
    return ExitCode.UNKNOWN


def _version(*, is_wanted: bool) -> None:
    if is_wanted:
        print(f"sley {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda value: _version(is_wanted=value),
            is_eager=True,
            help="Show the version.",
        ),
    ] = False,
) -> None:
    pass


@app.command()
@arguments.with_options(ExploreOptions)
def check(  # noqa: PLR0913 - one parameter per flag
    *,
    files: Files,
    properties: Properties = [],  # noqa: B006 - typer copies it
    engine: Annotated[
        str, typer.Option("--engine", metavar="NAME", help="The algorithm: explore.")
    ] = "explore",
    data_model: Model = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the result for machines.", show_default=False),
    ] = None,
    include_dirs: Includes = [],  # noqa: B006
    defines: Defines = [],  # noqa: B006
    options: ExploreOptions,
) -> int:
    """Search all schedules of a program for bugs, or prove that there are none."""
    from sley.cli.check import check_task, make_task
    from sley.verification.engines import ENGINES

    if engine not in ENGINES:
        raise typer.BadParameter(f"`{engine}` is none of {', '.join(ENGINES)}", param_hint="--engine")
    task = make_task(
        files,
        selection=arguments.selection(properties),
        data_model=data_model,
        include_dirs=tuple(include_dirs),
        defines=tuple(defines),
        limits=Limits(seconds=time_limit or DEFAULT_SECONDS, megabytes=memory_limit),
        engine=engine,
        options=options,
    )
    return check_task(task, json)


@app.command()
def run(
    *,
    files: Files,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Choose a schedule at random.", show_default=False)
    ] = None,
    schedule: Annotated[
        Path | None,
        typer.Option("--schedule", metavar="FILE", help="Follow this schedule.", show_default=False),
    ] = None,
    data_model: Model = None,
    include_dirs: Includes = [],  # noqa: B006
    defines: Defines = [],  # noqa: B006
) -> int:
    """Execute one schedule of a program and show it."""
    from sley.cli.check import make_task
    from sley.cli.execution import run_program

    if (seed is None) == (schedule is None):
        raise typer.BadParameter("give either --seed N or --schedule FILE")
    task = make_task(
        files,
        selection=None,
        data_model=data_model,
        include_dirs=tuple(include_dirs),
        defines=tuple(defines),
    )
    return run_program(task, seed=seed, schedule=schedule)


@app.command()
def replay(
    report: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A result of --json; else the last result.", show_default=False),
    ] = None,
) -> int:
    """Run the schedule of a bug again and show it."""
    from sley.cli.execution import replay_report

    return replay_report(report)


@show_app.command()
def cfg(
    *,
    files: Files,
    dot: Annotated[bool, typer.Option("--dot", help="As a graph for Graphviz.")] = False,
    prepared: Annotated[
        bool, typer.Option("--prepared", help="As engines get it: inlined, with error locations.")
    ] = False,
    data_model: Model = None,
    include_dirs: Includes = [],  # noqa: B006
    defines: Defines = [],  # noqa: B006
) -> int:
    """Show the control flow of a program."""
    from sley.cli.check import make_task
    from sley.cli.show import show_control_flow

    task = make_task(
        files,
        selection=None,
        data_model=data_model,
        include_dirs=tuple(include_dirs),
        defines=tuple(defines),
    )
    return show_control_flow(task, as_dot=dot, is_prepared=prepared)


@show_app.command()
def trace(
    *,
    report: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A result of --json; else the last result.", show_default=False),
    ] = None,
    show_all: Annotated[
        bool, typer.Option("--all", help="Every step, every value, every violation.")
    ] = False,
) -> int:
    """Show the violations of the last result again."""
    from sley.cli.show import show_traces

    return show_traces(report, show_all=show_all)
