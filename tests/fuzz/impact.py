"""Random triples for engine ``impact``: a program, a configuration, an order of the work list.

``explore`` without reduction is the oracle. On the same properties the two never give different certain
answers; a BUG was replayed, a SAFE is accepted by the checker. Which answer is not certain is no law.

``python -m tests.fuzz.impact --count 5000`` runs a campaign: the same seed is the same triple.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.engines.impact import ImpactOptions, impact
from sley.engines.impact.options import Interleaving
from sley.evidence.proof import RefusedProofError
from sley.evidence.reachability_tree import ReachabilityTree
from sley.evidence.reachability_tree_check import check_reachability_tree
from sley.evidence.verdict import Claimed, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from tests.fuzz.campaign import Comparison, names, run_campaign
from tests.fuzz.laws import loaded, searched
from tests.fuzz.random_programs import Generator

MORE_GLOBALS = """\
extern unsigned char __VERIFIER_nondet_uchar(void);
int *heap;
int *of_other;
__thread int own;
_Atomic int turn;
"""


class ImpactGenerator(Generator):
    """Writes programs with more inputs, stale pointers and endless loops than the others."""

    EXTRA = (
        "input",
        "input",
        "stale",
        "publish",
        "own",
        "turn",
        "turn",
        "atomic_loop",
        "leave",
        "two_inputs",
    )

    def program(self) -> str:
        """The text of the program."""
        return MORE_GLOBALS + super().program()

    def statement(self, depth: int) -> str:
        """One statement."""
        if self.is_atomic or self.random.random() < 0.65:
            return super().statement(depth)
        made: str = getattr(self, "_" + self.random.choice(self.EXTRA))(depth)
        return made

    def _fresh(self, letter: str) -> str:
        self.locals += 1
        return f"{letter}{self.locals}"

    def _input(self, depth: int) -> str:
        pad, name = "  " * depth, self._fresh("n")
        use = self.random.choice(
            (
                f"x = {name};",
                f"y = y * {name};",
                f"if ({name} == x) y = 1;",
                f"assert(x * {name} == 0);",
                f"arr[{name}] = 1;",
            )
        )
        return f"{pad}int {name} = __VERIFIER_nondet_uchar() & 1; {use}\n"

    def _two_inputs(self, depth: int) -> str:
        pad, one, other = "  " * depth, self._fresh("n"), self._fresh("n")
        return (
            f"{pad}__VERIFIER_atomic_begin(); int {one} = __VERIFIER_nondet_bool(), "
            f"{other} = __VERIFIER_nondet_bool(); if ({one} == 0 && {other} == 1) {self.variable()} = {one}; "
            "__VERIFIER_atomic_end();\n"
        )

    def _stale(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(
            (
                "heap = malloc(sizeof(int));\n",
                "heap = calloc(1, sizeof(int));\n",
                "free(heap);\n",
                "free(heap); heap = 0;\n",
                "*heap = 1;\n",
                "if (heap) x = *heap;\n",
                "if (heap == of_other) y = 1;\n",
                "of_other = heap;\n",
            )
        )

    def _publish(self, depth: int) -> str:
        pad, name = "  " * depth, self._fresh("v")
        return (
            f"{pad}{{ int {name} = {self.random.randint(0, 1)}; of_other = &{name}; "
            f"{self.variable()} = {name}; if ({self.condition()}) of_other = 0; }} "
            "if (of_other) *of_other = 2;\n"
        )

    def _own(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(("own = x;\n", "of_other = &own;\n", "own++; y = own;\n"))

    def _turn(self, depth: int) -> str:
        pad, number = "  " * depth, self.random.randint(0, 2)
        return pad + self.random.choice(
            (
                f"while (turn != {number}) ;\n",
                f"turn = {number};\n",
                f"__VERIFIER_assume(turn == {number});\n",
            )
        )

    def _atomic_loop(self, depth: int) -> str:
        pad, name = "  " * depth, self._fresh("n")
        return (
            f"{pad}while (x == 0) {{ __VERIFIER_atomic_begin(); int {name} = __VERIFIER_nondet_bool(); "
            f"assert(y * {name} == 0); y = {name} == 0; __VERIFIER_atomic_end(); }}\n"
        )

    def _leave(self, depth: int) -> str:
        pad = "  " * depth
        return pad + self.random.choice(
            (
                "pthread_exit(0);\n",
                "exit(0);\n",
                "pthread_detach(pthread_self());\n",
                "pthread_mutex_lock(&m);\n",
            )
        )


@dataclass(frozen=True)
class Triple:
    """A program, the properties it is asked about, and how."""

    text: str
    properties: frozenset[Property]
    options: ImpactOptions


def random_triple(seed: int) -> Triple:
    """The triple with this seed."""
    random = Random(f"triple {seed}")
    generator = ImpactGenerator if random.random() < 0.6 else Generator
    group = random.choice((*PROPERTY_GROUPS.values(), PROPERTY_GROUPS["reach"], ALL_PROPERTIES))
    options = ImpactOptions(
        interleaving=random.choice((*Interleaving, Interleaving.DYNAMIC)),
        force_cover=random.random() < 0.6,
        conditional_dependence=random.random() < 0.7,
        order_seed=random.randrange(1, 1000) if random.random() < 0.7 else None,
    )
    return Triple(generator(seed).program(), group, options)


def compared(triple: Triple, path: Path, max_states: int, seconds: float) -> Comparison:
    """Run both engines on a triple, whose program is written to ``path``."""
    path.write_text(triple.text)
    program = loaded(path, triple.properties)
    oracle = searched(program, triple.properties, max_states, is_reduced=False)
    if oracle is None:
        return Comparison("too large")
    violated = {key[0] for key in oracle.findings.violations}
    try:
        verdict, _ = impact(program, triple.properties, triple.options, Budget(seconds))
        problem = _evidence_problem(program, triple.properties, verdict, seconds)
    except (GaveUpError, BudgetExhaustedError):
        return Comparison("unknown")
    if problem is not None:
        return Comparison("wrong", problem)
    if isinstance(verdict, Unsafe):
        found = {trace.failure.property for trace in verdict.traces}
        if not found <= violated and not oracle.findings.gave_up:
            return Comparison("wrong", f"impact: {names(found)} violated, explore: {names(violated)}")
        return Comparison("bug")
    if isinstance(verdict, Claimed):
        if violated:
            return Comparison("wrong", f"impact: safe, explore: {names(violated)} violated")
        return Comparison("safe")
    return Comparison("unknown")


def _evidence_problem(
    program: Program, properties: frozenset[Property], verdict: Verdict[ReachabilityTree], seconds: float
) -> str | None:
    if isinstance(verdict, Claimed):
        try:
            check_reachability_tree(program, properties, verdict.proof, Budget(10 * seconds))
        except RefusedProofError as error:
            return f"refused: {error}"
    return None


def main() -> int:
    """Run a campaign; exit 1 if any law fails."""
    return run_campaign(
        "fuzz.impact", lambda seed, path, limits: compared(random_triple(seed), path, *limits)
    )


if __name__ == "__main__":
    sys.exit(main())
