"""How much real C the front end takes: every C file below some folders, by outcome and reason.

Usage: ``python bench/frontend_report.py FOLDER...`` (or ``make frontend-report DIR="a b"``). Each file is
lowered in a process of its own, so that a crash or an endless loop costs one file. A file counts as C if gcc
accepts it; a ``.yml`` task definition beside it chooses the data model.
"""

import argparse
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.frontend import DataModel, load

SECONDS = 60
NO_MAIN = "no `main`"


@dataclass(frozen=True)
class Outcome:
    """What became of one file: lowered if there are no reasons."""

    path: Path
    reasons: tuple[str, ...]
    seconds: float


def data_model_of(path: Path) -> DataModel:
    """The data model that a task definition beside the file names, else LP64."""
    definition = path.with_suffix(".yml")
    if definition.exists() and "ILP32" in definition.read_text(errors="replace"):
        return DataModel.ILP32
    return DataModel.LP64


def is_accepted_by_gcc(path: Path) -> bool:
    """Whether gcc compiles the file, warnings aside."""
    width = ["-m32"] if data_model_of(path) is DataModel.ILP32 else []
    command = ["gcc", "-fsyntax-only", "-std=gnu11", "-w", "-x", "c", *width, str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def generalised(reason: str) -> str:
    """The reason without the names of one program, so that equal ones can be counted."""
    return re.sub(r"`[^`]*`", "`...`", re.sub(r"'[^']*'", "'...'", reason))[:100]


def reasons_of(path: Path) -> list[str]:
    """Why the file cannot be lowered; nothing if it can."""
    try:
        load([path], data_model=data_model_of(path))
    except UnsupportedFeatureError as error:
        return sorted({generalised(construct.what) for construct in error.constructs})
    except InputError as error:
        return [f"input error: {generalised(error.message)}"]
    except GaveUpError as error:
        return [f"gave up: {generalised(str(error))}"]
    except BaseException as error:  # noqa: BLE001 - a report on ourselves: crashes are a result
        return [f"crash: {type(error).__name__}"]
    return []


def lowered_apart(path: Path) -> Outcome:
    """Lower one file in a child process."""
    started = time.monotonic()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.write(writer, json.dumps(reasons_of(path)).encode())
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
    folders = parser.parse_args().folders
    files = sorted(
        p for folder in folders for p in folder.rglob("*") if p.suffix in (".c", ".i") and p.is_file()
    )
    outcomes = [lowered_apart(path) for path in files]
    legal = [o for o in outcomes if is_accepted_by_gcc(o.path)]
    programs = [o for o in legal if not any(NO_MAIN in r or "no function `...`" in r for r in o.reasons)]
    lowered = [o for o in programs if not o.reasons]
    lines = sum(len(o.path.read_bytes().splitlines()) for o in lowered)
    seconds = sum(o.seconds for o in lowered)
    print(f"{len(files)} files, {len(legal)} accepted by gcc, {len(programs)} of them with a main function")
    share = 100 * len(lowered) / max(1, len(programs))
    print(f"{len(lowered)} lowered ({share:.1f} %), {lines} lines in {seconds:.1f} s")
    print()
    counts = Counter(reason for o in programs for reason in o.reasons)
    for reason, count in counts.most_common():
        example = next(o.path for o in programs if reason in o.reasons)
        print(f"{count:5}  {reason}\n         such as {example}")


if __name__ == "__main__":
    sys.exit(main())
