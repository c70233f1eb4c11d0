from pathlib import Path

import pytest

from tests.unit.frontend.lowering import Lowering


@pytest.fixture
def c(tmp_path: Path) -> Lowering:
    return Lowering(tmp_path)
