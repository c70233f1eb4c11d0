"""Proofs by symmetric predicate abstraction, as plain data."""

from dataclasses import dataclass
from typing import NamedTuple

from sley.evidence.symmetric.abstraction import Predicate
from sley.evidence.symmetric.coverability import Element
from sley.evidence.symmetric.machine import Cube
from sley.evidence.symmetric.reachability import Configuration


class Forbidden(NamedTuple):
    """Words of a step that no state of the program has."""

    step: int
    others: tuple[str, ...]
    """The templates of the passive threads, or the new thread."""
    cube: Cube


@dataclass(frozen=True, slots=True)
class SymmetricProof:
    """Predicates, what is impossible in each step, and why nothing bad is then reached."""

    singles: tuple[int, ...]
    """The places of the Create edges whose threads are templates of their own."""
    predicates: tuple[Predicate, ...]
    forbidden: tuple[Forbidden, ...]
    threads: int | None
    """How many threads of each template suffice; None: the proof is for any number of them."""
    configurations: tuple[Configuration, ...] = ()
    """With ``threads``: all that can be reached, closed under steps. With ``in_view``: all views."""
    in_view: int | None = None
    """How many threads of templates that are not single are in a view."""
    elements: tuple[Element, ...] = ()
    """With neither: all from which something bad is reached, closed under steps backwards."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        predicates = f"{len(self.predicates)} predicates"
        if self.in_view is not None:
            views = f"{len(self.configurations)} views of {self.in_view} at a time, closed under steps"
            return f"{predicates}, {views}, any number of threads"
        if self.threads is None:
            bad = f"{len(self.elements)} minimal bad states that no start is among"
            return f"{predicates}, {bad}, any number of threads"
        return f"{predicates}, {len(self.configurations)} abstract states up to symmetry, closed under steps"
