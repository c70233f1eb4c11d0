"""Scripts for shells know the commands, the flags and their values."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sley.cli.application import invoke
from sley.cli.completion import FILES, script


def completed(tmp_path: Path, *words: str) -> set[str]:
    """What bash offers for the last of these words."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    (tmp_path / "sley.bash").write_text(script("bash"))
    quoted = " ".join(f"'{word}'" for word in ("sley", *words))
    lines = [
        "source ./sley.bash",
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(words)}",
        f"_shtab_sley sley '{words[-1]}' '{words[-2] if words[1:] else 'sley'}'",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    done = subprocess.run(
        [bash, "--norc", "-c", "\n".join(lines)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("ch", "check"),
        ("check --mem", "--memory-model --memory-limit"),
        ("check --memory-model p", "pso power"),
        ("check -p ra", "race"),
        ("check --help-engine s", "symmetry"),
        ("show inv", "invariants"),
        ("explain dead", "deadlock"),
        ("completion f", "fish"),
        ("check prog", "prog.c"),
    ],
)
def test_bash_completes(words: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "prog.c").touch()
    assert completed(tmp_path, *words.split()) == set(expected.split())


@pytest.mark.parametrize("shell", FILES)
def test_every_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "memory-model" in text
    assert "context-bound" not in text  # options of engines are hidden


def test_other_shells_are_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["completion", "csh"]) == 2
    assert "choose from" in capsys.readouterr().err
