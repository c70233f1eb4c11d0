"""The commands and their flags; what they do is in the other modules of this package."""

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, get_type_hints

from sley import __version__
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.cli import arguments
from sley.cli.exit_codes import ExitCode
from sley.cli.outputs import add_outputs
from sley.cli.signals import count_from_start
from sley.cli.terminal import stop_printing, warn, write
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.verification.task import BUFFER_SIZE, DEFAULT_SECONDS, EngineOptions, Granularity, Limits, Task


def invoke(command_line: list[str], *, is_whole_process: bool = False) -> int:
    """Run a command line; the exit code."""
    try:
        if is_whole_process:
            count_from_start()
        chosen = _parser().parse_args(command_line)
        return int(chosen.command(chosen))
    except InputError as error:
        warn(" ".join(str(error).split()))
        return ExitCode.USAGE
    except UnsupportedFeatureError as error:
        return _stopped(str(error), ExitCode.NOT_SUPPORTED)
    except GaveUpError as error:
        return _stopped(str(error), ExitCode.UNKNOWN)
    except BrokenPipeError:
        stop_printing()
        return ExitCode.UNKNOWN


def _stopped(reason: str, code: ExitCode) -> int:
    """Ended before there was a result to report."""
    write(f"REASON: {reason}\nRESULT: unknown\n")
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
    _add_litmus(commands)
    _add_bench(commands)
    return parser


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"
_Command = Callable[[argparse.Namespace], int]
_ENGINE_OPTIONS: dict[str, type[Any]] = get_type_hints(EngineOptions)


_BENCH = (
    *("tasks", "properties", "configurations", "others", "descriptions", "time_limit", "cpu_limit"),
    *("memory_limit", "jobs", "executor", "ray_address", "sample", "seed", "output"),
)


def _calling(module: str, function: str, *flags: str, takes_task: bool = True) -> _Command:
    """A function of this package with the task, if it takes one, and flags; imported when it is called."""

    def command(chosen: argparse.Namespace) -> int:
        run = getattr(import_module(f"sley.cli.{module}"), function)
        task = (_task(chosen),) if takes_task else ()
        return int(run(*task, **{flag: getattr(chosen, flag) for flag in flags}))

    return command


def _add(commands: _Commands, name: str, text: str, command: _Command) -> _Parser:
    made = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    made.set_defaults(command=command)
    return made


def _add_check(commands: _Commands) -> None:
    text = "Search all schedules of a program for bugs, or prove that there are none."
    check = _add(
        commands, "check", text, _calling("check", "check_task", "json", "outputs", "suggest_orders")
    )
    _add_program(check)
    _add_goal(check)
    _add_engine(check)
    check.add_argument(
        "-j", "--jobs", type=arguments.count, metavar="N",
        help="let so many engines, on a cluster also parts of them, work at once (default: one on each core)",
    )  # fmt: skip
    _add_executor(check)
    check.add_argument(
        "--all-bugs", action="store_true", help="go on after a bug, and list every different one"
    )
    check.add_argument(
        "--suggest-orders", action="store_true",
        help="also find the weakest memory orders, and the fewest fences, with which the program is safe",
    )  # fmt: skip
    check.add_argument("--json", type=Path, metavar="FILE", help="write the result for machines")
    add_outputs(check)
    for name, options in _ENGINE_OPTIONS.items():
        arguments.add_options(check, options, f"options of the engine {name}")


def _add_run(commands: _Commands) -> None:
    text = "Execute one schedule of a program and show it."
    run = _add(commands, "run", text, _calling("execution", "run_program", "seed", "schedule"))
    _add_program(run)
    how = run.add_mutually_exclusive_group(required=True)
    how.add_argument("--seed", type=int, metavar="N", help="choose a schedule at random")
    how.add_argument("--schedule", type=Path, metavar="FILE", help="follow this schedule")


def _add_replay(commands: _Commands) -> None:
    text = "Run the schedule of a bug again and show it."
    command = _calling("execution", "replay_report", "report", takes_task=False)
    _add_report(_add(commands, "replay", text, command))


