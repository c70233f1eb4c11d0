"""Which files of a folder or a build make one program."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.frontend.compilation_database import DATABASE, source_files
from sley.frontend.data_model import DataModel
from sley.frontend.harness.plan import Harness
from sley.frontend.linking import Linked, linked
from sley.frontend.load import load
from sley.frontend.parse import ParseOptions, SourceParser

QUEUE = (
    '#include "queue.h"\n#include <lib/limit.h>\nint size;\nint put(int n) { return size < LIMIT && n; }\n'
)
FILES = {
    "include/lib/limit.h": "#define LIMIT 3\n",
    "src/queue.h": "extern int size;\nint put(int one);\n",
    "src/queue.c": QUEUE,
    "src/unused.c": '#include "missing.h"\nint unused;\n',
    "src/main.c": '#include "queue.h"\nint main(void) { return put(1) + size; }\n',
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def found(path: Path, target: str | None = None, *entries: str) -> Linked:
    return linked(source_files([path], DataModel.LP64), SourceParser(ParseOptions()), target, entries)


def names(program: Linked) -> list[str]:
    return [file.path.name for file in program.files]


def test_the_files_that_main_needs_are_the_program_of_a_folder(tmp_path: Path) -> None:
    program = found(write(tmp_path, FILES))
    assert names(program) == ["main.c", "queue.c"]
    assert "of 3 C files, 2 make the program, as a linker would find them" in program.assumptions
    made = load([tmp_path])
    assert set(made.functions) == {"main", "put"}
    assert made.assumptions[: len(program.assumptions)] == program.assumptions


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    files = {**FILES, "src/main.c": "int unused_too(void);\nint main(void) { return unused_too(); }\n"}
    files["src/unused.c"] = '#include "missing.h"\nint unused_too(void) { return 1; }\n'
    program = found(write(tmp_path, files))
    assert names(program) == ["main.c"]
    (note,) = [one for one in program.assumptions if "is not read" in one]
    assert "src/unused.c is not read: " in note
    assert "'missing.h' file not found" in note
    assert [one.function for one in load([tmp_path]).unmodelled] == ["unused_too"]


def test_headers_for_other_systems_are_no_headers(tmp_path: Path) -> None:
    files = {"src/main.c": '#include "config.h"\nint main(void) { return 0; }\n', "Xcode/config.h": ""}
    with pytest.raises(InputError, match=r"'config.h' file not found"):
        found(write(tmp_path, files))
    assert names(found(write(tmp_path, {"linux/config.h": ""}))) == ["main.c"]


def test_headers_in_angle_brackets_are_the_systems_first(tmp_path: Path) -> None:
    files = {"main.c": "#include <assert.h>\n#include <own.h>\nint main(void) { assert(OWN); return 0; }\n"}
    files |= {"assert.h": "#include <assert.h>\n#error not this one\n", "own.h": "#define OWN 1\n"}
    assert set(load([write(tmp_path, files)]).functions) == {"main"}


def test_a_header_that_a_build_makes_is_told(tmp_path: Path) -> None:
    files = {"src/main.c": '#include "config.h"\nint main(void) { return 0; }\n'}
    write(tmp_path, files)
    with pytest.raises(InputError, match=r"'config.h' file not found \(-I DIR names a folder of headers\)$"):
        found(tmp_path)
    write(tmp_path, {"configure.ac": "AC_CONFIG_HEADERS([config.h])\n"})
    with pytest.raises(InputError, match=r"configure.ac speaks of it: if a build makes it, build first"):
        found(tmp_path)


def test_a_folder_leaves_the_library_to_the_library(tmp_path: Path) -> None:
    main = "#include <stdlib.h>\nint main(void) { return abs(1); }\n"
    program = found(write(tmp_path, {"main.c": main, "abs.c": "int abs(int one) { return one; }\n"}))
    assert names(program) == ["main.c"]


def test_a_static_function_is_none_for_others(tmp_path: Path) -> None:
    files = {"main.c": "int put(int);\nint main(void) { return put(1); }\n"}
    files["a.c"] = "static int put(int one) { return one; }\nint other(void) { return put(2); }\n"
    files["b.c"] = "int\nput(int one)\n{\n    return one;\n}\n"
    assert names(found(write(tmp_path, files))) == ["b.c", "main.c"]


def test_the_nearest_definition_counts(tmp_path: Path) -> None:
    files = {f"{name}/put.c": f"int put(void) {{ return {number}; }}\n" for number, name in enumerate("abc")}
    files["b/main.c"] = "int put(void);\nint main(void) { return put(); }\n"
    program = found(write(tmp_path, files))
    assert [file.path.parent.name for file in program.files] == ["b", "b"]


@pytest.mark.parametrize("target", ["other", "tests/other.c", "other.c"])
def test_one_of_several_programs_of_a_folder(target: str, tmp_path: Path) -> None:
    files = {**FILES, "tests/other.c": "int put(int);\nint main(void) { return put(2); }\n"}
    write(tmp_path, files)
    with pytest.raises(InputError, match=r"several files have a `main`: .*--target .*main, .*other"):
        found(tmp_path)
    chosen = str(tmp_path / target) if "/" in target else target
    assert names(found(tmp_path, chosen)) == ["queue.c", "other.c"]
    with pytest.raises(InputError, match=r"there is no `third`: --target .*main"):
        found(tmp_path, "third")


def test_a_library_begins_with_its_entries(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "src/main.c"}
    write(tmp_path, {**files, "src/other.c": "int other(void) { return 1; }\n"})
    assert names(found(tmp_path, None, "put")) == ["queue.c"]
    assert "put" in load([tmp_path], harness=Harness(entries=("put",))).functions


def test_files_that_are_named_are_the_program(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    files = source_files([tmp_path / "src/main.c"], DataModel.LP64)
    assert linked(files, SourceParser(ParseOptions()), None, ()).files == files
    with pytest.raises(InputError, match="it chooses from a folder"):
        linked(files, SourceParser(ParseOptions()), "main", ())


def test_files_beside_a_folder_choose_from_it(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (file,) = source_files([tmp_path, tmp_path / "src/queue.c"], DataModel.LP64)
    assert file.is_chosen
    assert str(tmp_path / "include") in file.flags


def test_a_folder_without_c_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder without C files"):
        source_files([tmp_path], DataModel.LP64)


def database(folder: Path, entries: list[dict[str, object]]) -> Path:
    (folder / DATABASE).write_text(json.dumps([{"directory": str(folder), **entry} for entry in entries]))
    return folder


def compiled(file: str, target: str, *flags: str) -> dict[str, object]:
    return {"file": file, "arguments": ["cc", *flags, "-o", f"{target}/{Path(file).name}.o", "-c", file]}


TWO = {
    "lib.c": "int put(int one) { return one; }\n",
    "one.c": "int put(int);\nint main(void) { return put(1); }\n",
    "two.c": "int put(int);\nint more(void);\nint main(void) { return put(2) + more(); }\n",
    "more.c": "int more(void) { return 3; }\n",
}


@pytest.mark.parametrize("pattern", ["CMakeFiles/{}.dir", "sub/CMakeFiles/{}.dir/src", "{}.p"])
def test_a_target_is_named_by_the_folder_of_its_objects(pattern: str, tmp_path: Path) -> None:
    write(tmp_path, TWO)
    own = {"lib.c": "put", "one.c": "first", "two.c": "second", "more.c": "second"}
    database(tmp_path, [compiled(file, pattern.format(target)) for file, target in own.items()])
    with pytest.raises(InputError, match="--target first, second"):
        found(tmp_path)
    assert names(found(tmp_path, "first")) == ["lib.c", "one.c"]
    assert names(found(tmp_path, "second")) == ["lib.c", "two.c", "more.c"]


def test_a_build_that_was_watched_names_targets(tmp_path: Path) -> None:
    write(tmp_path, TWO)
    entries: list[dict[str, object]] = [{"file": name, "command": "cc", "targets": []} for name in TWO]
    entries[1]["targets"] = ["prog"]
    assert names(found(database(tmp_path, entries), "prog")) == ["lib.c", "one.c"]


def test_of_several_ways_the_first_counts(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": "int main(void) { return HOW; }\n"})
    ways = [compiled("a.c", f"{one}.p", f"-DHOW={number}") for number, one in enumerate(("static", "shared"))]
    (file,) = source_files([database(tmp_path, ways)], DataModel.LP64)
    assert file.flags == ("-D", "HOW=0")
    assert f"{file.path}: of several ways to compile it, the first counts" in load([tmp_path]).assumptions


def test_a_target_has_its_own_way(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": "int main(void) { return HOW; }\n"})
    ways = [compiled("a.c", f"{one}.p", f"-DHOW={number}") for number, one in enumerate(("first", "second"))]
    (file,) = found(database(tmp_path, ways), "second").files
    assert file.flags == ("-D", "HOW=1")
    assert load([tmp_path], target="second").assumptions == load([tmp_path], target="first").assumptions == ()


def test_what_does_not_matter_makes_no_second_way(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": "int main(void) { return 0; }\n"})
    ways = [compiled("a.c", "static.p"), compiled("a.c", "shared.p", "-fPIC", "-O2")]
    database(tmp_path, ways)
    assert load([tmp_path]).assumptions == load([tmp_path / "a.c"]).assumptions


def test_response_files_are_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": "", "flags.rsp": '-DA="b c" @more.rsp\n', "more.rsp": "-DB"})
    database(tmp_path, [{"file": "a.c", "command": "cc @flags.rsp @absent -c a.c"}])
    (file,) = source_files([tmp_path], DataModel.LP64)
    assert file.flags == ("-D", "A=b c", "-D", "B")


def test_response_files_that_name_themselves_end(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": "", "flags.rsp": "-DA @flags.rsp\n"})
    database(tmp_path, [{"file": "a.c", "command": "cc @flags.rsp -c a.c"}])
    (file,) = source_files([tmp_path], DataModel.LP64)
    assert set(file.flags) == {"-D", "A"}
