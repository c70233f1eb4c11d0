"""Files that keep the proof of a SAFE answer, with all that it takes to check it again; see docs/proofs.md.

A file is not believed: it says which proofs there are, and a checker decides what they prove.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from sley import __version__
from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.evidence.proof import KeptProof
from sley.evidence.verdict import Safe
from sley.frontend.data_model import DataModel
from sley.frontend.harness.plan import Harness
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.result import Result
from sley.verification.task import Granularity, Task

FORMAT = "sley-proof"
FORMAT_VERSION = "1.4"
COMPRESSED = ".gz"

Json = dict[str, Any]

PLAIN_FIELDS: Mapping[str, type] = {
    "data_model": DataModel,
    "allows_inner_overrun": bool,
    "malloc_may_fail": bool,
    "create_may_fail": bool,
    "argc_may_be_zero": bool,
    "granularity": Granularity,
    "memory_model": MemoryModel,
    "buffer_size": int,
    "instrument": Instrument,
}
"""What a task says of the program and its machine, beside files, macros and properties."""


@dataclass(frozen=True, slots=True)
class ProofSource:
    """A file that was read."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ProofFile:
    """All that a file says."""

    name: str
    sources: tuple[ProofSource, ...]
    models: tuple[ProofSource, ...]
    task: Task
    """Without files."""
    proofs: tuple[KeptProof, ...]

    def error(self, message: str) -> InputError:
        """What is wrong with the file."""
        return InputError(message, Span(self.name, 1, 1))


# --- writing ----------------------------------------------------------------------------------------------


def proof_of(result: Result, file: Path) -> str | bytes | None:
    """The file for a result, compressed if its name says so; None if nothing was proved."""
    outcome = result.outcome
    if not isinstance(outcome, Safe) or not outcome.kept:
        return None
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "sley_version": __version__,
        "sources": [_source(path) for path in result.task.paths],
        "models": [_source(path) for path in result.task.models],
        "task": _task(result.task),
    }
    fields = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    proofs = ",\n".join(map(_proof, outcome.kept))
    text = "{\n" + ",\n".join(fields) + f',\n "proofs": [\n{proofs}\n ]\n}}\n'
    return gzip.compress(text.encode(), compresslevel=6, mtime=0) if file.suffix == COMPRESSED else text