def _add_mine(commands: _Commands) -> None:
    text = "Watch random runs of a program and write down where reads of shared variables get their values."
    mine = _add(commands, "mine", text, _calling("execution", "mine_program", "runs", "seed", "output"))
    _add_program(mine)
    _add_goal(mine)
    mine.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here (default: to the screen)")
    mine.add_argument(
        "--runs", type=arguments.count, default=50, metavar="N", help="watch so many runs (default: 50)"
    )
    mine.add_argument(
        "--seed", type=int, default=0, metavar="N", help="other numbers, other runs (default: 0)"
    )


def _add_show(commands: _Commands) -> None:
    text = "Show a program's control flow, its events or its proof, or the last result again."
    show = commands.add_parser("show", help=text, description=text, allow_abbrev=False)
    things = show.add_subparsers(title="things to show", metavar="THING", required=True)
    flow = _calling("show", "show_control_flow", "dot", "prepared")
    cfg = _add(things, "cfg", "the control flow of a program", flow)
    _add_program(cfg)
    cfg.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    cfg.add_argument(
        "--prepared", action="store_true", help="as engines get it: inlined, with error locations"
    )
    tree = _add_proof(
        things,
        ("tree", "the abstract reachability tree of engine impact: a proof, or how far it got"),
        _calling("show", "show_tree", "dot", "svg"),
        "impact",
    )
    form = tree.add_mutually_exclusive_group()
    form.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    form.add_argument("--svg", type=Path, metavar="FILE", help="draw it into this file")
    _add_proof(
        things,
        ("invariants", "what a proof says about each place of a program"),
        _calling("show", "show_invariants"),
        "impact",
    )
    events = _calling("show", "show_skeleton", "dot")
    text = "the events that engine bmc orders: loops unrolled, threads run"
    skeleton = _add_proof(things, ("skeleton", text), events, None)
    skeleton.add_argument(
        "--unwind", type=arguments.count, metavar="N", help="unroll every loop this often (default: 1)"
    )
    skeleton.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    for thing, text in (
        ("predicates", "the predicates that engine symmetry finds for a program"),
        ("boolean", "the Boolean program that engine symmetry makes of a program"),
    ):
        _add_proof(things, (thing, text), _calling("show", f"show_{thing}"), "symmetry")
    traces = _calling("show", "show_traces", "report", "show_all", takes_task=False)
    trace = _add(things, "trace", "the violations of a result", traces)
    _add_report(trace)
    trace.add_argument(
        "--all", dest="show_all", action="store_true", help="every step, every value, every violation"
    )


def _add_litmus(commands: _Commands) -> None:
    text = "Say of litmus tests whether a memory model allows their outcomes, and draw the executions."
    litmus = _add(commands, "litmus", text, _calling("litmus", "judge_tests", *_LITMUS))
    litmus.set_defaults(
        data_model=None, include_dirs=[], defines=[], models=[], allow_inner_overrun=False
    )  # a test has none of that
    litmus.add_argument(
        "files", nargs="+", type=Path, metavar="FILE-OR-FOLDER",
        help="tests in the format of herd (.litmus) for C, X86 or PPC, or folders of them",
    )  # fmt: skip
    litmus.add_argument(
        "--memory-model", dest="model", choices=[one.value for one in MemoryModel],
        help="judge by this model (default: c11 for C, tso for X86, power for PPC)",
    )  # fmt: skip
    _add_engine(litmus)
    _add_limits(litmus)
    litmus.add_argument(
        "--expected", type=Path, metavar="FILE",
        help="judge only tests of which this file says what is expected, and compare (default: kinds.txt "
        "beside a test, or `Result:` in it)",
    )  # fmt: skip
    litmus.add_argument("--sample", type=arguments.count, metavar="N", help="draw so many tests by lot")
    litmus.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    litmus.add_argument("--dot", action="store_true", help="print the executions as graphs for Graphviz")
    litmus.add_argument("--svg", type=Path, metavar="FILE", help="draw the first execution into this file")
    litmus.add_argument("--json", type=Path, metavar="FILE", help="write the results for machines")


