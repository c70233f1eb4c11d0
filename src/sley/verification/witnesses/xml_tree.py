"""XML as a tree that knows its lines."""

from dataclasses import dataclass, field
from xml.parsers import expat

from sley.base.errors import InputError
from sley.base.source import Span


@dataclass(slots=True)
class XmlElement:
    """An element, without the namespace of its name."""

    name: str
    attributes: dict[str, str]
    span: Span
    text: str = ""
    children: list["XmlElement"] = field(default_factory=list)

    def all(self, name: str) -> list["XmlElement"]:
        """The children of that name."""
        return [child for child in self.children if child.name == name]

    def attribute(self, name: str) -> str:
        """An attribute that has to be there."""
        if name not in self.attributes:
            raise InputError(f"<{self.name}> has no attribute `{name}`", self.span)
        return self.attributes[name]


def read_xml(text: str, file: str) -> XmlElement:
    """The root of a document; what XML allows beyond elements and text is refused."""
    top = XmlElement("", {}, Span(file, 1, 1))
    open_elements = [top]
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        span = Span(file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        made = XmlElement(name.rpartition(":")[2], attributes, span)
        open_elements[-1].children.append(made)
        open_elements.append(made)

    def end(_: str) -> None:
        open_elements.pop()

    def characters(data: str) -> None:
        open_elements[-1].text += data

    def doctype(*_: object) -> None:
        raise InputError("a document type has no place in a witness", Span(file, parser.CurrentLineNumber, 1))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text, True)  # noqa: FBT003 - the parser's own signature
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        raise InputError(f"not XML: {message}", Span(file, error.lineno, error.offset + 1)) from None
    return top.children[0]