def _source(path: Path) -> Json:
    return {"file": path.name, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """Of what is in a file."""
    return hashlib.sha256(outside.content(path, outside.SOURCE)).hexdigest()


def _task(task: Task) -> Json:
    assert task.guarantees is None, "proofs of other orders than the program's are not kept"
    plain = {name: as_json(getattr(task, name)) for name in PLAIN_FIELDS}
    return {
        "properties": _names(task.selection.properties),
        "error_call": task.selection.error_call,
        "include_dirs": [str(path) for path in task.include_dirs],
        "defines": list(task.defines),
        "arguments": None if task.arguments is None else list(task.arguments),
        "target": task.target,
        "harness": None if task.harness is None else asdict(task.harness),
        "recursion": task.recursion,
        **plain,
    }


def as_json(value: object) -> object:
    """A value as JSON has it."""
    return value.name if isinstance(value, Enum) else value


def _names(properties: frozenset[Property]) -> list[str]:
    return [prop.value for prop in Property if prop in properties]


def _proof(kept: KeptProof) -> str:
    head = {"engine": kept.engine, "kind": kept.kind, "properties": _names(kept.properties)}
    fields = json.dumps(head | {"program": kept.program})
    return f'  {fields[:-1]}, "proof": {kept.text}}}'


# --- reading ----------------------------------------------------------------------------------------------


def read_proof_file(path: Path) -> ProofFile:
    """What a file says; InputError if it is none, or damaged."""
    reading = _ProofReading(str(path))
    content = reading.fields(
        outside.json_of(_text(path), str(path), is_huge=True),
        "the file",
        ("format", "format_version", "sley_version", "sources", "models", "task", "proofs"),
    )
    if content.get("format") != FORMAT:
        raise reading.error("not a proof of sley")
    if content["format_version"] != FORMAT_VERSION:
        raise reading.error(f"a proof in format {content['format_version']}, which I cannot read")
    if content["sley_version"] != __version__:
        raise reading.error(f"a proof by version {content['sley_version']} of sley; this is {__version__}")
    return ProofFile(
        str(path),
        tuple(reading.source(one) for one in reading.items(content["sources"], "sources")),
        tuple(reading.source(one) for one in reading.items(content["models"], "models")),
        reading.task(content["task"]),
        tuple(reading.proof(one) for one in reading.items(content["proofs"], "proofs")),
    )


def _text(path: Path) -> bytes:
    content = outside.content(path, outside.PROOF)
    return outside.unpacked(content, path, outside.PROOF) if path.suffix == COMPRESSED else content


class _ProofReading:
    """Takes nothing but what should be there."""

    def __init__(self, name: str) -> None:
        self.name = name

    def error(self, message: str) -> InputError:
        return InputError(message, Span(self.name, 1, 1))

    def damaged(self, what: str) -> InputError:
        return self.error(f"a damaged proof: {what}")

    def fields(self, content: object, what: str, names: Sequence[str]) -> Json:
        """An object with just these fields."""
        if not isinstance(content, dict):
            raise self.damaged(f"{what} is no object")
        is_ours = what != "the file" or content.get("format") == FORMAT
        if not is_ours:
            raise self.error("not a proof of sley")
        for name in names:
            if name not in content:
                raise self.damaged(f"{what} has no `{name}`")
        for name in content:
            if name not in names:
                raise self.damaged(f"{what} has an unknown field `{name}`")
        return content

    def items(self, content: object, what: str) -> list[Any]:
        if not isinstance(content, list):
            raise self.damaged(f"`{what}` is no list")
        return content

    def value(self, content: object, kind: type, what: str) -> Any:
        """A number, truth value or text, or a member of an enumeration by its name."""
        if issubclass(kind, Enum):
            members = {member.name: member for member in kind}
            if not isinstance(content, str) or content not in members:
                raise self.damaged(f"`{what}` is {content!r}")
            return members[content]
        if type(content) is not kind:
            raise self.damaged(f"`{what}` is {str(content)[:40]!r}, which is no {kind.__name__}")
        return content

    def value_or_none(self, content: object, kind: type, what: str) -> Any:
        return None if content is None else self.value(content, kind, what)

    def texts(self, content: object, what: str) -> tuple[str, ...]:
        return tuple(self.value(one, str, what) for one in self.items(content, what))

    def properties(self, content: object) -> frozenset[Property]:
        by_name = {prop.value: prop for prop in Property}
        names = self.texts(content, "properties")
        if not names or len(set(names)) < len(names) or not by_name.keys() >= set(names):
            raise self.damaged(f"`properties` are {', '.join(names) or 'none'}")
        return frozenset(by_name[name] for name in names)

    def source(self, content: object) -> ProofSource:
        found = self.fields(content, "a source", ("file", "sha256"))
        return ProofSource(*(self.value(found[name], str, name) for name in ("file", "sha256")))

    def task(self, content: object) -> Task:
        others = ("properties", "error_call", "include_dirs", "defines", "arguments", "target")
        found = self.fields(content, "the task", (*others, "harness", "recursion", *PLAIN_FIELDS))
        return Task(
            paths=(),
            selection=Selection(
                self.properties(found["properties"]),
                self.value_or_none(found["error_call"], str, "error_call"),
            ),
            include_dirs=tuple(map(Path, self.texts(found["include_dirs"], "include_dirs"))),
            defines=self.texts(found["defines"], "defines"),
            arguments=None if found["arguments"] is None else self.texts(found["arguments"], "arguments"),
            target=self.value_or_none(found["target"], str, "target"),
            harness=self.harness(found["harness"]),
            recursion=self.value_or_none(found["recursion"], int, "recursion"),
            **{name: self.value(found[name], kind, name) for name, kind in PLAIN_FIELDS.items()},
        )

    def harness(self, content: object) -> Harness | None:
        if content is None:
            return None
        found = self.fields(content, "the harness", ("entries", "threads", "calls", "setup", "make"))
        return Harness(
            entries=self.texts(found["entries"], "entries"),
            threads=self.value(found["threads"], int, "threads"),
            calls=self.value(found["calls"], int, "calls"),
            setup=self.texts(found["setup"], "setup"),
            make=self.texts(found["make"], "make"),
        )

    def proof(self, content: object) -> KeptProof:
        names = ("engine", "kind", "properties", "program", "proof")
        found = self.fields(content, "a proof", names)
        engine, kind, program = (self.value(found[name], str, name) for name in ("engine", "kind", "program"))
        text = json.dumps(found["proof"], separators=(",", ":"))
        return KeptProof(engine, self.properties(found["properties"]), program, kind, text)
