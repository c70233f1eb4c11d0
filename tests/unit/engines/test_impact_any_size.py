"""Heap blocks whose size is an input: loops over them end, and sizes of counterexamples are small."""

from pathlib import Path

from sley.base.budget import Budget
from sley.engines.impact.engine import impact
from sley.engines.impact.options import ImpactOptions
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.properties import Property
from tests.fuzz.laws import loaded
from tests.limits import AMPLE

MEMORY = frozenset({Property.DEREF, Property.FREE})
FILLED = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int *all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = i;
    free(all);
    return 0;
}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "filled.c"
    path.write_text(text)
    return path


def test_a_loop_over_a_block_of_any_size_ends(tmp_path: Path) -> None:
    program = loaded(written(tmp_path, FILLED), MEMORY)
    verdict, _ = impact(program, MEMORY, ImpactOptions(), Budget(AMPLE))
    assert isinstance(verdict, Claimed)
    assert len(verdict.proof.nodes) < 30
    check_reachability_tree(program, MEMORY, verdict.proof, Budget(AMPLE))


def test_a_counterexample_has_a_small_block(tmp_path: Path) -> None:
    program = loaded(written(tmp_path, FILLED.replace("i < n", "i <= n")), MEMORY)
    verdict, _ = impact(program, MEMORY, ImpactOptions(), Budget(AMPLE))
    assert isinstance(verdict, Unsafe)
    assert len(verdict.traces[0].schedule) < 50
