"""Where the answers of the tool and what is known of a program differ."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.fuzz.judge.draft import Program
from tests.fuzz.judge.programs import complete
from tests.fuzz.judge.sanitizers import Observed
from tests.fuzz.sequential import described, literal

ENGINES = ("explore", "bmc", "impact")
CLAIMED = (Answer.SAFE, Answer.BUG)


@dataclass(frozen=True)
class Difference:
    """Something that needs an explanation."""

    kind: str
    """``wrong SAFE``, ``wrong BUG``, ``other name``, ``engines``, ``crash``, or ``generator``."""
    text: str
    engine: str | None = None


@dataclass(frozen=True)
class Opinion:
    """What the tool says about a program, and where that differs from what is right."""

    answer: str
    differences: tuple[Difference, ...]
    is_seen: bool
    """A run showed what is wrong."""
    reason: str = ""
    """Why there is no answer."""


def asserting(observed: Observed, changed: int | None = None) -> str:
    """Definitions that make each check an assertion of what was seen; what was not reached claims nothing."""
    lines = ["#define CHECK(k, e) CHECK_##k(e)"]
    for check in range(1 + max(observed.values, default=-1)):
        values = observed.values.get(check)
        if values is None:
            lines.append(f"#define CHECK_{check}(e) ((void)(e))")
            continue
        alternatives = [value ^ 1 if check == changed else value for value in values]
        claim = " || ".join(f"seen == {literal(value)}" for value in alternatives)
        lines.append(
            f"#define CHECK_{check}(e) do {{ long long seen = (long long)(e); assert({claim}); }} while (0)"
        )
    return "\n".join(lines)


def unclaimed(program: Program, observed: Observed) -> str:
    """Definitions for the checks that no run reached."""
    count = program.text.count("CHECK(")
    known = max(observed.values, default=-1) + 1
    return "\n".join(f"#define CHECK_{check}(e) ((void)(e))" for check in range(known, count))


def source(program: Program, observed: Observed, changed: int | None = None) -> str:
    """The program as the tool gets it."""
    return complete(program, f"{asserting(observed, changed)}\n{unclaimed(program, observed)}")


class Judge:
    """Asks the tool and compares."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds

    def answer(
        self, text: str, engine: str | None = None, properties: frozenset[Property] = ALL_PROPERTIES
    ) -> Result:
        path = self.folder / "program.c"
        path.write_text(text)
        limits = Limits(seconds=self.seconds)
        return verify(
            Task(
                paths=(path,),
                selection=Selection(properties),
                limits=limits,
                engines=(engine,) if engine else (),
            )
        )

    def opinion(self, program: Program, observed: Observed, *, all_engines: bool = False) -> Opinion:
        """Everything about one program."""
        differences = [*about_the_generator(program, observed)]
        is_seen = bool(observed.counted)
        if any(difference.kind == "generator" for difference in differences):
            return Opinion("", tuple(differences), is_seen)
        answers: dict[str, Result] = {}
        text = source(program, observed)
        engines = (*ENGINES, *(("modular",) if program.is_threaded else ())) if all_engines else ()
        for engine in (None, *engines):
            try:
                result = self.answer(text, engine)
            except Exception as crash:  # noqa: BLE001 - the campaign goes on
                differences.append(Difference("crash", f"{type(crash).__name__}: {crash}", engine))
                continue
            answers[engine or ""] = result
            differences += (replace(found, engine=engine) for found in about(program, observed, result))
        if program.is_clean and observed.values:
            differences += self.about_changed(program, observed)
        if observed.wrapping is not None:
            differences += self.about_wrapping(program, observed.wrapping)
        said = {engine: result.answer for engine, result in answers.items() if result.answer in CLAIMED}
        if len(set(said.values())) > 1:
            differences.append(
                Difference(
                    "engines", ", ".join(f"{engine or 'default'}: {a.value}" for engine, a in said.items())
                )
            )
        first = answers.get("")
        if first is None:
            return Opinion("crash", tuple(differences), is_seen)
        return Opinion(first.answer.value, tuple(differences), is_seen, first.reason or "")

    def about_changed(self, program: Program, observed: Observed) -> Iterator[Difference]:
        """With another value in one check, there must be a bug, and only that."""
        candidates = [check for check, values in observed.values.items() if len(values) == 1]
        if not candidates:
            return
        chosen = Random(program.seed).choice(candidates)
        try:
            result = self.answer(source(program, observed, chosen))
        except Exception as crash:  # noqa: BLE001 - the campaign goes on
            yield Difference("crash", f"{type(crash).__name__}: {crash}")
            return
        if result.answer is Answer.SAFE:
            yield Difference("wrong SAFE", f"check {chosen} has another value than claimed")
        violated = {trace.failure.property for trace in result.traces}
        if result.answer is Answer.BUG and violated != {Property.REACH}:
            yield Difference("wrong BUG", f"only check {chosen} fails: {described(result)}")

    def about_wrapping(self, program: Program, observed: Observed) -> Iterator[Difference]:
        """Asked about assertions alone, signed overflow wraps around."""
        only = frozenset({Property.REACH})
        result = self.answer(source(program, observed), properties=only)
        if result.answer is Answer.BUG:
            yield Difference("wrong BUG", f"reach alone, with wrapping: {described(result)}")
        for check, values in observed.values.items():
            if len(values) == 1:
                result = self.answer(source(program, observed, check), properties=only)
                if result.answer is Answer.SAFE:
                    yield Difference("wrong SAFE", f"reach alone, with wrapping: check {check} is another")


def about_the_generator(program: Program, observed: Observed) -> Iterator[Difference]:
    """A program that is not what it says it is."""
    if observed.compile_error:
        first = next((line for line in observed.compile_error.splitlines() if "error" in line), "")
        yield Difference("generator", f"does not compile: {first}")
        return
    shown = "; ".join(report.text for report in observed.reports)
    if program.is_clean and observed.reports:
        yield Difference("generator", f"meant to be right: {shown}")
    elif program.is_clean and observed.differing:
        yield Difference("generator", f"values differ between runs: {observed.differing}")
    elif program.fault and not program.fault.unseen and not observed.reports:
        yield Difference("generator", f"meant to be wrong ({program.fault.what}), but no sanitizer says so")


def about(program: Program, observed: Observed, result: Result) -> Iterator[Difference]:
    """Whether an answer can be right."""
    shown = "; ".join(report.text for report in observed.counted[:2])
    if result.answer is Answer.SAFE:
        if observed.counted and not (program.fault and program.fault.known):
            yield Difference("wrong SAFE", f"a run says: {shown}")
        elif program.fault and not program.fault.known:
            yield Difference("wrong SAFE", f"wrong by construction: {program.fault.what}")
    elif result.answer is Answer.BUG and not observed.counted:
        if program.is_clean:
            yield Difference("wrong BUG", f"right by construction: {described(result)}")
        elif program.is_open and not program.is_threaded:
            yield Difference("wrong BUG", f"the sanitizers are silent: {described(result)}")
    if result.answer is Answer.BUG and (program.fault or (observed.counted and not program.is_threaded)):
        violated = {trace.failure.property for trace in result.traces}
        right = {report.property for report in observed.counted}
        if program.fault:
            right |= program.fault.properties
        if not violated & right:
            what = program.fault.what if program.fault else shown
            yield Difference("other name", f"{described(result)}, but what is wrong is: {what}")
