"""The state properties in terms are those on concrete states: compared along random runs.

At every state of a run, the condition for its control is evaluated with the values of the state and compared
with ``StatePredicates``. Cells that the run never wrote stay variables; where the answer depends on them, the
concrete state stands for several, and nothing is compared.
"""

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import GaveUpError
from sley.frontend.load import load
from sley.logic.terms import Term
from sley.passes.inline import InlineOptions
from sley.passes.pipeline import prepare
from sley.program.instructions import End, Ending, Update
from sley.program.memory import PointerLayout
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.code import Code
from sley.semantics.machine import StateMachine
from sley.semantics.roles import InputRole
from sley.semantics.state import OVER, State, is_ended
from sley.semantics.symbolic_violations import Condition, SymbolicPredicates
from sley.semantics.violations import StatePredicates
from sley.semantics.vocabulary import HeapShape, Vocabulary
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer
from tests.properties.test_symbolic import Checker, Runner, Snapshot
from tests.textual.parser import parse_program
from tests.unit.program.random_programs import random_program

PROGRAMS = Path(__file__).parents[2] / "programs"

FIRST = PointerLayout().first_object
"""The number of the first global."""

STATE_PROPERTIES = frozenset({Property.RACE, Property.DEADLOCK, Property.LEAK})
"""Without the others, wrong accesses cut the run."""


class Valuation(Checker):
    """Concrete values for the variables of a vocabulary."""

    def of(self, vocabulary: Vocabulary, state: State) -> dict[Term, Term]:
        """The variables that have one value in the state, as constants."""
        at = Snapshot(tuple(state.cells), dict(state.blocks), list(state.threads), state.detached, {})
        t, nobody = vocabulary.terms, -1
        values = self._values(vocabulary, nobody, at)
        return {v: t.const(value, t.sort(v)) for v, value in values.items() if value is not None}


