"""Whether a tree of engine ``impact`` is well labelled at this moment; not how labels came about.

The checker of proofs asks more, but only when a tree is complete.
"""

from sley.engines.impact.entailment import Entailment
from sley.engines.impact.formulas import ConjunctTable
from sley.engines.impact.tree import Label, Node
from sley.logic.terms import Terms


class LabelError(Exception):
    """A bug of the engine: a label or a cover is not justified."""


def audit(terms: Terms, formulas: ConjunctTable, entailment: Entailment, nodes: list[Node]) -> None:
    """Raise LabelError unless labels are inductive along all edges, and all covers are implications."""
    for node in nodes:
        if node.is_suspended:
            continue
        if node.parent is not None:
            _check_edge(terms, formulas, entailment, node)
        if node.cover is not None:
            _check_cover(entailment, node, node.cover)


def _check_edge(terms: Terms, formulas: ConjunctTable, entailment: Entailment, node: Node) -> None:
    assert node.parent is not None
    assert node.branch is not None
    label = Label()
    label.add(terms, tuple(node.parent.label.conjuncts))
    for goal in node.label.conjuncts:
        before = formulas.precondition(node.branch, goal, node.branch.guard)
        if not entailment.all_follow(label, before) and not _is_contradictory(terms, entailment, node):
            raise LabelError(f"the label of node {node.number} is not inductive")


def _is_contradictory(terms: Terms, entailment: Entailment, node: Node) -> bool:
    """Whether no step leads to the node, as far as the label of its parent can tell."""
    assert node.parent is not None
    assert node.branch is not None
    return entailment.reason((*node.parent.label.conjuncts, *node.branch.guard), (), terms.false) is not None


def _check_cover(entailment: Entailment, node: Node, cover: Node) -> None:
    is_same = (node.control, node.shape) == (cover.control, cover.shape)
    if not is_same or cover.cover is not None or cover.is_suspended or node not in cover.covered:
        raise LabelError(f"node {node.number} cannot be covered by node {cover.number}")
    if not entailment.all_follow(node.label, cover.label.conjuncts):
        raise LabelError(f"the label of node {node.number} does not imply that of node {cover.number}")
    if not set(node.need or ()) <= set(cover.expanded):
        raise LabelError(f"node {cover.number} lacks threads that node {node.number} needs")
