"""A trace on the real program: compiled, run under the schedule, and what came of it judged."""

import os
import re
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sley.evidence.trace import Trace
from sley.frontend.data_model import DataModel
from sley.native.build import Builder
from sley.native.run import CodeLine, Runner, RunOutcome
from sley.native.schedule import native_schedule
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.task import Task


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """Whether a run showed the failure of the trace, and what happened, as one sentence."""

    is_reproduced: bool
    text: str
    details: tuple[str, ...] = ()
    """More lines: the cycle of waits, the two accesses."""
    output: str = ""
    """What the program wrote."""
    assumed: tuple[str, ...] = ()
    """Unknown values that the failure rests on: it is then only a possible one."""


class NativeReplay:
    """A trace whose program is compiled."""

    def __init__(
        self, trace: Trace, runner: Runner, reliances: tuple[str, ...] = (), assumed: tuple[str, ...] = ()
    ) -> None:
        self.trace, self.runner, self.reliances, self.assumed = trace, runner, reliances, assumed

    def run(self) -> JudgedRun:
        """One run of the program under the schedule."""
        outcome = self.runner.run()
        judged = _Judge(self.trace, outcome, self.runner).judged()
        if judged.is_reproduced:
            return replace(judged, assumed=self.assumed)
        return replace(judged, details=self.reliances)

    def debugger_commands(self) -> Path:
        """A file of commands with which gdb runs the program up to the failing step."""
        file = self.runner.folder / "gdb"
        lines = ["set pagination off", "set confirm off", "set print thread-events off"]
        lines += [f"set environment {name} {value}" for name, value in self.runner.environment.items()]
        lines += [f"file {self.runner.built.program}", "break sley_failing_step"]
        lines += [f"run {' '.join(map(_quoted, self.runner.arguments[1:]))}".rstrip()]
        lines += ["frame address sley_user_frame"]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return file


def _quoted(argument: bytes) -> str:
    """An argument as the shell that gdb starts reads it."""
    is_plain = re.fullmatch(rb"[\w@%+=:,./-]+", argument) is not None
    escaped = "".join(f"\\{byte:03o}" for byte in argument)
    return argument.decode() if is_plain else f"\"$(printf '{escaped}')\""


@contextmanager
def native_replay(
    task: Task, program: Program, trace: Trace, compiler: tuple[str, ...], seconds: int
) -> Iterator[NativeReplay]:
    """The program, compiled in a folder that is gone afterwards."""
    schedule = native_schedule(program, trace, task.arguments)
    with tempfile.TemporaryDirectory(prefix="sley-replay-") as folder:
        built = Builder(task, trace.failure.property, compiler, Path(folder)).build()
        reliances = list(schedule.reliances)
        if task.data_model is not DataModel.LP64:
            reliances.append(
                f"the program was checked for {task.data_model.value} and compiled for this machine"
            )
        runner = Runner(built, schedule, seconds)
        yield NativeReplay(trace, runner, tuple(reliances), schedule.assumed)


_SIGNALS_OF = {
    Property.DEREF: frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGTRAP}),
    Property.OVERFLOW: frozenset({signal.SIGILL, signal.SIGTRAP}),
    Property.DIVISION: frozenset({signal.SIGILL, signal.SIGFPE, signal.SIGTRAP}),
    Property.MISUSE: frozenset({signal.SIGILL, signal.SIGTRAP}),
}
_ACCESSES = {
    "null": "null is dereferenced",
    "freed": "a freed block is used",
    "outside": "an access is outside of its object",
    "gone": "a variable is used that does not exist any more",
}
_TRAPS = {
    Property.OVERFLOW: "signed overflow",
    Property.DIVISION: "division by zero",
    Property.MISUSE: "the program gets to what is unreachable",
}
_NOT_FAILED = {
    "ended": "the program ended without the failure",
    "aborted": "the program aborted without the failure",
    "slow": "the time is over",
    "lost": "the program ended without a word",
}


