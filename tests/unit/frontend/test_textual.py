"""Programs in textual form as input: the same answers as for C, and errors with their places."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.cli.main import run
from sley.frontend.textual import load_text

EXAMPLES = Path(__file__).parents[3] / "examples"
MINIMAL = """program lp64
thread main() -> i32 {
  entry 0 exit 1
  0 -> 1 : end return
}
"""


@pytest.mark.parametrize("form", [[], ["--prepared"]])
@pytest.mark.parametrize(("name", "code"), [("lost_update", 1), ("locked_update", 0), ("deadlock", 1)])
def test_what_is_printed_has_the_same_answer(
    name: str, code: int, form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, printed = str(EXAMPLES / f"{name}.c"), tmp_path / f"{name}.sley"
    assert run(["show", "cfg", source, *form]) == 0
    printed.write_text(capsys.readouterr().out)
    answers = []
    for file in (source, str(printed)):
        assert run(["check", "--engine", "explore", file]) == code
        answers.append(capsys.readouterr().out.splitlines())
    (original, again), is_bug = answers, code == 1
    assert again[-1] == original[-1]
    if is_bug and not form:
        assert again[1:-1] == original[1:-1], "the trace, with the text of the C file"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("end return", "end today", "prog.sley:4:16: expected how the process ends, found 'today'"),
        ("end return", "t := 1:i32", "prog.sley:4:12: no register is named 't'"),
        ("0 -> 1", "3 -> 1", "prog.sley:1:1: "),
        ("program lp64", "int x;", "prog.sley:1:1: expected 'program', found 'int'"),
        ("lp64", "05", "prog.sley:1:9: no pointer has 0 bits, 5 of them offset"),
    ],
)
def test_errors_have_a_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "prog.sley"
    file.write_text(MINIMAL)
    assert load_text(file).entry == "main"
    file.write_text(MINIMAL.replace(old, new))
    with pytest.raises(InputError) as error:
        load_text(file)
    assert str(error.value).startswith(f"{tmp_path}/{message}")
    assert run(["check", str(file)]) == 2


def test_it_stands_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "prog.sley"
    assert run(["check", str(file)]) == 2
    assert "cannot read the program" in capsys.readouterr().err
    file.write_text(MINIMAL)
    assert run(["check", str(file), str(EXAMPLES / "deadlock.c")]) == 2
    assert "stands alone" in capsys.readouterr().err
