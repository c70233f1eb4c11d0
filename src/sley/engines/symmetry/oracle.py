"""Which valuations of a step are possible, by the solver: what is not is a learned clause."""

from sley.base.budget import Budget
from sley.engines.symmetry.abstraction import Abstraction, Meaning
from sley.engines.symmetry.machine import BooleanMachine, MachineStep
from sley.engines.symmetry.thresholds import ORACLE_SECONDS
from sley.evidence.symmetric.boolean_program import NEW
from sley.evidence.symmetric.proof import Cube
from sley.logic.terms import Term
from sley.solvers.port import Solver, SolverAnswer


class SolverOracle:
    """Judges valuations by the meaning of their bits; a learned clause is a minimised unsatisfiable core."""

    def __init__(
        self, abstraction: Abstraction, solver: Solver, budget: Budget, *, knows_passives: bool = True
    ) -> None:
        self.knows_passives = knows_passives
        """Whether anything is refused because of a passive thread."""
        self.abstraction = abstraction
        self.solver = solver
        self.budget = budget
        self.terms = abstraction.terms
        self.machine: BooleanMachine | None = None
        self.queries = 0
        self.learned = 0
        """How many clauses were learned that refine a transition."""
        self._models: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        """Possible valuations, by step and other threads."""

    def is_possible(self, step: MachineStep, others: tuple[str, ...], cube: Cube) -> bool:
        """Whether a valuation in the cube is known to be possible."""
        mask, value = cube
        return any(model & mask == value for model in self._models.get((step.number, others), ()))

    def judge(self, step: MachineStep, role: str, cube: Cube, wanted: int) -> int | Cube:
        """A possible valuation in the cube, or a part of it that no possible valuation is in."""
        if role not in ("", NEW) and not self.knows_passives:
            return cube.value
        found = self.ask(step, (role,) if role else (), cube, wanted)
        if isinstance(found, Cube):
            self.learned += 1
        return found

    def relevant(self, step: MachineStep, role: str) -> int:
        """The bits whose variables have to do with the step: its guard, what it changes, and so on."""
        assert self.machine is not None
        others = (role,) if role else ()
        meaning = self.abstraction.meaning(self.machine, step, others)
        free = free_bits(self.machine, step, others)
        variables = {bit: set(self.terms.variables(term)) for bit, term in meaning.bits.items()}
        parts = [set(self.terms.variables(part)) for part in meaning.context]
        seen: set[Term] = set().union(*parts[: len(self.abstraction.transitions[step.number].guard)])
        seen = seen.union(*(variables[bit] for bit in meaning.bits if bit & free))
        waiting = [*variables.values(), *parts]
        while more := [part for part in waiting if part & seen]:
            waiting = [part for part in waiting if not part & seen]
            seen = seen.union(*more)
        return sum(bit for bit, mentioned in variables.items() if mentioned & seen)

    def ask(self, step: MachineStep, others: tuple[str, ...], cube: Cube, wanted: int = 0) -> int | Cube:
        """As ``judge``, for any number of passive threads; -1 wants all bits."""
        assert self.machine is not None
        meaning = self.abstraction.meaning(self.machine, step, others)
        literals = self.abstraction.literals(meaning, cube)
        for bit, term in literals.items():
            if term == self.terms.false:
                return Cube(bit, cube.value & bit)
        asked = {term: bit for bit, term in literals.items() if term != self.terms.true}
        solver = self.solver
        self.queries += 1
        self.budget.spend()
        answer = solver.check(*meaning.context, *asked, time_limit=ORACLE_SECONDS)
        if answer is SolverAnswer.UNSAT:
            core = self._minimised(meaning, [term for term in solver.core() if term in asked])
            mask = sum(asked[term] for term in core)
            return Cube(mask, cube.value & mask)
        if answer is SolverAnswer.UNKNOWN:
            return cube.value  # cannot tell: possible
        valuation = cube.value
        rest = wanted & ~cube.mask
        bits = {bit: term for bit, term in meaning.bits.items() if bit & rest}
        values = solver.values(dict.fromkeys(bits.values()))
        for bit, term in bits.items():
            if values[term]:
                valuation |= bit
        if wanted == -1:
            self._models.setdefault((step.number, others), []).append(valuation)
        return valuation

    def _minimised(self, meaning: Meaning, core: list[Term]) -> list[Term]:
        for term in tuple(core):
            if term in core and self._is_refuted(meaning, [other for other in core if other != term]):
                found = self.solver.core()
                core = [other for other in core if other in found and other != term]
        return core

    def _is_refuted(self, meaning: Meaning, literals: list[Term]) -> bool:
        self.queries += 1
        return self.solver.check(*meaning.context, *literals, time_limit=ORACLE_SECONDS) is SolverAnswer.UNSAT


