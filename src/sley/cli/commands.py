"""The commands and their flags; what they do is in the other modules of this package."""

import argparse
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from sley import __version__
from sley.cli import arguments
from sley.cli.flags import (
    GOAL,
    LIMITS,
    MODELS,
    MORE,
    OUTPUT,
    PROGRAM,
    add_engine,
    add_executor,
    add_goal,
    add_limits,
    add_program,
    add_report,
)
from sley.cli.outputs import add_outputs
from sley.cli.parser import CommandParser
from sley.cli.tasks import ENGINE_OPTIONS, task_of

_Commands: TypeAlias = "argparse._SubParsersAction[CommandParser]"
_Command = Callable[[argparse.Namespace], int]

_EXAMPLES = """\
examples:
  sley check prog.c                     find a bug, or prove that there is none
  sley check -p race -Iinclude src/*.c  look only for data races, in many files
  sley explain race                     what a word in a report means

`sley prog.c` is short for `sley check prog.c`.
`sley COMMAND --help` says more about a command.
"""


_BRIEFLY = {
    "check": "find bugs in all schedules, or prove that there are none",
    "run": "execute one schedule and show it",
    "replay": "run a bug again: shown, step by step, or in the real program",
    "mine": "watch random runs: where reads get their values",
    "show": "control flow, events, proofs, a harness, or the last result again",
    "explain": "what a word in a report means, and what to do about it",
    "litmus": "what a memory model allows litmus tests to do",
    "completion": "a script for your shell",
}
"""Commands in one line."""


def make_parser() -> tuple[CommandParser, Mapping[str, CommandParser]]:
    """The parser of command lines, and those of the commands."""
    text = "A model checker for multi-threaded C."
    parser = CommandParser(prog="sley", usage="sley COMMAND [OPTION …]", description=text, epilog=_EXAMPLES)
    parser.add_argument("--version", action="version", version=f"sley {__version__}", help="show the version")
    commands = parser.add_subparsers(prog="sley", title="commands", metavar="COMMAND", required=True)
    for add in _ADD:
        add(commands)
    for command in commands.choices.values():
        command.add_opposites()
    return parser, commands.choices


def _calling(module: str, function: str, *flags: str, takes_task: bool = True) -> _Command:
    """A function of this package with the task, if it takes one, and flags; imported when it is called."""

    def command(chosen: argparse.Namespace) -> int:
        run = getattr(import_module(f"sley.cli.{module}"), function)
        task = (task_of(chosen),) if takes_task else ()
        return int(run(*task, **{flag: getattr(chosen, flag) for flag in flags}))

    return command


def _add(commands: _Commands, name: str, text: str, command: _Command, **more: Any) -> CommandParser:
    made = commands.add_parser(name, help=_BRIEFLY.get(name, text), description=text, **more)
    made.set_defaults(command=command, parser=made, configuration=None)
    return made


def _check(chosen: argparse.Namespace) -> int:
    """Build first, if that is asked for."""
    if chosen.build is not None:
        from sley.cli.watched_build import watch

        watch(chosen.build, chosen.files[0] if len(chosen.files) == 1 else Path())
    flags = ("json", "baseline", "outputs", "suggest_orders", "write_harnesses", "configuration")
    return _calling("check", "check_task", *flags)(chosen)


def _add_check(commands: _Commands) -> None:
    check = _add(
        commands,
        "check",
        "Search all schedules of a program for bugs, or prove that there are none.",
        _check,
        usage="sley check [OPTION …] FILE … [-- ARG …]",
        epilog=_EXIT_CODES,
    )
    add_program(check)
    check.group(PROGRAM).add_argument(
        "--build", metavar="COMMAND", help="EXECUTE this build, such as 'make', and watch it"
    )
    add_engine(check)
    check.group(MORE).add_argument(
        "--help-engine", action=_EngineHelp, choices=list(ENGINE_OPTIONS), metavar="NAME",
        help="show the options of an engine, which are not listed here",
    )  # fmt: skip
    add_executor(check)
    add_goal(check)
    check.set_defaults(time_limit=None)
    goal = check.group(GOAL)
    goal.add_argument(
        "--all-bugs", action="store_true", help="go on after a bug, and list every different one"
    )
    goal.add_argument(
        "--each-check", action="store_true",
        help="settle every check on its own, as in large programs, and list those that are open",
    )  # fmt: skip
    goal.add_argument(
        "--baseline", type=Path, metavar="FILE",
        help="accept the open checks that FILE lists: only others make the exit code 3",
    )  # fmt: skip
    goal.add_argument(
        "--suppress", action="append", default=[], metavar="FINDING",
        help="do not report this finding, such as race:0123456789abcdef; may be repeated",
    )  # fmt: skip
    goal.add_argument(
        "--suggest-orders", action="store_true",
        help="also find the weakest memory orders, and the fewest fences, with which the program is safe",
    )  # fmt: skip
    check.group(LIMITS).add_argument(
        "-j", "--jobs", type=arguments.count, metavar="N",
        help="compute so much at once: engines, checks (default: one on each core)",
    )  # fmt: skip
    check.group(OUTPUT).add_argument(
        "--json", type=Path, metavar="FILE", help="write the result for machines"
    )
    check.group(OUTPUT).add_argument(
        "--write-harnesses", type=Path, metavar="DIR", help="keep the harnesses of a folder's components here"
    )
    add_outputs(check.group(OUTPUT))
    for name, options in ENGINE_OPTIONS.items():
        arguments.add_options(check, options, f"options of the engine {name}", is_hidden=True)


