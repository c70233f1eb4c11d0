"""Format strings of printf and scanf."""

from sley.frontend.builtins.formats import Conversion, printed, scanned


def test_text_and_conversions_alternate() -> None:
    assert printed("no. %d of %s\n") == ["no. ", Conversion("d"), " of ", Conversion("s"), "\n"]


def test_a_conversion_has_flags_width_precision_and_length() -> None:
    assert printed("%-05.3ld") == [Conversion("d", "-0", "5", "3", "l")]
    assert printed("%.s") == [Conversion("s", "", "", "", "")]


def test_stars_take_arguments() -> None:
    assert printed("%*.*f") == [Conversion("f", "", "*", "*")]
    assert Conversion("f", "", "*", "*").arguments == 3


def test_a_percent_sign_takes_none() -> None:
    assert printed("%%") == [Conversion("%")]
    assert Conversion("%").arguments == 0


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