class _Judge:
    """Holds an outcome against a trace: reproduced is only what fails in the same way at the same line."""

    def __init__(self, trace: Trace, outcome: RunOutcome, runner: Runner) -> None:
        self.trace, self.outcome, self.runner = trace, outcome, runner
        self.property = trace.failure.property

    def judged(self) -> JudgedRun:
        match self.outcome.word:
            case "race":
                return self._race()
            case "deadlock":
                return self._deadlock()
            case "leak":
                return self._leak()
            case "diverged" | "limit":
                return self._judged(is_same=False, text=self._diverged())
            case word if word in _NOT_FAILED:
                return self._judged(is_same=False, text=f"{_NOT_FAILED[word]}{self._at()}")
            case _:
                return self._failure()

    def _judged(self, *, is_same: bool, text: str, details: tuple[str, ...] = ()) -> JudgedRun:
        return JudgedRun(is_same, text, details, self.outcome.output)

    def _diverged(self) -> str:
        reason = " ".join(self.outcome.words)
        return f"the real program went another way{self._at()}: {reason}"

    # --- failures of a step -----------------------------------------------------------------------

    def _failure(self) -> JudgedRun:
        what, prop, site = self._what()
        is_same = prop is self.property and site is not None and self._is_expected(site)
        text = f"{what}{self._at(site)}"
        return self._judged(is_same=is_same, text=text if is_same else f"another failure: {text}")

    def _what(self) -> tuple[str, Property | None, CodeLine | None]:
        """What failed, which property that violates, and where."""
        words = self.outcome.words
        site = self.outcome.sites[0] if self.outcome.sites else None
        match self.outcome.word:
            case "assertion":
                return "assertion failed", Property.REACH, site
            case "access":
                return _ACCESSES[words[0]], Property.DEREF, site
            case "free":
                what = "a block is freed twice" if words[0] == "twice" else "what is no block is freed"
                return what, self._freeing(), site
            case "check":
                is_same = words[1] == self.trace.failure.rule
                return self.trace.failure.message if is_same else words[1], self._checked(words), site
            case "signal":
                return self._signal(int(words[0]), int(words[1], 16), site)
            case _:
                return f"`{self.outcome.word}`", None, site

    def _freeing(self) -> Property:
        """What an invalid free violates: to grow a block that is freed already is to use it, too."""
        return Property.DEREF if self.property is Property.DEREF else Property.FREE

    def _checked(self, words: tuple[str, ...]) -> Property | None:
        is_same = (words[0], words[1]) == (self.property.value, self.trace.failure.rule)
        return self.property if is_same else None

    def _signal(
        self, number: int, address: int, near: CodeLine | None
    ) -> tuple[str, Property | None, CodeLine | None]:
        site = self.runner.site(near.thread if near else 0, address)
        if site.line == 0 or site.is_library:  # inside of a library that is called from here
            site = near or site
        name = signal.Signals(number).name
        is_same = number in _SIGNALS_OF.get(self.property, ())
        what = self._trap(number) if is_same else "the program was ended"
        return f"{what} ({name})", self.property if is_same else None, site

    def _trap(self, number: int) -> str:
        """What a signal means that is expected."""
        if self.property is Property.DEREF:
            is_of_compiler = number in (signal.SIGILL, signal.SIGTRAP)
            return "an index is outside of its array" if is_of_compiler else "an invalid access"
        return _TRAPS[self.property]

    def _is_expected(self, site: CodeLine) -> bool:
        """Whether a line is one of the statement that fails in the trace."""
        span = None if self.trace.origin is None else self.trace.origin.span
        if span is None:
            return False
        same_file = os.path.realpath(site.file) == os.path.realpath(span.file)
        return same_file and span.line <= site.line <= max(span.line, span.end_line)

    # --- failures of several threads ----------------------------------------------------------------

    def _race(self) -> JudgedRun:
        is_same = self.outcome.words[0] == "1" and self.property is Property.RACE
        text = self.trace.failure.message if is_same else "the two accesses are of different memory"
        details = tuple(
            f"{self._thread(site)} is about to access it{self._at(site)}" for site in self.outcome.sites
        )
        return self._judged(is_same=is_same, text=text, details=details)

    def _deadlock(self) -> JudgedRun:
        waits = self.outcome.waits or {}
        details = tuple(
            f"{self._thread(site)} waits{self._for(waits.get(site.thread, -1))}{self._at(site)}"
            for site in self.outcome.sites
        )
        return self._judged(is_same=self.property is Property.DEADLOCK, text="deadlock", details=details)

    def _for(self, thread: int) -> str:
        return f" for {self._name(thread)}" if thread >= 0 else ""

    def _leak(self) -> JudgedRun:
        size, made = int(self.outcome.words[0]), int(self.outcome.words[1], 16)
        call = self.runner.calls.get(made)
        where = "" if call is None else f" of line {call.line}"
        text = f"the block of {size} bytes{where} is never freed, and no static variable leads to it"
        return self._judged(is_same=self.property is Property.LEAK, text=text)

    # --- words ------------------------------------------------------------------------------------

    def _name(self, thread: int) -> str:
        known = self.trace.threads
        return known[thread].name if thread < len(known) else f"thread {thread}"

    def _thread(self, site: CodeLine) -> str:
        return self._name(site.thread)

    def _at(self, site: CodeLine | None = None) -> str:
        found = site or (self.outcome.sites[0] if self.outcome.sites else None)
        return "" if found is None else f" at {Path(found.file).name}:{found.line}"
