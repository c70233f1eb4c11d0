"""Names of findings, for those who report them."""

from sley.evidence.fingerprints import fingerprint

__all__ = ["fingerprint"]
