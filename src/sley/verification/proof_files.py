"""Files that keep the proof of a SAFE answer, with all that it takes to check it again; see docs/proofs.md.

A file is not believed: it says which proofs there are, and a checker decides what they prove.
"""

import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sley import __version__
from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.evidence.proof import KeptProof
from sley.evidence.verdict import Safe
from sley.program.properties import Property
from sley.verification.command_line import asked
from sley.verification.result import Result

FORMAT = "sley-proof"
FORMAT_VERSION = "1.4"
COMPRESSED = ".gz"

Json = dict[str, Any]


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
    asked: tuple[str, ...]
    """The flags of the question, as ``command_line.asked`` has them."""
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
        "asked": list(asked(result.task)),
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
        ("format", "format_version", "sley_version", "sources", "models", "asked", "proofs"),
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
        reading.texts(content["asked"], "asked"),
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

    def text(self, content: object, what: str) -> str:
        if not isinstance(content, str):
            raise self.damaged(f"`{what}` is {str(content)[:40]!r}, which is no text")
        return content

    def texts(self, content: object, what: str) -> tuple[str, ...]:
        return tuple(self.text(one, what) for one in self.items(content, what))

    def properties(self, content: object) -> frozenset[Property]:
        by_name = {prop.value: prop for prop in Property}
        names = self.texts(content, "properties")
        if not names or len(set(names)) < len(names) or not by_name.keys() >= set(names):
            raise self.damaged(f"`properties` are {', '.join(names) or 'none'}")
        return frozenset(by_name[name] for name in names)

    def source(self, content: object) -> ProofSource:
        found = self.fields(content, "a source", ("file", "sha256"))
        return ProofSource(*(self.text(found[name], name) for name in ("file", "sha256")))

    def proof(self, content: object) -> KeptProof:
        names = ("engine", "kind", "properties", "program", "proof")
        found = self.fields(content, "a proof", names)
        engine, kind, program = (self.text(found[name], name) for name in ("engine", "kind", "program"))
        text = json.dumps(found["proof"], separators=(",", ":"))
        return KeptProof(engine, self.properties(found["properties"]), program, kind, text)
