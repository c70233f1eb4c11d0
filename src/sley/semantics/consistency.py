"""Whether conditions on undetermined values can hold together: whoever knows tells the evaluator."""

from abc import ABC, abstractmethod

from sley.logic.terms import Term


class Consistency(ABC):
    """Knows what is possible; gives up (GaveUpError) if it cannot tell."""

    @abstractmethod
    def is_possible(self, formulas: frozenset[Term]) -> bool:
        """Whether all formulas can hold."""

    @abstractmethod
    def model(self, formulas: frozenset[Term], wanted: tuple[Term, ...]) -> tuple[int, ...] | None:
        """What these terms are in one case in which all formulas hold; None if there is none."""
