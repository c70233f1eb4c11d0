"""The seeded faults fit the source; running them is ``make mutants``."""

import pytest

from sley.verification.engines import ENGINES
from tests.marked_programs import FOLDER
from tests.mutants.mutant import SOURCE, Mutant, mutants, mutated_source


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_the_patch_fits_the_source(mutant: Mutant) -> None:
    with mutated_source(mutant) as source:
        changed = [
            path
            for path in source.rglob("*.py")
            if path.read_text() != (SOURCE / path.relative_to(source)).read_text()
        ]
        assert len(changed) == 1
        compile(changed[0].read_text(), str(changed[0]), "exec")


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_its_head_says_where_it_shows(mutant: Mutant) -> None:
    assert mutant.engine in ENGINES
    assert mutant.witnesses
    assert all((FOLDER / f"{name}.c").exists() for name in mutant.witnesses)