class Comparison:
    """Compares the two definitions on the states of one run; ``seen`` counts the answers."""

    def __init__(self, program: Program, seed: int) -> None:
        self.rng = random.Random(seed)
        self.runner = Runner(program, self.rng)
        self.code: Code = self.runner.code
        self.terms = program.terms
        self.machine = StateMachine(program, is_compiled=False)
        self.concrete = StatePredicates(self.code, self.runner.interpreter)
        self.valuation = Valuation(self.code, self.rng)
        self.functions = [program.entry]
        self.seen: Counter[tuple[str, str]] = Counter()

    def walk(self, steps: int) -> None:
        """A random run."""
        state = self.code.initial()
        for _ in range(steps):
            self.compare(state)
            able = [t for t, at in enumerate(state.threads) if not is_ended(at) and at[0] in self.code.out]
            if not able:
                break
            try:
                recording = self.runner.step(state, self.rng.choice(able))
            except GaveUpError:
                break
            if recording.outcome in OVER:
                break
            if recording.after is not None:
                state = recording.after
            for at in state.threads[len(self.functions) :]:
                self.functions.append(self.code.function_at[at[0]].name)

    def compare(self, state: State) -> None:
        """All predicates on one state."""
        control = [at[0] for at in state.threads]
        if any(location in self.code.errors for location in control):
            return
        vocabulary = self._vocabulary(state)
        predicates = SymbolicPredicates(vocabulary)
        values = self.valuation.of(vocabulary, state)
        self._race(predicates, control, values, state)
        self._stuck(predicates, control, values, state)
        cycle = predicates.wait_cycle(control)
        self._expect("wait cycle", cycle, values, is_so=bool(self.concrete.wait_cycle(state)))
        for thread, location in enumerate(control):
            self._leak(predicates, control, values, state, thread=thread, location=location)

    def _race(
        self, predicates: SymbolicPredicates, control: list[int], values: dict[Term, Term], state: State
    ) -> None:
        try:
            race = self.concrete.race(state)
        except GaveUpError:
            return
        found = predicates.race(control)
        if race is None and any(self._may_fail(location) for location in control):
            return  # in terms, one that fails counts as a write: a race too many, never one less
        holds = self.terms.or_(*(condition.holds for _, _, condition in found))
        unknown = self.terms.or_(*(condition.unknown for _, _, condition in found))
        self._expect("race", Condition(holds, unknown), values, is_so=race is not None)
        if race is not None:
            assert {race.first, race.second} in [{first, second} for first, second, _ in found]

    def _may_fail(self, location: int) -> bool:
        """Whether a compare-exchange comes next, or in the section that does."""
        following = (edge.instruction for edge in self.code.section(location))
        return any(isinstance(one, Update) and one.success is not None for one in following)

    def _stuck(
        self, predicates: SymbolicPredicates, control: list[int], values: dict[Term, Term], state: State
    ) -> None:
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        try:
            can_step = any(
                not successor.is_spurious
                for thread in running
                for successor in self.machine.successors(state, thread)
            )
        except GaveUpError:
            return
        stuck = predicates.stuck(control)
        if stuck is None:
            assert can_step or not running
        else:
            self._expect("stuck", stuck, values, is_so=not can_step)

    def _leak(
        self,
        predicates: SymbolicPredicates,
        control: list[int],
        values: dict[Term, Term],
        state: State,
        *,
        thread: int,
        location: int,
    ) -> None:
        if location not in self.code.out or not isinstance(action := self.code.action(location), End):
            return
        condition = predicates.leak(control, thread)
        if action.ending is Ending.ABORT:
            assert condition == (self.terms.false, self.terms.false)
            return
        leaked = bool(self.concrete.leaked(state, thread))
        if self.concrete.knows_frames(state, thread):
            self._expect("leak", condition, values, is_so=leaked)
        else:
            assert condition.holds == self.terms.false
            self._expect("leak?", Condition(condition.unknown, self.terms.false), values, is_so=leaked)

    def _expect(self, name: str, condition: Condition, values: dict[Term, Term], *, is_so: bool) -> None:
        unknown = self._truth(condition.unknown, values)
        holds = self._truth(condition.holds, values)
        if unknown is True:
            self.seen[name, "unknown"] += 1
        elif unknown is None or holds is None:
            self.seen[name, "open"] += 1
        else:
            assert holds == is_so, name
            self.seen[name, "yes" if is_so else "no"] += 1

    def _truth(self, term: Term, values: dict[Term, Term]) -> bool | None:
        """Whether the term is true for some inputs; None if it depends on contents that nobody wrote."""
        left = self.terms.substitute(term, values)
        if not self.terms.has_variables(left):
            return self.terms.value(left) is True
        if not all(isinstance(self.terms.symbol(v), InputRole) for v in self.terms.variables(left)):
            return None
        solver = make_solver("z3", self.terms)
        solver.add(left)
        return solver.check() is SolverAnswer.SAT

    def _vocabulary(self, state: State) -> Vocabulary:
        """The vocabulary of a state: blocks may have room to spare, and one of them is dead."""
        layouts = self.code.memory_map.layouts
        heap = {
            number: HeapShape(layouts[block.layout].layout, block.size + self.rng.choice((0, 0, 7, 24)))
            for number, block in state.blocks.items()
            if number >= self.code.memory_map.heap_base
        }
        if heap:
            dead = max(heap) + 1
            heap[dead] = HeapShape(heap[dead - 1].layout, 16)
        return Vocabulary(self.code, self.functions, heap)


def compared(program: Program, seeds: range, steps: int) -> Counter[tuple[str, str]]:
    """How often which answer was seen in runs of a program."""
    seen: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        comparison = Comparison(program, seed)
        comparison.walk(steps)
        seen += comparison.seen
    return seen


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    properties = ALL_PROPERTIES if seed % 2 else STATE_PROPERTIES
    program = prepare(random_program(seed), properties, inlining=InlineOptions(recursion_bound=1))
    compared(program, range(seed, seed + 1), 40)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("race/bit_fields", ("race", "yes")),
        ("race/bit_fields_apart", ("race", "no")),
        ("race/elements_overlap", ("race", "yes")),
        ("race/atomic_section_and_plain", ("race", "yes")),
        ("race/byte_inside_word", ("race", "yes")),
        ("deadlock/lock_order", ("wait cycle", "yes")),
        ("deadlock/relock", ("wait cycle", "yes")),
        ("deadlock/mutex_in_heap", ("wait cycle", "no")),
        ("deadlock/join_cycle_while_spinning", ("wait cycle", "yes")),
        ("deadlock/join_detached", ("wait cycle", "no")),
        ("deadlock/semaphore_never_posted", ("stuck", "yes")),
        ("conditions/lost_wakeup", ("stuck", "yes")),
        ("freeing/in_section", ("race", "yes")),
        ("freeing/neighbours", ("race", "no")),
        ("freeing/realloc_while_read", ("race", "yes")),
        ("freeing/section_reads", ("race", "yes")),
        ("freeing/used_again", ("race", "no")),
        ("conditions/semaphores", ("stuck", "no")),
        ("verifier/atomic_section_blocked", ("stuck", "yes")),
        ("memory/leak", ("leak", "yes")),
        ("memory/linked_list", ("leak", "no")),
        ("threads/result_forgotten", ("leak", "yes")),
    ],
)
@pytest.mark.parametrize("properties", [ALL_PROPERTIES, STATE_PROPERTIES], ids=["all", "state"])
def test_c_programs(name: str, answer: tuple[str, str], properties: frozenset[Property]) -> None:
    program = prepare(load([PROGRAMS / f"{name}.c"], keeps_frames=True), properties)
    assert compared(program, range(8), 60)[answer]


