"""Proofs that outlive the search: as a file keeps them, and read back for a program."""

import hashlib
import json

from sley.evidence.encoding.codec import decode, encode
from sley.evidence.encoding.shapes import DamagedError
from sley.evidence.proof import KeptProof, Proof
from sley.program.printer import print_program
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engine import AnyEngine


def keep(
    engine: AnyEngine, name: str, proof: Proof, program: Program, properties: frozenset[Property]
) -> KeptProof:
    """The plain part of an engine's proof."""
    content = encode(engine.kind, engine.plain_part(proof), program.terms)
    text = json.dumps(content, separators=(",", ":"))
    return KeptProof(name, properties, fingerprint_of(program), engine.kind.__name__, text)


def read(engine: AnyEngine, kept: KeptProof, program: Program) -> Proof:
    """The proof for a program; DamagedError if it is none of this engine's."""
    if kept.kind != engine.kind.__name__:
        raise DamagedError(f"a proof of the kind {kept.kind} is none of engine {kept.engine}")
    found: Proof = decode(engine.kind, json.loads(kept.text), program)
    return found


def fingerprint_of(program: Program) -> str:
    """Of all that a proof may speak of, wherever the source lies: the textual form without its remarks."""
    lines = (line.split(" ; ", 1)[0].rstrip() for line in print_program(program).splitlines())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
