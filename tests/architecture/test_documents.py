"""Documents name only what exists."""

import re
from pathlib import Path

import pytest

from sley.cli.main import run

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
BASES = [ROOT, ROOT / "src/sley", ROOT / "src"]
OF_USERS = {"sley.toml", "sley-harness.c"}
"""Files that users have in projects of their own, or that are only in memory."""


def named_files(document: Path) -> list[str]:
    """Code spans and links that look like paths: with a known ending, or a slash at the end."""
    text = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    spans = [*re.findall(r"`([^`\s]+)`", text), *re.findall(r"\]\(([^)#:\s]+)\)", text)]
    return [span for span in spans if re.fullmatch(r"[\w./-]+", span) and _is_path(span)]


def _is_path(span: str) -> bool:
    return bool(re.search(r"\.(py|md|toml|c|h)$", span)) or span.endswith("/")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_named_file_exists(document: Path) -> None:
    bases = [*BASES, document.parent]
    named = [name for name in named_files(document) if name not in OF_USERS]
    assert [name for name in named if not any((base / name).exists() for base in bases)] == []


def test_every_package_is_in_the_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    packages = [path.name for path in (ROOT / "src/sley").iterdir() if (path / "__init__.py").exists()]
    assert [name for name in packages if f"`{name}/`" not in text] == []


SESSIONS = re.findall(
    r"```\n\$ sley (check [^\n]+)\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL
)


def without_figures(text: str) -> str:
    """Without times, sizes of proofs and how lines are broken, which may change from day to day."""
    timeless = re.sub(r" +\d+(\.\d+)? m?s\b", "", text)
    return re.sub(r"\b\d+ (states|with|random)\b", r"N \1", " ".join(timeless.split()))


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_the_sessions_in_the_readme_are_real(
    command: str,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    run(command.split())
    assert without_figures(capsys.readouterr().out) == without_figures(shown)


def test_the_readme_shows_a_bug_a_proof_and_what_to_do_without_an_answer() -> None:
    endings = [shown.splitlines()[-1] for _, shown in SESSIONS]
    results = ["false(unreach-call)", "true", "unknown"]
    assert endings == [f"RESULT: {result}" for result in results]
