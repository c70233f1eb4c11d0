"""``--build``: which calls of compilers are watched, and what is written down of them."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.cli.main import run
from sley.cli.watched_build import watch
from sley.frontend.compilation_database import DATABASE, source_files
from sley.frontend.data_model import DataModel

COMPILER = """#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo made > "$2"; shift; done
"""
"""Makes what is asked for, whatever that is."""
ARCHIVER = '#!/bin/sh\necho made > "$2"\n'
PUT = "int put(int one) { return one; }\n"
MAIN = "int put(int one);\nint main(void) { return put(NUMBER); }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tools = tmp_path / "tools"
    write(tools, {"cc": COMPILER, "ar": ARCHIVER})
    for tool in tools.iterdir():
        tool.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write(tmp_path / "project", {"put.c": PUT, "one.c": MAIN, "two.c": MAIN, "sub/three.c": PUT})


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def targets(folder: Path) -> dict[str, list[str]]:
    return {Path(one["file"]).name: one["targets"] for one in json.loads((folder / DATABASE).read_text())}


SEPARATE = """
cc -c put.c -o put.o && ar rcs libput.a put.o
cc -DNUMBER=1 -c one.c -o one.o
cc -DNUMBER=2 -c two.c -o two.o
cc one.o libput.a -o first
cc -o second two.o -L. -lput
"""


def test_what_goes_into_each_program_is_known(project: Path) -> None:
    watch(SEPARATE, project)
    assert targets(project) == {"put.c": ["first", "second"], "one.c": ["first"], "two.c": ["second"]}
    files = source_files([project], DataModel.LP64)
    assert [file.flags for file in files] == [(), ("-D", "NUMBER=1"), ("-D", "NUMBER=2")]


def test_files_may_be_compiled_and_linked_at_once(project: Path) -> None:
    watch("cc -DNUMBER=1 put.c one.c -o first", project)
    assert targets(project) == {"put.c": ["first"], "one.c": ["first"]}


def test_each_program_has_its_own_way(project: Path) -> None:
    watch("cc -DNUMBER=1 put.c one.c -o first; cc -DNUMBER=2 put.c one.c -o second", project)
    entries = json.loads((project / DATABASE).read_text())
    assert [(one["file"], one["targets"]) for one in entries] == [
        *(("put.c", ["first"]), ("one.c", ["first"])),
        *(("put.c", ["second"]), ("one.c", ["second"])),
    ]


def test_other_folders_and_absolute_names(project: Path) -> None:
    watch(f"cd sub && cc -c {project}/put.c -o put.o && cc -c three.c -o three.o", project)
    assert [file.path for file in source_files([project], DataModel.LP64)] == [
        project / "put.c",
        project / "sub/three.c",
    ]


def test_what_is_not_there_any_more_is_left_out(project: Path) -> None:
    test = "echo 'int main(void) { return 0; }' > conftest.c; cc conftest.c -o conftest; rm conftest*"
    watch(f"{test}; cc -c put.c -o put.o", project)
    assert targets(project) == {"put.c": []}


def test_what_only_preprocesses_does_not_count(project: Path) -> None:
    with pytest.raises(InputError, match="compiled no C file"):
        watch("cc -E put.c; cc -MM put.c; cc --version", project)


def test_a_build_that_is_there_is_not_overwritten(project: Path) -> None:
    watch("cc -c put.c -o put.o", project)
    with pytest.raises(InputError, match="there already"):
        watch("cc -c one.c -o one.o", project)


def test_what_a_failed_build_has_compiled_counts(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watch("cc -c put.c -o put.o; exit 3", project)
    assert list(targets(project)) == ["put.c"]
    assert "ended with code 3" in capsys.readouterr().err


def test_a_program_of_a_build_is_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["check", "--build", SEPARATE, "--target", "first", "-p", "reach", str(project)]
    assert run(command) == os.EX_OK
    assert "SAFE" in capsys.readouterr().out
    assert (project / DATABASE).is_file()


def test_nothing_is_executed_without_the_flag(project: Path) -> None:
    write(project, {"sley.toml": 'build = "touch executed"\n'})
    assert run(["check", str(project), str(project / "put.c")]) == 2
    assert not (project / "executed").exists()
