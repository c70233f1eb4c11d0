"""The checker refuses what does not prove anything.

Two ways to try it. Each corruption of a good proof that makes it none is noticed. And no tree at all is a
proof for a program with a bug: the trees of such programs are corrupted at random, hundreds of times.

Some changes are harmless, and accepted: a label without a conjunct that nothing needs (it is weaker, and
enough); two children swapped that stand at the same locations with labels that hold for both; a thread left
out that only an uncovered node once needed, with all that is below it.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.impact.engine import unwind
from sley.engines.impact.options import ImpactOptions, Interleaving
from sley.evidence.proof import RefusedProofError
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.reachability_tree.proof import Answer, Expansion, ReachabilityTree, TreeNode
from sley.evidence.verdict import Claimed, Unsafe
from sley.logic.operators import Op
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.roles import BoundRole, InputRole
from sley.semantics.symbolic_memory import AccessTarget
from tests.limits import AMPLE
from tests.textual.test_textual import REACH, expected_of, program_in

FOLDER = Path(__file__).parents[2] / "textual" / "impact"
SAFE = [path for path in sorted(FOLDER.glob("*.sley")) if expected_of(path) is Claimed]
UNSAFE = [path for path in sorted(FOLDER.glob("*.sley")) if expected_of(path) is Unsafe]


@cache
def unwound(
    path: Path, interleaving: Interleaving = Interleaving.DYNAMIC
) -> tuple[Program, ReachabilityTree]:
    """The program and the tree of the engine, be it a proof or not."""
    program = program_in(path)
    verdict, tree = unwind(program, REACH, ImpactOptions(interleaving=interleaving), Budget(AMPLE))
    assert isinstance(verdict, expected_of(path))
    return program, tree


def is_accepted(program: Program, tree: ReachabilityTree, properties: frozenset[Property] = REACH) -> bool:
    """Whether the checker takes the tree for a proof."""
    try:
        check_reachability_tree(program, properties, tree, Budget(AMPLE))
    except RefusedProofError:
        return False
    return True


def changed(tree: ReachabilityTree, number: int, node: TreeNode) -> ReachabilityTree:
    """The tree with another node in one place."""
    return replace(tree, nodes=(*tree.nodes[:number], node, *tree.nodes[number + 1 :]))


def without(tree: ReachabilityTree, number: int, thread: int) -> ReachabilityTree:
    """The tree without one expansion and all that is below it; nodes it covered are left uncovered."""
    gone: set[int] = set()
    waiting = list(tree.nodes[number].expansions[thread].children)
    while waiting:
        child = waiting.pop()
        if child is not None:
            gone.add(child)
            waiting += [c for e in tree.nodes[child].expansions.values() for c in e.children]
    kept = [i for i in range(len(tree.nodes)) if i not in gone]
    new = {old: position for position, old in enumerate(kept)}
    nodes = []
    for old in kept:
        node = tree.nodes[old]
        expansions = {
            t: Expansion(e.answers, tuple(None if c is None else new[c] for c in e.children))
            for t, e in node.expansions.items()
            if (old, t) != (number, thread)
        }
        cover = None if node.cover is None or node.cover in gone else new[node.cover]
        nodes.append(replace(node, expansions=expansions, cover=cover))
    return replace(tree, nodes=tuple(nodes))


def expansions_of(tree: ReachabilityTree) -> Iterator[tuple[int, int, Expansion]]:
    for number, node in enumerate(tree.nodes):
        for thread, expansion in node.expansions.items():
            yield number, thread, expansion


def with_expansion(tree: ReachabilityTree, number: int, thread: int, new: Expansion) -> ReachabilityTree:
    node = tree.nodes[number]
    return changed(tree, number, replace(node, expansions={**node.expansions, thread: new}))


safe = pytest.mark.parametrize("path", SAFE[::5], ids=lambda path: path.stem)


@safe
def test_the_proof_of_the_engine_is_accepted(path: Path) -> None:
    assert is_accepted(*unwound(path))


@safe
def test_a_stop_that_others_notice_is_not_quiet(path: Path) -> None:
    program, tree = unwound(path)
    for location in Code(program).stops - tree.quiet:
        forged = replace(tree, quiet=tree.quiet | {location})
        with pytest.raises(RefusedProofError, match=r"a step passes a stop|may never come back"):
            check_reachability_tree(program, REACH, forged, Budget(AMPLE))


@safe
def test_a_false_label_is_refused_everywhere(path: Path) -> None:
    """Every node of the engine's tree can be reached."""
    program, tree = unwound(path)
    for number, node in enumerate(tree.nodes):
        assert not is_accepted(program, changed(tree, number, replace(node, label=(program.terms.false,))))
        more = replace(node, label=(*node.label, program.terms.false))
        assert not is_accepted(program, changed(tree, number, more))


