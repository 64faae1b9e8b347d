"""What a custom text must be like to stand in for a shipped one."""

import re
import string
import unicodedata
from typing import Literal

from zcbus.control.features.translation.shipped import ShippedText
from zcbus.control.platform.language import Language

MAX_LENGTH = 1000

TextFault = Literal["language", "too-long", "placeholders", "markup", "characters"]
"""`language`: the key has no text in this language. The message is the catalogue's `text-fault.<fault>`."""

_MARKUP = re.compile(r"<\s*[A-Za-z/!?][^>]*>?")
_CONSOLE_FIELD = re.compile(r"{{\s*([\w.-]+)\s*}}")
# Characters that turn the direction of what follows: a text could show as another than it is.
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def fault_of(custom: str, shipped: ShippedText, language: Language) -> TextFault | None:
    """Why a text cannot be used instead of the shipped one; None: it can."""
    original = shipped.text(language)
    if original is None:
        return "language"
    if len(custom) > MAX_LENGTH:
        return "too-long"
    if placeholders(custom, shipped) != placeholders(original, shipped):
        return "placeholders"
    # The console draws texts as text; markup is refused so that no later use can be led to draw it.
    if not set(_MARKUP.findall(custom)) <= set(_MARKUP.findall(original)):
        return "markup"
    if any(_is_control(character) and character not in original for character in custom):
        return "characters"
    return None


def placeholders(text: str, shipped: ShippedText) -> frozenset[str] | None:
    """The placeholders of a text as they stand in it; None: one is malformed."""
    return _server_fields(text) if shipped.of_server else _console_fields(text)


def _console_fields(text: str) -> frozenset[str] | None:
    rest = _CONSOLE_FIELD.sub("", text)
    # `$t(…)` would read another text.
    if "{{" in rest or "}}" in rest or "$t(" in rest:
        return None
    return frozenset(f"{{{{{name}}}}}" for name in _CONSOLE_FIELD.findall(text))


def _server_fields(text: str) -> frozenset[str] | None:
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return None
    return frozenset(
        f"{{{name}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"
        for _, name, spec, conversion in parts
        if name is not None
    )


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc" or character in _BIDI