def two_threads(worker: str, main: str = "", declarations: str = "") -> Program:
    """main creates a worker, and then does what it does from location 1 on."""
    return parse_program(f"""program lp64
global x : i32 = 5
global y : i32 = 0
global p : i64 pointer = 0
global mutex : i32 = 0
{declarations}
thread main() -> i32 {{
  reg h : i64
  reg t : i32
  reg q : i64
  entry 0 exit 19
  0 -> 1 : create h, worker()
  {main}
}}
thread worker() -> i64 {{
  reg a : i32
  reg b : i32
  reg q : i64
  reg flag : bool
  entry 20 exit 40
  {worker}
}}
""")


WRITES_X = "1 -> 2 : store x, 1:i32\n  2 -> 19 : end return"
WAITS = "1 -> 2 : join h\n  2 -> 19 : end return"

SECTIONS_THAT_RACE = {
    "address loaded inside": """20 -> 21 : store p, &x
  21 -> 22 : atomic_begin
  22 -> 23 : load q, p
  23 -> 24 : load a, *q
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "address stored and loaded inside": """20 -> 21 : atomic_begin
  21 -> 22 : store p, &x
  22 -> 23 : load q, p
  23 -> 24 : store *q, 7:i32
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "cut after the access": """20 -> 21 : atomic_begin
  21 -> 22 : load a, x
  22 -> 23 : load q, p
  23 -> 24 : load b, *q
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "faulty after the access": """20 -> 21 : atomic_begin
  21 -> 22 : load a, x
  22 -> 23 : load q, p
  23 -> 24 : load b, *q
  23 -> 39 : fault load b, *q
  24 -> 25 : atomic_end
  25 -> 40 : exit
  error 39 : deref null "null" """,
    "for some input": """20 -> 21 : atomic_begin
  21 -> 22 : havoc a, input
  22 -> 23 : assume (= a 77:i32)
  22 -> 24 : assume (not (= a 77:i32))
  23 -> 24 : load b, x
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "beside a new block": """20 -> 21 : atomic_begin
  21 -> 22 : allocate q, 8:i64, i32
  22 -> 23 : store *q, 4:i32
  23 -> 24 : load a, *q
  24 -> 25 : assume (= a 4:i32)
  24 -> 26 : assume (not (= a 4:i32))
  25 -> 26 : load b, x
  26 -> 27 : atomic_end
  27 -> 40 : exit""",
    "beside a new thread": """20 -> 21 : atomic_begin
  21 -> 22 : create q, worker()
  22 -> 23 : assume (= q 3:i64)
  22 -> 24 : assume (not (= q 3:i64))
  23 -> 24 : load b, x
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "in a loop": """20 -> 21 : atomic_begin
  21 -> 22 : a := 0:i32
  22 -> 23 : assume (bvult a 3:i32)
  22 -> 24 : assume (not (bvult a 3:i32))
  23 -> 22 : a := (bvadd a 1:i32)
  24 -> 25 : assume (= a 3:i32)
  25 -> 26 : load b, x
  26 -> 27 : atomic_end
  27 -> 40 : exit""",
}


@pytest.mark.parametrize("worker", SECTIONS_THAT_RACE.values(), ids=SECTIONS_THAT_RACE)
def test_sections_that_race(worker: str) -> None:
    seen = compared(two_threads(worker, WRITES_X), range(6), 8)
    assert seen["race", "yes"]
    assert seen["race", "no"]
    assert not seen["race", "unknown"]


SECTIONS_THAT_DO_NOT_RACE = {
    "on the path not taken": """20 -> 21 : atomic_begin
  21 -> 22 : load a, y
  22 -> 23 : assume (= a 1:i32)
  22 -> 24 : assume (not (= a 1:i32))
  23 -> 24 : load b, x
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "blocked after the access": """20 -> 21 : atomic_begin
  21 -> 22 : load b, x
  22 -> 23 : load a, y
  23 -> 24 : await (= a 1:i32)
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "through another address": """20 -> 21 : atomic_begin
  21 -> 22 : store p, &y
  22 -> 23 : load q, p
  23 -> 24 : store *q, 7:i32
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
}