@safe
def test_a_branch_without_its_child_is_refused(path: Path) -> None:
    program, tree = unwound(path)
    for number, thread, expansion in expansions_of(tree):
        for position, child in enumerate(expansion.children):
            if child is not None:
                children = (*expansion.children[:position], None, *expansion.children[position + 1 :])
                new = with_expansion(tree, number, thread, replace(expansion, children=children))
                assert not is_accepted(program, new)


@safe
def test_wrong_numbers_of_children_are_refused(path: Path) -> None:
    program, tree = unwound(path)
    for number, thread, expansion in expansions_of(tree):
        for children in (expansion.children[:-1], (*expansion.children, None)):
            new = with_expansion(tree, number, thread, replace(expansion, children=children))
            assert not is_accepted(program, new)
        for wrong in (-1, 0, number, len(tree.nodes)):
            first = (wrong, *expansion.children[1:])
            new = with_expansion(tree, number, thread, replace(expansion, children=first))
            assert not is_accepted(program, new)


@safe
def test_a_node_without_expansions_is_refused(path: Path) -> None:
    program, tree = unwound(path)
    for number, node in enumerate(tree.nodes):
        if node.expansions:
            assert not is_accepted(program, changed(tree, number, replace(node, expansions={})))


@safe
def test_an_expansion_that_is_needed_must_be_there(path: Path) -> None:
    """Also where it leads to no node, and where only a covered node needs it."""
    program, tree = unwound(path)
    for number, thread, _ in expansions_of(tree):
        needs = [n.need or () for i, n in enumerate(tree.nodes) if number in (i, n.cover)]
        if any(thread in need for need in needs):
            assert not is_accepted(program, without(tree, number, thread))


@safe
def test_an_expansion_of_a_thread_that_is_not_there_is_refused(path: Path) -> None:
    program, tree = unwound(path)
    for thread in (-1, 1, 7):
        assert not is_accepted(program, with_expansion(tree, 0, thread, Expansion((), ())))


@safe
def test_covers_that_do_not_fit_are_refused(path: Path) -> None:
    program, tree = unwound(path)
    covered = [number for number, node in enumerate(tree.nodes) if node.cover is not None]
    for number in covered:
        node = tree.nodes[number]
        assert not is_accepted(program, changed(tree, number, replace(node, cover=None)))
        for wrong in (number, -1, len(tree.nodes), *covered, 0):
            if wrong != node.cover:
                assert not is_accepted(program, changed(tree, number, replace(node, cover=wrong)))
    for number, node in enumerate(tree.nodes):
        if node.expansions and number:
            assert not is_accepted(program, changed(tree, number, replace(node, cover=number - 1)))


def _everything_dropped(tree: ReachabilityTree) -> ReachabilityTree:
    return replace(tree, nodes=tuple(replace(node, label=()) for node in tree.nodes))


