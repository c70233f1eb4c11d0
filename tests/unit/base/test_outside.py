"""Files from outside: whatever is in them, one line says what is wrong."""

import gzip
import os
from pathlib import Path

import pytest

from sley.base import outside
from sley.base.errors import InputError
from sley.base.outside import PROPERTY, as_argument, content, json_of, text, toml_of, unpacked, yaml_of


def test_a_text_is_read_without_its_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.prp"
    file.write_bytes(b"\xef\xbb\xbfhello\n")
    assert text(file, PROPERTY) == "hello\n"


def test_the_place_of_a_byte_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.prp"
    file.write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(InputError, match=r"a.prp:2:5: cannot read the property file: not a text file"):
        text(file, PROPERTY)


@pytest.mark.parametrize("kind", ["a pipe", "a device", "a folder", "a loop", "a large file", "nothing"])
def test_only_regular_files_of_a_size_are_read(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "a.prp"
    match kind:
        case "a pipe":
            os.mkfifo(file)
        case "a device":
            file.symlink_to("/dev/zero")
        case "a folder":
            file.mkdir()
        case "a loop":
            file.symlink_to(file)
        case "a large file":
            with file.open("wb") as made:
                made.truncate(PROPERTY.kilobytes * 1024 + 1)
        case _:
            pass
    with pytest.raises(InputError, match="cannot read the property file: "):
        content(file, PROPERTY)


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 300])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(InputError, match="cannot read the property file: "):
        content(Path(name), PROPERTY)


def test_a_bomb_is_not_unpacked() -> None:
    packed = gzip.compress(b" " * (PROPERTY.kilobytes * 1024 + 1))
    with pytest.raises(InputError, match="unpacked, it is larger than 64 kB"):
        unpacked(packed, Path("p.gz"), PROPERTY)
    with pytest.raises(InputError, match="not a whole compressed file"):
        unpacked(packed[:-9], Path("p.gz"), PROPERTY)


@pytest.mark.parametrize(
    "read",
    ["", "[", "[" * 100_000, "Infinity", "9" * 5000, '"\\ud800"', '"\\u0000"', b"\xff\xfe", b'"\xff"'],
)
def test_damaged_json(read: str | bytes) -> None:
    with pytest.raises(InputError, match="f:1:"):
        json_of(read, "f")


@pytest.mark.parametrize(
    "read",
    [
        *(
            "[",
            "a: [",
            "- " * 1000 + "x",
            "[" * 1000,
            "a: &a [*a]",
            "a: !!python/object:os.system x",
            "'\\x00",
            "\0",
        ),
        *(
            "1: 2: 3",
            "? [a]\n: b",
            "{[]: 1}",
            "a: !!int x",
            "a: !!timestamp 9999-99-99",
            "9" * 5000,
            "*a",
            '"\\ud800"',
        ),
        *("a: &a [1]\n<<: *a", "a: !!float x", '"\\0"', "--- 1\n--- 2", "a: 2001-99-99", "a: !!int ''"),
    ],
)
def test_damaged_yaml(read: str) -> None:
    for size in (0, outside.SMALL):
        with pytest.raises(InputError, match="f:"):
            yaml_of(read + "\n" * size, "f")


def test_aliases_are_not_written_out() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    with pytest.raises(InputError, match="parts, with what aliases stand for"):
        yaml_of("\n".join(lines), "f")
    assert yaml_of("a: &a [1, 2]\nb: *a", "f")["b"] == [1, 2]


@pytest.mark.parametrize(
    "read", ["a", "a = ", "a = " + "[" * 100_000, "a = " + "9" * 5000, 'a = "\\ud800"', "a = 9999-99-99"]
)
def test_damaged_toml(read: str) -> None:
    with pytest.raises(InputError, match="f:1:"):
        toml_of(read, "f")


def test_no_name_is_taken_for_an_option() -> None:
    names = {"-x.c": "./-x.c", "@x": "./@x", "x.c": "x.c", "/a/-x.c": "/a/-x.c"}
    assert {name: as_argument(Path(name)) for name in names} == names
