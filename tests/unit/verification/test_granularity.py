"""``--granularity statement``: what is one step, and what is not."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.frontend.load import load
from sley.passes.pipeline import prepare
from sley.passes.statements import ASSUMPTION, merge_statements
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Granularity, Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.textual.validation import validate

PROGRAMS = Path(__file__).parents[2] / "programs"

MAIN = """
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
int x, y, z;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
%s
void *first(void *unused) { %s return 0; }
void *second(void *unused) { %s return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    %s
    return 0;
}
"""


def checked(path: Path, granularity: Granularity, group: str = "reach") -> Result:
    selection = Selection(PROPERTY_GROUPS[group])
    return verify(
        Task(
            paths=(path,),
            selection=selection,
            granularity=granularity,
            limits=Limits(seconds=AMPLE),
            engines=("explore",),
        )
    )


@pytest.fixture
def answers(tmp_path: Path) -> "Answers":
    return Answers(tmp_path / "program.c")


class Answers:
    """The answer at statement granularity, and at that of accesses."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def of(
        self, first: str, second: str, end: str = "", *, globals_: str = "", group: str = "reach"
    ) -> tuple[Answer, Answer]:
        self.path.write_text(MAIN % (globals_, first, second, end))
        coarse, fine = (checked(self.path, one, group) for one in (Granularity.STATEMENT, Granularity.ACCESS))
        return coarse.answer, fine.answer


def test_an_expression_is_one_step(answers: Answers) -> None:
    assert answers.of("x++;", "x++;", "assert(x == 2);") == (Answer.SAFE, Answer.BUG)


def test_a_condition_is_one_step(answers: Answers) -> None:
    move, test = "x = 1; x = 0, y = 1;", "if (x && y) assert(0);"
    assert answers.of(move, test) == (Answer.SAFE, Answer.BUG)


def test_an_assertion_is_one_step(answers: Answers) -> None:
    assert answers.of("x = 1, y = 1;", "assert(x == y);") == (Answer.SAFE, Answer.BUG)


def test_a_declaration_is_one_step(answers: Answers) -> None:
    assert answers.of("x = 1, y = 1;", "int sum = x + y; assert(sum != 1);") == (Answer.SAFE, Answer.BUG)


def test_two_statements_are_two_steps(answers: Answers) -> None:
    assert answers.of("x = 1; y = 1;", "assert(x == y);") == (Answer.BUG, Answer.BUG)


def test_two_statements_of_one_macro_are_two_steps(answers: Answers) -> None:
    macro = "#define BOTH x = x + 1; x = x + 1"
    assert answers.of("BOTH;", "assert(x != 1);", globals_=macro) == (Answer.BUG, Answer.BUG)


def test_a_call_divides_its_statement(answers: Answers) -> None:
    function = "int one(void) { return 1; }"
    increment = "x = x + one();"
    assert answers.of(increment, increment, "assert(x == 2);", globals_=function)[0] is Answer.BUG


def test_a_statement_in_a_called_function_is_one_step(answers: Answers) -> None:
    function = "void increment(int *place) { *place += 1; }"
    increment = "increment(&x);"
    assert answers.of(increment, increment, "assert(x == 2);", globals_=function)[0] is Answer.SAFE


def test_each_round_of_a_waiting_loop_is_a_step(answers: Answers) -> None:
    wait, give = "while (x + y != 2) ; z = 1;", "x = 1; y = 1; assert(z == 0 || x + y == 2);"
    assert answers.of(wait, give, "assert(z == 1);") == (Answer.SAFE, Answer.SAFE)


def test_a_nested_waiting_loop_is_many_steps(answers: Answers) -> None:
    wait = "for (;;) { while (x + y != 2) ; if (z) break; }"
    assert answers.of(wait, "x = 1; z = 1; y = 1;") == (Answer.SAFE, Answer.SAFE)


def test_a_nested_condition_is_one_step(answers: Answers) -> None:
    move, test = "x = 1; x = 0, y = 1;", "for (;;) { while (x && y) assert(0); break; }"
    assert answers.of(move, test) == (Answer.SAFE, Answer.BUG)


def test_a_loop_header_is_a_step_per_part(answers: Answers) -> None:
    count = "for (x = 0; x + y < 2; x = x + 1) y = y;"
    assert answers.of(count, "assert(x + y <= 2);") == (Answer.SAFE, Answer.SAFE)


def test_a_failed_assumption_ends_the_run_and_blocks_nobody(answers: Answers) -> None:
    assert answers.of("__VERIFIER_assume(x + y == 1);", "z = 1;", group="deadlock")[0] is Answer.SAFE
    assert answers.of("__VERIFIER_assume(x + y == 1);", "z = 1;", "assert(0);")[0] is Answer.SAFE


def test_a_lock_is_taken_between_statements(answers: Answers) -> None:
    move = "pthread_mutex_lock(&m); x = x + 1; y = y + 1; pthread_mutex_unlock(&m);"
    test = "pthread_mutex_lock(&m); assert(x == y); pthread_mutex_unlock(&m);"
    assert answers.of(move, test) == (Answer.SAFE, Answer.SAFE)
    assert answers.of(move, "assert(x == y);") == (Answer.BUG, Answer.BUG)


def test_a_wrong_division_ends_the_run(answers: Answers) -> None:
    assert answers.of("z = 1 / (x - y);", "x = 0;", "assert(0);")[0] is Answer.SAFE


def test_the_answer_says_what_it_rests_on(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(MAIN % ("", "x++;", "x++;", ""))
    assert ASSUMPTION in checked(path, Granularity.STATEMENT).assumptions
    assert ASSUMPTION not in checked(path, Granularity.ACCESS).assumptions


def test_races_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(MAIN % ("", "x++;", "x++;", ""))
    with pytest.raises(InputError, match="data races have no meaning"):
        checked(path, Granularity.STATEMENT, "race")


@pytest.mark.parametrize("path", sorted((PROGRAMS / "language").glob("*.c")), ids=lambda path: path.stem)
def test_every_pass_makes_a_well_formed_program(path: Path) -> None:
    def is_valid(_name: str, program: Program) -> None:
        validate(program, is_flat=True)

    program = merge_statements(load([path]))
    validate(program, is_flat=False)
    prepare(program, PROPERTY_GROUPS["reach"], after_pass=is_valid)


@pytest.mark.parametrize(
    "path", sorted((PROGRAMS / "mutual_exclusion").glob("*.c")), ids=lambda path: path.stem
)
def test_larger_steps_have_fewer_bugs(path: Path) -> None:
    coarse, fine = (checked(path, one).answer for one in (Granularity.STATEMENT, Granularity.ACCESS))
    assert coarse is Answer.SAFE or fine is not Answer.SAFE
