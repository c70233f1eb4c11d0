"""What users copy into their projects works: the harness, the workflow, the hooks."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from sley.cli.application import invoke
from sley.cli.commands import make_parser

ROOT = Path(__file__).parents[2]
HARNESS = ROOT / "examples/harness"


@pytest.fixture(autouse=True)
def in_harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(HARNESS)


@pytest.mark.parametrize(("target", "answer"), [("check", " SAFE "), ("broken", " BUG  assertion can fail")])
def test_the_harness_finds_the_bug_and_proves_the_rest(
    target: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = re.search(rf"^{target}:\n\t\$\(SLEY\) (.*)$", (HARNESS / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    invoke([*recipe[1].split(), "--engine", "explore"])
    assert capsys.readouterr().out.startswith(answer)


def commands_in(file: Path) -> list[str]:
    """All calls of sley in a file for machines."""
    return re.findall(r"(?:run|entry): (sley .*)", file.read_text())


@pytest.mark.parametrize("name", ["docs/ci/github-workflow.yml", ".pre-commit-hooks.yaml"])
def test_the_commands_are_ours(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = yaml.safe_load((ROOT / name).read_text())
    assert content
    commands = commands_in(ROOT / name)
    assert commands
    for command in commands:
        make_parser()[0].parse_args(shlex.split(command)[1:])


def test_the_workflow_uploads_what_is_written() -> None:
    (job,) = yaml.safe_load((ROOT / "docs/ci/github-workflow.yml").read_text())["jobs"].values()
    steps = {step["name"]: step for step in job["steps"] if "name" in step}
    assert f"--sarif {steps['Show findings']['with']['sarif_file']}" in steps["Check"]["run"]
