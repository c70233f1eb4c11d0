"""The commands and their flags; what they do is in the other modules of this package."""

import argparse
from pathlib import Path
from typing import NoReturn, TypeAlias

from sley import __version__
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.cli import arguments
from sley.cli.exit_codes import ExitCode
from sley.cli.terminal import stop_printing, warn
from sley.engines.bmc.options import BmcOptions
from sley.engines.explore.options import ExploreOptions
from sley.engines.impact.options import ImpactOptions
from sley.engines.modular.options import ModularOptions
from sley.engines.symmetry.options import SymmetryOptions
from sley.frontend.data_model import DataModel
from sley.verification.task import DEFAULT_SECONDS, EngineOptions, Granularity, Limits, Task


def invoke(command_line: list[str]) -> int:
    """Run a command line; the exit code."""
    try:
        chosen = _parser().parse_args(command_line)
        return int(chosen.command(chosen))
    except InputError as error:
        warn(" ".join(str(error).split()))
        return ExitCode.USAGE
    except UnsupportedFeatureError as error:
        return _stopped(str(error), ExitCode.NOT_SUPPORTED)
    except GaveUpError as error:
        return _stopped(str(error), ExitCode.UNKNOWN)
    except KeyboardInterrupt:
        return _stopped("interrupted", ExitCode.UNKNOWN)
    except BrokenPipeError:
        stop_printing()
        return ExitCode.UNKNOWN


def _stopped(reason: str, code: ExitCode) -> int:
    """Ended before there was a result to report."""
    print(f"REASON: {reason}\nRESULT: unknown")
    return code


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (`{self.prog} --help` says more)")


# --- the commands ----------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="sley", description="A model checker for multi-threaded C.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"sley {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_check(commands)
    _add_run(commands)
    _add_replay(commands)
    _add_mine(commands)
    _add_show(commands)
    _add_bench(commands)
    return parser


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _add_check(commands: _Commands) -> None:
    text = "Search all schedules of a program for bugs, or prove that there are none."
    check = commands.add_parser("check", help=text, description=text, allow_abbrev=False)
    _add_program(check)
    _add_goal(check)
    check.add_argument(
        "--engine",
        metavar="NAME,…",
        help="explore, impact, bmc, modular or symmetry, or several of them (default: those that fit)",
    )
    check.add_argument(
        "-j", "--jobs", type=arguments.count, metavar="N",
        help="let so many engines work at once (default: one on each core)",
    )  # fmt: skip
    check.add_argument(
        "--all-bugs", action="store_true", help="go on after a bug, and list every different one"
    )
    check.add_argument("--json", type=Path, metavar="FILE", help="write the result for machines")
    arguments.add_options(check, ExploreOptions, "options of the engine explore")
    arguments.add_options(check, BmcOptions, "options of the engine bmc")
    arguments.add_options(check, ImpactOptions, "options of the engine impact")
    arguments.add_options(check, ModularOptions, "options of the engine modular")
    arguments.add_options(check, SymmetryOptions, "options of the engine symmetry")
    check.set_defaults(command=_check)


def _check(chosen: argparse.Namespace) -> int:
    from sley.cli.check import check_task

    return check_task(_task(chosen), chosen.json)


def _add_run(commands: _Commands) -> None:
    text = "Execute one schedule of a program and show it."
    run = commands.add_parser("run", help=text, description=text, allow_abbrev=False)
    _add_program(run)
    how = run.add_mutually_exclusive_group(required=True)
    how.add_argument("--seed", type=int, metavar="N", help="choose a schedule at random")
    how.add_argument("--schedule", type=Path, metavar="FILE", help="follow this schedule")
    run.set_defaults(command=_run)


def _run(chosen: argparse.Namespace) -> int:
    from sley.cli.execution import run_program

    return run_program(_task(chosen), seed=chosen.seed, schedule=chosen.schedule)


def _add_replay(commands: _Commands) -> None:
    text = "Run the schedule of a bug again and show it."
    replay = commands.add_parser("replay", help=text, description=text, allow_abbrev=False)
    _add_report(replay)
    replay.set_defaults(command=_replay)


def _replay(chosen: argparse.Namespace) -> int:
    from sley.cli.execution import replay_report

    return replay_report(chosen.report)


def _add_mine(commands: _Commands) -> None:
    text = "Watch random runs of a program and write down where reads of shared variables get their values."
    mine = commands.add_parser("mine", help=text, description=text, allow_abbrev=False)
    _add_program(mine)
    _add_goal(mine)
    mine.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here (default: to the screen)")
    mine.add_argument(
        "--runs", type=arguments.count, default=50, metavar="N", help="watch so many runs (default: 50)"
    )
    mine.add_argument(
        "--seed", type=int, default=0, metavar="N", help="other numbers, other runs (default: 0)"
    )
    mine.set_defaults(command=_mine)


