"""HTML from plain data: all text is escaped unless it is ``Html`` already."""

from collections.abc import Iterable

from sley.base.shown import marked_up

VOID = ("br", "col", "input", "meta", "path", "circle", "line", "rect")
"""Elements without an end tag; those of SVG close themselves."""

Attribute = str | int | float | bool | None


class Html(str):
    """Text that is HTML: made here, or of what was made here."""

    __slots__ = ()


Child = str | Iterable["Child"] | None


def markup(*children: Child) -> Html:
    """Children one after another; plain text is escaped."""
    return Html("".join(_text(child) for child in children))


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return str(child)
    return marked_up(child, quote=False) if isinstance(child, str) else markup(*child)


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element; ``class_`` and ``data_step`` stand for the attributes class and data-step.

    An attribute that is None or False is left out, one that is True has no value.
    """
    opening = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}"
    if name in VOID:
        return Html(f"{opening}/>")
    return Html(f"{opening}>{markup(*children)}</{name}>")


def _attribute(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{marked_up(_number(value))}"'


def _number(value: str | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
