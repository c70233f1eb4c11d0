"""How much work a fixpoint of abstract states is."""

from pathlib import Path
from typing import Any

from sley.base.budget import Budget
from sley.engines.abstract.iteration import Iteration
from sley.frontend.load import load
from sley.program.properties import Property

CALLS = 20

CHAIN = """
extern int input(void);
static int value;
static int grow(int by) { value = by; return by + 1; }
static int fall(int by) { return by - 1; }
int main(void)
{
    int (*change)(int) = input() ? grow : fall;
    int now = 0;
%s
    return now;
}
"""


class Counting(Iteration):
    """Knows how often a call was looked at."""

    looked_at = 0

    def call(self, *arguments: Any, **options: Any) -> Any:
        """Not more than a few times each."""
        self.looked_at += 1
        assert self.looked_at < 20 * CALLS
        return super().call(*arguments, **options)


def test_calls_in_a_row_that_each_return_in_two_states_are_not_looked_at_for_all_combinations(
    tmp_path: Path,
) -> None:
    path = tmp_path / "chain.c"
    path.write_text(CHAIN % ("    now = change(now);\n" * CALLS))
    counting = Counting(load((path,)), frozenset({Property.DEREF}), Budget())
    counting.run()
    assert counting.looked_at >= CALLS


NEST = """
extern int input(void);
static int low = 4, high = 5, place[9];
int main(void)
{
    for (int i = 0; i < low + high; i++) {
        int read = input();
        while (read > 0) {
            place[i] = read;
            read = input();
        }
    }
    return 0;
}
"""


def test_only_what_a_loop_changes_is_widened_by_it(tmp_path: Path) -> None:
    """Without narrowing: the inner loop leaves ``i`` alone, which the outer one keeps below 9."""
    path = tmp_path / "nest.c"
    path.write_text(NEST)
    iteration = Iteration(load((path,)), frozenset({Property.DEREF}), Budget())
    iteration.run()
    assert iteration.settled().open(Property.DEREF) == []
