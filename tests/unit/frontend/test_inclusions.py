"""What the C parser must not open or obey is refused before it is asked, in every file that is read."""

import os
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.verification.reading import loaded_program
from sley.verification.task import Task

MAIN = "int main(void) { return 0; }\n"
PIPES = {
    "by name": '#include "pipe"\n',
    "over lines": '#incl\\\nude /**/ "pipe"\n',
    "through a macro": '#define FILE "pipe"\n#include FILE\n',
    "asked for": '#if __has_include("pipe")\n#endif\n',
    "for its age": '#pragma GCC dependency "pipe"\n',
    "a device": "#include </dev/zero>\n",
}
PRAGMAS = {
    "debug": "#pragma clang __debug overflow_stack\n",
    "with comments": "%:/**/pragma clang /* */ __debug crash\n",
    "a module": "#pragma cl\\\nang module build foo\nmodule foo {}\n#pragma clang module endbuild\n",
    "an operator": '_Pragma("clang module import foo")\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def _refused(folder: Path, **flags: object) -> str:
    with pytest.raises(InputError) as refused:
        loaded_program(Task(paths=(folder / "x.c",), **flags))  # type: ignore[arg-type]
    return str(refused.value)


@pytest.mark.parametrize("how", PIPES)
def test_what_has_no_end_is_not_included(how: str, folder: Path) -> None:
    (folder / "x.c").write_text(PIPES[how] + MAIN)
    assert "not a regular file" in _refused(folder)


@pytest.mark.parametrize("how", PRAGMAS)
def test_pragmas_of_the_parser_are_refused_in_headers(how: str, folder: Path) -> None:
    (folder / "below").mkdir()
    (folder / "x.c").write_text('#include "y.h"\n' + MAIN)
    (folder / "below/y.h").write_text(f'#include "z.h"\n{PRAGMAS[how]}')
    (folder / "below/z.h").write_text('#include "y.h"\n')
    assert "has a pragma" in _refused(folder, include_dirs=(folder / "below",))


def test_a_pragma_that_a_macro_spells_out_does_no_harm(folder: Path) -> None:
    text = "#define P(x) _Pragma(#x)\n#define Q(x) P(x)\nQ(clang __de##bug overflow_stack)\n"
    (folder / "x.c").write_text(text + MAIN)
    assert loaded_program(Task(paths=(folder / "x.c",))).functions


def test_comments_and_folders_are_nothing_of_that(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "x.c").write_text('// clang modules\n#if 0\n#include "sub"\n#include "gone.h"\n#endif\n' + MAIN)
    assert loaded_program(Task(paths=(folder / "x.c",))).functions
