"""The texts that this version brings, by key.

A key is `namespace:key`. Namespaces are those of the console (`common:action.save`), `server` for the messages of the
control plane (`server:forbidden`), and `service-kind` for the titles of service types.

`npm --prefix console run texts` writes `console_texts.json` from the console's locale files; `make check` compares
them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from zcbus.control.platform.language import Language
from zcbus.control.platform.messages import Catalogue
from zcbus.protocol.service_kinds import SERVICE_KINDS

SERVER = "server"
SERVICE_KIND = "service-kind"


@dataclass(frozen=True, slots=True)
class ShippedText:
    """A text as it is shipped. None: the language has no such form; English has plural forms that Chinese has not."""

    key: str
    zh: str | None
    en: str | None

    def text(self, language: Language) -> str | None:
        """The text in one language."""
        return self.zh if language == "zh" else self.en

    @property
    def of_server(self) -> bool:
        """Whether it is a message of the control plane, whose placeholders are `{name}`; all others are the console's,
        and theirs are `{{name}}`."""
        return self.key.startswith(f"{SERVER}:")


@lru_cache(maxsize=4)
def shipped_texts(catalogue: Catalogue) -> Mapping[str, ShippedText]:
    """Every shipped text by its key, in the order of namespaces and keys."""
    zh, en = catalogue.shipped("zh"), catalogue.shipped("en")
    texts = [
        *_console_texts(),
        *(ShippedText(f"{SERVER}:{key}", zh[key], en[key]) for key in zh),
        *(ShippedText(f"{SERVICE_KIND}:{kind.name}", kind.title_zh, kind.title_en) for kind in SERVICE_KINDS.values()),
    ]
    return {text.key: text for text in sorted(texts, key=lambda text: text.key)}


def _console_texts() -> list[ShippedText]:
    written = (files(__package__) / "console_texts.json").read_text("utf-8")
    return [ShippedText(*line) for line in json.loads(written)]
