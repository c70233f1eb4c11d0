"""Transition refinement (Sect. 4.4): clauses that forbid the spurious transitions of a trace.

A transition is spurious for some threads if no concrete step leads from a state in which these threads, and
what all share, are as the abstract state says to one in which they are as the abstract state after it says.
The active thread is tried alone, then with passive ones; the clause holds for all distinct threads.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from sley.base.budget import Budget
from sley.engines.symmetry.machine import BooleanMachine, MachineStep
from sley.engines.symmetry.oracle import SolverOracle
from sley.engines.symmetry.reachability import Configuration, TraceStep
from sley.evidence.symmetric.boolean_program import NEW, PASSIVES
from sley.evidence.symmetric.proof import Cube


class StatementRefinement:
    """Refines the statements of one Boolean program."""

    def __init__(self, machine: BooleanMachine, oracle: SolverOracle, budget: Budget) -> None:
        self.machine = machine
        self.oracle = oracle
        self.budget = budget

    def refine(self, start: Configuration, trace: Sequence[TraceStep], passives: int) -> bool:
        """Forbid all transitions that are spurious for so many passive threads; whether there are any."""
        before, found = start, False
        for entry in trace:
            self.budget.spend()
            found |= self._refine_step(before, entry, passives)
            before = entry.after
        return found

    def _refine_step(self, before: Configuration, entry: TraceStep, passives: int) -> bool:
        for others, cube in self._valuations(before, entry, passives):
            found = self.oracle.ask(entry.step, others, cube)
            if isinstance(found, Cube):
                self.oracle.learned += 1
                self.machine.forbid(entry.step, others, found)
                return True
        return False

    def _valuations(
        self, before: Configuration, entry: TraceStep, most: int
    ) -> Iterator[tuple[tuple[str, ...], Cube]]:
        """What the transition is for more and more threads."""
        machine = self.machine
        step, thread, created, after = entry
        bits = machine.local_mask
        own = before[1][thread] & bits, after[1][thread] & bits
        valuation = machine.valuation(step, (before[0], own[0]), (after[0], own[1]))
        yield (), valuation
        if created is not None:
            mask = machine.scopes[after[1][created] >> machine.local_bits]
            high = machine.offsets[NEW, True]
            yield (
                (NEW,),
                Cube(valuation.mask | mask << high, valuation.value | (after[1][created] & mask) << high),
            )
        passives = [
            i
            for i, local in enumerate(before[1])
            if i not in (thread, created) and self._matters(step, local >> machine.local_bits)
        ]
        seen: set[tuple[tuple[str, ...], Cube]] = set()
        for count in range(1, most + 1):
            for chosen in permutations(passives, count):
                found = self._with_passives(step, valuation, before, after, chosen)
                if found not in seen:
                    seen.add(found)
                    yield found

    def _matters(self, step: MachineStep, location: int) -> bool:
        """Whether what a thread at the location remembers has to do with the step."""
        machine = self.machine
        if location in machine.absent.values():
            return False
        template = machine.template_at[location]
        if template == step.template and machine.templates[template].is_single:
            return False
        relevant = self.oracle.relevant(step, machine.templates[template].name)
        return bool(relevant >> machine.offsets["p", False] & machine.scopes[location])

    def _with_passives(
        self,
        step: MachineStep,
        valuation: Cube,
        before: Configuration,
        after: Configuration,
        threads: Sequence[int],
    ) -> tuple[tuple[str, ...], Cube]:
        machine = self.machine
        mask, value = valuation
        names: list[str] = []
        for index, i in zip(PASSIVES, threads, strict=False):
            location = before[1][i] >> machine.local_bits
            template, scope = machine.template_at[location], machine.scopes[location]
            names.append(machine.templates[template].name)
            low, high = machine.offsets[index, False], machine.offsets[index, True]
            changed = step.everywhere[template] & scope
            mask |= scope << low | changed << high
            value |= (before[1][i] & scope) << low | (after[1][i] & changed) << high
        return tuple(names), Cube(mask, value)
