"""How much real C the front end takes: every C file below some folders, by outcome and reason.

Usage: ``python bench/frontend_report.py FOLDER... [-I DIR] [-D NAME]`` or ``make frontend-report DIR="a b"``.
Each file is lowered in a process of its own, so that a crash or an endless loop costs one file. A file counts
as C if gcc accepts it; a ``.yml`` task definition beside it chooses the data model. A file counts as lowered
if nothing in it was refused: not the whole file, nor a statement that is given up on when a run gets there.
"""

import argparse
import json
import os
import re
import select
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.frontend.data_model import DataModel
from sley.frontend.load import load
from sley.program.instructions import GiveUp
from sley.program.program import Program

SECONDS = 60
NO_MAIN = "no function `...`"
GIVEN_UP = re.compile(r"not modelled: (?:.*?:\d+:\d+: )?(?P<what>.*)")
WHEN_REACHED = "given up on when reached: "


@dataclass(frozen=True)
class Options:
    """What the files need to be compiled."""

    include_dirs: tuple[Path, ...]
    defines: tuple[str, ...]

    def flags(self) -> list[str]:
        """As gcc takes them."""
        return [*(f"-I{folder}" for folder in self.include_dirs), *(f"-D{name}" for name in self.defines)]


@dataclass(frozen=True)
class Outcome:
    """What became of one file: lowered if there are no reasons."""

    path: Path
    reasons: tuple[str, ...]
    seconds: float

    @property
    def is_partial(self) -> bool:
        """Whether it became a program, with places that are given up on."""
        return bool(self.reasons) and all(reason.startswith(WHEN_REACHED) for reason in self.reasons)


def data_model_of(path: Path) -> DataModel:
    """The data model that a task definition beside the file names, else LP64."""
    definition = path.with_suffix(".yml")
    if definition.exists() and "ILP32" in definition.read_text(errors="replace"):
        return DataModel.ILP32
    return DataModel.LP64


def is_accepted_by_gcc(path: Path, options: Options) -> bool:
    """Whether gcc compiles the file, warnings aside."""
    width = ["-m32"] if data_model_of(path) is DataModel.ILP32 else []
    command = ["gcc", "-fsyntax-only", "-std=gnu11", "-w", "-x", "c", *width, *options.flags(), str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def generalised(reason: str) -> str:
    """The reason without the names of one program, so that equal ones can be counted."""
    return re.sub(r"`[^`]*`", "`...`", re.sub(r"'[^']*'", "'...'", reason))[:100]


def given_up(program: Program) -> list[str]:
    """What the program gives up on when a run gets there."""
    edges = (edge for function in program.functions.values() for edge in function.edges)
    reasons = (e.instruction.reason for e in edges if isinstance(e.instruction, GiveUp))
    found = (GIVEN_UP.fullmatch(reason) for reason in reasons)
    return sorted({WHEN_REACHED + generalised(match["what"]) for match in found if match})


def reasons_of(path: Path, options: Options) -> list[str]:
    """Why the file cannot be lowered; nothing if it can."""
    try:
        program = load(
            [path],
            data_model=data_model_of(path),
            include_dirs=options.include_dirs,
            defines=options.defines,
        )
    except UnsupportedFeatureError as error:
        return sorted({generalised(construct.what) for construct in error.constructs})
    except InputError as error:
        return [f"input error: {generalised(error.message)}"]
    except GaveUpError as error:
        return [f"gave up: {generalised(str(error))}"]
    except BaseException as error:  # noqa: BLE001 - a report on ourselves: crashes are a result
        return [f"crash: {type(error).__name__}"]
    return given_up(program)


def lowered_apart(path: Path, options: Options) -> Outcome:
    """Lower one file in a child process."""
    started = time.monotonic()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writer, json.dumps(reasons_of(path, options)).encode())
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], SECONDS)
    text = os.read(reader, 1 << 20) if ready else b""
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)
    reasons = json.loads(text) if text else [f"no answer in {SECONDS} s" if not ready else "crash: no answer"]
    return Outcome(path, tuple(reasons), time.monotonic() - started)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="frontend-report")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("-I", dest="include_dirs", action="append", type=Path, default=[])
    parser.add_argument("-D", dest="defines", action="append", default=[])
    arguments = parser.parse_args()
    options = Options(tuple(arguments.include_dirs), tuple(arguments.defines))
    files = sorted(
        p
        for folder in arguments.folders
        for p in folder.rglob("*")
        if p.suffix in (".c", ".i") and p.is_file()
    )
    outcomes = [lowered_apart(path, options) for path in files]
    legal = [o for o in outcomes if is_accepted_by_gcc(o.path, options)]
    programs = [o for o in legal if not any(NO_MAIN in r for r in o.reasons)]
    print(f"{len(files)} files, {len(legal)} accepted by gcc, {len(programs)} of them with a main function")
    print_share(programs)
    counts = Counter(reason for o in programs for reason in o.reasons)
    for reason, count in counts.most_common():
        example = next(o.path for o in programs if reason in o.reasons)
        print(f"{count:5}  {reason}\n         such as {example}")


def print_share(programs: list[Outcome]) -> None:
    """How many were lowered, wholly or in part, and how fast."""
    lowered = [o for o in programs if not o.reasons]
    lines = sum(len(o.path.read_bytes().splitlines()) for o in lowered)
    seconds = sum(o.seconds for o in lowered)
    share = 100 * len(lowered) / max(1, len(programs))
    partly = sum(o.is_partial for o in programs)
    print(f"{len(lowered)} lowered ({share:.1f} %), {lines} lines in {seconds:.1f} s")
    print(f"{partly} more lowered except for places that are given up on when a run gets there\n")


if __name__ == "__main__":
    main()