_LITMUS = ("model", "expected", "sample", "seed", "dot", "svg", "json")


def _add_proof(things: _Commands, thing: tuple[str, str], command: _Command, engine: str | None) -> _Parser:
    """Something that an engine makes of a program, with the options of the engine."""
    made = _add(things, *thing, command)
    _add_program(made)
    _add_goal(made)
    if engine is not None:
        arguments.add_options(made, _ENGINE_OPTIONS[engine], f"options of the engine {engine}")
    return made


def _add_bench(commands: _Commands) -> None:
    text = "Run verifiers side by side on sets of tasks, under limits, and compare their answers and times."
    bench = _add(commands, "bench", text, _calling("bench", "bench", *_BENCH, takes_task=False))
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
    bench.add_argument(
        "--jobs", type=arguments.count, metavar="N",
        help="so many runs at a time (default: 1; on a cluster, one on each core)",
    )  # fmt: skip
    _add_executor(bench)
    bench.add_argument("--sample", type=arguments.count, metavar="N", help="draw so many tasks by lot")
    bench.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    bench.add_argument(
        "-o", "--output", type=Path, default=Path("bench-results"), metavar="DIR",
        help="where results are kept; what is there is not run again (default: bench-results)",
    )  # fmt: skip


# --- what several commands take --------------------------------------------------------------------


def _add_goal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-p", "--property", dest="properties", action="append", default=[], metavar="NAME",
        help="check only this: reach, race, deadlock, memory, overflow, division, misuse, all, "
        "or a .prp file; may be repeated (default: all)",
    )  # fmt: skip
    _add_limits(parser)
    parser.add_argument(
        "--granularity", choices=[one.value for one in Granularity], default=Granularity.ACCESS.value,
        help="what threads interleave at; `statement` only compares with published measurements "
        "(default: access)",
    )  # fmt: skip
    parser.add_argument(
        "--memory-model", choices=[one.value for one in MemoryModel], default=MemoryModel.C11.value,
        help="what threads see of each other: what C11 says of the memory orders in the program; "
        "sequential consistency, assumed; or what a machine with total, partial or relaxed store order, or "
        "Power, makes of all accesses, plain ones too (default: c11)",
    )  # fmt: skip
    parser.add_argument(
        "--buffer-size", type=arguments.count, default=BUFFER_SIZE, metavar="N",
        help="under TSO and PSO, so many stores of a thread may wait at once; where more would, nothing is "
        f"proved (default: {BUFFER_SIZE})",
    )  # fmt: skip
    parser.add_argument(
        "--instrument", choices=[one.value for one in Instrument], default=Instrument.CRITICAL.value,
        help="under TSO and PSO, which stores may wait: those on critical cycles, or all, which is slower "
        "(default: critical)",
    )  # fmt: skip


def _add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        metavar="NAME,…",
        help="explore, impact, bmc, modular or symmetry, or several of them (default: those that fit)",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
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


def _add_executor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--executor", choices=["local", "ray"], default="local",
        help="who does the work: this machine, or the nodes of a Ray cluster (default: local)",
    )  # fmt: skip
    parser.add_argument(
        "--ray-address", metavar="ADDRESS",
        help="of the cluster; `local` starts one here (default: RAY_ADDRESS, else the one that runs here)",
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
        memory_model=MemoryModel(flags.get("memory_model", MemoryModel.C11.value)),
        buffer_size=flags.get("buffer_size", BUFFER_SIZE),
        instrument=Instrument(flags.get("instrument", Instrument.CRITICAL.value)),
        limits=Limits(seconds=flags.get("time_limit", DEFAULT_SECONDS), megabytes=flags.get("memory_limit")),
        engines=engines,
        all_bugs=flags.get("all_bugs", False),
        jobs=flags.get("jobs"),
        cluster=arguments.cluster(flags),
        options=EngineOptions(
            **{name: arguments.options_from(flags, options) for name, options in _ENGINE_OPTIONS.items()}
        ),
    )
