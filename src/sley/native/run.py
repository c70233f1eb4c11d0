"""Runs a compiled program under a schedule, and says what happened."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sley.native.build import Built
from sley.native.schedule import NAME, LineRange, NativeEvent, NativeSchedule

SCHEDULE = "schedule"
OUTCOME = "outcome"
_GRACE = 5
"""Seconds that the process gets beyond its own alarm."""


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of a thread's code."""

    thread: int
    file: str
    line: int
    is_library: bool = False


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What the run-time wrote down: a word, what it adds, and where the threads that it speaks of are."""

    word: str
    words: tuple[str, ...] = ()
    stacks: tuple[tuple[CodeLine, ...], ...] = ()
    """Innermost first, one for each thread."""
    waits: Mapping[int, int] | None = None
    """Deadlock: the thread that each thread waits for (-1: none in particular)."""
    output: str = ""
    """What the program itself wrote."""
    event: str = ""
    """How far it got."""

    @property
    def sites(self) -> tuple[CodeLine, ...]:
        """Of each thread the innermost line in the user's code, if it is there."""
        of_users = ([site for site in stack if not site.is_library] for stack in self.stacks)
        return tuple(sites[0] for sites in of_users if sites)


class Runner:
    """Runs one program under one schedule, as often as wanted."""

    def __init__(self, built: Built, schedule: NativeSchedule, seconds: int) -> None:
        self.built, self.seconds = built, seconds
        self.arguments = schedule.arguments or (NAME,)
        self.variables = schedule.variables
        """What the process is started with; the run-time keeps from main what the trace has not."""
        self.folder = built.program.parent
        self.calls = {call.address: call for call in built.calls}
        self.failing_schedule = self.folder / SCHEDULE
        text = _ScheduleWriter(built, schedule, seconds).text()
        self.failing_schedule.write_text(text, encoding="utf-8")

    @property
    def environment(self) -> dict[str, str]:
        """What tells the run-time where its files are."""
        values = {f"SLEY_VARIABLE_{i}": os.fsdecode(value) for i, value in enumerate(self.variables)}
        return {
            "SLEY_SCHEDULE": str(self.folder / SCHEDULE),
            "SLEY_OUTCOME": str(self.folder / OUTCOME),
            **values,
        }

    def run(self) -> RunOutcome:
        """One run; whatever it started has ended afterwards."""
        outcome = self.folder / OUTCOME
        outcome.unlink(missing_ok=True)
        output = self._execute()
        if not outcome.is_file():
            return RunOutcome("lost", output=output)
        return self._read(outcome.read_text(encoding="utf-8", errors="replace"), output)

    def _execute(self) -> str:
        with (self.folder / "output").open("w+b") as file:
            process = subprocess.Popen(
                self.arguments, executable=self.built.program, stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.STDOUT, env={**os.environ, **self.environment},
                start_new_session=True,
            )  # fmt: skip
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(self.seconds + _GRACE)
            finally:
                _end_group(process)
            file.seek(0)
            return file.read(20_000).decode("utf-8", "replace")

    def _read(self, text: str, output: str) -> RunOutcome:
        rows = [line.split() for line in text.splitlines() if line.strip()]
        if not rows:
            return RunOutcome("lost", output=output)
        (word, *words), *rest = rows
        stacks = tuple(self._stack(int(row[1]), row[2:]) for row in rest if row[0] == "at")
        waits = {int(row[1]): int(row[2]) for row in rest if row[0] == "waits"}
        event = next((" ".join(row[1:]) for row in rest if row[0] == "event"), "")
        return RunOutcome(word, tuple(words), stacks, waits, output, event)

    def _stack(self, thread: int, addresses: Sequence[str]) -> tuple[CodeLine, ...]:
        found = (self.calls.get(int(address, 16)) for address in addresses)
        return tuple(
            CodeLine(thread, c.file, c.line, self.built.is_model(c.file)) for c in found if c is not None
        )

    def site(self, thread: int, address: int) -> CodeLine:
        """The line of an instruction."""
        ((file, line),) = self.built.lines([address])
        return CodeLine(thread, file, line, self.built.is_model(file))


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """The process has a group of its own: nothing of it is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class _ScheduleWriter:
    """The schedule as the run-time reads it: numbers, in the order of ``read_schedule``."""

    def __init__(self, built: Built, schedule: NativeSchedule, seconds: int) -> None:
        self.built, self.schedule, self.seconds = built, schedule, seconds
        self.files: dict[str, int] = {}
        users = sorted({os.path.realpath(c.file) for c in built.calls if not built.is_model(c.file)})
        for file in users:
            self.files[file] = len(self.files)
        self.users = len(users)
        for file in sorted({Path(c.file).name for c in built.calls if built.is_model(c.file)}):
            self.files[f"model {file}"] = len(self.files)

    def text(self) -> str:
        rows = [self._head(), *self._places(), *map(self._event, self.schedule.events)]
        rows += [
            f"{one.kind} {one.thread} {self._place(one.place)} {self._place(one.caller)} "
            f"{one.value & (1 << 64) - 1:x}"
            for one in self.schedule.inputs
        ]
        rows += [
            f"{one.event} {one.target} {one.offset} {one.size} {one.value & (1 << 64) - 1:x}"
            for one in self.schedule.fillings
        ]
        rows += [f"{self.built.variables.get(one.name, 0):x} {one.size}" for one in self.schedule.objects]
        rows += map(str, self._listed())
        rows += map(self._event, self.schedule.parties)
        return "\n".join(rows) + "\n"

    def _listed(self) -> tuple[int, ...]:
        return self.schedule.leaked or self.schedule.cycle

    def _head(self) -> str:
        schedule = self.schedule
        tables = (
            *(self.built.calls, schedule.events, schedule.inputs),
            *(schedule.fillings, schedule.objects, self._listed()),
        )
        counts = " ".join(str(len(table)) for table in tables)
        head = f"{schedule.goal} {schedule.failing} {self.seconds} {len(schedule.arguments)}"
        return f"{head} {self.users} {counts}"

    def _places(self) -> list[str]:
        calls = sorted(self.built.calls, key=lambda call: call.address)
        return [f"{call.address:x} {self._file(call.file)} {call.line}" for call in calls]

    def _file(self, file: str) -> int:
        name = f"model {Path(file).name}" if self.built.is_model(file) else os.path.realpath(file)
        return self.files[name]

    def _place(self, place: LineRange | None) -> str:
        if place is None:
            return "-1 0 0"
        name = f"model {Path(place.file).name}" if place.is_library else os.path.realpath(place.file)
        return f"{self.files.get(name, len(self.files))} {place.first} {place.last}"

    def _event(self, event: NativeEvent) -> str:
        target = -1 if event.target is None else event.target
        places = f"{self._place(event.place)} {self._place(event.caller)}"
        memory = f"{target} {event.offset} {event.size}"
        return f"{event.thread} {event.kind} {places} {memory} {int(event.is_failing)}"
