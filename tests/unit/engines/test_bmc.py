"""Engine ``bmc``: what formulas of events easily get wrong, its bounds, and its proofs."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.bmc import search
from sley.engines.bmc.audit import check_again
from sley.engines.bmc.cycles import pieces
from sley.engines.bmc.engine import bmc, bmc_machine, bmc_weak
from sley.engines.bmc.formula.order import Link
from sley.engines.bmc.likely.refinement import InvariantRefinement
from sley.engines.bmc.options import BmcOptions, Conflicts, Copies, Likely, OrderEncoding, Stage, Switches
from sley.engines.bmc.proof import BoundedProof
from sley.engines.bmc.thresholds import EASY
from sley.evidence.bounded.check import check_bounded
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Bounded, Claimed, Statistics, Unknown, Unsafe, Verdict
from sley.logic.terms import Term
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Property
from tests.fuzz.laws import loaded
from tests.limits import AMPLE

REACH = PROPERTY_GROUPS["reach"]
HEADER = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""

orders = pytest.mark.parametrize("order", OrderEncoding)


def program_with(tmp_path: Path, text: str, properties: frozenset[Property] = REACH) -> Program:
    path = tmp_path / "program.c"
    path.write_text(HEADER + text)
    return loaded(path, properties)


def threads(*bodies: str, main: str = "", after: str = "") -> str:
    """A program that runs these bodies at once, and ``after`` when all have ended."""
    functions = [f"void *t{n}(void *unused) {{ {body} return 0; }}\n" for n, body in enumerate(bodies)]
    numbers = range(len(bodies))
    create = " ".join(f"pthread_create(&id[{n}], 0, t{n}, 0);" for n in numbers)
    join = " ".join(f"pthread_join(id[{n}], 0);" for n in numbers)
    start = f"int main(void) {{ pthread_t id[{len(bodies)}]; {create} {main} {join} {after} return 0; }}\n"
    return "".join(functions) + start


def answer(
    program: Program, properties: frozenset[Property] = REACH, **options: object
) -> Verdict[BoundedProof]:
    """The verdict; the proof of a claim is checked."""
    verdict, _ = bmc(program, properties, BmcOptions(**options), Budget(AMPLE))  # type: ignore[arg-type]
    if isinstance(verdict, Claimed):
        check_again(program, properties, verdict.proof, Budget(AMPLE))
        check_bounded(program, properties, verdict.proof.plain, Budget(AMPLE))
    return verdict


# --- orders ------------------------------------------------------------------------------------------


@orders
def test_a_lost_update_is_found(order: OrderEncoding, tmp_path: Path) -> None:
    text = "int x;\n" + threads("x = x + 1;", "x = x + 1;", after="assert(x == 2);")
    assert isinstance(answer(program_with(tmp_path, text), order=order), Unsafe)


@orders
def test_store_buffering_needs_one_order_for_all(order: OrderEncoding, tmp_path: Path) -> None:
    text = "int x, y, a, b;\n" + threads("x = 1; a = y;", "y = 1; b = x;", after="assert(a || b);")
    assert isinstance(answer(program_with(tmp_path, text), order=order), Claimed)


@orders
def test_an_order_that_only_a_search_refutes(order: OrderEncoding, tmp_path: Path) -> None:
    """What follows from these values has no cycle, and still there is no order of the two writes to x."""
    text = "int x, y, z, a, b, c, d, e, f;\n" + threads(
        "y = 1; x = 1; a = z;",
        "z = 1; x = 2; b = y;",
        "y = 2; c = x; d = z;",
        "z = 2; e = x; f = y;",
        after="assert(!(a == 1 && b == 1 && c == 1 && d == 2 && e == 2 && f == 2));",
    )
    assert isinstance(answer(program_with(tmp_path, text), order=order), Claimed)


def test_readers_agree_on_the_order_of_writes(tmp_path: Path) -> None:
    text = "int x, a, b, c, d;\n" + threads(
        "x = 1;",
        "x = 2;",
        "a = x; b = x;",
        "c = x; d = x;",
        after="assert(!(a == 1 && b == 2 && c == 2 && d == 1));",
    )
    assert isinstance(answer(program_with(tmp_path, text)), Claimed)


# --- conditions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [0, 1])
def test_a_write_that_may_not_happen_hides_nothing(seen: int, tmp_path: Path) -> None:
    body = f"x = 0; if (__VERIFIER_nondet_bool()) x = 1; int r = x; assert(r != {seen});"
    text = "int x, y;\n" + threads(body, "y = x;")
    assert isinstance(answer(program_with(tmp_path, text)), Unsafe)


def test_a_section_that_does_not_complete_leaves_no_trace(tmp_path: Path) -> None:
    section = "__VERIFIER_atomic_begin(); x = 1; __VERIFIER_assume(y); __VERIFIER_atomic_end();"
    text = "int x, y;\n" + threads(section, "assert(x == 0);")
    assert isinstance(answer(program_with(tmp_path, text)), Claimed)


def test_a_failed_assumption_stops_its_thread_only(tmp_path: Path) -> None:
    text = "int x;\n" + threads("__VERIFIER_assume(x == 7);", "x = 1; assert(x == 2);")
    assert isinstance(answer(program_with(tmp_path, text)), Unsafe)


def test_a_failure_inside_a_section_happens(tmp_path: Path) -> None:
    section = "__VERIFIER_atomic_begin(); x = 1; assert(y == 0); __VERIFIER_atomic_end();"
    text = "int x, y;\n" + threads(section, "y = 1;")
    assert isinstance(answer(program_with(tmp_path, text)), Unsafe)


def test_giving_up_inside_a_section_needs_a_reason(tmp_path: Path) -> None:
    """What the section reads before it gives up was there."""
    text = "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nint x;\n" + threads(
        "pthread_rwlock_rdlock(&l); assert(x == 0); pthread_rwlock_unlock(&l);",
        "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l);",
    )
    assert isinstance(answer(program_with(tmp_path, text)), Claimed)


# --- other properties --------------------------------------------------------------------------------


@orders
def test_two_plain_accesses_race_although_one_reads_the_other(order: OrderEncoding, tmp_path: Path) -> None:
    text = "int x;\n" + threads("int r = x;", "x = 1;")
    properties = PROPERTY_GROUPS["race"]
    assert isinstance(answer(program_with(tmp_path, text, properties), properties, order=order), Unsafe)


@orders
def test_no_race_where_something_is_always_between(order: OrderEncoding, tmp_path: Path) -> None:
    text = "int x; _Atomic int ready;\n" + threads("x = 1; ready = 1;", "if (ready) x = 2;")
    properties = PROPERTY_GROUPS["race"]
    assert isinstance(answer(program_with(tmp_path, text, properties), properties, order=order), Claimed)


def test_a_thread_that_only_a_spurious_wake_up_helps_waits_for_good(tmp_path: Path) -> None:
    text = (
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
        + threads("pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);")
    )
    properties = PROPERTY_GROUPS["deadlock"]
    assert isinstance(answer(program_with(tmp_path, text, properties), properties), Unsafe)


@pytest.mark.parametrize(("second", "expected"), [("ba", Unsafe), ("ab", Claimed)])
def test_locks_in_opposite_orders(second: str, expected: type, tmp_path: Path) -> None:
    def body(locks: str) -> str:
        taken = " ".join(f"pthread_mutex_lock(&{lock});" for lock in locks)
        return taken + " ".join(f"pthread_mutex_unlock(&{lock});" for lock in locks)

    text = "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
    text += threads(body("ab"), body(second))
    properties = PROPERTY_GROUPS["deadlock"]
    assert isinstance(answer(program_with(tmp_path, text, properties), properties), expected)


def test_threads_that_wait_for_each_other_while_a_third_spins(tmp_path: Path) -> None:
    text = "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; _Atomic int x;\n"
    text += threads(
        "pthread_mutex_lock(&a); pthread_mutex_lock(&b);",
        "pthread_mutex_lock(&b); pthread_mutex_lock(&a);",
        "while (x == 0) ;",
    )
    properties = PROPERTY_GROUPS["deadlock"]
    assert isinstance(answer(program_with(tmp_path, text, properties), properties), Unsafe)


def test_leaks_are_not_decided(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint main(void) { void *p = malloc(4); free(p); return 0; }\n"
    properties = frozenset({Property.LEAK})
    assert isinstance(answer(program_with(tmp_path, text, properties), properties), Unknown)


def test_likely_invariants_where_nothing_can_be_wrong(tmp_path: Path) -> None:
    text = "_Atomic int x;\n" + threads("if (__VERIFIER_nondet_bool()) x = 1;", "while (x) ;")
    program = program_with(tmp_path, text)
    assert isinstance(answer(program, likely_invariants=Likely.SWITCHED, unwind=1), Bounded)


def test_a_replay_goes_its_own_way_where_that_does_not_matter(tmp_path: Path) -> None:
    body = "if (zeros == 0) low = 1; else high = 1; if (ones == 0) low = 2; else high = 2;"
    body += "zeros *= 2; ones *= 3;"
    text = "_Atomic int zeros, ones = 1, low, high;\n" + threads(body, body, after="assert(0);")
    assert isinstance(answer(program_with(tmp_path, text)), Unsafe)


def test_a_section_does_not_race_with_the_write_that_lets_it_complete(tmp_path: Path) -> None:
    section = "__VERIFIER_atomic_begin(); __VERIFIER_assume(x == 1); __VERIFIER_atomic_end();"
    properties = frozenset({Property.RACE})
    program = program_with(tmp_path, "int x;\n" + threads("x = 1;", section), properties)
    assert isinstance(answer(program, properties), Claimed)


@pytest.mark.parametrize("start", [("right", "wrong"), ("wrong", "right")])
def test_a_failure_where_one_of_two_threads_is_created(start: tuple[str, str], tmp_path: Path) -> None:
    text = f"""_Atomic int x;
        void *right(void *unused) {{ x = 1; return 0; }}
        void *wrong(void *unused) {{ assert(x); return 0; }}
        int main(void) {{
            pthread_t id;
            if (__VERIFIER_nondet_bool()) pthread_create(&id, 0, {start[0]}, 0);
            else pthread_create(&id, 0, {start[1]}, 0);
            pthread_join(id, 0);
            return 0;
        }}
        """
    assert isinstance(answer(program_with(tmp_path, text)), Unsafe)


# --- bounds ------------------------------------------------------------------------------------------


def test_a_cut_stops_its_thread_only(tmp_path: Path) -> None:
    text = "int x;\n" + threads("while (1) x++;", "assert(x < 3);")
    assert isinstance(answer(program_with(tmp_path, text)), Unsafe)


def test_loops_that_always_end_need_no_bound(tmp_path: Path) -> None:
    text = "int x;\n" + threads("for (int i = 0; i < 20; i++) x = i;", after="assert(x == 19);")
    assert isinstance(answer(program_with(tmp_path, text), unwind=1), Claimed)


def test_a_bound_that_does_not_cover_all_is_named(tmp_path: Path) -> None:
    text = "_Atomic int x;\n" + threads("while (x == 0) ;", "x = 1;")
    program = program_with(tmp_path, text)
    beyond = (f"the loop at {tmp_path / 'program.c'}:10",)
    assert answer(program, unwind=2) == Bounded("loops unrolled up to 2 times", beyond)


def test_loops_with_inputs_are_unrolled_until_they_end(tmp_path: Path) -> None:
    body = "int i = 0; while (i < 5 && __VERIFIER_nondet_bool()) i++; x = i; assert(x < 5);"
    assert isinstance(answer(program_with(tmp_path, "int x;\n" + threads(body, "int r = x;"))), Unsafe)
    body = body.replace("x < 5", "x < 6")
    assert isinstance(answer(program_with(tmp_path, "int x;\n" + threads(body, "int r = x;"))), Claimed)


# --- proofs ------------------------------------------------------------------------------------------


def proof_of(program: Program, **options: object) -> BoundedProof:
    verdict = answer(program, REACH, **options)
    assert isinstance(verdict, Claimed)
    return verdict.proof


@pytest.fixture
def proved(tmp_path: Path) -> tuple[Program, BoundedProof]:
    """A loop whose bound matters."""
    section = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);"
    loop = f"for (int i = 0; i < 2 && __VERIFIER_nondet_bool(); i++) {{ {section} }}"
    text = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    program = program_with(tmp_path, text + threads(loop, section, after="assert(x <= 3);"))
    return program, proof_of(program)


def test_a_smaller_bound_is_refused(proved: tuple[Program, BoundedProof]) -> None:
    program, proof = proved
    with pytest.raises(RefusedProofError):
        check_again(program, REACH, replace(proof, bounds=()), Budget(AMPLE))


def test_missing_cycles_are_refused(tmp_path: Path) -> None:
    text = "int x, y, z, a, b, c;\n" + threads(
        "x = 1; a = y;", "y = 1; b = z;", "z = 1; c = x;", after="assert(a || b || c);"
    )
    program = program_with(tmp_path, text)
    proof = proof_of(program, conflicts=Conflicts.LAZY)
    assert proof.cycles
    with pytest.raises(RefusedProofError):
        check_again(program, REACH, replace(proof, cycles=()), Budget(AMPLE))


@pytest.mark.parametrize(
    "cycle",
    [
        (),
        (Link(1, 2),),
        (Link(1, 2), Link(3, 1)),
        (Link(1, 2, is_next=True), Link(2, 1)),
        (Link(1, 2, is_next=True), Link(2, 3, is_next=True), Link(3, 1)),
    ],
)
def test_what_is_no_cycle_is_refused(cycle: tuple[Link, ...], proved: tuple[Program, BoundedProof]) -> None:
    program, proof = proved
    with pytest.raises(RefusedProofError):
        check_again(program, REACH, replace(proof, cycles=(*proof.cycles, cycle)), Budget(AMPLE))


# --- restrictions ------------------------------------------------------------------------------------

LOST = "int x;\n" + threads("int r = x; x = r + 1;", "int r = x; x = r + 1;", after="assert(x == 2);")
KEPT = "_Atomic int x, y;\n" + threads("x = 1; y = 1;", "int r = y, s = x; assert(!r || s);")


@pytest.mark.parametrize(("switches", "is_enough"), [(1, False), (2, False), (8, True)])
def test_a_context_bound_leaves_out_runs_with_more_switches(
    switches: int,
    is_enough: bool,
    tmp_path: Path,
) -> None:
    found = answer(program_with(tmp_path, LOST), context_bound=switches)
    assert isinstance(found, Unsafe if is_enough else Bounded)


def test_with_a_context_bound_nothing_is_safe(tmp_path: Path) -> None:
    assert isinstance(answer(program_with(tmp_path, KEPT), context_bound=50), Bounded)


NOTHING_IN_SLICE = "nothing was found in the slice of one run, and nothing else was tried"


def test_the_slice_of_a_run_has_bugs_and_no_proofs(tmp_path: Path) -> None:
    assert isinstance(answer(program_with(tmp_path, LOST), slice_of_run=1), Unsafe)
    assert answer(program_with(tmp_path, KEPT), slice_of_run=1) == Unknown(NOTHING_IN_SLICE)


def test_a_slice_leaves_out_what_the_run_did_not_do(tmp_path: Path) -> None:
    """Only some runs take the branch with the failing assertion."""
    text = "int x;\n" + threads("if (x == 3) { x = 2; assert(0); }", "x = 3;")
    program = program_with(tmp_path, text)
    assert isinstance(answer(program), Unsafe)
    found = [answer(program, slice_of_run=seed) for seed in range(8)]
    assert {type(verdict) for verdict in found} == {Unsafe, Unknown}
    assert {one.reason for one in found if isinstance(one, Unknown)} == {NOTHING_IN_SLICE}


@pytest.mark.parametrize("seed", range(6))
def test_a_slice_has_no_part_of_steps_that_turned_out_to_be_impossible(seed: int, tmp_path: Path) -> None:
    """The first thread tries its section, loop and all, until the second one is done."""
    waiting = "atomic_begin(); for (int i = 0; i < 2; i++) x++; assume(y); atomic_end();"
    text = "int x; _Atomic int y;\n" + threads(waiting, "for (int i = 0; i < 3; i++) y = i == 2;")
    text = text.replace("atomic_", "__VERIFIER_atomic_").replace("assume", "__VERIFIER_assume")
    assert answer(program_with(tmp_path, text), slice_of_run=seed) == Unknown(NOTHING_IN_SLICE)


@pytest.mark.parametrize("easy", [0, EASY])
@pytest.mark.parametrize("mode", [Likely.REFINE, Likely.SWITCHED, Likely.HINTS])
def test_likely_invariants_change_no_answer(
    mode: Likely, easy: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "EASY", easy)
    assert isinstance(answer(program_with(tmp_path, LOST), likely_invariants=mode), Unsafe)
    assert isinstance(answer(program_with(tmp_path, KEPT), likely_invariants=mode), Claimed)


PUBLISHED = (
    "int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "int read(int *p) { pthread_mutex_lock(&m); int r = *p; pthread_mutex_unlock(&m); return r; }\n"
    "void set(int *p, int v) { pthread_mutex_lock(&m); *p = v; pthread_mutex_unlock(&m); }\n"
) + threads(
    "while (read(&y) < 3) { int a = read(&y); set(&y, a + 1);"
    "a = read(&x); int b = read(&y); set(&x, a + b); }",
    "while (read(&y) < 3) { } int t = read(&y), a = read(&x), b = read(&y);"
    "set(&y, a + b); assert(read(&y) == t + read(&x));",
)
"""The example of the work on likely data-flow invariants (its Fig. 1), for NUM = 3."""


@pytest.mark.parametrize(
    "options",
    [
        {"likely_invariants": Likely.REFINE},
        {"likely_invariants": Likely.REFINE, "switches": Switches.PLACES},
        {"likely_invariants": Likely.DIRECT},
        {"context_bound": 6},
    ],
    ids=["refine", "refine places", "direct", "context bound"],
)
def test_the_published_example_is_unrolled_as_far_as_its_bug(
    options: dict[str, object], tmp_path: Path
) -> None:
    assert isinstance(answer(program_with(tmp_path, PUBLISHED), REACH, **options), Unsafe)


def test_refinement_drops_what_the_core_has_and_ends() -> None:
    """Fig. 2 on a formula that is refuted only once two of three constraints are given up."""
    one, two, three, other = map(Term, (1, 2, 3, 4))
    cores = {(one, two, three): (two,), (one, three): (three, other), (one,): (other,)}
    asked: list[tuple[Term, ...]] = []

    def solve(assumed: tuple[Term, ...]) -> bool:
        asked.append(assumed)
        return False

    likely = InvariantRefinement((one, two, three))
    assert likely.run(solve, lambda: cores[asked[-1]]) is False
    assert asked == list(cores)
    assert (likely.invariants, likely.iterations) == ((one,), 3)
    assert InvariantRefinement((one, two)).run(lambda assumed: assumed == (one, two), list) is True


def test_each_read_has_switches_of_its_own_unless_places_share_them(tmp_path: Path) -> None:
    program = program_with(tmp_path, PUBLISHED)

    def at_start(switches: Switches) -> int:
        options = BmcOptions(likely_invariants=Likely.REFINE, switches=switches)
        return int(bmc(program, REACH, options, Budget(AMPLE))[1]["likely invariants at start"])

    assert at_start(Switches.PLACES) < at_start(Switches.READS)


def test_within_a_context_bound_what_is_not_described_counts(tmp_path: Path) -> None:
    text = "int f(int);\n" + threads("f(1);", "")
    found = answer(program_with(tmp_path, text), context_bound=5)
    assert found == Unknown("unmodelled: call of `f`")


def test_with_direct_likely_invariants_nothing_is_safe(tmp_path: Path) -> None:
    assert isinstance(answer(program_with(tmp_path, KEPT), likely_invariants=Likely.DIRECT), Unknown)


def test_invariants_in_the_way_of_a_bug_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs hardly ever show the interleaving that the bug needs."""
    monkeypatch.setattr(search, "EASY", 0)
    program = program_with(tmp_path, LOST)
    options = BmcOptions(likely_invariants=Likely.SWITCHED, runs=2)
    verdict, statistics = bmc(program, REACH, options, Budget(AMPLE))
    assert isinstance(verdict, Unsafe)
    assert int(statistics["likely invariants at end"]) <= int(statistics["likely invariants at start"])
    assert int(statistics["likely rounds"]) >= 1


