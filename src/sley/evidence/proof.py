"""Proofs: plain data that a separate checker accepts or refuses."""

from dataclasses import dataclass
from typing import Protocol

from sley.program.properties import Property


class Proof(Protocol):
    """What every proof has in common."""

    @property
    def summary(self) -> str:
        """One phrase for the user, such as ``412 states, all successors among them``."""
        ...


@dataclass(frozen=True, slots=True)
class SeparateProofs:
    """A proof for each of several properties, with runs that violate another one cut there.

    Together they are a proof of all: the first violation of a run would be one of some property, and the
    proof of that property speaks of all runs without an earlier violation.
    """

    proofs: tuple[Proof, ...]

    @property
    def summary(self) -> str:
        """All summaries, each once."""
        return "properties one by one: " + "; ".join(dict.fromkeys(one.summary for one in self.proofs))


@dataclass(frozen=True, slots=True)
class ProofOfTheRest:
    """A proof for a program from which some checks are left out, and one of those that are.

    Together they are a proof of all checks: what the second proves holds in every run up to the first
    violation, and the first says that there is none (``passes.proved``).
    """

    proof: Proof
    of_others: Proof

    @property
    def summary(self) -> str:
        """Both summaries."""
        return f"{self.proof.summary}; for checks that were proved before, {self.of_others.summary}"


@dataclass(frozen=True, slots=True)
class ProofElsewhere:
    """What is left of a proof that was found and checked in another process, and may be large."""

    summary: str


@dataclass(frozen=True, slots=True)
class KeptProof:
    """A proof as a file keeps it, with what it is a proof of."""

    engine: str
    """The engine that found it, and so whose checker is asked."""
    properties: frozenset[Property]
    program: str
    """The fingerprint of the prepared program."""
    kind: str
    text: str
    """The proof itself: JSON."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How a proof was accepted, in the user's words."""

    how: str
    """What the checker did, as a phrase: ``every step from every state was computed again``."""

    solvers: tuple[str, ...] = ()
    """The solver that answered the checker's questions, where it had any."""

    skipped: tuple[str, ...] = ()
    """What was not done as it should be, and what was done in its place: a sentence each."""

    runs: int = 0
    """How many random runs of the program were held against the proof, and fitted."""

    states: int = 0
    """How many states these runs had together."""


class RefusedProofError(Exception):
    """A checker refuses a proof: the engine that made it is wrong."""
