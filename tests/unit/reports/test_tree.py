"""The abstract reachability tree, for people: as text, as Graphviz text, as SVG."""

import re
from pathlib import Path

import pytest

from sley.engines.impact.options import ImpactOptions
from sley.inspection.unfolding import Unfolding
from sley.reports.lines import plain
from sley.reports.tree import tree_report
from sley.reports.tree_drawing import tree_dot
from tests.unit.reports.trees import PROGRAMS, tree_of, tree_of_text

FIG1 = PROGRAMS / "impact" / "fig1.c"

HELD = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;
struct node { int value; } *node;
void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    x = 1;
    assert(x == 1);
    x = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t one, two;
    node = malloc(sizeof(struct node));
    node->value = 7;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    int other = node->value;
    assert(other == 7);
    return 0;
}
"""

INTERNAL = re.compile(r"@\d|#\d+\.t?\d|!status|!detached|alive@|\$\d|0x[0-9a-f]{9}")


@pytest.fixture(scope="module")
def fig1() -> Unfolding:
    found = tree_of(FIG1)
    assert found.is_proof
    assert found.unfolding is not None
    return found.unfolding


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Unfolding:
    found = tree_of_text(tmp_path_factory.mktemp("held"), HELD)
    assert found.is_proof
    assert found.unfolding is not None
    return found.unfolding


def test_conditional_dependence_makes_the_tree_smaller(fig1: Unfolding) -> None:
    without = tree_of(FIG1, ImpactOptions(conditional_dependence=False))
    assert without.is_proof
    assert without.unfolding is not None
    assert len(fig1.nodes) < len(without.unfolding.nodes)
    text = plain(tree_report(fig1, width=100))
    assert "(other addresses than this step's)" in text
    assert "other addresses" not in plain(tree_report(without.unfolding, width=100))


def test_every_node_is_shown_once(fig1: Unfolding) -> None:
    text = plain(tree_report(fig1, width=100))
    shown = [int(number) for number in re.findall(r"^[ |+-]*#(\d+) (?:start|\w+: )", text, re.MULTILINE)]
    assert sorted(shown) == list(range(len(fig1.tree.nodes)))
    for number, node in enumerate(fig1.tree.nodes):
        if node.cover is not None:
            assert re.search(rf"#{number} (?:(?!#\d+ \w+: ).)*covered by #{node.cover}\b", text, re.DOTALL)


def test_statements_names_and_reasons(fig1: Unfolding) -> None:
    text = plain(tree_report(fig1, width=1000))
    assert " #0 start\n" in text
    assert "first: 14 v[mine] = 1" in text
    assert "&v[i] != &v[j]" in text
    assert "&v[first.mine] != &v[second.mine]" in text
    assert "second ended]" in text
    assert "waiting: main at 34 pthread_join(one, 0)" in text
    assert "excluded: assertion can fail" in text
    assert "the process ends" in text
    assert not INTERNAL.search(text)


def test_locks_and_heap_blocks_have_words(held: Unfolding) -> None:
    text = plain(tree_report(held, width=1000))
    assert "lock is held" in text
    assert "node == &node#1" in text
    assert "node#1.value == 7" in text
    assert "worker#1 9" in text
    assert not INTERNAL.search(text)


def test_an_unfinished_tree_says_so(tmp_path: Path) -> None:
    program = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 2); return 0; }\n"
    found = tree_of_text(tmp_path, program)
    assert not found.is_proof
    assert found.unfolding is not None
    assert found.unfolding.nodes


def test_the_graph_for_graphviz(fig1: Unfolding) -> None:
    dot = tree_dot(fig1)
    assert dot.startswith("digraph tree {")
    assert len(re.findall(r"^  n\d+ \[label=", dot, re.MULTILINE)) == len(fig1.nodes)
    covered = sum(node.cover is not None for node in fig1.tree.nodes)
    assert covered > 0
    assert dot.count("style=dashed, constraint=false") == covered
    assert "&amp;v[i] != &amp;v[j]" in dot
