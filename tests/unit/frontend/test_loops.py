import pytest

from sley.frontend.loops import for_headers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for (;;) {}", [(False, False, False)]),
        ("for (int i = 0; i < 3; i++) {}", [(True, True, True)]),
        ("for (; x; ) for (f(a, b); ; g())", [(False, True, False), (True, False, True)]),
        ("format(x); forward = 1; before(for_);", []),
        ("s = \"for (;;)\"; c = '\"'; for (; *s != ';'; )", [(False, True, False)]),
        ("for (({ int a; a; }); ({ for (;;) ; 1; }); ) ;", [(True, True, False)]),
    ],
)
def test_headers(text: str, expected: list[tuple[bool, bool, bool]]) -> None:
    assert for_headers(text)[: len(expected)] == expected
