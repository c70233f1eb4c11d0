"""Tables of documents were written by their commands, and by nothing else."""

import re
from pathlib import Path

import pytest
from bench.documents import DOCS, TABLES, digest_of, with_table, without_written, written_in

from bench import documents

PLACE = "before\n<!-- table one -->\nold\n<!-- end of table one  -->\nbehind\n"
_ROW = re.compile(r"^\|(.+)\|\s*$", re.MULTILINE)


@pytest.mark.parametrize("document", sorted({table.document for table in TABLES}))
def test_every_table_is_as_it_was_written(document: str) -> None:
    text = (DOCS / document).read_text()
    written = {one.name: one for one in written_in(text)}
    assert set(written) == {table.name for table in TABLES if table.document == document}
    assert [name for name, one in written.items() if not one.is_untouched] == []
    assert text.count("<!-- table ") == text.count("<!-- end of table ") == len(written)


@pytest.mark.parametrize("document", sorted({table.document for table in TABLES}))
def test_no_table_of_measurements_is_written_by_hand(document: str) -> None:
    rows = [row.split("|") for row in _ROW.findall(without_written((DOCS / document).read_text()))]
    by_hand = [
        row for row in rows if sum(re.match(r"\s*\d+\.\d+\s*$", cell) is not None for cell in row) >= 2
    ]
    assert by_hand == []


def test_a_table_takes_the_place_of_the_old_one() -> None:
    text = with_table(PLACE, "one", "new\n")
    (written,) = written_in(text)
    assert (written.text, written.digest, written.is_untouched) == ("new\n", digest_of("new\n"), True)
    assert without_written(text) == "before\nbehind\n"


def test_a_change_by_hand_is_noticed() -> None:
    (written,) = written_in(with_table(PLACE, "one", "12 s\n").replace("12 s", "11 s"))
    assert not written.is_untouched


def test_a_table_without_a_place_is_refused() -> None:
    with pytest.raises(SystemExit):
        with_table(PLACE, "two", "new\n")


def test_what_a_command_prints_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.md").write_text(PLACE)
    monkeypatch.setattr(documents, "DOCS", tmp_path)
    documents.make(documents.Table("one", "notes.md", ("tests.bench.prints_its_arguments",)), 7)
    (written,) = written_in((tmp_path / "notes.md").read_text())
    assert written.is_untouched
    assert "```text\n--time-limit 7\n```" in written.text
    assert "revision" in written.text


def test_what_a_failing_command_prints_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.md").write_text(PLACE)
    monkeypatch.setattr(documents, "DOCS", tmp_path)
    with pytest.raises(SystemExit):
        documents.make(documents.Table("one", "notes.md", ("tests.bench.prints_its_arguments", "--fail")), 7)
    assert (tmp_path / "notes.md").read_text() == PLACE
