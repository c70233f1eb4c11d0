"""C code is compiled once, kept, and never required."""

from pathlib import Path

import pytest

from sley.base import compiled
from sley.base.compiled import library


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def source(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "code.c"
    path.write_text(text)
    return path


def test_functions_can_be_called_and_are_kept(tmp_path: Path) -> None:
    found = library(source(tmp_path, "int twice(int n) { return 2 * n; }"))
    if found is None:
        pytest.skip("there is no C compiler")
    assert found.twice(21) == 42
    (kept,) = (tmp_path / "cache" / "sley" / "compiled").glob("*.so")
    assert kept.suffix == ".so"


def test_without_a_compiler_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "COMPILERS", ("no-such-compiler",))
    assert library(source(tmp_path, "int one(void) { return 1; }")) is None


def test_what_does_not_compile_is_nothing(tmp_path: Path) -> None:
    assert library(source(tmp_path, "this is no C")) is None
    assert not any((tmp_path / "cache").rglob("*.so"))
