"""Whether a memory model allows the outcome of a litmus test, by the engines and their evidence.

A replayed run that has the outcome shows that it is *allowed*; a checked proof that there is none, that it is
*forbidden*. Under C11 both are asked at once: a data race makes every outcome an allowed one.
"""

from dataclasses import dataclass, replace
from enum import Enum

from sley.base.errors import InputError
from sley.evidence.trace import Trace
from sley.frontend.litmus.test import LitmusLanguage, LitmusTest, Quantifier
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Task

_MODELS = {
    LitmusLanguage.C: MemoryModel.C11,
    LitmusLanguage.X86: MemoryModel.TSO,
    LitmusLanguage.POWER: MemoryModel.POWER,
    LitmusLanguage.ARM: MemoryModel.ARMV8,
}


class Judgement(Enum):
    """Whether an outcome can happen; the value is what a report says."""

    ALLOWED = "ALLOWED"
    FORBIDDEN = "FORBIDDEN"
    UNKNOWN = "UNKNOWN"
    NOT_SUPPORTED = "NOT SUPPORTED"


_JUDGEMENTS = {
    Answer.BUG: Judgement.ALLOWED,
    Answer.SAFE: Judgement.FORBIDDEN,
    Answer.NOT_SUPPORTED: Judgement.NOT_SUPPORTED,
}


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """A test, and what became of it."""

    test: LitmusTest
    result: Result

    @property
    def model(self) -> MemoryModel:
        """Under which it was judged."""
        return self.result.task.memory_model

    @property
    def judgement(self) -> Judgement:
        """Whether ``test.bad`` can happen."""
        return _JUDGEMENTS.get(self.result.answer, Judgement.UNKNOWN)

    @property
    def trace(self) -> Trace | None:
        """The run that shows that it is allowed."""
        return self.result.traces[0] if self.judgement is Judgement.ALLOWED else None

    @property
    def is_undefined(self) -> bool:
        """Whether it is allowed because of a data race only."""
        return self.trace is not None and self.trace.failure.property is Property.RACE

    @property
    def holds(self) -> bool | None:
        """Whether it is as the test says; None if unknown."""
        return statement_holds(self.test.quantifier, self.judgement)


def statement_holds(quantifier: Quantifier, judgement: Judgement) -> bool | None:
    """Whether what a test states is so, given whether its bad outcome can happen."""
    match judgement:
        case Judgement.ALLOWED:
            return quantifier is Quantifier.EXISTS
        case Judgement.FORBIDDEN:
            return quantifier is not Quantifier.EXISTS
        case _:
            return None


def default_model(test: LitmusTest) -> MemoryModel:
    """Whose test it is, where the user does not say otherwise."""
    return _MODELS[test.architecture]


def litmus_task(test: LitmusTest, task: Task, model: MemoryModel | None) -> Task:
    """The task to judge a test; what else the task says is as given."""
    chosen = default_model(test) if model is None else model
    is_c11 = chosen is MemoryModel.C11
    if is_c11 and test.architecture is not LitmusLanguage.C:
        raise InputError(f"a test for {test.architecture.value} has no meaning in C11", test.place)
    asked = {Property.REACH, Property.RACE} if is_c11 else {Property.REACH}
    selection = Selection(frozenset(asked))
    return replace(task, paths=(test.path,), memory_model=chosen, selection=selection, all_bugs=False)
