"""The plots: well-formed, and every point where it belongs."""

import xml.etree.ElementTree as ElementTree

from bench.running.plot import Panel, Point, figure

SVG = "{http://www.w3.org/2000/svg}"
PANEL = Panel(
    "Growth <of trees>",
    "threads",
    "nodes",
    {"few": [Point(2, 10), Point(3, 100)], "many": [Point(2, 100), Point(3, 1000, is_complete=False)]},
)


def circles(text: str) -> list[tuple[float, float, str]]:
    panel = ElementTree.fromstring(text).find(f"{SVG}g")
    assert panel is not None
    return [
        (float(found.attrib["cx"]), float(found.attrib["cy"]), found.attrib["fill"])
        for found in panel.iter(f"{SVG}circle")
    ]


def test_the_vertical_axis_is_logarithmic() -> None:
    (x2, ten, _), (x3, hundred, _), (_, same, _), (_, thousand, _) = circles(figure("t", [PANEL], 1))
    assert x2 < x3
    assert same == hundred
    assert ten > hundred > thousand
    assert abs((ten - hundred) - (hundred - thousand)) < 0.2


def test_what_did_not_end_is_hollow() -> None:
    fills = [fill for _, _, fill in circles(figure("t", [PANEL], 1))]
    assert [fill == "white" for fill in fills] == [False, False, False, True]


def test_text_is_escaped() -> None:
    assert "Growth &lt;of trees&gt;" in figure("t", [PANEL], 1)


def test_panels_stand_in_a_grid() -> None:
    root = ElementTree.fromstring(figure("t", [PANEL] * 3, columns=2))
    places = [found.attrib["transform"] for found in root.findall(f"{SVG}g")]
    assert places == ["translate(0 52)", "translate(300 52)", "translate(0 272)"]
