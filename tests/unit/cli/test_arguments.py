"""Values on the command line."""

import argparse
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.cli import arguments
from sley.engines.bmc.options import BmcOptions, Stage
from sley.program.properties import ALL_PROPERTIES, Property


@pytest.mark.parametrize(
    ("text", "expected"), [("10", 10), ("10s", 10), ("1.5", 1.5), ("5m", 300), ("2 min", 120), ("1h", 3600)]
)
def test_times(text: str, expected: float) -> None:
    assert arguments.seconds(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("500", 500), ("500MB", 500), ("2GB", 2000), ("1.5g", 1500)])
def test_sizes(text: str, expected: int) -> None:
    assert arguments.megabytes(text) == expected


def test_stages_are_left_out_by_name() -> None:
    parser = argparse.ArgumentParser()
    arguments.add_options(parser, BmcOptions, "bmc")
    flags = vars(parser.parse_args(["--without", "sums,pruning"]))
    assert arguments.options_from(flags, BmcOptions).without == (Stage.SUMS, Stage.PRUNING)
    with pytest.raises(SystemExit):
        parser.parse_args(["--without", "sums,speed"])


@pytest.mark.parametrize("text", ["", "x", "-1", "0", "10 weeks", "1e3", "10s 5m"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        arguments.seconds(text)
    with pytest.raises(argparse.ArgumentTypeError):
        arguments.megabytes(text)


def test_properties_add_up(tmp_path: Path) -> None:
    file = tmp_path / "x.prp"
    file.write_text("CHECK( init(main()), LTL(G ! overflow) )")
    chosen = arguments.selection(["race", "memory", str(file)])
    assert chosen is not None
    assert chosen.properties == {
        Property.RACE,
        Property.DEREF,
        Property.FREE,
        Property.LEAK,
        Property.OVERFLOW,
    }
    everything = arguments.selection(["all"])
    assert everything is not None
    assert everything.properties == ALL_PROPERTIES
    assert arguments.selection([]) is None


def test_an_unknown_property_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="reach, race, deadlock"):
        arguments.selection(["races"])


class Order(Enum):
    DEPTH = "depth"
    BREADTH = "breadth"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of an engine."""

    reduction: bool = True
    """Leave out what
    need not be seen."""
    is_verbose: bool = False
    max_states: int | None = None
    """A limit."""
    order: Order = Order.DEPTH


def test_docstrings_of_fields_become_help() -> None:
    assert arguments.field_docstrings(Options) == {
        "reduction": "Leave out what need not be seen.",
        "max_states": "A limit.",
    }


def parsed(*words: str) -> Options:
    parser = argparse.ArgumentParser()
    arguments.add_options(parser, Options, "options")
    return arguments.options_from(vars(parser.parse_args(words)), Options)


def test_flags_come_from_the_fields_of_a_dataclass() -> None:
    assert parsed() == Options()
    words = ["--no-reduction", "--max-states", "3", "--is-verbose", "--order", "breadth"]
    assert parsed(*words) == Options(reduction=False, max_states=3, is_verbose=True, order=Order.BREADTH)


def test_a_command_without_the_flags_gets_the_defaults() -> None:
    assert arguments.options_from({"files": []}, Options) == Options()
