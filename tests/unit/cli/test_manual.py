"""The manual page: complete, and nothing in it that ``man`` stumbles over."""

import shutil
import subprocess

import pytest

from sley.cli.application import invoke
from sley.cli.commands import make_parser
from sley.cli.manual import manual


def test_all_commands_and_flags_are_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["man"]) == 0
    page = capsys.readouterr().out.replace(r"\-", "-")
    _, commands = make_parser()
    for name, command in commands.items():
        assert f"sley {name}" in page
        for action in command._actions:
            own = [flag for flag in action.option_strings if not flag.startswith("--no-")]
            assert all(flag in page for flag in own)
    assert "@" not in page.split("\n", 1)[1]


def test_man_has_nothing_to_complain_about() -> None:
    man = shutil.which("man")
    if man is None:
        pytest.skip("there is no man")
    command = [man, "--warnings", "--local-file", "-"]
    done = subprocess.run(command, input=manual(), capture_output=True, text=True, check=True, timeout=240)
    complaints = [line for line in done.stderr.splitlines() if "cannot adjust" not in line]
    assert complaints == []
    assert "EXIT STATUS" in done.stdout
