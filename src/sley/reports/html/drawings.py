"""Drawings that other reports make, in a frame in which they can be moved and made larger."""

import re

from sley.reports.html.markup import Html, tag


def framed(svg: str, prefix: str, title: str) -> Html:
    """An SVG document of ours as a part of a page; what it refers to gets names of its own."""
    text = svg.replace("<svg ", '<svg class="drawing" ', 1)
    text = re.sub(r'\bid="(\w+)"', rf'id="{prefix}-\1"', text)
    text = re.sub(r"url\(#(\w+)\)", rf"url(#{prefix}-\1)", text)
    buttons = [
        tag("button", sign, type="button", data_zoom=factor, aria_label=label)
        for sign, factor, label in (
            ("+", "1.25", "Larger"),
            ("-", "0.8", "Smaller"),
            ("1:1", "0", "Original size"),
        )
    ]
    return tag(
        "div",
        tag("div", buttons, class_="zoom"),
        tag("div", Html(text), class_="canvas", tabindex="0", role="img", aria_label=title),
        class_="frame",
    )