def _mine(chosen: argparse.Namespace) -> int:
    from sley.cli.mining import mine_program

    return mine_program(_task(chosen), runs=chosen.runs, seed=chosen.seed, output=chosen.output)


def _add_show(commands: _Commands) -> None:
    text = "Show a program's control flow, its events or its proof, or the last result again."
    show = commands.add_parser("show", help=text, description=text, allow_abbrev=False)
    things = show.add_subparsers(title="things to show", metavar="THING", required=True)
    cfg = things.add_parser("cfg", help="the control flow of a program", allow_abbrev=False)
    _add_program(cfg)
    cfg.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    cfg.add_argument(
        "--prepared", action="store_true", help="as engines get it: inlined, with error locations"
    )
    cfg.set_defaults(command=_show_control_flow)
    tree = things.add_parser(
        "tree",
        help="the abstract reachability tree of engine impact: a proof, or how far it got",
        allow_abbrev=False,
    )
    _add_program(tree)
    _add_goal(tree)
    form = tree.add_mutually_exclusive_group()
    form.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    form.add_argument("--svg", type=Path, metavar="FILE", help="draw it into this file")
    arguments.add_options(tree, ImpactOptions, "options of the engine impact")
    tree.set_defaults(command=_show_tree)
    invariants = things.add_parser(
        "invariants", help="what a proof says about each place of a program", allow_abbrev=False
    )
    _add_program(invariants)
    _add_goal(invariants)
    arguments.add_options(invariants, ImpactOptions, "options of the engine impact")
    invariants.set_defaults(command=_show_invariants)
    skeleton = things.add_parser(
        "skeleton", help="the events that engine bmc orders: loops unrolled, threads run", allow_abbrev=False
    )
    _add_program(skeleton)
    _add_goal(skeleton)
    skeleton.add_argument(
        "--unwind", type=arguments.count, metavar="N", help="unroll every loop this often (default: 1)"
    )
    skeleton.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    skeleton.set_defaults(command=_show_skeleton)
    for thing, text, command in (
        ("predicates", "the predicates that engine symmetry finds for a program", _show_predicates),
        ("boolean", "the Boolean program that engine symmetry makes of a program", _show_boolean),
    ):
        abstract = things.add_parser(thing, help=text, allow_abbrev=False)
        _add_program(abstract)
        _add_goal(abstract)
        arguments.add_options(abstract, SymmetryOptions, "options of the engine symmetry")
        abstract.set_defaults(command=command)
    trace = things.add_parser("trace", help="the violations of a result", allow_abbrev=False)
    _add_report(trace)
    trace.add_argument("--all", action="store_true", help="every step, every value, every violation")
    trace.set_defaults(command=_show_trace)


