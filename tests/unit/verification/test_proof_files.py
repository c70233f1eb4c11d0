"""Proofs in files: checked again from the files alone, and refused if anything about them is wrong."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from sley.base.errors import InputError
from sley.cli.main import run
from sley.evidence.bounded.proof import BoundedProof
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.encoding.shapes import DamagedError
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.modular.proof import ModularProof
from sley.evidence.proof import KeptProof
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.symmetric.proof import Reachable, SymmetricProof
from sley.evidence.verdict import Safe
from sley.frontend.data_model import DataModel
from sley.frontend.harness.plan import Harness
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.abstract.values import ZERO
from sley.verification.command_line import asked
from sley.verification.engines import ENGINES
from sley.verification.kept_proofs import fingerprint_of, keep, read
from sley.verification.observer import SilentObserver
from sley.verification.proof_check import check_proof_file
from sley.verification.proof_files import proof_of, read_proof_file, sha256_of
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Answer, Result
from sley.verification.task import Granularity, Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

EXAMPLES = Path(__file__).parents[3] / "examples"
PROGRAMS = Path(__file__).parents[2] / "programs"
LOCKED = EXAMPLES / "locked_update.c"
REACH = frozenset({Property.REACH})

COUNTED = """
#include <assert.h>
#include <pthread.h>
int x;
void *worker(void *unused) { for (int i = 0; i < 2; i++) x++; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
"""

SPINNING = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int x; atomic_int flag;
void *worker(void *unused) {
    while (atomic_exchange(&flag, 1))
        ;
    x = 1;
    assert(x == 1);
    x = 0;
    flag = 0;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    return 0;
}
"""


WRITTEN = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *worker(void *unused) {
    for (int i = 0; i < 1000; i++)
        x = i;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(x >= 0);
    pthread_join(t, 0);
    return 0;
}
"""


@dataclass(frozen=True)
class Made:
    """A program, its proof, and what to ask."""

    path: Path
    task: Task
    result: Result

    @cached_property
    def program(self) -> Program:
        return program_of(self.task)

    @property
    def content(self) -> dict[str, Any]:
        text = proof_of(self.result, Path("p.json"))
        assert isinstance(text, str)
        content: dict[str, Any] = json.loads(text)
        return content

    def forged(self, change: Callable[[Any, Program], Any]) -> dict[str, Any]:
        """The file with a proof that somebody has changed."""
        assert isinstance(self.result.outcome, Safe)
        (kept,) = self.result.outcome.kept
        program, engine = self.program, ENGINES[kept.engine]
        proof = replace(engine, plain=lambda one: one)
        forged = change(read(engine, kept, program), program)
        other = keep(proof, kept.engine, forged, program, kept.properties)
        content = self.content
        content["proofs"][0]["proof"] = json.loads(other.text)
        return content


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    folder = tmp_path_factory.mktemp("proofs")
    spinning, counted, written = (folder / f"{name}.c" for name in ("spinning", "counted", "written"))
    spinning.write_text(SPINNING)
    counted.write_text(COUNTED)
    written.write_text(WRITTEN)
    paths = {"explore": LOCKED, "impact": LOCKED, "bmc": counted, "abstract": written}

    @cache
    def of(engine: str) -> Made:
        path = paths.get(engine, spinning)
        task = Task(
            paths=(path,), selection=Selection(REACH), engines=(engine,), jobs=0, keeps_proof=True,
            limits=Limits(seconds=AMPLE),
        )  # fmt: skip
        return Made(path, task, verify(task))

    return of


def checked(content: object, task: Task, folder: Path) -> Result:
    """What the file proves of a task."""
    path = folder / "p.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    saved = read_proof_file(path)
    return check_proof_file(saved, replace(task, engines=(), keeps_proof=False), SilentObserver())


ENGINE_NAMES = ["explore", "impact", "bmc", "modular", "symmetry", "abstract"]


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_the_same_answer_from_the_file(made: Callable[[str], Made], engine: str, tmp_path: Path) -> None:
    one = made(engine)
    again = checked(one.content, one.task, tmp_path)
    assert isinstance(one.result.outcome, Safe)
    assert isinstance(again.outcome, Safe)
    assert again.outcome.checked.how == one.result.outcome.checked.how
    assert again.outcome.checked.runs == 30
    assert (again.engine, again.assumptions, again.follows) == (
        engine,
        one.result.assumptions,
        one.result.follows,
    )


def test_several_proofs_in_a_file(tmp_path: Path) -> None:
    """One for the program, and one for what attempts that fail do not order."""
    path = PROGRAMS / "mutual_exclusion" / "rwlock_try.c"
    task = Task(paths=(path,), engines=("explore",), jobs=0, keeps_proof=True)
    text = proof_of(verify(task), Path("p.json"))
    assert isinstance(text, str)
    content = json.loads(text)
    assert len(content["proofs"]) == 2
    assert checked(content, task, tmp_path).answer is Answer.SAFE
    content["proofs"].pop()
    alone = checked(content, task, tmp_path)
    assert alone.answer is Answer.UNKNOWN
    assert "need not order anything" in str(alone.reason)


def test_properties_one_by_one(tmp_path: Path) -> None:
    """Each has its own proof, and all are needed."""
    tasks = [
        Task(
            paths=(LOCKED,),
            selection=Selection(frozenset({one})),
            engines=("explore",),
            jobs=0,
            keeps_proof=True,
        )
        for one in (Property.REACH, Property.RACE)
    ]
    files = [json.loads(str(proof_of(verify(task), Path("p.json")))) for task in tasks]
    content = files[0] | {"proofs": [proof for file in files for proof in file["proofs"]]}
    both = replace(tasks[0], selection=Selection(frozenset({Property.REACH, Property.RACE})))
    content["asked"] = list(asked(both))
    together = checked(content, both, tmp_path)
    assert isinstance(together.outcome, Safe)
    assert together.outcome.proof.summary.startswith("properties one by one: ")
    content["proofs"].pop()
    assert "the file has no proof of: race" in str(checked(content, both, tmp_path).reason)


# --- files that are none --------------------------------------------------------------------------------

Content = dict[str, Any]


def changed(content: Content, *path: str | int, to: object) -> Content:
    at: Any = content
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = to
    return content


def nodes(content: Content) -> list[Any]:
    found: list[Any] = content["proofs"][0]["proof"]["nodes"]
    return found


def terms(content: Content) -> list[Any]:
    found: list[Any] = content["proofs"][0]["proof"]["terms"]
    return found


def with_node(content: Content, change: Callable[[list[Any]], object]) -> Content:
    change(nodes(content))
    return content


def with_term(content: Content, change: Callable[[list[Any]], object]) -> Content:
    change(terms(content))
    return content


OWN = ("proofs", 0)

DAMAGES: Mapping[str, tuple[Callable[[Content], object], str]] = {
    "not JSON": (lambda c: "hello", "not a JSON file"),
    "truncated": (lambda c: json.dumps(c)[:-200], "not a JSON file"),
    "no object": (lambda c: [c], "the file is no object"),
    "other format": (lambda c: c | {"format": "sley-report"}, "not a proof of sley"),
    "other version of the format": (lambda c: c | {"format_version": "2.0"}, "in format 2.0"),
    "other version of sley": (lambda c: c | {"sley_version": "9.9"}, "by version 9.9 of sley"),
    "unknown field": (lambda c: c | {"trust": True}, "unknown field `trust`"),
    "missing field": (lambda c: {k: v for k, v in c.items() if k != "models"}, "no `models`"),
    "wrong type": (lambda c: changed(c, "asked", to=[4]), "which is no text"),
    "unknown property": (lambda c: changed(c, *OWN, "properties", to=["peace"]), "are peace"),
    "no property": (lambda c: changed(c, *OWN, "properties", to=[]), "are none"),
    "unknown engine": (lambda c: changed(c, *OWN, "engine", to="oracle"), "no engine 'oracle'"),
}

OF_NODES: Mapping[str, tuple[Callable[[Content], object], str]] = {
    "kind swapped": (lambda c: changed(c, *OWN, "kind", to="BoundedProof"), "is none of engine"),
    "engine swapped": (lambda c: changed(c, *OWN, "engine", to="bmc"), "is none of engine bmc"),
    "other form": (lambda c: changed(c, *OWN, "proof", "form", to="0"), "another form"),
    "part of the proof missing": (lambda c: changed(c, *OWN, "proof", to={}), "expected `form`"),
    "no nodes": (lambda c: changed(c, *OWN, "proof", "nodes", to=[]), "nodes are no list"),
    "node is no list": (lambda c: with_node(c, lambda n: n.__setitem__(0, 7)), "node 0 is no list"),
    "index out of range": (lambda c: with_node(c, lambda n: n[-1].__setitem__(0, 10**6)), "there is no node"),
    "cyclic nodes": (lambda c: with_node(c, lambda n: n[-1].__setitem__(0, len(n) - 1)), "there is no node"),
    "negative index": (lambda c: with_node(c, lambda n: n[-1].__setitem__(0, -1)), "there is no node"),
    "part of a node missing": (lambda c: with_node(c, lambda n: n[-1].pop()), "parts of a"),
    "truth for a number": (lambda c: with_node(c, lambda n: n[-1].__setitem__(0, True)), "there is no node"),
}

OF_TERMS: Mapping[str, tuple[Callable[[Content], object], str]] = {
    "cyclic terms": (lambda c: with_term(c, lambda t: t.insert(0, ["NOT", 0])), "term 0: there is no term 0"),
    "unknown operator": (
        lambda c: with_term(c, lambda t: t.insert(0, ["IMPLIES", 0, 0])),
        "operator 'IMPLIES'",
    ),
    "arguments missing": (lambda c: with_term(c, lambda t: t.insert(0, ["EQ"])), "0 arguments of EQ"),
    "sorts that do not fit": (
        lambda c: with_term(c, lambda t: t.__setitem__(slice(0, 0), [["CONST", "i8", 1], ["NOT", 0]])),
        "term 1: NOT of i8",
    ),
    "constant too large": (
        lambda c: with_term(c, lambda t: t.insert(0, ["CONST", "i8", 256])),
        "no value of i8",
    ),
    "unknown sort": (lambda c: with_term(c, lambda t: t.insert(0, ["CONST", "i0", 0])), "'i0' is no sort"),
    "a name for a role": (
        lambda c: with_term(c, lambda t: t.insert(0, ["VAR", "i8", "@1.0"])),
        "possible here",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file(made: Callable[[str], Made], damage: str, tmp_path: Path) -> None:
    damaged, message = DAMAGES[damage]
    one = made("explore")
    with pytest.raises(InputError, match=message):
        checked(damaged(one.content), one.task, tmp_path)


def decoded(content: Any, program: Program) -> None:
    """Read the first proof of a file for a program."""
    fields = content["proofs"][0]
    text = json.dumps(fields["proof"])
    kept = KeptProof(fields["engine"], REACH, fields["program"], fields["kind"], text)
    read(ENGINES[kept.engine], kept, program)


@pytest.mark.parametrize(
    ("engine", "damage"), [*(("explore", one) for one in OF_NODES), *(("impact", one) for one in OF_TERMS)]
)
def test_a_damaged_proof(made: Callable[[str], Made], engine: str, damage: str) -> None:
    damaged, message = {**OF_NODES, **OF_TERMS}[damage]
    one = made(engine)
    with pytest.raises(DamagedError, match=message):
        decoded(damaged(one.content), one.program)


def test_a_damaged_proof_in_a_file(made: Callable[[str], Made], tmp_path: Path) -> None:
    one = made("explore")
    damaged, message = OF_NODES["cyclic nodes"]
    with pytest.raises(InputError, match=f"a damaged proof: {message}"):
        checked(damaged(one.content), one.task, tmp_path)


def test_half_a_compressed_file(made: Callable[[str], Made], tmp_path: Path) -> None:
    path = tmp_path / "p.json.gz"
    written = proof_of(made("explore").result, path)
    assert isinstance(written, bytes)
    path.write_bytes(written)
    assert read_proof_file(path).proofs == read_proof_file(path).proofs
    path.write_bytes(written[: len(written) // 2])
    with pytest.raises(InputError, match="not a whole compressed file"):
        read_proof_file(path)


# --- proofs of something else ----------------------------------------------------------------------------


def test_another_program(made: Callable[[str], Made], tmp_path: Path) -> None:
    one = made("explore")
    other = tmp_path / "locked_update.c"
    other.write_text(LOCKED.read_text().replace("tmp + 1", "tmp + 2"))
    task = replace(one.task, paths=(other,))
    assert "locked_update.c had other contents" in str(checked(one.content, task, tmp_path).reason)
    content = changed(one.content, "sources", 0, "sha256", to=sha256_of(other))
    assert "another program than this one becomes" in str(checked(content, task, tmp_path).reason)
    program = program_of(replace(task, selection=Selection(REACH)))
    content = changed(content, *OWN, "program", to=fingerprint_of(program))
    assert "the proof is refused" in str(checked(content, task, tmp_path).reason)
    two = replace(one.task, paths=(LOCKED, other))
    assert "its source files were 1 (locked_update.c), not 2" in str(
        checked(one.content, two, tmp_path).reason
    )


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_a_proof_of_another_program_proves_nothing(
    made: Callable[[str], Made], engine: str, tmp_path: Path
) -> None:
    """Whatever a file says of itself: here the assertion fails."""
    one = made(engine)
    other = tmp_path / one.path.name
    changes = ("tmp + 1", "tmp + 2"), ("x = 1;", "x = 2;"), ("x++", "x += 2"), ("x = i;", "x = -i;")
    text = one.path.read_text()
    for old, new in changes:
        text = text.replace(old, new)
    other.write_text(text)
    task = replace(one.task, paths=(other,))
    content = changed(one.content, "sources", 0, "sha256", to=sha256_of(other))
    content = changed(content, *OWN, "program", to=fingerprint_of(program_of(task)))
    found = checked(content, task, tmp_path)
    assert found.answer is Answer.UNKNOWN
    assert "the proof is refused: " in str(found.reason)


def test_other_questions(made: Callable[[str], Made], tmp_path: Path) -> None:
    one = made("explore")
    path = tmp_path / "p.json"
    path.write_text(json.dumps(one.content))
    saved = read_proof_file(path)
    task = replace(one.task, engines=())
    for other, reason in (
        (replace(task, data_model=DataModel.ILP32), "not with --property reach --data-model ILP32"),
        (replace(task, memory_model=MemoryModel.TSO), "not with --property reach --memory-model tso"),
        (
            replace(task, selection=Selection(REACH | {Property.RACE})),
            "with --property reach, not with --property reach,race",
        ),
        (replace(task, selection=Selection(REACH, "f")), "not with --property reach 'call(f)'"),
        (replace(task, models=(LOCKED,)), "its model files were 0 (none), not 1"),
    ):
        assert reason in str(check_proof_file(saved, other, SilentObserver()).reason)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"defines": ("NDEBUG",)}, "-DNDEBUG"),
        ({"malloc_may_fail": True}, "--malloc-may-fail"),
        ({"create_may_fail": True}, "--create-may-fail"),
        ({"argc_may_be_zero": True}, "--argc-may-be-zero"),
        ({"arguments": ("a b",)}, "-- 'a b'"),
        ({"arguments": ()}, "--"),
        ({"allows_inner_overrun": True}, "--allow-inner-overrun"),
        ({"granularity": Granularity.STATEMENT}, "--granularity statement"),
    ],
)
def test_a_file_does_not_say_which_program_it_is(
    made: Callable[[str], Made], tmp_path: Path, given: Mapping[str, Any], reason: str
) -> None:
    one = made("explore")
    path = tmp_path / "p.json"
    path.write_text(json.dumps(one.content))
    saved = read_proof_file(path)
    other = Task(paths=one.task.paths, selection=one.task.selection, **given)
    found = str(check_proof_file(saved, other, SilentObserver()).reason)
    assert found.endswith(f"it was asked with --property reach, not with --property reach {reason}")
    saved = replace(saved, asked=asked(other))
    task = Task(paths=one.task.paths, selection=one.task.selection)
    assert task == replace(other, **{name: getattr(one.task, name) for name in given})
    assert check_proof_file(saved, task, SilentObserver()).answer is Answer.UNKNOWN


def test_a_claim_for_more_than_was_proved(tmp_path: Path) -> None:
    """The assertion holds, but there is a race."""
    racy = tmp_path / "racy.c"
    kept = [line for line in LOCKED.read_text().split("\n") if "(&lock)" not in line]
    racy.write_text("\n".join(kept).replace("counter == 2", "counter <= 2"))
    task = Task(paths=(racy,), selection=Selection(REACH), engines=("explore",), jobs=0, keeps_proof=True)
    written = proof_of(verify(task), Path("p.json"))
    assert isinstance(written, str)
    both = REACH | {Property.RACE}
    content = json.loads(written)
    content = changed(content, *OWN, "properties", to=["reach", "race"])
    program = program_of(replace(task, selection=Selection(both)))
    content = changed(content, *OWN, "program", to=fingerprint_of(program))
    other = replace(task, selection=Selection(both))
    content["asked"] = list(asked(other))
    found = checked(content, other, tmp_path)
    assert found.answer is Answer.UNKNOWN
    assert "no data race" in str(found.reason)


# --- forged proofs ----------------------------------------------------------------------------------------


def without_a_state(proof: ClosedStates, _: Program) -> ClosedStates:
    return ClosedStates(proof.states[:-1], proof.expansions[:-1])


def with_another_start(proof: ClosedStates, _: Program) -> ClosedStates:
    return ClosedStates(proof.states[1:], proof.expansions[1:])


def without_threads(proof: ClosedStates, _: Program) -> ClosedStates:
    return ClosedStates(proof.states, tuple(() for _ in proof.expansions))


def with_other_values(proof: ClosedStates, _: Program) -> ClosedStates:
    last = proof.states[-1]
    other = last._replace(cells=tuple(1 for _ in last.cells))
    return ClosedStates((*proof.states[:-1], other), proof.expansions)


def _with_node(proof: ReachabilityTree, number: int, **other: Any) -> ReachabilityTree:
    nodes = list(proof.nodes)
    nodes[number] = replace(nodes[number], **other)
    return replace(proof, nodes=tuple(nodes))


def weakened(proof: ReachabilityTree, _: Program) -> ReachabilityTree:
    plain = [replace(node, label=()) for node in proof.nodes]
    return replace(proof, nodes=tuple(plain))


def strengthened(proof: ReachabilityTree, program: Program) -> ReachabilityTree:
    return _with_node(proof, 1, label=(program.terms.false,))


def covered_wrongly(proof: ReachabilityTree, _: Program) -> ReachabilityTree:
    number = next(i for i, node in enumerate(proof.nodes) if node.cover is not None)
    return _with_node(proof, number, cover=0)


def covered_by_nobody(proof: ReachabilityTree, _: Program) -> ReachabilityTree:
    number = next(i for i, node in enumerate(proof.nodes) if node.cover is not None)
    return _with_node(proof, number, cover=len(proof.nodes))


def without_a_child(proof: ReachabilityTree, _: Program) -> ReachabilityTree:
    thread, expansion = next(iter(proof.nodes[0].expansions.items()))
    return _with_node(proof, 0, expansions={thread: replace(expansion, children=(None,))})


def without_a_node(proof: ReachabilityTree, _: Program) -> ReachabilityTree:
    return replace(proof, nodes=proof.nodes[:-1])


def with_all_quiet(proof: ReachabilityTree, program: Program) -> ReachabilityTree:
    """An assumption is added: that nobody notices anything."""
    places = frozenset(at for function in program.functions.values() for at in function.locations)
    return replace(proof, quiet=places)


def without_repeats(proof: BoundedProof, _: Program) -> BoundedProof:
    return replace(proof, repeats=())


def with_fewer_repeats(proof: BoundedProof, _: Program) -> BoundedProof:
    return replace(proof, repeats=tuple((loop, count - 1) for loop, count in proof.repeats))


def with_false(proof: ModularProof, program: Program) -> ModularProof:
    return replace(
        proof, invariants={view: (*some, program.terms.false) for view, some in proof.invariants.items()}
    )


def with_nothing(proof: ModularProof, _: Program) -> ModularProof:
    return replace(proof, invariants=dict.fromkeys(proof.invariants, ()))


def without_views(proof: ModularProof, _: Program) -> ModularProof:
    return replace(proof, invariants={})


def of_nobody(proof: ModularProof, _: Program) -> ModularProof:
    return replace(proof, size=0)


def without_configurations(proof: SymmetricProof, _: Program) -> SymmetricProof:
    assert isinstance(proof.argument, Reachable)
    return replace(proof, argument=Reachable(proof.argument.configurations[:1]))


def without_statements(proof: SymmetricProof, _: Program) -> SymmetricProof:
    templates = tuple(replace(one, statements=()) for one in proof.program.templates)
    return replace(proof, program=replace(proof.program, templates=templates))


def without_predicates(proof: SymmetricProof, _: Program) -> SymmetricProof:
    return replace(proof, predicates=())


def without_places(proof: Fixpoint, _: Program) -> Fixpoint:
    return replace(proof, states={})


def with_zeroes(proof: Fixpoint, _: Program) -> Fixpoint:
    return replace(proof, memory=dict.fromkeys(proof.memory, ZERO))


def with_objects_of_nobody(proof: Fixpoint, _: Program) -> Fixpoint:
    return replace(proof, origins=())


FORGERIES: Mapping[str, list[Any]] = {
    "explore": [without_a_state, with_another_start, without_threads, with_other_values],
    "impact": [
        *(weakened, strengthened, covered_wrongly, covered_by_nobody),
        *(without_a_child, without_a_node, with_all_quiet),
    ],
    "bmc": [without_repeats, with_fewer_repeats],
    "modular": [with_false, with_nothing, without_views, of_nobody],
    "symmetry": [without_configurations, without_statements, without_predicates],
    "abstract": [without_places, with_zeroes, with_objects_of_nobody],
}


LONG = (covered_by_nobody, without_a_child, with_all_quiet, without_predicates, with_another_start)


def forgeries() -> Iterator[Any]:
    for engine, changes in FORGERIES.items():
        for change in changes:
            marks = (pytest.mark.long,) if change in LONG else ()
            yield pytest.param(engine, change, id=f"{engine} {change.__name__}", marks=marks)


@pytest.mark.parametrize(("engine", "change"), list(forgeries()))
def test_a_forged_proof(made: Callable[[str], Made], engine: str, change: Any, tmp_path: Path) -> None:
    one = made(engine)
    found = checked(one.forged(change), one.task, tmp_path)
    assert found.answer is Answer.UNKNOWN, found.outcome
    assert "the proof is refused: " in str(found.reason) or "could not be checked" in str(found.reason)
    assert str(found.reason).count("refused") <= 1
    assert not getattr(found.outcome, "certain", ())


# --- the command ------------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "p.json.gz"
    assert run(["check", str(LOCKED), "-p", "reach", "--proof", str(saved)]) == 0
    assert gzip.decompress(saved.read_bytes()).startswith(b'{\n "format": "sley-proof"')
    capsys.readouterr()
    assert run(["prove-check", str(LOCKED), str(saved)]) == 3
    assert "it was asked with --property reach, not without flags" in capsys.readouterr().out
    assert run(["prove-check", str(LOCKED), str(saved), "-p", "reach"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(" SAFE  ")
    assert out.endswith("RESULT: true\n")
    assert f"From {saved}: ClosedStates (explore); --property reach." in " ".join(out.split())
    assert run(["prove-check", str(EXAMPLES / "lost_update.c"), str(saved)]) == 3
    assert "REASON: the proof is of another program" in capsys.readouterr().out
    assert run(["prove-check", str(LOCKED), str(saved), "-p", "race"]) == 3
    assert run(["prove-check", str(LOCKED), str(LOCKED)]) == 2
    assert run(["prove-check", str(saved)]) == 2


def test_assertions_that_a_macro_removes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, saved = str(tmp_path / "p.c"), str(tmp_path / "p.json")
    Path(program).write_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
    flags = ["-D", "NDEBUG", "--malloc-may-fail"]
    assert run(["check", program, "-p", "reach", *flags, "--proof", saved]) == 0
    capsys.readouterr()
    assert run(["prove-check", program, saved, "-p", "reach"]) == 3
    assert "-DNDEBUG, not with --property reach\n" in capsys.readouterr().out
    assert run(["prove-check", program, saved, "-p", "reach", "-D", "NDEBUG"]) == 3
    assert "--malloc-may-fail -DNDEBUG, not with --property reach -DNDEBUG\n" in capsys.readouterr().out
    assert run(["prove-check", program, saved, "-p", "reach", *flags]) == 0
    assert "; --property reach --malloc-may-fail -DNDEBUG." in " ".join(capsys.readouterr().out.split())


def test_nothing_to_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "p.json"
    assert run(["check", str(EXAMPLES / "lost_update.c"), "-p", "reach", "--proof", str(saved)]) == 1
    assert not saved.exists()


def test_every_field_of_a_task_is_considered() -> None:
    """What a task asks about the program is in the file; the rest is how it is looked at."""
    others: dict[str, Any] = {
        "selection": Selection(REACH),
        "data_model": DataModel.ILP32,
        "defines": ("A",),
        "harness": Harness(entries=("f",)),
        "target": "program",
        "arguments": (),
        "argc_may_be_zero": True,
        "allows_inner_overrun": True,
        "malloc_may_fail": True,
        "create_may_fail": True,
        "recursion": 3,
        "granularity": Granularity.STATEMENT,
        "memory_model": MemoryModel.TSO,
        "buffer_size": 2,
        "instrument": Instrument.ALL,
    }
    task = Task(paths=())
    assert len({asked(task), *(asked(replace(task, **{name: to})) for name, to in others.items())}) == 16
    of_files = {"paths", "models", "include_dirs"}
    of_the_search = {
        "limits",
        "engines",
        "jobs",
        "cluster",
        "options",
        "all_bugs",
        "each_check",
        "uses_facts",
    }
    of_the_report = {"keeps_proof", "wants_invariants"}
    never_proved = {"suppress", "relaxed", "guarantees"}
    found = {field.name for field in fields(Task)}
    assert found == of_files | others.keys() | of_the_search | of_the_report | never_proved
