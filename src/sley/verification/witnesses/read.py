"""A witness from a file, whichever format it is written in."""

from pathlib import Path

from sley.base import outside
from sley.verification.witnesses.document import Witness
from sley.verification.witnesses.graphml import is_graphml, read_graphml
from sley.verification.witnesses.yaml_format import read_yaml_witness


def read_witness(file: Path) -> Witness:
    """What the witness says; InputError for what is none."""
    text = outside.text(file, outside.WITNESS)
    is_yaml = file.suffix in (".yml", ".yaml")
    is_xml = file.suffix in (".graphml", ".xml") or (is_graphml(text) and not is_yaml)
    return read_graphml(text, str(file)) if is_xml else read_yaml_witness(text, str(file))
