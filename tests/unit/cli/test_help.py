"""Help in groups, options of engines on request, and the short form of ``check``."""

import re
from pathlib import Path

import pytest

from sley.cli.application import invoke
from sley.cli.commands import make_parser
from sley.cli.flags import GROUPS
from sley.cli.tasks import ENGINE_OPTIONS
from sley.engines.bmc.options import Likely


def shown(*words: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        invoke(list(words))
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_help_of_check_has_what_users_need_first(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("check", "--help", capsys=capsys)
    titles = [line[:-1] for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["options", *GROUPS]
    assert "--unwind" not in text
    assert max(map(len, text.splitlines())) < 80
    assert len(text.splitlines()) < 110


@pytest.mark.parametrize("engine", ENGINE_OPTIONS)
def test_help_of_an_engine_has_all_its_options(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("check", "--help-engine", engine, capsys=capsys)
    for name, field in ENGINE_OPTIONS[engine].__dataclass_fields__.items():
        assert (f"--{name.replace('_', '-')}" in text) is field.metadata.get("is_flag", True)
    assert "--time-limit" not in text


def test_help_without_a_command_has_examples_that_can_be_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown("--help", capsys=capsys)
    examples = re.findall(r"^  sley (.+?)  ", text.split("examples:")[1], re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        make_parser()[0].parse_args(example.split())


@pytest.mark.parametrize(
    ("words", "likely"),
    [
        ("check --likely-invariants prog.c", Likely.SWITCHED),
        ("check prog.c --likely-invariants", Likely.SWITCHED),
        ("check --likely-invariants direct prog.c", Likely.DIRECT),
        ("check --likely-invariants=hints prog.c", Likely.HINTS),
        ("check prog.c", Likely.OFF),
    ],
)
def test_a_flag_takes_no_file_for_its_value(words: str, likely: Likely) -> None:
    chosen = make_parser()[0].parse_args(words.split())
    assert chosen.likely_invariants is likely
    assert chosen.files == [Path("prog.c")]


def test_a_wrong_value_names_the_right_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["check", "prog.c", "--likely-invariants=maybe"]) == 2
    assert "`maybe` is none of off, refine, switched, direct, hints" in capsys.readouterr().err


def test_a_file_alone_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    assert invoke(["a.c"]) == 0
    assert invoke(["-p", "race", "a.c"]) == 0
    assert capsys.readouterr().out.count("RESULT: true") == 2


def test_a_wrong_command_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["chekc", "a.c"]) == 2
    assert "invalid choice: 'chekc'" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--json", "--html", "--sarif"])
def test_a_result_does_not_overwrite_a_program(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where the value of the flag was forgotten, and files come from a configuration."""
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "sley.toml").write_text("files = ['a.c']\n")
    assert invoke(["check", flag, "a.c"]) == 2
    assert "a.c:1:1: is not overwritten" in capsys.readouterr().err
    assert (tmp_path / "a.c").read_text().startswith("int main")
