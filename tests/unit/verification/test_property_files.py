"""Property files are read by content."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.program.properties import Property
from sley.verification.property_files import Selection, read_property_file


def written(folder: Path, *formulas: str) -> Path:
    path = folder / "any-name.prp"
    path.write_text("\n\n".join(f"CHECK( init(main()), LTL({formula}) )" for formula in formulas))
    return path


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("G ! call(reach_error())", Selection(frozenset({Property.REACH}), "reach_error")),
        ("G ! call( __VERIFIER_error ( ) )", Selection(frozenset({Property.REACH}), "__VERIFIER_error")),
        ("G ! data-race", Selection(frozenset({Property.RACE}))),
        ("G ! overflow", Selection(frozenset({Property.OVERFLOW}))),
        ("G valid-deref", Selection(frozenset({Property.DEREF}))),
        ("G valid-free", Selection(frozenset({Property.FREE}))),
        ("G valid-memtrack", Selection(frozenset({Property.LEAK}))),
        ("G ! deadlock", Selection(frozenset({Property.DEADLOCK}))),
    ],
)
def test_each_formula(tmp_path: Path, formula: str, expected: Selection) -> None:
    assert read_property_file(written(tmp_path, formula)) == expected


def test_several_lines_are_one_selection(tmp_path: Path) -> None:
    path = written(tmp_path, "G valid-free", "G valid-deref", "G valid-memtrack")
    assert read_property_file(path).properties == {Property.DEREF, Property.FREE, Property.LEAK}


def test_a_property_that_we_cannot_decide_is_kept_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "G valid-free", "F end")
    (unsupported,) = read_property_file(path).unsupported
    assert str(unsupported) == f"{path}:3:1: property `F end`"


@pytest.mark.parametrize("content", ["", "\n\n", "G ! overflow", "CHECK( init(main()) )", "// CHECK"])
def test_anything_else_is_an_error_with_a_place(tmp_path: Path, content: str) -> None:
    path = tmp_path / "wrong.prp"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        read_property_file(path)
    assert str(caught.value).startswith(f"{path}:1:1: ")


def test_a_missing_or_binary_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_property_file(tmp_path / "missing.prp")
    (tmp_path / "binary.prp").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file"):
        read_property_file(tmp_path / "binary.prp")


def test_assertions_and_an_error_function_together_mean_both() -> None:
    assertions = Selection(frozenset({Property.REACH}))
    only_calls = Selection(frozenset({Property.REACH}), "reach_error")
    races = Selection(frozenset({Property.RACE}))
    assert (only_calls | races).error_call == "reach_error"
    assert (races | only_calls).error_call == "reach_error"
    assert (only_calls | assertions).error_call is None


def test_two_error_functions_cannot_be_combined() -> None:
    with pytest.raises(InputError, match=r"call\(f\) and call\(g\)"):
        Selection(frozenset({Property.REACH}), "g") | Selection(frozenset({Property.REACH}), "f")
