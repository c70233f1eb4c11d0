"""Text from outside as people may see it: a terminal obeys nothing of it."""

from html import escape


def visible(text: str) -> str:
    """Text in which what is no character to be seen is written out, as in a string of Python."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def visible_lines(text: str) -> str:
    """The same for text in lines and columns."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(one if one in "\n\t" else visible(one) for one in text)


def marked_up(text: str, *, quote: bool = True) -> str:
    """The same in a text in XML or HTML, where some characters cannot even be written."""
    return escape(visible_lines(text), quote=quote)


def _escaped(one: str) -> str:
    number = ord(one)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a name that is no text
        return f"\\x{number - 0xDC00:02x}"
    return one.encode("unicode_escape", "backslashreplace").decode("ascii") if number != 0xA0 else " "