def test_labels_are_needed() -> None:
    """In most proofs; and where one conjunct is dropped, some of these trees are no longer inductive."""
    proofs = map(unwound, SAFE[::5])
    needed = [not is_accepted(program, _everything_dropped(tree)) for program, tree in proofs]
    assert all(needed)
    refused = accepted = 0
    for program, tree in map(unwound, SAFE[:2]):
        for number, node in enumerate(tree.nodes):
            for conjunct in node.label:
                label = tuple(c for c in node.label if c != conjunct)
                weaker = is_accepted(program, changed(tree, number, replace(node, label=label)))
                accepted, refused = accepted + weaker, refused + (not weaker)
    assert refused > 5 * accepted


def test_a_label_must_not_mention_arbitrary_values_of_a_step() -> None:
    program, tree = unwound(SAFE[0])
    terms = program.terms
    arbitrary = terms.var(InputRole("0.0.0"), terms.sort(program.self_handle))
    six = terms.bv(6, terms.width(arbitrary))
    always = terms.ule(terms.make(Op.BVAND, (arbitrary, six)), arbitrary)
    root = tree.nodes[0]
    bound = terms.substitute(always, {arbitrary: terms.var(BoundRole(0), terms.sort(arbitrary))})
    assert is_accepted(program, changed(tree, 0, replace(root, label=(*root.label, bound))))
    assert not is_accepted(program, changed(tree, 0, replace(root, label=(*root.label, always))))


def _forged_answers(answers: tuple[Answer, ...]) -> Iterator[tuple[Answer, ...]]:
    yield ()
    for position in range(len(answers)):
        for forged in ((), (AccessTarget(1, 0),), (AccessTarget(10**6, 0),), 1, None):
            if answers[position] != forged:
                yield (*answers[:position], forged, *answers[position + 1 :])


def test_forged_answers_are_refused() -> None:
    """Whoever leaves out places must show that they are not hit; so wrong places lead nowhere."""
    program, tree = unwound(FOLDER / "s17_alias_labels_safe.sley")
    forged = 0
    for number, thread, expansion in expansions_of(tree):
        if expansion.answers:
            for answers in _forged_answers(expansion.answers):
                forged += 1
                new = with_expansion(tree, number, thread, replace(expansion, answers=answers))
                assert not is_accepted(program, new), (number, thread, answers)
    assert forged > 5


def test_an_empty_tree_is_refused() -> None:
    program, tree = unwound(SAFE[0])
    assert not is_accepted(program, replace(tree, nodes=()))
    assert not is_accepted(program, replace(tree, nodes=(TreeNode((), {}),)))
    assert not is_accepted(program, replace(tree, nodes=(*tree.nodes, TreeNode((), {}))))


# --- threads that sleep -------------------------------------------------------------------


def _sleeping(path: Path) -> tuple[Program, ReachabilityTree]:
    program, tree = unwound(path, Interleaving.LOCKSTEP)
    assert tree.is_asleep
    return program, tree


@safe
def test_a_tree_with_sleeping_threads_is_accepted_as_such_only(path: Path) -> None:
    program, tree = _sleeping(path)
    assert is_accepted(program, tree)
    if any(node.sleep for node in tree.nodes):
        assert not is_accepted(program, replace(tree, is_asleep=False))


@safe
def test_nobody_may_sleep_who_was_not_there_first(path: Path) -> None:
    """Whoever is put to sleep need not be expanded, so it must have been before, or sleep already."""
    program, tree = _sleeping(path)
    for number, thread, _ in expansions_of(tree):
        node = tree.nodes[number]
        asleep = changed(tree, number, replace(node, sleep=(*node.sleep, thread)))
        last = next((t for _, t, e in expansions_of(tree) if number in e.children), None)
        if last is None or last == thread:
            assert not is_accepted(program, asleep)
    root = tree.nodes[0]
    assert not is_accepted(program, changed(tree, 0, replace(root, sleep=(0,))))
    assert not is_accepted(program, changed(tree, len(tree.nodes) - 1, replace(tree.nodes[-1], sleep=(9,))))


