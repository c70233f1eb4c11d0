"""Proofs: plain data that a separate checker accepts or refuses."""

from typing import Protocol


class Proof(Protocol):
    """What every proof has in common."""

    @property
    def summary(self) -> str:
        """One phrase for the user, such as ``412 states, all successors among them``."""
        ...


class RefusedProofError(Exception):
    """A checker refuses a proof: the engine that made it is wrong."""
