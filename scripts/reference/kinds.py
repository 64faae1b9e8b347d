"""Kinds of data sources: options and capabilities, from the registry."""

from collections.abc import Iterator

from reference.markdown import LANGUAGES, code, page, table
from zcbus.connectors.options import Option
from zcbus.connectors.registry import KINDS
from zcbus.connectors.spec import KindSpec

TITLES = {"en": "Kinds of data sources", "zh": "数据源类型"}
INTRODUCTIONS = {
    "en": "A link file gives these options beside `kind`. Secrets may be `{env: NAME}`.",
    "zh": "链路文件中，这些选项与 `kind` 并列；密码等可写成 `{env: NAME}`。",
}
ABILITIES = {
    "en": (
        "kind",
        "source",
        "deletes",
        "repeats",
        "target",
        "DDL",
        "comparison",
        "verification",
        "row errors",
        "tested on",
    ),
    "zh": ("类型", "源端", "删除", "可能重复", "目标端", "DDL", "比对", "持续校验", "异常行", "测试所用服务器"),
}
PREVIEW = {"en": "preview: not tried on a server", "zh": "预览：未经实测"}
OPTIONS = {"en": ("option", "value", "default", ""), "zh": ("选项", "取值", "默认值", "")}
REQUIRED = {"en": "required", "zh": "必填"}
SIDES = {
    "en": {"": "", "source": "source only", "target": "target only"},
    "zh": {"": "", "source": "仅源端", "target": "仅目标端"},
}


def pages() -> dict[str, str]:
    """File name → text."""
    return {f"kinds{'' if language == 'en' else '.zh'}.md": _page(language) for language in LANGUAGES}


def _page(language: str) -> str:
    specs = [entry.spec for entry in KINDS.values()]
    parts = [INTRODUCTIONS[language], table(ABILITIES[language], [_abilities(spec, language) for spec in specs])]
    for spec in specs:
        parts += [f"## {spec.label_in(language)}", table(OPTIONS[language], _options(spec, language))]
    return page(TITLES[language], *parts)


def _abilities(spec: KindSpec, language: str) -> tuple[str, ...]:
    can = spec.capabilities
    changes = (can.capture, can.deletes, "✓" if can.repeats else "") if spec.source else ("", "", "")
    has = (can.ddl and spec.target, can.comparable or can.comparable_target, can.verifiable, can.row_errors)
    marks = ("✓" if one else "" for one in has)
    return code(spec.kind), *changes, can.delivery if spec.target else "", *marks, spec.tested or PREVIEW[language]


def _options(spec: KindSpec, language: str) -> Iterator[tuple[str, ...]]:
    for option in spec.options:
        default = REQUIRED[language] if option.required else code(_plain(option.default))
        yield code(option.name), _value(option), default, _text(option, language)


def _value(option: Option) -> str:
    return option.expected if option.type in ("choice", "integer") else option.type


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value if value is not None else "")


def _text(option: Option, language: str) -> str:
    shown = option.shown
    label, help_text = (shown.zh, shown.help_zh) if language == "zh" else (shown.en, shown.help_en)
    return "; ".join(part for part in (label, help_text, SIDES[language][shown.side]) if part)