@pytest.mark.parametrize("worker", SECTIONS_THAT_DO_NOT_RACE.values(), ids=SECTIONS_THAT_DO_NOT_RACE)
def test_sections_that_do_not_race(worker: str) -> None:
    seen = compared(two_threads(worker, WRITES_X), range(6), 8)
    assert seen["race", "no"]
    assert not seen["race", "yes"] + seen["race", "unknown"]


@pytest.mark.parametrize(
    ("main", "worker", "is_race"),
    [
        ("store x+2, 1:i8", "store x bytes 0 4, 1:i8", True),
        ("store x+2, 1:i8", "store x, 1:i8", False),
        ("store x+2, 1:i8", "store x bytes 0 2, 1:i8", False),
        ("store x, 1:i8", "store x bytes 2 3, 1:i8", False),
        ("store mutex, 0:i32", "lock mutex", True),
        ("store mutex @seq_cst, 0:i32", "lock mutex", False),
        ("load t, x", "load a, x", False),
        ("load t, x", "store x @relaxed, 1:i32", True),
    ],
)
def test_pairs_of_accesses(main: str, worker: str, is_race: bool) -> None:
    program = two_threads(
        f"20 -> 21 : {worker}\n  21 -> 40 : exit", f"1 -> 2 : {main}\n  2 -> 19 : end return"
    )
    assert bool(compared(program, range(6), 8)["race", "yes"]) == is_race


@pytest.mark.parametrize(
    ("worker", "is_race"),
    [
        ("22 -> 39 : free q", True),
        ("22 -> 39 : load b, *(bvadd q 4:i64)", True),
        ("22 -> 39 : load b, *(bvadd q 8:i64)", False),
        ("22 -> 39 : free (bvadd q 4:i64)", False),
        ("22 -> 39 : load b, *(bvadd q 4:i64) @seq_cst", True),
        ("22 -> 24 : atomic_begin\n  24 -> 25 : free q\n  25 -> 39 : atomic_end", True),
        ("22 -> 24 : atomic_begin\n  24 -> 25 : load b, *q\n  25 -> 39 : atomic_end", True),
        ("22 -> 24 : atomic_begin\n  24 -> 25 : load b, x\n  25 -> 39 : atomic_end", False),
    ],
)
def test_who_frees_accesses_all_bytes_of_the_block(worker: str, is_race: bool) -> None:
    lines = ("allocate q, 8:i64, i32", "store p @seq_cst, q", "free q", "exit 0:i32")
    main = "\n  ".join(f"{at} -> {at + 1} : {line}" for at, line in enumerate(lines, 1))
    worker = (
        f"20 -> 21 : load q, p @seq_cst\n  21 -> 22 : assume (not (= q 0:i64))\n  {worker}\n  39 -> 40 : exit"
    )
    counts = compared(two_threads(worker, main), range(20), 20)
    assert bool(counts["race", "yes"]) is is_race


def test_a_section_does_not_race_with_atomic_accesses() -> None:
    main = "1 -> 2 : store x @seq_cst, 1:i32\n  2 -> 19 : end return"
    seen = compared(two_threads(SECTIONS_THAT_RACE["address loaded inside"], main), range(6), 8)
    assert seen["race", "no"]
    assert not seen["race", "yes"]


SECTION_THAT_GIVES_UP = """20 -> 21 : atomic_begin
  21 -> 22 : load a, x
  22 -> 23 : load b, y
  23 -> 24 : assume (= b 1:i32)
  23 -> 25 : assume (not (= b 1:i32))
  24 -> 40 : give_up "beyond us"
  25 -> 26 : atomic_end
  26 -> 40 : exit"""


