"""Runs attacks: each in a folder of its own, by a copy of this process or a new one, with a watch beside it."""

import ctypes
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.attacks import forging
from bench.attacks.attack import ALWAYS, Asset, Attack, Content, Fifo, Folder, Link, Sparse
from bench.limits.hold import slowness
from bench.running.supervisor import PR_SET_CHILD_SUBREAPER

from sley.base.processes import descendants, megabytes_of

NOT_TO_BE_SAID = re.compile("Traceback|Exception ignored|Fatal Python error|internal error")
CHANNEL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys, or shows in another order."""
CODES = {"true": (0,), "false": (1,), "unknown": (0, 2, 3, 4), "allowed": (0, 1), "forbidden": (0, 1)}
CANARY = "canary"


@dataclass(frozen=True)
class Outcome:
    """How an attack went."""

    code: int | None
    output: str
    seconds: float
    megabytes: float
    faults: tuple[str, ...]


def prepare() -> None:
    """Whoever loses its parent becomes a child of this process; modules are imported once for all copies."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    import sley.cli.application  # noqa: PLC0415
    import sley.cli.check  # noqa: PLC0415
    import sley.verification.scheduler  # noqa: F401, PLC0415


def run(attack: Attack, assets: Path) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True) as name:
        top = Path(name)
        folder, temporary = top / "folder", top / "tmp"
        for made in (folder, temporary, top / "home"):
            made.mkdir()
        for file, content in {**ALWAYS, **attack.files}.items():
            _put(folder / file, content, assets)
        outcome = _watched(attack, top)
        faults = [*outcome.faults, *_judged(attack, outcome)]
        if (folder / CANARY).exists() or (top / CANARY).exists():
            faults.append("EXECUTED")
        left = [one.name for one in temporary.iterdir() if not one.name.startswith("crash-")]
        faults += [f"left: {', '.join(sorted(left)[:3])}"] if left else []
        for one in top.rglob("*"):
            if one.is_symlink() and not one.exists():
                one.unlink()
        return Outcome(outcome.code, outcome.output, outcome.seconds, outcome.megabytes, tuple(faults))


def _put(file: Path, content: Content, assets: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case str():
            file.write_bytes(content.encode("utf-8", "surrogateescape"))
        case bytes():
            file.write_bytes(content)
        case Fifo():
            os.mkfifo(file)
        case Folder():
            file.mkdir()
        case Link(target=target):
            file.symlink_to(target)
        case Sparse(megabytes=megabytes):
            with file.open("wb") as made:
                made.truncate(megabytes << 20)
        case Asset():
            file.write_bytes(forging.made(content, assets))


def _watched(attack: Attack, top: Path) -> Outcome:
    log = top / "output"
    pid = _started(attack, top, log)
    started, peak, faults, status = time.monotonic(), 0.0, [], None
    slower = 1.0
    while status is None:
        ended, found = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = found
            break
        time.sleep(0.02)
        peak = max(peak, sum(map(megabytes_of, descendants(pid))))
        seconds = time.monotonic() - started
        if seconds > attack.seconds:
            slower = max(1.0, slowness(), os.getloadavg()[0] / (os.cpu_count() or 1))
        if seconds > attack.seconds * slower or peak > attack.megabytes:
            hung = seconds > attack.seconds * slower
            faults.append("HANG" if hung else f"MEMORY {peak:.0f} MB")
            for one in reversed(descendants(pid)):
                with suppress(ProcessLookupError):
                    os.kill(one, signal.SIGKILL)
            os.waitpid(pid, 0)
            break
    seconds = time.monotonic() - started
    faults += _left_behind()
    output = log.read_bytes().decode("utf-8", "surrogateescape") if log.exists() else ""
    code = None if status is None else os.waitstatus_to_exitcode(status)
    return Outcome(code, output, seconds, peak, tuple(faults))


def _started(attack: Attack, top: Path, log: Path) -> int:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "HOME": str(top / "home"),
        "XDG_CACHE_HOME": str(top / "home" / "cache"),
        "TMPDIR": str(top / "tmp"),
        "SLEY": f"{sys.executable} -P -m sley",
        "PYTHON": sys.executable,
        "TOP": str(top),
        "COLUMNS": "100",
    }
    for name, value in attack.environment.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value.replace("{top}", str(top))
    words = [word.replace("{top}", str(top)) for word in attack.words]
    if attack.is_process or attack.script or attack.shell:
        command = [sys.executable, "-P", "-m", "sley", *words]
        command = [sys.executable, "-P", "-c", attack.script] if attack.script else command
        command = ["/bin/sh", "-c", attack.shell] if attack.shell else command
        with log.open("wb") as output:
            return subprocess.Popen(
                command, cwd=top / "folder", env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            ).pid  # fmt: skip
    pid = os.fork()
    if pid == 0:
        _in_a_copy(words, environment, top / "folder", log)
    return pid


def _in_a_copy(words: list[str], environment: dict[str, str], folder: Path, log: Path) -> None:
    code = 99
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        output = os.open(log, os.O_WRONLY | os.O_CREAT, 0o600)
        for number in (1, 2):
            os.dup2(output, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace", write_through=True
        )
        from sley.cli.main import run as run_command  # noqa: PLC0415

        code = int(run_command(words, is_whole_process=True))
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException as error:  # noqa: BLE001 - this process is a copy: it must not go on
        os.write(2, f"Traceback: {error!r}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(code)


def _judged(attack: Attack, outcome: Outcome) -> Iterator[str]:
    output = outcome.output
    said = NOT_TO_BE_SAID.search(output)
    if (said or outcome.code == 70) and 70 not in attack.codes:
        line = next((one for one in output.splitlines() if "internal error" in one or "Error" in one), "")
        yield f"INTERNAL {line[:90]}"
    elif outcome.code is not None and outcome.code not in attack.codes:
        yield f"CODE {outcome.code}, not {attack.codes}"
    results = [line[8:] for line in output.splitlines() if line.startswith("RESULT: ")]
    if len(results) not in attack.results:
        yield f"RESULTS {len(results)}"
    if (
        (
            results
            and outcome.code is not None
            and outcome.code not in CODES.get(results[-1].split("(")[0], (99,))
        )
        and 70 not in attack.codes
        and "CONFIRMED" not in output
        and "REFUTED" not in output
    ):
        yield f"LIE: code {outcome.code} for {results[-1]}"
    if channel := CHANNEL.search(output):
        yield f"CHANNEL {channel[0]!r}"
    if attack.says and outcome.code is not None and not re.search(attack.says, output):
        yield f"NOT SAID {attack.says!r}"
    if attack.never and (found := re.search(attack.never, output)):
        yield f"SAID {found[0]!r}"


def _left_behind() -> list[str]:
    until = time.monotonic() + 2.0
    left = descendants(os.getpid())[1:]
    while left and time.monotonic() < until:
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(0.01)
        left = descendants(os.getpid())[1:]
    for pid in left:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return [f"{len(left)} processes left behind"] if left else []
