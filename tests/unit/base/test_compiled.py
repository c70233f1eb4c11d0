"""C code is compiled once, kept, and never required."""

import os
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


@pytest.mark.parametrize(
    "change", ["content", "mode of the file", "mode of the folder", "half", "a link", "a pipe"]
)
def test_what_is_not_as_it_was_compiled_is_compiled_anew(tmp_path: Path, change: str) -> None:
    text = source(tmp_path, "int twice(int n) { return 2 * n; }")
    if library(text) is None:
        pytest.skip("there is no C compiler")
    library.cache_clear()
    folder = tmp_path / "cache" / "sley" / "compiled"
    (kept,) = folder.glob("*.so")
    match change:
        case "content":
            _exchange(kept, kept.read_bytes() + b"\0")
        case "mode of the file":
            kept.chmod(0o666)
        case "mode of the folder":
            folder.chmod(0o777)
        case "half":
            _exchange(kept, kept.read_bytes()[:2000])
        case "a link":
            kept.rename(tmp_path / "other.so")
            kept.symlink_to(tmp_path / "other.so")
        case _:
            kept.unlink()
            os.mkfifo(kept)
    found = library(text)
    assert found is not None
    assert found.twice(21) == 42
    if change != "mode of the folder":  # then it is compiled elsewhere, for this time
        assert kept.is_file()
        assert not kept.is_symlink()
        assert kept.stat().st_mode & 0o777 == 0o700


def _exchange(file: Path, content: bytes) -> None:
    """Another file of the same name: this one is loaded."""
    other = file.with_suffix(".other")
    other.write_bytes(content)
    other.chmod(0o700)
    other.replace(file)


def test_a_compiler_of_this_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cc").write_text("#!/bin/sh\ntouch canary\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", ".")
    assert library(source(tmp_path, "int one(void) { return 1; }")) is None
    assert not (tmp_path / "canary").exists()


def test_without_a_compiler_there_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "COMPILERS", ("no-such-compiler",))
    assert library(source(tmp_path, "int one(void) { return 1; }")) is None


def test_what_does_not_compile_is_nothing(tmp_path: Path) -> None:
    assert library(source(tmp_path, "this is no C")) is None
    assert not any((tmp_path / "cache").rglob("*.so"))
