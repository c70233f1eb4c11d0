"""Comments are found as a compiler finds them."""

import pytest

from sley.frontend.comments import comments


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a; // b", ["// b"]),
        ("a; /* b */ c; // d", ["/* b */", "// d"]),
        ('s = "// no"; // yes', ["// yes"]),
        (r's = "\"// no"; // yes', ["// yes"]),
        ('s = "a\\\n// no"; // yes', ["// yes"]),
        ("c = '\"'; // yes", ["// yes"]),
        (r"c = '\''; /* yes */", ["/* yes */"]),
        ("i = 1'000; // yes", ["// yes"]),
        ("/* // one */ a;", ["/* // one */"]),
        ("// /* one\na;", ["// /* one"]),
        ("// one \\\ntwo\na;", ["// one  two"]),
        ("/\\\n/ one", ["/ / one"]),
        ("/* one\ntwo *\\\n/ a;", ["/* one\ntwo * /"]),
        ("a / b; c = *d / *e;", []),
        ("#error don't\n// yes", ["// yes"]),
    ],
)
def test_what_is_a_comment(text: str, found: list[str]) -> None:
    assert [comment.text for comment in comments(text)] == found


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a;\nb; // c\nd;", [(2, 4, 2)]),
        ("a;\n// b\n\n/* c */\nd;", [(2, 1, 5), (4, 1, 5)]),
        ("/* a\nb */ c;\nd;", [(1, 1, 2)]),
        ("a; /* b\nc */\nd;", [(1, 4, 1)]),
        ("/* a */ b;", [(1, 1, 1)]),
        ("a;\n// b", [(2, 1, 2)]),
    ],
)
def test_what_a_comment_is_about(text: str, places: list[tuple[int, int, int]]) -> None:
    assert [(one.line, one.column, one.about) for one in comments(text)] == places
