"""YAML as nodes that know their lines and are asked for what they must be."""

from collections.abc import Collection
from dataclasses import dataclass

import yaml

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span

_INTEGER = "tag:yaml.org,2002:int"


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A part of a document."""

    node: yaml.Node
    file: str
    what: str
    """Its name in messages."""

    @property
    def span(self) -> Span:
        """Where it stands."""
        mark = self.node.start_mark
        return Span(self.file, mark.line + 1, mark.column + 1)

    def wrong(self, message: str) -> InputError:
        """An error at this place."""
        return InputError(message, self.span)

    def items(self) -> list["YamlNode"]:
        """The parts of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self.wrong(f"{self.what}: a list is expected")
        return [YamlNode(item, self.file, f"an item of {self.what}") for item in self.node.value]

    def fields(self) -> dict[str, "YamlNode"]:
        """The parts of a mapping."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.wrong(f"{self.what}: a mapping is expected")
        return {str(key.value): YamlNode(value, self.file, str(key.value)) for key, value in self.node.value}

    def field(self, name: str) -> "YamlNode":
        """A part of a mapping that has to be there."""
        found = self.fields().get(name)
        if found is None:
            raise self.wrong(f"{self.what}: `{name}` is missing")
        return found

    def optional(self, name: str) -> "YamlNode | None":
        """A part of a mapping that may be there."""
        return self.fields().get(name)

    def text(self) -> str:
        """A scalar as it is written."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self.wrong(f"{self.what}: a text is expected")
        return str(self.node.value)

    def number(self, least: int) -> int:
        """A whole number."""
        text = self.text()
        if self.node.tag != _INTEGER or not text.isdigit() or int(text) < least:
            raise self.wrong(f"{self.what}: `{text}` is no number from {least} on")
        return int(text)

    def one_of(self, words: Collection[str]) -> str:
        """One of some words."""
        text = self.text()
        if text not in words:
            raise self.wrong(f"{self.what}: `{text}` is none of {', '.join(sorted(words))}")
        return text


def read_yaml(text: str, file: str) -> YamlNode:
    """The root of a document."""
    root = outside.yaml_nodes_of(text, file)
    if root is None:
        raise InputError("an empty file", Span(file, 1, 1))
    return YamlNode(root, file, "the witness")
