"""Engines on litmus tests made of random cycles, against the definitions of the memory models.

The law: *allowed* is what the axioms allow some candidate execution of, *forbidden* what they allow none of.
"""

from pathlib import Path

from sley.program.memory_model import MemoryModel
from sley.verification.litmus import Judgement
from tests.fuzz.campaign import Comparison, Limits
from tests.litmus.answers import answered
from tests.litmus.definition import is_allowed
from tests.litmus.random_cycles import MODELS, random_cycle_test

INTERLEAVED = frozenset({MemoryModel.RMO, MemoryModel.POWER})
"""Models that only ``bmc`` decides."""


def cycle_compared(engine: str, seed: int, path: Path, _: Limits) -> Comparison:
    """What an engine says of the test with a seed, under each model that its language has."""
    test, language = random_cycle_test(seed)
    words, wrong = set[str](), []
    for model in MODELS[language]:
        if engine == "explore" and model in INTERLEAVED:
            continue
        judged = answered(test, language, model, engine, path.parent)
        expected = Judgement.ALLOWED if is_allowed(test, model) else Judgement.FORBIDDEN
        words.add("same" if judged.holds is not None else "unknown")
        if judged.holds is not None and judged.judgement is not expected:
            found = f"{engine}: {judged.judgement.value}, by definition {expected.value}"
            wrong.append(f"{language} {test.name} under {model.value}: {found}")
    if wrong:
        return Comparison("wrong", "; ".join(wrong))
    return Comparison("unknown" if "unknown" in words else "same")
