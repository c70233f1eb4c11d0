"""What stands in a program and is not read: pragmas and attributes that the parser passes over.

Most change no meaning. Some do, as with OpenMP, whose directives make threads: then no proof holds. What
turns the bytes of scalars around changes every run: such a program is refused. Of the rest nothing is known:
the answer says that they were taken to change nothing.
"""

import re
from dataclasses import dataclass

from sley.base.errors import Unsupported
from sley.base.source import Span

WARNINGS = ("-Wunknown-pragmas", "-Wsource-uses-openmp", "-Wsource-uses-openacc", "-Wunknown-attributes")
"""How clang is asked to tell."""

_PRAGMA = re.compile(r'\s*#\s*pragma\s+(.*)|.*_Pragma\s*\(\s*"([^"]*)"')
_ATTRIBUTE = re.compile(r"unknown attribute '([^']*)' ignored")
_MODELS_OF_THREADS = {"omp": "OpenMP", "acc": "OpenACC"}
_MEANINGFUL_PRAGMAS = frozenset({"scalar_storage_order", "interrupt", "vector", "isr", "FENV_ROUND"})
_MEANINGFUL_ATTRIBUTES = frozenset(
    {"scalar_storage_order", "interrupt", "interrupt_handler", "isr", "signal", "naked", "target_clones"}
)
_OTHER_BYTES = "scalar_storage_order"
_HARMLESS_PRAGMAS = frozenset(
    {
        *("GCC", "clang", "STDC", "warning", "once", "region", "endregion", "mark", "message", "intrinsic"),
        *("optimize", "inline_depth", "inline_recursion", "auto_inline", "check_stack", "ident", "hdrstop"),
        *("ivdep", "unroll", "nounroll", "simd", "loop", "code_seg", "data_seg", "const_seg", "bss_seg"),
        *("NOVECTOR", "novector", "distribute_point", "prefetch", "noprefetch", "managed", "unmanaged"),
    }
)
_HARMLESS_ATTRIBUTES = frozenset(
    {
        *("optimize", "noclone", "externally_visible", "no_reorder", "noipa", "nonstring", "no_icf"),
        *("no_stack_limit", "null_terminated_string_arg", "stack_protect", "optnone", "simd", "access"),
        *("fd_arg", "fd_arg_read", "fd_arg_write", "tainted_args", "copy", "symver", "noplt", "leaf"),
        *(
            "unavailable",
            "zero_call_used_regs",
            "no_address_safety_analysis",
            "no_profile_instrument_function",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class NotRead:
    """One place that the parser passed over."""

    span: Span | None
    text: str
    """What stands there, in the words of a message."""
    is_meaningful: bool
    """Whether it changes what the program does."""

    @property
    def is_refused(self) -> bool:
        """Whether no run of the program is as it would be without it."""
        return _OTHER_BYTES in self.text

    def as_unsupported(self) -> Unsupported:
        """As a reason why there is no proof."""
        return Unsupported(f"{self.text}, which is not read", self.span)

    def as_assumption(self) -> str:
        """As something that the answer rests on."""
        where = f" ({self.span.file}:{self.span.line})" if self.span else ""
        return f"{self.text} changes nothing{where}"


def passed_over(message: str, line: str, span: Span | None) -> NotRead | None:
    """What a warning of clang's is about, given the line of the text; None if it changes no meaning."""
    attribute = _ATTRIBUTE.search(message)
    if attribute is not None:
        return _attribute(attribute[1].strip("_"), span)
    pragma = _PRAGMA.match(line)
    words = (pragma[1] or pragma[2] or "").split() if pragma is not None else []
    if not words:  # inside a macro
        is_threads = "'#pragma omp" in message or "'#pragma acc" in message
        words = ["omp" if "omp" in message else "acc"] if is_threads else ["..."]
    if words[0] in _HARMLESS_PRAGMAS and "FENV_ROUND" not in words:
        return None
    text, model = f"`#pragma {' '.join(words)}`", _MODELS_OF_THREADS.get(words[0])
    shown = text if model is None else f"{text} ({model})"
    return NotRead(span, shown, is_meaningful=model is not None or not _MEANINGFUL_PRAGMAS.isdisjoint(words))


def _attribute(name: str, span: Span | None) -> NotRead | None:
    if name in _HARMLESS_ATTRIBUTES:
        return None
    return NotRead(span, f"the attribute `{name}`", is_meaningful=name in _MEANINGFUL_ATTRIBUTES)