def first_clauses(oracle: SolverOracle, machine: BooleanMachine, longest: int) -> None:
    """The initial abstraction: what single bits after a step must be, given cubes of at most this length.

    Length 0 is the paper's improved initial abstraction: preconditions that are constant or a tracked
    predicate (or its opposite). For copies of passive threads the precondition is over *their* variables.
    """
    for step in machine.steps:
        _learn_bits(oracle, machine, step, (), longest)
        if step.creates is not None:
            _learn_bits(oracle, machine, step, (NEW,), longest)
        for number, changed in enumerate(step.everywhere if oracle.knows_passives else ()):
            template = machine.templates[number]
            if changed and not (template.is_single and number == step.template):
                _learn_bits(oracle, machine, step, (template.name,), longest)


def _learn_bits(
    oracle: SolverOracle, machine: BooleanMachine, step: MachineStep, others: tuple[str, ...], longest: int
) -> None:
    """Clauses about every bit that the step changes."""
    meaning = oracle.abstraction.meaning(machine, step, others)
    terms = oracle.terms
    free = free_bits(machine, step, others)
    offsets = machine.offsets
    after = machine.shared_mask << machine.shared_bits
    after |= machine.local_mask << offsets["a", True] | machine.local_mask << offsets["p", True]
    before = [bit for bit in meaning.bits if not bit & after]
    for bit in meaning.bits:
        if not bit & free:
            continue
        wanted = meaning.bits[bit]
        for value in (0, bit):
            refuted = wanted if value else terms.not_(wanted)
            if refuted == terms.false:
                machine.forbid(step, others, Cube(bit, value))
                continue
            if longest == 0:
                for other in before:
                    for sign in (0, other):
                        literal = meaning.bits[other] if sign else terms.not_(meaning.bits[other])
                        if literal == terms.not_(refuted):
                            machine.forbid(step, others, Cube(bit | other, value | sign))
                continue
            related = [b for b in before if _are_related(oracle, meaning, b, wanted)]
            _learn_cubes(oracle, machine, step, others, Cube(bit, value), related, longest)


def _are_related(oracle: SolverOracle, meaning: Meaning, bit: int, wanted: Term) -> bool:
    variables = set(oracle.terms.variables(wanted))
    for part in meaning.context:
        mentioned = set(oracle.terms.variables(part))
        if mentioned & variables:
            variables |= mentioned
    return bool(variables & set(oracle.terms.variables(meaning.bits[bit])))


def _learn_cubes(
    oracle: SolverOracle,
    machine: BooleanMachine,
    step: MachineStep,
    others: tuple[str, ...],
    start: Cube,
    before: list[int],
    longest: int,
) -> None:
    """Extend a cube by literals before the step until it is impossible."""
    waiting = [(start, 0, 0)]
    while waiting:
        cube, first, length = waiting.pop()
        if any(not mask & ~cube.mask and cube.value & mask == value for mask, value in step.cubes(*others)):
            continue
        found = cube.value if oracle.is_possible(step, others, cube) else oracle.ask(step, others, cube, -1)
        if isinstance(found, Cube):
            oracle.learned += 1
            machine.forbid(step, others, found)
        elif length < longest:
            for i in range(first, len(before)):
                for sign in (0, before[i]):
                    longer = Cube(cube.mask | before[i], cube.value | sign)
                    waiting.append((longer, i + 1, length + 1))


def free_bits(machine: BooleanMachine, step: MachineStep, others: tuple[str, ...]) -> int:
    """The bits that are decided for the active thread and what all share, or then for another thread."""
    if not others:
        return step.shared << machine.shared_bits | step.own << machine.offsets["a", True]
    if others == (NEW,):
        return machine.local_mask << machine.offsets[NEW, True]
    number = machine.template_at[machine.program.template(others[0]).entry]
    return step.everywhere[number] << machine.offsets["p", True]