_EXIT_CODES = """\
exit codes: 0 safe, 1 bug, 2 wrong usage or C error, 3 unknown or safe up to a
bound, 4 not supported, 70 internal error
"""


class _EngineHelp(argparse.Action):
    """Shows the options of one engine, and that is all."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object, flag: str | None = None
    ) -> None:
        name = str(values)
        shown = CommandParser(
            prog=parser.prog, usage=f"sley check --engine {name} [OPTION …] FILE …", add_help=False
        )
        arguments.add_options(shown, ENGINE_OPTIONS[name], f"options of the engine {name}")
        shown.print_help()
        parser.exit()


def _add_run(commands: _Commands) -> None:
    text = "Execute one schedule of a program and show it."
    run = _add(commands, "run", text, _calling("execution", "run_program", "seed", "schedule"))
    add_program(run)
    add_limits(run)
    how = run.add_mutually_exclusive_group(required=True)
    how.add_argument("--seed", type=int, metavar="N", help="choose a schedule at random")
    how.add_argument("--schedule", type=Path, metavar="FILE", help="follow this schedule")


def _add_replay(commands: _Commands) -> None:
    text = "Run the schedule of a bug again: show it, walk through it, or make it happen in the real program."
    flags = ("report", "native", "gdb", "step", "compiler", "times", "run_limit", *_LIMITS)
    again = _add(commands, "replay", text, _calling("replay", "replay_report", *flags, takes_task=False))
    add_report(again)
    how = again.add_mutually_exclusive_group()
    how.add_argument("--step", action="store_true", help="walk through the run, one statement after another")
    how.add_argument(
        "--native", action="store_true", help="compile the program, and execute it under this schedule"
    )
    how.add_argument(
        "--gdb", action="store_true", help="the same under gdb, which stops right before the failing step"
    )
    again.add_argument(
        "--cc",
        dest="compiler",
        metavar="COMMAND",
        help="the compiler, such as clang (default: gcc, else clang)",
    )
    again.add_argument(
        "--times", type=arguments.count, default=1, metavar="N", help="execute it so often (default: 1)"
    )
    again.add_argument(
        "--run-limit", type=arguments.seconds, default=10.0, metavar="TIME",
        help="real time of each execution (default: 10s)",
    )  # fmt: skip
    add_limits(again)


def _add_mine(commands: _Commands) -> None:
    text = "Watch random runs of a program and write down where reads of shared variables get their values."
    mine = _add(commands, "mine", text, _calling("execution", "mine_program", "runs", "seed", "output"))
    add_program(mine)
    add_goal(mine)
    mine.add_argument("-o", "--output", type=Path, metavar="FILE", help="write here (default: to the screen)")
    mine.add_argument(
        "--runs", type=arguments.count, default=50, metavar="N", help="watch so many runs (default: 50)"
    )
    mine.add_argument(
        "--seed", type=int, default=0, metavar="N", help="other numbers, other runs (default: 0)"
    )


def _add_show(commands: _Commands) -> None:
    text = "Show a program's control flow, its events or its proof, a harness, or the last result again."
    show = commands.add_parser("show", help=_BRIEFLY["show"], description=text)
    things = show.add_subparsers(title="things to show", metavar="THING", required=True)
    flow = _calling("show", "show_control_flow", "dot", "prepared")
    cfg = _add(things, "cfg", "the control flow of a program", flow)
    add_program(cfg)
    add_limits(cfg)
    cfg.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    cfg.add_argument(
        "--prepared", action="store_true", help="as engines get it: inlined, with error locations"
    )
    text = "the C text of the threads that `--entry` makes for a library"
    harness = _add(things, "harness", text, _calling("show", "show_harness"))
    add_program(harness)
    add_limits(harness)
    tree = _add_proof(
        things,
        ("tree", "the abstract reachability tree of engine impact: a proof, or how far it got"),
        _calling("show", "show_tree", "dot"),
        "impact",
    )
    tree.add_argument("--dot", action="store_true", help="as a graph for Graphviz")
    text = "what a proof says in C about loops and locks"
    invariants = _add_proof(things, ("invariants", text), _calling("show", "show_invariants"), "impact")
    add_engine(invariants)
    events = _calling("show", "show_skeleton")
    text = "the events that engine bmc orders: loops unrolled, threads run"
    skeleton = _add_proof(things, ("skeleton", text), events, None)
    skeleton.add_argument(
        "--unwind", type=arguments.count, metavar="N", help="unroll every loop this often (default: 1)"
    )
    for thing, text in (
        ("predicates", "the predicates that engine symmetry finds for a program"),
        ("boolean", "the Boolean program that engine symmetry makes of a program"),
    ):
        _add_proof(things, (thing, text), _calling("show", f"show_{thing}"), "symmetry")
    _add(
        things, "schema", "the JSON Schema of reports that `check --json` writes",
        _calling("show", "show_schema", takes_task=False),
    )  # fmt: skip
    traces = _calling("show", "show_traces", "report", "show_all", *_LIMITS, takes_task=False)
    trace = _add(things, "trace", "the violations of a result", traces)
    add_report(trace)
    add_limits(trace)
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
        help="tests in the format of herd (.litmus) for C, X86, PPC or AArch64, or folders",
    )  # fmt: skip
    litmus.add_argument(
        "--memory-model", dest="model", type=arguments.memory_model, metavar=MODELS,
        help="judge by this model (default: c11 for C, tso for X86, power for PPC, armv8 for AArch64)",
    )  # fmt: skip
    add_engine(litmus)
    add_limits(litmus)
    litmus.add_argument(
        "--expected", type=Path, metavar="FILE",
        help="judge only tests of which this file says what is expected, and compare (default: kinds.txt "
        "beside a test, or `Result:` in it)",
    )  # fmt: skip
    litmus.add_argument("--sample", type=arguments.count, metavar="N", help="draw so many tests by lot")
    litmus.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    litmus.add_argument("--dot", action="store_true", help="print the executions as graphs for Graphviz")
    litmus.add_argument("--json", type=Path, metavar="FILE", help="write the results for machines")


_LIMITS = ("time_limit", "memory_limit")
_LITMUS = ("model", "expected", "sample", "seed", "dot", "json")


def _add_explain(commands: _Commands) -> None:
    text = "Say in ten lines what a word in a report means, and what to do about it."
    explain = _add(commands, "explain", text, _calling("explain", "explain_topic", "topic", takes_task=False))
    explain.add_argument("topic", nargs="*", metavar="TOPIC", help="such as race or unknown; without it: all")


def _add_validate(commands: _Commands) -> None:
    validate = _add(
        commands,
        "validate-witness",
        "Judge a witness of a violation or of correctness, by whomever, in YAML.",
        _calling("validate", "validate_witness", "witness", "properties", "data_model"),
        usage="sley validate-witness [OPTION …] FILE … WITNESS [-- ARG …]",
        epilog="exit codes: 0 confirmed, 1 refuted, 2 no proper witness of this program, 3 unknown",
    )
    add_program(validate)
    validate.group(PROGRAM).add_argument(
        "witness", type=Path, metavar="WITNESS", help="a .yml file, the last one named"
    )
    add_goal(validate)
    add_engine(validate)


def _add_completion(commands: _Commands) -> None:
    text = "Print a script that completes commands and flags in a shell."
    command = _calling("completion", "print_completion", "shell", takes_task=False)
    completion = _add(commands, "completion", text, command)
    completion.add_argument("shell", choices=["bash", "zsh", "fish"], help="for which shell")


def _add_proof(
    things: _Commands, thing: tuple[str, str], command: _Command, engine: str | None
) -> CommandParser:
    """Something that an engine makes of a program, with the options of the engine."""
    made = _add(things, *thing, command)
    add_program(made)
    add_goal(made)
    if engine is not None:
        arguments.add_options(made, ENGINE_OPTIONS[engine], f"options of the engine {engine}")
    return made


def _add_prove_check(commands: _Commands) -> None:
    text = "Check a proof that `sley check --proof` has saved: from the program and the file alone."
    check = _add(
        commands,
        "prove-check",
        text,
        _calling("prove_check", "prove_check", "configuration"),
        usage="sley prove-check [OPTION …] FILE … PROOF [-- ARG …]",
        epilog="exit codes: 0 safe, 2 wrong usage or a damaged file, 3 the proof is refused or not finished",
    )
    add_program(check)
    add_goal(check)


_ADD = (
    _add_check,
    _add_prove_check,
    _add_run,
    _add_replay,
    _add_mine,
    _add_show,
    _add_explain,
    _add_litmus,
    _add_validate,
    _add_completion,
)
