"""Verifiers as data: how each is called, and how its output tells the answer (``verifiers.yml``)."""

import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from bench.running.processes import Ended, Limits, Runner
from bench.running.tasks import BenchTask

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span

_KNOWN = Path(__file__).with_name("verifiers.yml")
DESCRIPTIONS = outside.FileKind("the verifiers", 256)
DECIDED = ("true", "false")
SLEY = "sley"


@dataclass(frozen=True, slots=True)
class Verifier:
    """One way to call one verifier."""

    name: str
    command: str
    """Words with ``{files}``, ``{property}``, ``{data_model}``, ``{seconds}``, ``{megabytes}``, ``{bound}``,
    ``{flags}``, ``{python}`` in them."""
    answers: tuple[tuple[str, str], ...]
    """``true``, ``false`` or ``unknown``, and an expression: the first that is found is the answer, and a
    group in it says which part of the property is violated."""
    flags: str = ""
    version: str | None = None
    """A command that prints it."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """By the name of a property, what to say for it; if there are none, it is given as it is."""
    data_models: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[int, ...] = ()
    """Tried in turn, until one suffices for an answer."""
    reason: str | None = None
    """An expression whose first group is why there is no answer."""
    keeps_time: bool = False
    """It is told the limit and ends by itself; it has a moment more, to say how far it came."""
    in_its_folder: bool = False
    """It must be called in the folder that it is in."""

    def executable(self) -> str:
        """Where it is."""
        name = shlex.split(self.command.replace("{python}", sys.executable))[0]
        path = shutil.which(name)
        if path is None:
            raise InputError(f"{self.name}: there is no `{name}` on PATH")
        return path

    def commands(self, task: BenchTask, limits: Limits) -> Iterator[list[str]]:
        """To be tried in turn; none if it cannot be asked for this property."""
        said = self.properties.get(task.group()) if self.properties else shlex.quote(_absolute(task.property))
        for bound in self.bounds or (0,):
            if said is not None:
                yield self._command(task, limits, said, bound)

    def _command(self, task: BenchTask, limits: Limits, said: str, bound: int) -> list[str]:
        model = task.data_model.name
        words = {
            "files": shlex.join(str(path.absolute()) for path in task.files),
            "property": said,
            "data_model": self.data_models.get(model, model),
            "seconds": f"{limits.seconds or 0:g}",
            "megabytes": f"{limits.megabytes or 0:.0f}",
            "bound": str(bound),
            "flags": self.flags,
            "python": shlex.quote(sys.executable),
        }
        _, *rest = shlex.split(_filled(self.command, words))
        return [self.executable(), *rest]

    def answer(self, output: str) -> str:
        """``true``, ``false``, ``false(...)``, ``unknown``; ``error`` if the output says none of these."""
        for answer, pattern in self.answers:
            if found := re.search(pattern, output, re.MULTILINE):
                part = next((group for group in found.groups() if group), None)
                return answer if part is None else f"{answer}({part})"
        return "error"

    def why(self, ended: Ended) -> str:
        """Why there is no answer: what the verifier says, else the last line of its output."""
        found = re.search(self.reason, ended.output, re.MULTILINE) if self.reason else None
        said = next((group.strip() for group in found.groups() if group), "") if found else ""
        if said:
            return said
        lines = [line.strip() for line in ended.output.splitlines() if line.strip()]
        return f"exit code {ended.exit_code}" + (f": {lines[-1]}" if lines else "")


def _absolute(property_: str) -> str:
    """A property file by its full name; a name as it is."""
    return str(Path(property_).resolve()) if property_.endswith(".prp") else property_


def _filled(template: str, words: Mapping[str, str]) -> str:
    try:
        return template.format_map(words)
    except (KeyError, IndexError, ValueError) as error:
        raise InputError(f"`{template}`: {error} is none of {', '.join(words)}") from None


# --- reading ---------------------------------------------------------------------------------------


def known_verifiers(more: Sequence[Path] = ()) -> dict[str, Verifier]:
    """Ours, and those that the given files describe; later ones replace earlier ones of the same name."""
    return {name: one for path in (_KNOWN, *more) for name, one in _read(path).items()}


def _read(path: Path) -> dict[str, Verifier]:
    place = Span(str(path), 1, 1)
    content = outside.yaml_of(outside.text(path, DESCRIPTIONS), str(path))
    if not isinstance(content, dict):
        raise InputError("not a mapping from names to verifiers", place)
    return {str(name): _verifier(str(name), entry, place) for name, entry in content.items()}


def _verifier(name: str, entry: object, place: Span) -> Verifier:
    known = [one.name for one in fields(Verifier) if one.name != "name"]
    if not isinstance(entry, dict) or not {"command", "answers"} <= set(entry) <= set(known):
        raise InputError(f"{name}: needs `command` and `answers`, and knows {', '.join(known)}", place)
    for key, value in entry.items():
        if not _fits(key, value):
            raise InputError(f"{name}: `{key}` is not what it should be", place)
    answers = _answers(entry["answers"])
    for pattern in (*(pattern for _, pattern in answers), entry.get("reason") or ""):
        try:
            re.compile(pattern)
        except re.error as error:
            raise InputError(f"{name}: `{pattern}` is no expression: {error}", place) from None
    bounds = tuple(entry.get("bounds", ()))
    return Verifier(name=name, **{**entry, "answers": answers, "bounds": bounds})


def _fits(key: str, value: object) -> bool:
    """Whether the value of a field is of its kind."""
    match key:
        case "keeps_time" | "in_its_folder":
            return isinstance(value, bool)
        case "bounds":
            return isinstance(value, list) and all(type(one) is int for one in value)
        case "properties" | "data_models":
            return isinstance(value, dict) and all(
                isinstance(one, str) for pair in value.items() for one in pair
            )
        case "answers":
            return isinstance(value, dict | list)
        case _:
            return isinstance(value, str) or (value is None and key in ("version", "reason"))


def _answers(entry: object) -> tuple[tuple[str, str], ...]:
    """A mapping, or a list of them where an answer has several expressions; to YAML, ``true`` is no word."""
    parts = entry if isinstance(entry, list) else [entry]
    return tuple((str(a).lower(), str(p)) for one in parts if isinstance(one, dict) for a, p in one.items())


def configured(text: str, known: Mapping[str, Verifier]) -> Verifier:
    """``NAME``, ``NAME=FLAGS`` or ``NAME:LABEL=FLAGS``: a verifier with flags of its own."""
    label, _, flags = text.partition("=")
    name = label.partition(":")[0]
    if name not in known:
        raise InputError(f"verifier `{name}` is none of {', '.join(known)}")
    return replace(known[name], name=label, flags=flags)


def configuration(text: str, known: Mapping[str, Verifier]) -> Verifier:
    """``NAME`` or ``NAME=FLAGS``: sley with these flags."""
    name, _, flags = text.partition("=")
    return replace(known[SLEY], name=name, flags=flags)


def version_of(verifier: Verifier, runner: Runner) -> str:
    """What it says of itself, in one line; empty if it does not tell."""
    if verifier.version is None:
        return ""
    command = shlex.split(_filled(verifier.version, {"python": shlex.quote(sys.executable)}))
    lines = runner.run(command, Limits(seconds=60)).output.split("\n")
    return lines[0].strip()
