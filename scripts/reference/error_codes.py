"""Error codes with their messages, from the error classes and the message catalogues."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import zcbus
from reference.markdown import LANGUAGES, code, page, table
from zcbus.control.bootstrap import build_catalogue
from zcbus.kit.errors import TransientError, ZcbusError

TITLES = {"en": "Error codes", "zh": "错误码"}
HEADS = {"en": ("code", "retried", "answer", "message"), "zh": ("错误码", "重试", "返回码", "消息")}
INTRODUCTIONS = {
    "en": "*Retried*: the platform tries again by itself. *Answer*: the code that the API answers. Words in braces\n"
    "are facts of the case.",
    "zh": "“重试”表示平台会自动重试；“返回码”是 API 返回的代码；花括号中是具体情况。",
}
LEFT_OUT = ("zcbus.control.store.migrations", "zcbus.cli.__main__")


def pages() -> dict[str, str]:
    """File name → text."""
    _import_all()
    classes = sorted(_known(ZcbusError), key=lambda one: one.code)
    return {f"error-codes{'' if language == 'en' else '.zh'}.md": _page(language, classes) for language in LANGUAGES}


def _page(language: str, classes: list[type[ZcbusError]]) -> str:
    texts = build_catalogue().texts("zh" if language == "zh" else "en")
    rows = {one.code: _row(one, texts[one.code]) for one in classes if one.code in texts}
    return page(TITLES[language], INTRODUCTIONS[language], table(HEADS[language], rows.values()))


def _row(error: type[ZcbusError], text: str) -> tuple[str, ...]:
    return (
        code(error.code),
        "✓" if issubclass(error, TransientError) else "",
        str(getattr(error, "wire_code", "")),
        text,
    )


def _known(root: type[ZcbusError]) -> Iterator[type[ZcbusError]]:
    for child in root.__subclasses__():
        yield child
        yield from _known(child)


def _import_all() -> None:
    for module in walk_packages(zcbus.__path__, "zcbus."):
        if not module.name.startswith(LEFT_OUT):
            import_module(module.name)
