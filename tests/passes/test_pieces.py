"""Copies of elements of any type, as the program knows them before it runs: how large, and where to."""

from pathlib import Path

import pytest

from sley.frontend.load import load
from sley.logic.sorts import bitvec
from sley.logic.terms import Terms
from sley.passes.pieces import settle_pieces
from sley.passes.pipeline import prepare
from sley.program import instructions as ir
from sley.program.builder import FunctionBuilder
from sley.program.memory import Layout
from sley.program.program import Program

TEXT = """
#include <stdlib.h>
#include <string.h>
struct item {{ char kind; void *value; short more; }};
struct pair {{ int id; struct item item; }};
struct tailed {{ struct tailed *next; char data[]; }};
size_t count;
char bytes[64];
int main(void) {{
    struct item item = {{0}}, *items = &item;
    struct pair pair = {{0}};
    size_t size = sizeof item + count;
    char *block = malloc(count * size);
    {body}
    return 0;
}}
"""

ITEM = [(0, 1), (8, 8), (16, 2)]


def prepared(text: str, folder: Path) -> Program:
    path = folder / "copies.c"
    path.write_text(TEXT.format(body=text))
    return prepare(load([path], keeps_locals=True), keeps_memory=True)


def shape(layout: Layout) -> tuple[list[tuple[int, int]], int]:
    return [(cell.offset, cell.size) for cell in layout.cells], layout.stride


def blocks(program: Program) -> list[tuple[list[tuple[int, int]], int]]:
    made = [edge.instruction for edge in program.edges if isinstance(edge.instruction, ir.Allocate)]
    return [shape(one.layout) for one in made]


@pytest.mark.parametrize(
    "copy",
    [
        "memcpy(block + size, &item, size);",
        "memmove(&item, block, size);",
        "memcpy(block, &pair.item, size);",
        "memcpy(bytes, &item, size); memcpy(block, bytes, size);",
        "block = realloc(block, 2 * size); memcpy(block, items, size);",
        "memcpy(block, &item.kind, 1 + count); memcpy(block, &item, size);",
    ],
)
def test_a_block_gets_the_layout_of_what_is_copied(copy: str, tmp_path: Path) -> None:
    assert set(map(repr, blocks(prepared(copy, tmp_path)))) == {repr((ITEM, 24))}


@pytest.mark.parametrize("copy", ["block[0] = 1;", "memcpy(block, bytes, size);", "block[1] = item.kind;"])
def test_bytes_stay_bytes(copy: str, tmp_path: Path) -> None:
    assert blocks(prepared(copy, tmp_path)) == [([(0, 1)], 1)]


def test_elements_behind_a_header(tmp_path: Path) -> None:
    text = "struct tailed *node = malloc(sizeof *node + size); memcpy(node->data, &item, size);"
    (_, (cells, stride)) = blocks(prepared(text, tmp_path))
    assert cells == [(0, 8), (8, 1), (16, 8), (24, 2)]
    assert stride == 32


def test_arrays_keep_what_they_begin_with(tmp_path: Path) -> None:
    text = "static char given[48] = {[30] = 1}; memcpy(given, &item, size);"
    program = prepared(text, tmp_path)
    given = next(obj for obj in program.objects if obj.c_name == "given")
    assert shape(given.layout) == ([(0, 1)], 1)
    assert dict(given.initial) == {30: 1}


def test_no_question_is_left(tmp_path: Path) -> None:
    program = prepared("memcpy(block, &item, size); memset(block, 0, size);", tmp_path)
    assert settle_pieces(program) is program


def test_copies_of_bytes_have_no_other_accesses(tmp_path: Path) -> None:
    program = prepared("memcpy(block, bytes, size);", tmp_path)
    copied = [
        edge.instruction.access.size
        for edge in program.edges
        if isinstance(edge.instruction, ir.Load) and edge.origin.function == "copy"
    ]
    assert copied == [1]


def test_names_of_registers_never_meet() -> None:
    builder = FunctionBuilder(Terms(), "f")
    names = [builder.register(name, bitvec(8)).name for name in ("t", "t", "t.2", "t.2.2", "t", "t.3")]
    assert len(set(names)) == 6
