"""What is said about symbolic states, in the user's words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.program.instructions import Allocate
from sley.program.properties import PROPERTY_GROUPS
from sley.semantics.code import Code
from sley.semantics.roles import AliveRole, BoundRole
from sley.semantics.state import EXITED
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.semantics.vocabulary import EXITED as ENDED
from sley.semantics.vocabulary import STATUS, HeapShape, Instance, Vocabulary
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task
from sley.wording.labels import LabelTexts

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int value; } *top;
pthread_mutex_t lock;
int number, table[4], *pointer;
unsigned size;
char letter;
float ratio;
void *worker(void *unused) {
    int i = number;
    pthread_mutex_lock(&lock);
    table[i] = number;
    pointer = &table[i];
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t one, two;
    struct node *node = malloc(sizeof(struct node));
    node->next = top;
    top = node;
    number = rand();
    size = number;
    letter = number;
    ratio = number;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    assert(*pointer + table[1] + letter < size + ratio);
    return 0;
}
"""


class Words:
    """The variables of one shape of the program, by what C calls them."""

    def __init__(self, path: Path) -> None:
        task = Task(paths=(path,), selection=Selection(PROPERTY_GROUPS["reach"]))
        self.program = program_of(task)
        steps = SymbolicSteps(Code(self.program))
        edges = self.program.functions["main"].edges
        (made,) = [edge for edge in edges if isinstance(edge.instruction, Allocate)]
        assert isinstance(made.instruction, Allocate)
        heap = HeapShape(made.instruction.layout, 16, made.source)
        self.block = self.program.pointers.heap_base
        self.shape = Shape(("main", "worker", "worker"), ((self.block, heap),))
        self.vocabulary: Vocabulary = steps.vocabulary(self.shape)
        self.texts = LabelTexts(steps, [self.shape])
        self.t = steps.terms

    def instance(self, c_name: str) -> Instance:
        """A global object."""
        names = [obj.c_name for obj in self.program.objects]
        return self.vocabulary.instances[names.index(c_name) + self.vocabulary.pointers.first_object]

    def cell(self, c_name: str, index: int = 0) -> Term:
        """A cell of a global object."""
        return self.vocabulary.cell(self.instance(c_name), index)

    def local(self, thread: int, c_name: str) -> Term:
        """A register."""
        (found,) = [r for r in self.vocabulary.threads[thread].registers if r.c_name == c_name]
        return self.vocabulary.register(thread, found)

    def eq(self, variable: Term, number: int) -> Term:
        """A comparison with a constant."""
        return self.t.eq(variable, self.t.bv(number, self.t.width(variable)))

    def address(self, c_name: str, offset: int = 0) -> int:
        """Where a global is."""
        return self.program.pointers.address(self.instance(c_name).number, offset)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Words:
    path = tmp_path_factory.mktemp("words") / "program.c"
    path.write_text(PROGRAM)
    return Words(path)


