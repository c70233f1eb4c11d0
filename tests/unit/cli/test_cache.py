"""The last result, and crash files."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.base.user_cache import cache_directory
from sley.cli import cache
from sley.cli.crash import report_crash


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_the_last_result_is_kept_and_replaced(home: Path) -> None:
    cache.keep_last_result("first")
    cache.keep_last_result("second")
    text, name = cache.read_report(None)
    assert text == "second"
    assert [str(path) for path in (home / "cache/sley/last").iterdir()] == [name]


def test_every_folder_has_its_last_result(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("one", "other"):
        (home / folder).mkdir()
        monkeypatch.chdir(home / folder)
        cache.keep_last_result(folder)
    monkeypatch.chdir(home / "one")
    assert cache.read_report(None)[0] == "one"
    monkeypatch.chdir(home)
    with pytest.raises(InputError, match="no result in this folder yet"):
        cache.read_report(None)


def test_only_the_latest_results_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_RESULTS", 2)
    for folder in ("one", "two", "three"):
        (home / folder).mkdir()
        monkeypatch.chdir(home / folder)
        cache.keep_last_result(folder)
    assert len(list((home / "cache/sley/last").iterdir())) == 2
    assert cache.read_report(None)[0] == "three"


def test_without_a_result_the_user_learns_what_to_do() -> None:
    with pytest.raises(InputError, match="run `sley check` first"):
        cache.read_report(None)


def test_a_missing_file_is_named(home: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json:1:1: cannot read the report: no such file"):
        cache.read_report(home / "none.json")


def test_a_relative_cache_home_is_ignored_as_the_standard_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_directory() == Path("~/.cache/sley").expanduser()


def test_a_cache_that_cannot_be_written_loses_no_answer(home: Path) -> None:
    (home / "cache").write_text("a file where the directory should be")
    cache.keep_last_result("text")


def test_a_crash_is_one_line_and_a_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ZeroDivisionError("secret detail")
    except ZeroDivisionError as error:
        report_crash(error, ["check", "a.c"])
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "ZeroDivisionError in test_cache.py" in line
    assert "Traceback" not in line
    (file,) = (home / "cache/sley").iterdir()
    assert str(file) in line
    content = file.read_text()
    assert "secret detail" in content
    assert "['check', 'a.c']" in content


def test_a_crash_file_finds_another_place(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "cache").write_text("a file where the directory should be")
    monkeypatch.setattr("tempfile.tempdir", str(home))
    report_crash(ValueError("x"), [])
    assert str(home / "crash-") in capsys.readouterr().err