@pytest.mark.parametrize(
    "options",
    [
        {"without": (Stage.SUMMARIES,)},
        {"without": (Stage.PRUNING,)},
        {"without": (Stage.SYMMETRY,)},
        {"conflicts": Conflicts.LAZY},
        {"without": (Stage.SECTIONS, Stage.SETTLED, Stage.SUMS)},
        {"without": (Stage.RELEVANCE,), "copies": Copies.NUMBERS},
        {"without": (Stage.PRUNING, Stage.CELLS)},
        {"published": True},
        {"published": True, "without": (Stage.PRUNING,)},
        {"published": True, "without": (Stage.SUMMARIES,)},
    ],
    ids=[
        *("no summaries", "no pruning", "no symmetry", "lazy", "no steps", "numbers", "all pairs"),
        *("published", "published, all pairs", "published, no summaries"),
    ],
)
@orders
def test_modes_change_no_answer(options: dict[str, object], order: OrderEncoding, tmp_path: Path) -> None:
    assert isinstance(answer(program_with(tmp_path, LOST), REACH, order=order, **options), Unsafe)
    assert isinstance(answer(program_with(tmp_path, KEPT), REACH, order=order, **options), Claimed)


LOCKED = "int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" + threads(
    *["pthread_mutex_lock(&m); int r = x; x = r + y + 1; pthread_mutex_unlock(&m);"] * 3,
    after="assert(x == 3);",
)