@safe
def test_the_order_of_threads_justifies_sleep(path: Path) -> None:
    """Backwards, those who sleep would have come last."""
    program, tree = _sleeping(path)
    backwards = tuple(replace(node, order=node.order[::-1]) for node in tree.nodes)
    nowhere = tuple(replace(node, order=()) for node in tree.nodes)
    if any(node.sleep for node in tree.nodes):
        assert not is_accepted(program, replace(tree, nodes=backwards))
        assert not is_accepted(program, replace(tree, nodes=nowhere))


# --- no tree is a proof for a program with a bug ------------------------------------------


class Forger:
    """Changes the tree of a program with a bug at random."""

    def __init__(self, program: Program, tree: ReachabilityTree, seed: int) -> None:
        self.terms = program.terms
        self.random = Random(seed)
        self.tree = tree
        conjuncts = dict.fromkeys(c for node in tree.nodes for c in node.label)
        self.pool = [*conjuncts, *(self.terms.not_(c) for c in conjuncts), self.terms.false]
        self.changes: list[Callable[[int, TreeNode], ReachabilityTree]] = [
            self.stronger,
            self.weaker,
            self.covered,
            self.pruned,
            self.stronger_below,
            self.asleep,
        ]

    def forged(self) -> ReachabilityTree:
        """Some changes, one after another."""
        for _ in range(self.random.randint(1, 4)):
            number = self.random.randrange(len(self.tree.nodes))
            self.tree = self.random.choice(self.changes)(number, self.tree.nodes[number])
        return self.tree

    def stronger(self, number: int, node: TreeNode) -> ReachabilityTree:
        return changed(self.tree, number, replace(node, label=(*node.label, self.random.choice(self.pool))))

    def stronger_below(self, number: int, _node: TreeNode) -> ReachabilityTree:
        """A conjunct for all later nodes."""
        conjunct = self.random.choice(self.pool)
        nodes = tuple(
            replace(n, label=(*n.label, conjunct)) if i >= number else n
            for i, n in enumerate(self.tree.nodes)
        )
        return replace(self.tree, nodes=nodes)

    def weaker(self, number: int, node: TreeNode) -> ReachabilityTree:
        label = tuple(c for c in node.label if self.random.random() < 0.5)
        return changed(self.tree, number, replace(node, label=label))

    def covered(self, number: int, node: TreeNode) -> ReachabilityTree:
        tree = self.tree
        for thread in list(node.expansions):
            tree = without(tree, number, thread)
        other = self.random.randrange(len(tree.nodes))
        return changed(tree, number, replace(tree.nodes[number], cover=other))

    def asleep(self, number: int, node: TreeNode) -> ReachabilityTree:
        """A thread sleeps, and what is below its step is gone."""
        if not node.expansions:
            return self.tree
        thread = self.random.choice(list(node.expansions))
        order = tuple(self.random.sample(node.order, len(node.order)))
        new = replace(node, sleep=(*node.sleep, thread), order=order)
        return without(changed(self.tree, number, new), number, thread)

    def pruned(self, number: int, node: TreeNode) -> ReachabilityTree:
        if not node.expansions:
            return self.tree
        return without(self.tree, number, self.random.choice(list(node.expansions)))


@pytest.mark.parametrize("interleaving", [Interleaving.DYNAMIC, Interleaving.LOCKSTEP])
@pytest.mark.parametrize("path", UNSAFE, ids=lambda path: path.stem)
def test_no_tree_proves_a_program_with_a_bug(path: Path, interleaving: Interleaving) -> None:
    program, tree = unwound(path, interleaving)
    assert not is_accepted(program, tree)
    for seed in range(10):
        forged = Forger(program, tree, seed).forged()
        try:
            assert not is_accepted(program, forged), seed
        except GaveUpError:
            continue
