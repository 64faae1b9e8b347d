"""Text for people. The platform's own words are in `zh.py` and `en.py`; a feature brings its own `messages.py`
with two dictionaries, `ZH` and `EN`. Keys are error codes (`ZcbusError.code`) or free names."""

from collections.abc import Mapping
from string import Formatter
from types import MappingProxyType

from zcbus.control.platform.language import LANGUAGES, Language
from zcbus.control.platform.messages import en, zh
from zcbus.kit.errors import ZcbusError


class Catalogue:
    """All messages in both languages. Its keys are complete and closed once built, the same in both languages; an
    operator's custom texts may replace shipped ones while it runs (`use_custom`)."""

    def __init__(self, *parts: tuple[Mapping[str, str], Mapping[str, str]]) -> None:
        self._texts: dict[Language, dict[str, str]] = {"zh": dict(zh.MESSAGES), "en": dict(en.MESSAGES)}
        for chinese, english in parts:
            self._add(chinese, english)
        for language, other in (LANGUAGES, LANGUAGES[::-1]):
            missing = sorted(self._texts[other].keys() - self._texts[language].keys())
            if missing:
                raise ValueError(f"messages missing in {language}: {', '.join(missing)}")
        self._shipped = self._texts

    def use_custom(self, custom: Mapping[Language, Mapping[str, str]]) -> None:
        """Read these texts instead of the shipped ones of their keys, and the shipped ones of all others. The caller
        has checked that each text has the placeholders of the shipped one."""
        self._texts = {language: {**texts, **custom[language]} for language, texts in self._shipped.items()}

    def shipped(self, language: Language) -> Mapping[str, str]:
        """The messages of one language as this version brings them, read-only."""
        return MappingProxyType(self._shipped[language])

    def _add(self, chinese: Mapping[str, str], english: Mapping[str, str]) -> None:
        for language, texts in (("zh", chinese), ("en", english)):
            own = self._texts["zh" if language == "zh" else "en"]
            twice = sorted(own.keys() & texts.keys())
            if twice:
                raise ValueError(f"messages defined twice: {', '.join(twice)}")
            own.update(texts)

    def message_keys(self) -> frozenset[str]:
        """Every key there is a message for."""
        return frozenset(self._texts["zh"])

    def texts(self, language: Language) -> Mapping[str, str]:
        """The messages of one language as people read them now, read-only."""
        return MappingProxyType(self._texts[language])

    def text(self, language: Language, key: str, /, **facts: object) -> str:
        """The message for `key` with the facts filled in; a fact that is absent shows as a dash, one that is itself
        a key of the catalogue shows as its text, an empty one leaves no blank."""
        texts = self._texts[language]
        return _filled(texts[key], _Facts({name: _word(texts, name, fact) for name, fact in facts.items()}))

    def error_text(self, language: Language, error: ZcbusError) -> str:
        """The message for an error, or a general one that names its code."""
        if error.code in self._texts[language]:
            return self.text(language, error.code, **error.facts)
        return self.text(language, "error", code=error.code)


# Facts whose value is a key, and what stands before it in the catalogue.
_WORDS: Mapping[str, str] = {
    "reason": "refusal",
    "item": "check",
    "side": "side",
    "state": "state",
    "action": "action",
    "clean": "clean",
    "why": "why",
    "hop": "hop",
    "owner": "owner",
    "work": "work",
    "use": "certificate",
    "mend": "mend",
    "problem": "problem",
    "break": "audit.reason",
    "metric": "metric",
    "comparison": "comparison",
}


def _word(texts: Mapping[str, str], name: str, fact: object) -> object:
    return texts.get(f"{_WORDS[name]}.{fact}", fact) if name in _WORDS else fact


_NO_BLANK_AFTER = (" ", "：", "，", "。", "；", "（", "、")


def _filled(text: str, facts: "_Facts") -> str:
    """A text with its facts. Blanks of the text divide two words: they go where a fact is empty or ends with
    punctuation that is as wide as a sign."""
    filled = ""
    for words, name, form, _ in Formatter().parse(text):
        filled += words.removeprefix(" ") if filled.endswith(_NO_BLANK_AFTER) else words
        if name is not None:
            filled += format(facts[name], form or "")
    return filled.rstrip(" ")


class _Facts(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "-"