def counts(program: Program, properties: frozenset[Property] = REACH, **options: object) -> Statistics:
    return bmc(program, properties, BmcOptions(**options), Budget(AMPLE))[1]  # type: ignore[arg-type]


def test_each_stage_leaves_something_out(tmp_path: Path) -> None:
    """Sections: events; settled variables and sums: pairs; cells: pairs that are never equal."""
    program = program_with(tmp_path, LOCKED)
    published, default = counts(program, published=True), counts(program)
    for name in ("nodes", "candidates"):
        assert int(published[name]) > int(default[name])
    eager = counts(program, published=True, without=(Stage.PRUNING,))
    reads, writes, pairs = (int(eager[name]) for name in ("reads", "writes", "candidates"))
    assert reads * (writes - 2) < pairs < reads * writes, "with all writes but those of its own node"
    for stage, name in ((Stage.SECTIONS, "nodes"), (Stage.SETTLED, "reads"), (Stage.SUMS, "candidates")):
        assert int(default[name]) < int(counts(program, without=(stage,))[name])


def test_races_under_a_lock_are_excluded_with_and_without_asking(tmp_path: Path) -> None:
    races = PROPERTY_GROUPS["race"]
    program = program_with(tmp_path, LOCKED, races)
    for published in (False, True):
        assert isinstance(answer(program, races, published=published), Claimed)
    assert int(counts(program, races, published=True)["clauses"]) > 0
    without = LOCKED.replace("pthread_mutex_lock(&m); int r = x;", "int r = x; pthread_mutex_lock(&m);", 1)
    raced = program_with(tmp_path, without, races)
    assert isinstance(answer(raced, races, published=True), Unsafe)


