"""One run of engine `bmc` alone, without a look at its proof: what the SAT solver had to do.

    python -m bench.solving FILE SECONDS [FLAG …]

Prints one line of JSON: the answer, and the statistics. Flags are those of `sley check`; the limit is one of
processor time.
"""

import json
import resource
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.families import Runner, Tool
from bench.measure import NO_BUG, Measurement
from bench.running.processes import Limits, run

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.cli.commands import make_parser
from sley.cli.tasks import task_of
from sley.engines.bmc.engine import bmc
from sley.evidence.verdict import Bounded, Claimed, Unsafe
from sley.verification.reading import program_of

ANSWERS = {Claimed: "safe", Unsafe: "bug", Bounded: "bounded"}


WAITING = 20
"""So many times the limit may pass on a busy machine."""


def searched(words: Sequence[str]) -> dict[str, object]:
    """The answer and the statistics of the engine."""
    task = task_of(make_parser()[0].parse_args(["check", *words, "--engine", "bmc"]))
    program = program_of(task)
    try:
        verdict, statistics = bmc(program, task.selection.properties, task.options.bmc, Budget())
    except GaveUpError as reason:
        return {"answer": str(reason)}
    answer = NO_BUG if task.options.bmc.slice_of_run is not None else "unknown"
    return {"answer": ANSWERS.get(type(verdict), answer), **statistics}


def runner(variants: Mapping[str, Sequence[str]], seconds: float) -> Runner:
    """A runner of the engine with different flags."""

    def tool(flags: Sequence[str]) -> Tool:
        return lambda family, size: solving(family.path, [*family.flags(size)[2:], *flags], seconds)

    return Runner({name: tool(flags) for name, flags in variants.items()})


def solving(file: Path, flags: Sequence[str], seconds: float) -> Measurement:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "bench.solving", str(file), f"{seconds:g}", *flags]
    done = run(command, Limits(WAITING * seconds))
    try:
        found = json.loads(done.output.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return Measurement("over", done.cpu_seconds, reason=done.output, megabytes=done.megabytes)
    numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return Measurement(found["answer"], done.cpu_seconds, numbers, None, done.megabytes)


if __name__ == "__main__":
    limit = int(float(sys.argv[2]))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    print(json.dumps(searched([sys.argv[1], *sys.argv[3:]])))
