"""The seeded faults fit the source; running them is ``make mutants``."""

from pathlib import Path

import pytest

from sley.verification.engines import ENGINES
from tests.marked_programs import FOLDER
from tests.mutants import memory_models
from tests.mutants.judge import options_of
from tests.mutants.mutant import Mutant, mutants, mutated_files


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_the_patch_fits_the_source(mutant: Mutant) -> None:
    files = mutated_files(mutant)
    assert files
    for before, after in files:
        assert before != after
        compile(after, mutant.name, "exec")


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_its_head_says_where_it_shows(mutant: Mutant) -> None:
    assert mutant.engine.split()[0] in ENGINES
    options_of(mutant.engine)
    assert mutant.witnesses
    assert all((FOLDER / f"{name}.c").exists() for name in mutant.witnesses)


@pytest.mark.parametrize("fault", memory_models.FAULTS, ids=lambda fault: fault.what)
def test_a_fault_in_memory_models_fits_the_source(fault: memory_models.Fault, tmp_path: Path) -> None:
    source = memory_models.source_with(fault, tmp_path)
    assert fault.right not in (source / "sley" / fault.file).read_text()


def test_a_fault_in_memory_models_is_caught() -> None:
    assert memory_models.is_caught(memory_models.FAULTS[0])
