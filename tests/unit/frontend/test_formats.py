"""Format strings of printf and scanf."""

from sley.frontend.builtins.formats import Conversion, Piece, Use, printed, scanned, uses


def test_text_and_conversions_alternate() -> None:
    assert printed("no. %d of %s\n") == ["no. ", Conversion("d"), " of ", Conversion("s"), "\n"]


def test_a_conversion_has_flags_width_precision_and_length() -> None:
    assert printed("%-05.3ld") == [Conversion("d", "-0", "5", "3", "l")]
    assert printed("%.s") == [Conversion("s", "", "", "", "")]


def used(text: str) -> list[tuple[int | None, int | None, int | None]]:
    pieces: list[Piece] | None = printed(text)
    assert pieces is not None
    return [(use.width, use.precision, use.value) for use in uses(pieces)]


def test_stars_take_arguments() -> None:
    assert printed("%*.*f") == [Conversion("f", "", "*", "*")]
    assert used("%d%*.*f%.*s") == [(None, None, 0), (1, 2, 3), (None, 4, 5)]


def test_a_percent_sign_and_the_last_error_take_none() -> None:
    assert printed("%%") == [Conversion("%")]
    assert used("%%%d%m%d") == [(None, None, None), (None, None, 0), (None, None, None), (None, None, 1)]


def test_positions_name_arguments() -> None:
    assert printed("%2$-5s") == [Conversion("s", "-", "5", position="2")]
    assert used("%2$s %1$*3$d") == [(None, None, 1), (2, None, 0)]
    assert uses([Conversion("d", position="4")]) == [Use(Conversion("d", position="4"), 3)]


def test_what_is_no_format_is_none() -> None:
    assert printed("100%") is None
    assert scanned("%[a") is None


def test_scanned_sets_and_suppressed_conversions() -> None:
    pieces = scanned("%*d,%7[^]x] %hhu") or []
    conversions = [piece for piece in pieces if isinstance(piece, Conversion)]
    assert [(c.letter, c.flags, c.width, c.length) for c in conversions] == [
        ("d", "*", "", ""),
        ("[", "", "7", ""),
        ("u", "", "", "hh"),
    ]