def _show_control_flow(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_control_flow

    return show_control_flow(_task(chosen), as_dot=chosen.dot, is_prepared=chosen.prepared)


def _show_tree(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_tree

    return show_tree(_task(chosen), as_dot=chosen.dot, svg=chosen.svg)


def _show_invariants(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_invariants

    return show_invariants(_task(chosen))


def _show_predicates(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_predicates

    return show_predicates(_task(chosen))


def _show_boolean(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_boolean

    return show_boolean(_task(chosen))


def _show_skeleton(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_skeleton

    return show_skeleton(_task(chosen), as_dot=chosen.dot)


def _show_trace(chosen: argparse.Namespace) -> int:
    from sley.cli.show import show_traces

    return show_traces(chosen.report, show_all=chosen.all)


def _add_bench(commands: _Commands) -> None:
    text = "Run verifiers side by side on sets of tasks, under limits, and compare their answers and times."
    bench = commands.add_parser("bench", help=text, description=text, allow_abbrev=False)
    bench.add_argument(
        "tasks", nargs="+", type=Path, metavar="TASKS",
        help=".set files, .yml task definitions, folders, C files, or a .csv of file, property and expected",
    )  # fmt: skip
    bench.add_argument(
        "-p", "--property", dest="properties", action="append", default=[], metavar="NAME",
        help="only tasks that ask for this; may be repeated (default: all that can be checked)",
    )  # fmt: skip
    bench.add_argument(
        "--config", dest="configurations", action="append", default=[], metavar="NAME[=FLAGS]",
        help="sley with flags of `sley check`; may be repeated (default: without flags)",
    )  # fmt: skip
    bench.add_argument(
        "--verifier", dest="others", action="append", default=[], metavar="NAME[:LABEL][=FLAGS]",
        help="another verifier: cbmc, deagle, esbmc, dartagnan, or one that --verifiers describes",
    )  # fmt: skip
    bench.add_argument(
        "--verifiers", dest="descriptions", type=Path, action="append", default=[], metavar="FILE",
        help="a .yml file that says how verifiers are called",
    )  # fmt: skip
    bench.add_argument(
        "--time-limit", type=arguments.seconds, default=60.0, metavar="TIME",
        help="real time of each run (default: 60s)",
    )  # fmt: skip
    bench.add_argument("--cpu-limit", type=arguments.seconds, metavar="TIME", help="CPU time of each run")
    bench.add_argument(
        "--memory-limit", type=arguments.megabytes, default=4000, metavar="SIZE",
        help="of each run, with all its processes (default: 4GB)",
    )  # fmt: skip
    bench.add_argument("--jobs", type=arguments.count, default=1, metavar="N", help="so many runs at a time")
    bench.add_argument("--sample", type=arguments.count, metavar="N", help="draw so many tasks by lot")
    bench.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    bench.add_argument(
        "-o", "--output", type=Path, default=Path("bench-results"), metavar="DIR",
        help="where results are kept; what is there is not run again (default: bench-results)",
    )  # fmt: skip
    bench.set_defaults(command=_bench)


def _bench(chosen: argparse.Namespace) -> int:
    from sley.benchmarking.processes import Limits as RunLimits
    from sley.cli.bench import bench

    return bench(
        chosen.tasks,
        properties=chosen.properties,
        configurations=chosen.configurations,
        others=chosen.others,
        descriptions=chosen.descriptions,
        limits=RunLimits(chosen.time_limit, chosen.cpu_limit, chosen.memory_limit),
        jobs=chosen.jobs,
        sample=chosen.sample,
        seed=chosen.seed,
        folder=chosen.output,
    )


# --- what several commands take --------------------------------------------------------------------


def _add_goal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-p", "--property", dest="properties", action="append", default=[], metavar="NAME",
        help="check only this: reach, race, deadlock, memory, overflow, division, misuse, all, "
        "or a .prp file; may be repeated (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--time-limit", type=arguments.seconds, default=DEFAULT_SECONDS, metavar="TIME",
        help=f"such as 10s or 5m (default: {DEFAULT_SECONDS:g}s)",
    )  # fmt: skip
    parser.add_argument(
        "--memory-limit",
        type=arguments.megabytes,
        metavar="SIZE",
        help="such as 500MB or 2GB (default: none)",
    )
    parser.add_argument(
        "--granularity", choices=[one.value for one in Granularity], default=Granularity.ACCESS.value,
        help="what threads interleave at; `statement` only compares with published measurements "
        "(default: access)",
    )  # fmt: skip


def _add_program(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE",
        help="the C files of one program, one .yml task, a compile_commands.json (or its folder), "
        "all of it or the C files named beside it, or one .sley file as `sley show cfg` prints it",
    )  # fmt: skip
    parser.add_argument(
        "--data-model", choices=[model.name for model in DataModel], help="sizes of C types (default: LP64)"
    )
    parser.add_argument(
        "-I", dest="include_dirs", type=Path, action="append", default=[], metavar="DIR",
        help="search this folder for headers",
    )  # fmt: skip
    parser.add_argument(
        "-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro"
    )
    parser.add_argument(
        "--models", type=Path, action="append", default=[], metavar="FILE",
        help="a C file with models of library functions",
    )  # fmt: skip
    parser.add_argument(
        "--allow-inner-overrun", action="store_true",
        help="an index may leave the row or the member array that it is of, as long as it stays in the "
        "same object (for old code; C does not allow it)",
    )  # fmt: skip


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "report",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="what `check --json FILE` wrote; else the last result",
    )


def _task(chosen: argparse.Namespace) -> Task:
    """The task that the flags describe; a command without flags for it gets the default."""
    from sley.cli.check import make_task
    from sley.verification.engines import ENGINES

    flags = vars(chosen)
    engines = tuple(flags["engine"].split(",")) if flags.get("engine") is not None else ()
    for engine in engines:
        if engine not in ENGINES:
            raise InputError(f"argument --engine: `{engine}` is none of {', '.join(ENGINES)}")
    return make_task(
        chosen.files,
        selection=arguments.selection(flags.get("properties", [])),
        data_model=None if chosen.data_model is None else DataModel[chosen.data_model],
        include_dirs=tuple(chosen.include_dirs),
        defines=tuple(chosen.defines),
        models=tuple(chosen.models),
        allows_inner_overrun=chosen.allow_inner_overrun,
        granularity=Granularity(flags.get("granularity", Granularity.ACCESS.value)),
        limits=Limits(seconds=flags.get("time_limit", DEFAULT_SECONDS), megabytes=flags.get("memory_limit")),
        engines=engines,
        all_bugs=flags.get("all_bugs", False),
        jobs=flags.get("jobs"),
        options=EngineOptions(
            explore=arguments.options_from(flags, ExploreOptions),
            bmc=arguments.options_from(flags, BmcOptions),
            impact=arguments.options_from(flags, ImpactOptions),
            modular=arguments.options_from(flags, ModularOptions),
            symmetry=arguments.options_from(flags, SymmetryOptions),
        ),
    )
