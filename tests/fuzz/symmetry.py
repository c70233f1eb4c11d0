"""Random triples for engine ``symmetry``: a program with interchangeable threads, properties, options.

``explore`` without reduction is the oracle. On the same properties the two never give different certain
answers; a BUG was replayed, a SAFE is accepted by the checker.

``python -m tests.fuzz.symmetry --count 1000`` runs a campaign: the same seed is the same triple.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.symmetry import AnyNumber, Cubes, Refinement, SymmetryOptions, symmetry
from sley.evidence.proof import RefusedProofError
from sley.evidence.runs import run_against
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.proof import SymmetricProof
from sley.evidence.symmetric.runs import SymmetricFollower
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.semantics.code import Code
from tests.fuzz.campaign import Comparison, names, run_campaign
from tests.fuzz.laws import loaded, searched
from tests.fuzz.random_programs import GLOBALS, HEADER, Generator

GROUPS = ("reach", "reach", "reach", "race", "overflow", "misuse", "division")


class SymmetricGenerator(Generator):
    """Programs in which a function is started several times, one after another or in a loop."""

    def program(self) -> str:
        """The text of the program."""
        functions = self.random.choice((1, 1, 1, 2))
        length = self.random.randint(1, 3 if functions == 1 else 2)
        parts = [HEADER, GLOBALS]
        for number in range(functions):
            self.locals = 0
            body = self.block(length, 1)
            parts.append(f"void *t{number}(void *arg) {{\n{body}  return 0;\n}}\n")
        parts.append(self.main(functions))
        return "\n".join(parts)

    def main(self, threads: int) -> str:
        """Starts every function a few times; joins them, at times."""
        self.locals = 0
        lines = ["  pthread_t id[4];"]
        started = 0
        for number in range(threads):
            copies = self.random.choice((2, 2, 3)) if threads == 1 else self.random.choice((1, 2))
            if self.random.random() < 0.5:
                create = f"pthread_create(&id[{started} + i], 0, t{number}, 0)"
                lines.append(f"  for (int i = 0; i < {copies}; i++) {create};")
            else:
                lines += [f"  pthread_create(&id[{started + i}], 0, t{number}, 0);" for i in range(copies)]
            started += copies
            if self.random.random() < 0.2:
                lines.append(self.statement(1).rstrip("\n"))
        if self.random.random() < 0.5:
            lines.extend(f"  pthread_join(id[{number}], 0);" for number in range(started))
            lines.append(f"  assert({self.condition()});")
        else:
            lines.append("  pthread_exit(0);")
        return "int main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"

    def statement(self, depth: int) -> str:
        """One statement; the heap is beyond the engine."""
        kinds = ["assign", "assign", "add", "local", "atomic", "lock", "assert", "assert", "cas", "assume"]
        if depth < 2:
            kinds += ["if", "loop", "choice", "section", "gate"]
        kinds += ["pointer", "divide", "end"]
        if self.is_atomic:
            kinds = ["assign", "add", "atomic", "assume", "end"]
        made: str = getattr(self, "_" + self.random.choice(kinds))(depth)
        return made


@dataclass(frozen=True)
class Triple:
    """A program, the properties it is asked about, and how."""

    text: str
    properties: frozenset[Property]
    options: SymmetryOptions


def random_triple(seed: int) -> Triple:
    """The triple with this seed."""
    random = Random(f"symmetry {seed}")
    options = SymmetryOptions(
        threads=random.choice(("any", "any", "any", "2", "3")),
        cubes=random.choice((Cubes.NONE, Cubes.NONE, Cubes.ONE, Cubes.TWO)),
        refinement=Refinement.TRACES if random.random() < 0.2 else Refinement.DEMAND,
        any_number=random.choice((*AnyNumber, AnyNumber.BOTH)),
        symmetry=random.random() < 0.85,
    )
    text = SymmetricGenerator(seed).program()
    return Triple(text, PROPERTY_GROUPS[random.choice(GROUPS)], options)


def compared(triple: Triple, path: Path, max_states: int, seconds: float) -> Comparison:
    """Run both engines on a triple, whose program is written to ``path``."""
    path.write_text(triple.text)
    program = loaded(path, triple.properties)
    oracle = searched(program, triple.properties, max_states, is_reduced=False)
    if oracle is None:
        return Comparison("too large")
    violated = {key[0] for key in oracle.findings.violations}
    try:
        verdict, _ = symmetry(program, triple.properties, triple.options, Budget(seconds))
        problem = _refusal(program, triple.properties, verdict, seconds)
    except GaveUpError as reason:
        return _unanswered(str(reason), is_certain=not oracle.findings.gave_up)
    if problem is not None:
        return Comparison("wrong", problem)
    match verdict:
        case Unsafe(traces=traces):
            found = {trace.failure.property for trace in traces}
            if not found <= violated and not oracle.findings.gave_up:
                return Comparison("wrong", f"symmetry: {names(found)} violated, explore: {names(violated)}")
            return Comparison("bug")
        case Claimed():
            if violated:
                return Comparison("wrong", f"symmetry: safe, explore: {names(violated)} violated")
            return Comparison("safe")
        case Bounded():
            return Comparison("bounded")
        case Unknown(reason=why):
            return _unanswered(why, is_certain=not oracle.findings.gave_up)


def _unanswered(reason: str, *, is_certain: bool) -> Comparison:
    if "replayed" in reason and is_certain:
        return Comparison("not replayed", note=f"not replayed: {reason}")
    return Comparison("unknown")


def _refusal(
    program: Program, properties: frozenset[Property], verdict: Verdict[SymmetricProof], seconds: float
) -> str | None:
    if isinstance(verdict, Claimed):
        try:
            check_symmetric(program, properties, verdict.proof, Budget(10 * seconds))
            code = Code(program)
            follower = SymmetricFollower(code, verdict.proof)
            run_against(code, properties, follower, seconds, Budget(10 * seconds))
        except RefusedProofError as error:
            return f"refused: {error}"
    return None


def main() -> int:
    """Run a campaign; exit 1 if any law fails."""
    return run_campaign(
        "fuzz.symmetry", lambda seed, path, limits: compared(random_triple(seed), path, *limits)
    )


if __name__ == "__main__":
    sys.exit(main())