CASES: list[tuple[Callable[[Words], Term], str, str]] = [
    (lambda w: w.eq(w.cell("number"), 3), "number == 3", "number != 3"),
    (lambda w: w.eq(w.cell("table", 2), 3), "table[2] == 3", "table[2] != 3"),
    (lambda w: w.eq(w.local(2, "i"), 1), "worker#2.i == 1", "worker#2.i != 1"),
    (lambda w: w.eq(w.cell("lock"), 0), "lock is free", "lock is held"),
    (lambda w: w.eq(w.cell("lock"), 2), "lock is held by worker#1", "lock is not held by worker#1"),
    (lambda w: w.eq(w.cell("pointer"), 0), "pointer == NULL", "pointer != NULL"),
    (
        lambda w: w.eq(w.cell("pointer"), w.address("table", 8)),
        "pointer == &table[2]",
        "pointer != &table[2]",
    ),
    (lambda w: w.eq(w.cell("pointer"), w.address("number")), "pointer == &number", "pointer != &number"),
    (
        lambda w: w.eq(w.cell("top"), w.program.pointers.address(w.block)),
        "top == &node#1.next",
        "top != &node#1.next",
    ),
    (lambda w: w.eq(w.cell("letter"), 97), "letter == 'a'", "letter != 'a'"),
    (lambda w: w.t.ult(w.cell("size"), w.t.bv(9, 32)), "size < 9", "size >= 9"),
    (lambda w: w.t.slt(w.cell("number"), w.t.bv(9, 32)), "number < 9", "number >= 9"),
    (
        lambda w: w.vocabulary.alive(w.vocabulary.instances[w.block]),
        "node#1 exists",
        "node#1 does not exist",
    ),
    (
        lambda w: w.eq(w.vocabulary.size(w.vocabulary.instances[w.block]), 16),
        "node#1 has 16 bytes",
        "node#1 has other than 16 bytes",
    ),
    (
        lambda w: w.t.eq(w.vocabulary.status(1), w.t.const(ENDED, STATUS)),
        "worker#1 waits to be joined",
        "worker#1 does not wait to be joined",
    ),
    (lambda w: w.vocabulary.detached(2), "worker#2 is detached", "worker#2 is not detached"),
    (
        lambda w: w.t.slt(w.t.var(BoundRole(0), bitvec(32)), w.cell("number")),
        "any_value < number",
        "any_value >= number",
    ),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_what_is_said(words: Words, number: int) -> None:
    made, text, opposite = CASES[number]
    term = made(words)
    assert words.texts.text(words.shape, (term,)) == text
    assert words.texts.text(words.shape, (words.t.not_(term),)) == opposite


def test_clauses_and_conjunctions(words: Words) -> None:
    one, two = words.eq(words.cell("number"), 1), words.eq(words.cell("lock"), 2)
    three = words.eq(words.cell("size"), 3)
    text = words.texts.text(words.shape, (words.t.and_(one, two), three))
    assert text == "(lock is held by worker#1 && number == 1) || size == 3" or text == (
        "(number == 1 && lock is held by worker#1) || size == 3"
    )


def element(words: Words, index: Term) -> Term:
    """``&table[index]``, as the front end makes it."""
    t, wide = words.t, words.t.sign_extend(index, 32)
    in_range = t.ult(t.add(wide, t.bv(1 << 29, 64)), t.bv(1 << 30, 64))
    address = t.add(t.mul(wide, t.bv(4, 64)), t.bv(words.address("table"), 64))
    return t.ite(in_range, address, t.bv(words.program.pointers.wild, 64))


def test_elements_that_do_not_overlap_differ(words: Words) -> None:
    one, two = element(words, words.local(1, "i")), element(words, words.local(2, "i"))
    overlap = words.t.ult(words.t.sub(one, two), words.t.bv(4, 64))
    text = words.texts.text(words.shape, (words.t.not_(overlap),))
    assert text == "&table[worker#1.i] != &table[worker#2.i]"
    within = words.t.ult(words.t.sub(one, two), words.t.bv(8, 64))
    assert "<" in words.texts.text(words.shape, (within,))  # overlap of larger things is more than equality


def test_what_control_says_is_not_repeated(words: Words) -> None:
    t = words.t
    ended = t.eq(words.vocabulary.status(1), t.const(ENDED, STATUS))
    label = [t.not_(ended), t.or_(ended, words.eq(words.cell("number"), 1))]
    assert words.texts.texts(words.shape, (5, 6, 7), label) == ("number == 1",)
    both = words.texts.texts(words.shape, (5, EXITED, 7), label)
    assert both == ("worker#1 does not wait to be joined", "number == 1")


def test_what_does_not_exist_yet_is_nowhere(words: Words) -> None:
    t, shape = words.t, Shape(("main",))
    future = t.var(AliveRole(words.block), BOOL)
    label = [t.or_(future, words.eq(words.cell("number"), 1)), t.not_(words.vocabulary.detached(2))]
    assert words.texts.texts(shape, (5,), label) == ("number == 1",)
