import json
from pathlib import Path

import pytest

from sley.base.errors import InputError, UnsupportedFeatureError
from sley.frontend.compilation_database import DATABASE, source_files
from sley.frontend.data_model import DataModel
from sley.frontend.load import load

MAIN = '#include "limit.h"\nint f(void); int main(void) { return f() + LIMIT; }\n'
OTHER = "int f(void) { return HOW; }\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "inc").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / "inc" / "limit.h").write_text("#define LIMIT 3\n")
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "other.c").write_text(OTHER)
    (tmp_path / "unused.cpp").write_text("class A {};\n")
    entries = [
        {
            "directory": str(tmp_path / "build"),
            "file": "../main.c",
            "command": "cc -I../inc -O2 -c ../main.c",
        },
        {
            "directory": str(tmp_path / "build"),
            "file": "../other.c",
            "arguments": ["cc", "-D", "HOW=7", "-o", "-Dnot", "-std=c11", "-c", "../other.c"],
        },
        {"directory": str(tmp_path), "file": "unused.cpp", "arguments": ["c++", "-c", "unused.cpp"]},
    ]
    write(tmp_path / "build", entries)
    return tmp_path


def write(folder: Path, entries: object) -> Path:
    file = folder / DATABASE
    file.write_text(json.dumps(entries))
    return file


def test_every_file_has_its_own_flags(project: Path) -> None:
    files = source_files([project / "build" / DATABASE], DataModel.LP64)
    assert [file.path for file in files] == [project / "main.c", project / "other.c"]
    assert [file.flags for file in files] == [("-I", str(project / "inc")), ("-D", "HOW=7", "-std=c11")]


@pytest.mark.parametrize("given", ["build", f"build/{DATABASE}"])
def test_the_files_of_a_database_are_one_program(given: str, project: Path) -> None:
    assert set(load([project / given]).functions) == {"main", "f"}


def test_files_beside_a_database_choose_from_it(project: Path) -> None:
    made = load([project / "build", project / "main.c"])
    assert list(made.functions) == ["main"]
    assert [str(one.what) for one in made.unmodelled] == ["call to `f`: no model of this function"]


def test_relative_paths_are_shown_as_such(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert source_files([Path("build")], DataModel.LP64)[0].path == Path("main.c")


def test_two_programs_are_refused_in_one_line(project: Path) -> None:
    (project / "other.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(InputError, match=r"several files have a `main`: \S+main.c and \S+other.c"):
        load([project / "build"])


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "names no C file"),
        ({"file": "a.c"}, "is not a compilation database"),
        ([{"file": "a.c"}], "is not a compilation database"),
        ([{"directory": ".", "file": "a.c", "command": "cc 'a.c"}], "cannot be read"),
        ([{"directory": ".", "file": "a.c", "command": "cc -m32 a.c"}], "ILP32"),
    ],
)
def test_what_is_no_database_is_refused(entries: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        source_files([write(tmp_path, entries)], DataModel.LP64)


def test_openmp_is_unsupported(tmp_path: Path) -> None:
    entries = [{"directory": ".", "file": "a.c", "arguments": ["cc", "-fopenmp", "a.c"]}]
    with pytest.raises(UnsupportedFeatureError):
        source_files([write(tmp_path, entries)], DataModel.LP64)


def test_only_one_database(project: Path) -> None:
    with pytest.raises(InputError, match="more than one"):
        source_files([project / "build", Path("missing.json")], DataModel.LP64)
    with pytest.raises(InputError, match="no such file"):
        source_files([Path("missing.json")], DataModel.LP64)
