"""Settings: names, defaults and accepted values from `load_settings`, texts from `setting_texts.py`."""

from reference.markdown import code, page, table
from reference.setting_texts import GROUPS
from zcbus.kit.settings import described_settings

TITLES = {"en": "Settings", "zh": "设置"}
HEADS = {"en": ("setting", "default", "value", ""), "zh": ("设置", "默认值", "取值", "")}
INTRODUCTIONS = {
    "en": "Settings are environment variables, or names in lower case without the prefix in a TOML file that\n"
    "`ZCBUS_CONFIG` names. The environment wins. A wrong value stops the start with one sentence.",
    "zh": "设置来自环境变量，或 `ZCBUS_CONFIG` 指定的 TOML 文件（名称小写、不带前缀）；环境变量优先。"
    "取值错误时拒绝启动，并用一句话说明原因。",
}
HEADINGS = {
    "platform": {"en": "Platform", "zh": "平台"},
    "sign-in": {"en": "Sign-in", "zh": "登录"},
    "agent": {"en": "Agent", "zh": "代理"},
    "network": {"en": "Outbound connections (agent)", "zh": "出站连接（代理）"},
    "bus": {"en": "Bus on Kafka (agent)", "zh": "Kafka 总线（代理）"},
    "gateway": {"en": "Data services (agent)", "zh": "数据服务（代理）"},
    "secrets": {"en": "Master keys and references to secrets", "zh": "主密钥与机密引用"},
}


def pages() -> dict[str, str]:
    """File name → text."""
    return {name: _page(language) for name, language in (("settings.md", "en"), ("settings.zh.md", "zh"))}


def _page(language: str) -> str:
    facts = {one.name: one for one in described_settings()}
    texts = {name: text for group in GROUPS.values() for name, text in group.items()}
    if facts.keys() != texts.keys():
        raise SystemExit(f"setting_texts.py and the settings differ: {sorted(facts.keys() ^ texts.keys())}")
    parts = [INTRODUCTIONS[language]]
    for group, members in GROUPS.items():
        rows = [
            (code(name), code(facts[name].default), facts[name].expected, text[language == "zh"])
            for name, text in members.items()
        ]
        parts += [f"## {HEADINGS[group][language]}", table(HEADS[language], rows)]
    return page(TITLES[language], *parts)
