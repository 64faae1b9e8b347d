"""Reasons that agents and workers give, as text for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zcbus.connectors.errors import TableRefused
from zcbus.connectors.registry import KINDS
from zcbus.control.platform.call import Call
from zcbus.control.platform.language import Language
from zcbus.control.platform.messages import Catalogue
from zcbus.control.platform.schema import Schema
from zcbus.protocol.base import Reason


class ReasonRecord(Schema):
    """A reason and its remedy, in the caller's language."""

    code: str
    text: str
    remedy: str
    facts: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReasonTexts:
    """Turns reasons into text in one language."""

    catalogue: Catalogue
    language: Language

    @classmethod
    def of(cls, call: Call) -> "ReasonTexts":
        """In the language of a call."""
        return cls(call.services.catalogue, call.language)

    def record(self, reason: Reason | Mapping[str, Any] | None) -> ReasonRecord | None:
        """A stored or received reason as text; None stays None."""
        if reason is None:
            return None
        code, facts = (reason.code, reason.facts) if isinstance(reason, Reason) else (reason["code"], reason["facts"])
        return ReasonRecord(code=code, text=self.text(code, facts), remedy=self.remedy(code, facts), facts=facts)

    def text(self, code: str, facts: Mapping[str, str]) -> str:
        """Text of a reason. A code without a text is shown with its facts, never hidden."""
        texts = self.catalogue.texts(self.language)
        if code in texts:
            text = self.catalogue.text(self.language, code, **_shown(facts))
            # What a refusal speaks of more closely: a statement, another table.
            return f"{text} ({facts['detail']})" if code == TableRefused.code and facts.get("detail") else text
        details = ", ".join(f"{name}={value}" for name, value in facts.items())
        return f"{code} ({details})" if details else code

    def remedy(self, code: str, facts: Mapping[str, str]) -> str:
        """Remedy: the statement that repairs it where the reason has one; empty where no remedy is
        known."""
        if facts.get("remedy"):
            return facts["remedy"]
        key = f"{code}.remedy"
        return self.catalogue.text(self.language, key, **facts) if key in self.catalogue.texts(self.language) else ""

    def advice(self, key: str) -> str:
        """Remedy in words, where a check says which; empty where it says none."""
        return self.named(f"advice.{key}", "")

    def named(self, key: str, otherwise: str) -> str:
        """A free text of the catalogue, or `otherwise` where it has none."""
        texts = self.catalogue.texts(self.language)
        return texts.get(key, otherwise)


def _shown(facts: Mapping[str, str]) -> dict[str, str]:
    """A kind of database is called as its makers call it."""
    entry = KINDS.get(facts.get("kind", ""))
    return dict(facts) if entry is None else {**facts, "kind": entry.spec.label}