def test_giving_up_is_unknown_and_only_where_it_matters() -> None:
    program = two_threads(SECTION_THAT_GIVES_UP, WRITES_X)
    vocabulary = Vocabulary(Code(program), ["main", "worker"])
    ((_, _, condition),) = SymbolicPredicates(vocabulary).race((1, 20))
    (y,) = vocabulary.cells(vocabulary.instances[FIRST + 1])
    assert vocabulary.terms.evaluate(condition.unknown, {y: 1}) is True
    assert vocabulary.terms.evaluate(condition.unknown, {y: 0}) is False
    assert vocabulary.terms.evaluate(condition.holds, {y: 0}) is True
    elsewhere = SymbolicPredicates(vocabulary).race((2, 20))
    assert elsewhere == []


BLOCKED = {
    "lock": "20 -> 21 : lock mutex\n  21 -> 22 : lock mutex\n  22 -> 39 : exit",
    "lock inside": """20 -> 21 : lock mutex
  21 -> 22 : atomic_begin
  22 -> 23 : lock mutex
  23 -> 24 : atomic_end
  24 -> 40 : exit""",
    "assumption inside": """20 -> 21 : atomic_begin
  21 -> 22 : load a, y
  22 -> 23 : assume (= a 1:i32)
  23 -> 24 : atomic_end
  24 -> 40 : exit""",
    "spurious": """20 -> 21 : load a, y
  21 -> 22 : await (= a 1:i32) spurious
  22 -> 20 : fence seq_cst full""",
    "spurious inside": """20 -> 21 : atomic_begin
  21 -> 22 : load a, y
  22 -> 23 : await (= a 1:i32) spurious
  23 -> 24 : atomic_end
  24 -> 20 : fence seq_cst full""",
    "join inside, whatever the input": """20 -> 21 : atomic_begin
  21 -> 22 : havoc flag, input
  22 -> 23 : assume flag
  22 -> 23 : assume (not flag)
  23 -> 24 : join self
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
}


@pytest.mark.parametrize("worker", BLOCKED.values(), ids=BLOCKED)
def test_blocked(worker: str) -> None:
    seen = compared(two_threads(worker, WAITS), range(6), 10)
    assert seen["stuck", "yes"]
    assert not seen["stuck", "unknown"]


NOT_BLOCKED = {
    "cut inside": """20 -> 21 : atomic_begin
  21 -> 22 : load q, p
  22 -> 23 : load a, *q
  23 -> 24 : await (= a 1:i32)
  24 -> 25 : atomic_end
  25 -> 40 : exit""",
    "by one input": """20 -> 21 : atomic_begin
  21 -> 22 : havoc flag, input
  22 -> 23 : assume flag
  22 -> 24 : assume (not flag)
  23 -> 25 : await (= 0:i32 1:i32)
  24 -> 25 : fence seq_cst full
  25 -> 26 : atomic_end
  26 -> 20 : fence seq_cst full""",
    "by the other input": """20 -> 21 : atomic_begin
  21 -> 22 : havoc flag, input
  22 -> 23 : await flag
  23 -> 24 : atomic_end
  24 -> 20 : fence seq_cst full""",
    "lock of no memory": "20 -> 21 : load q, p\n  21 -> 22 : lock *q\n  22 -> 39 : exit",
}


@pytest.mark.parametrize("worker", NOT_BLOCKED.values(), ids=NOT_BLOCKED)
def test_not_blocked(worker: str) -> None:
    seen = compared(two_threads(worker, WAITS), range(6), 10)
    assert seen["stuck", "no"]
    assert not seen["stuck", "yes"] + seen["stuck", "unknown"]


NEEDS_AN_INPUT = """20 -> 21 : atomic_begin
  21 -> 22 : havoc a, input
  22 -> 23 : load b, y
  23 -> 24 : await (and (= a 77:i32) (= b 0:i32))
  24 -> 25 : atomic_end
  25 -> 40 : exit"""


def test_whether_some_input_unblocks_is_unknown_unless_the_rest_decides() -> None:
    program = two_threads(NEEDS_AN_INPUT, WAITS)
    vocabulary = Vocabulary(Code(program), ["main", "worker"])
    stuck = SymbolicPredicates(vocabulary).stuck((-3, 20))
    assert stuck is not None
    (y,) = vocabulary.cells(vocabulary.instances[FIRST + 1])
    answers = [
        (vocabulary.terms.evaluate(stuck.holds, {y: n}), vocabulary.terms.evaluate(stuck.unknown, {y: n}))
        for n in (0, 1)
    ]
    assert answers == [(False, True), (True, False)]


def test_nothing_is_unknown_where_another_thread_surely_steps() -> None:
    program = two_threads(NEEDS_AN_INPUT, "1 -> 2 : lock mutex\n  2 -> 19 : end return")
    vocabulary = Vocabulary(Code(program), ["main", "worker"])
    stuck = SymbolicPredicates(vocabulary).stuck((1, 20))
    assert stuck is not None
    y, mutex = (vocabulary.cell(vocabulary.instances[FIRST + i], 0) for i in (1, 3))
    assert vocabulary.terms.evaluate(stuck.unknown, {y: 0, mutex: 0}) is False
    assert vocabulary.terms.evaluate(stuck.unknown, {y: 0, mutex: 1}) is True


def test_the_control_says_who_runs() -> None:
    vocabulary = Vocabulary(Code(two_threads(BLOCKED["lock"], WAITS)), ["main", "worker"])
    stuck = SymbolicPredicates(vocabulary).stuck((1, 21))
    assert stuck is not None
    names = [vocabulary.terms.name(v) for v in vocabulary.terms.variables(stuck.holds)]
    assert sorted(names) == ["#0.!detached", "#0.h", "#1.!detached", f"@{FIRST + 3}.0"]


def test_nobody_is_stuck_where_somebody_runs_or_nobody_is_left() -> None:
    program = two_threads(BLOCKED["lock"], WRITES_X)
    predicates = SymbolicPredicates(Vocabulary(Code(program), ["main", "worker"]))
    assert predicates.stuck((1, 21)) is None
    assert predicates.stuck((None, -2)) is None
    assert predicates.stuck((None, 21)) is not None


LOCK_BY_POINTER = """20 -> 21 : store p, &mutex
  21 -> 22 : load q, p
  22 -> 23 : lock *q
  23 -> 24 : lock *q
  24 -> 40 : exit"""


def test_locks_by_pointer() -> None:
    program = two_threads(LOCK_BY_POINTER, WAITS)
    seen = compared(program, range(6), 10)
    assert seen["wait cycle", "yes"]
    assert seen["stuck", "yes"]
    vocabulary = Vocabulary(Code(program), ["main", "worker"])
    predicates = SymbolicPredicates(vocabulary, targets=lambda edge, address: [])
    (q,) = [r for r in vocabulary.threads[1].registers if r.name == "q"]
    place = {vocabulary.register(1, q): vocabulary.address(FIRST + 3)}
    t = vocabulary.terms
    stuck = predicates.stuck((None, 23))
    assert stuck is not None
    assert t.substitute(stuck.unknown, place) == t.true
    assert t.substitute(predicates.wait_cycle((None, 23)).unknown, place) == t.true


def test_no_lock_is_held_where_there_is_no_memory() -> None:
    worker = "20 -> 21 : lock mutex\n  21 -> 22 : q := 0:i64\n  22 -> 23 : load b, x\n  23 -> 24 : lock *q"
    seen = compared(two_threads(worker + "\n  24 -> 40 : exit", WAITS), range(6), 8)
    assert seen["wait cycle", "no"]
    assert not seen["wait cycle", "yes"]


CHAIN = """program lp64
global head : i64 pointer = 0
thread main() -> i32 {{
  reg a : i64
  reg b : i64
  reg c : i64
  reg flag : bool
  entry 0 exit 19
  0 -> 1 : allocate a, 16:i64, i64
  1 -> 2 : allocate b, 16:i64, i64
  2 -> 3 : allocate c, 8:i64, i64 zeroed
  3 -> 4 : store *a, b
  4 -> 5 : store *(bvadd a 8:i64), 0:i64
  5 -> 6 : store *b, c
  6 -> 7 : store *(bvadd b 8:i64), {last}
  7 -> 8 : havoc flag, input
  8 -> 9 : assume flag
  8 -> 10 : assume (not flag)
  9 -> 10 : store head, a
  10 -> 19 : end return
}}
"""


@pytest.mark.parametrize("last", ["0:i64", "a"], ids=["list", "cycle"])
def test_blocks_that_refer_to_each_other(last: str) -> None:
    """Reachable through two others, or in a cycle that nobody reaches; nothing beyond a size counts."""
    seen = compared(parse_program(CHAIN.format(last=last)), range(20), 12)
    assert seen["leak", "yes"]
    assert seen["leak", "no"]
    assert not seen["leak", "open"]


KEPT = """program lp64
global head : i64 pointer = 0
thread main() -> i32 {{
  local box : i64 pointer
  reg a : i64
  entry 0 exit 19
  0 -> 1 : enter box
  1 -> 2 : allocate a, 8:i64, i64 zeroed
  2 -> 3 : store box, a
  {rest}
}}
"""


@pytest.mark.parametrize(
    ("rest", "answer"),
    [
        ("3 -> 19 : end return", ("leak", "yes")),
        ("3 -> 19 : end exit", ("leak?", "no")),
        ("3 -> 4 : store head, &box\n  4 -> 19 : end return", ("leak", "no")),
        ("3 -> 4 : store head, &box\n  4 -> 5 : leave box\n  5 -> 19 : end return", ("leak", "yes")),
        ("3 -> 4 : free a\n  4 -> 19 : end return", ("leak", "no")),
    ],
    ids=["returned", "exit", "reached", "dead", "freed"],
)
def test_what_a_local_object_keeps(rest: str, answer: tuple[str, str]) -> None:
    assert set(compared(parse_program(KEPT.format(rest=rest)), range(4), 8)) >= {answer}


def test_the_result_of_a_thread_keeps_a_block() -> None:
    worker = "20 -> 21 : allocate q, 8:i64, i64 zeroed\n  21 -> 40 : exit q"
    main = "1 -> 2 : fence seq_cst full\n  2 -> 3 : store x, 1:i32\n  3 -> 19 : end return"
    seen = compared(two_threads(worker, main), range(12), 8)
    assert seen["leak", "no"]
    assert not seen["leak", "yes"]


def test_an_abort_loses_nothing() -> None:
    program = two_threads("20 -> 40 : exit", "1 -> 19 : end abort")
    assert compared(program, range(2), 4)["wait cycle", "no"]


def test_room_to_spare_refers_to_nothing() -> None:
    rest = "3 -> 4 : store head, a\n  4 -> 5 : allocate a, 8:i64, i64 zeroed\n  5 -> 19 : end return"
    seen = compared(parse_program(KEPT.format(rest=rest)), range(12), 8)
    assert seen["leak", "yes"]
    assert not seen["leak", "open"]


def test_a_section_that_reads_does_not_race_with_reads() -> None:
    main = "1 -> 2 : load t, x\n  2 -> 3 : store x @relaxed, t\n  3 -> 19 : end return"
    seen = compared(two_threads(SECTIONS_THAT_RACE["address loaded inside"], main), range(6), 8)
    assert seen["race", "no"]
    assert not seen["race", "yes"]


def test_places_that_are_no_targets_are_unknown() -> None:
    program = two_threads(SECTIONS_THAT_RACE["address loaded inside"], WRITES_X)
    vocabulary = Vocabulary(Code(program), ["main", "worker"])
    predicates = SymbolicPredicates(vocabulary, targets=lambda edge, address: [])
    ((_, _, condition),) = predicates.race((1, 21))
    pointer = vocabulary.cell(vocabulary.instances[FIRST + 2], 0)
    place = {pointer: vocabulary.address(FIRST)}
    assert vocabulary.terms.substitute(condition.unknown, place) == vocabulary.terms.true


ENDLESS = """20 -> 21 : atomic_begin
  21 -> 22 : load b, x
  22 -> 23 : a := (bvadd a 1:i32)
  23 -> 22 : assume (not (= a b))
  23 -> 24 : assume (= a b)
  24 -> 25 : atomic_end
  25 -> 40 : exit"""


def test_what_is_too_long_is_unknown() -> None:
    vocabulary = Vocabulary(Code(two_threads(ENDLESS, WRITES_X)), ["main", "worker"])
    ((_, _, condition),) = SymbolicPredicates(vocabulary).race((1, 20))
    assert condition.unknown != vocabulary.terms.false