PASSED_ON = "int x; atomic_int y;\n" + threads(
    "x = 1; atomic_store_explicit(&y, 1, memory_order_release);",
    "if (atomic_load_explicit(&y, memory_order_acquire)) assert(x == 1);",
)
BUFFERED = "atomic_int x, y, a, b;\n" + threads(
    "x = 1; a = atomic_load_explicit(&y, memory_order_relaxed);",
    "y = 1; b = atomic_load_explicit(&x, memory_order_relaxed);",
    after="assert(a + b > 0);",
)


@pytest.mark.parametrize("without", [(), (Stage.PRUNING,)])
def test_the_published_encoding_is_right_for_weak_orders_and_machines(
    without: tuple[Stage, ...], tmp_path: Path
) -> None:
    options, budget = BmcOptions(published=True, without=without), Budget(AMPLE)
    passed, buffered = program_with(tmp_path, PASSED_ON), program_with(tmp_path, BUFFERED)
    assert isinstance(bmc_weak(passed, REACH, options, budget)[0], Claimed)
    assert isinstance(bmc_weak(buffered, REACH, options, budget)[0], Unsafe)
    assert isinstance(bmc_machine(passed, REACH, options, budget, model=MemoryModel.TSO)[0], Claimed)


def test_slices_have_the_same_events_with_and_without_summaries(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 3; i++) { int old = x; while (!atomic_compare_exchange_weak(&x, &old, i)) ; }"
    program = program_with(tmp_path, "_Atomic int x;\n" + threads(body, body))
    for seed in range(4):
        found = [counts(program, slice_of_run=seed, without=one) for one in ((), (Stage.SUMMARIES,))]
        same = ("nodes", "reads", "writes")
        assert [found[0][name] for name in same] == [found[1][name] for name in same]


@pytest.mark.parametrize("threads_count", [2, 5])
def test_successes_and_failures_of_exchanges_add_up(threads_count: int, tmp_path: Path) -> None:
    body = "int old = x; if (!atomic_compare_exchange_strong(&x, &old, old + 1)) atomic_fetch_add(&y, 1);"
    bodies = [body] * threads_count
    good = "_Atomic int x, y;\n" + threads(*bodies, after=f"assert(x + y == {threads_count});")
    bad = "_Atomic int x, y;\n" + threads(*bodies, after=f"assert(x == {threads_count});")
    assert isinstance(answer(program_with(tmp_path, good)), Claimed)
    assert isinstance(answer(program_with(tmp_path, bad)), Unsafe)


def test_long_cycles_are_cut_into_triangles() -> None:
    cycle = tuple(Link(a, b) for a, b in ((1, 5), (5, 3), (3, 7), (7, 1)))
    assert pieces(cycle) == [
        (Link(1, 5), Link(5, 3), Link(3, 1)),
        (Link(1, 3), Link(3, 7), Link(7, 1)),
    ]
    assert pieces(cycle[:2]) == [cycle[:2]]
