"""Orders to tables with their rules, from `zcbus.model.table_verbs`."""

from collections.abc import Iterable, Mapping
from typing import Any

from reference.markdown import LANGUAGES, code, page, table
from zcbus.model.states import PublishState, SyncState
from zcbus.model.table_verbs import (
    IMPOSSIBLE,
    PUBLISHED,
    SUBSCRIBED,
    LinkTables,
    PublishedFacts,
    Rule,
    SubscribedFacts,
    TableVerb,
)

TITLES = {"en": "Orders to tables", "zh": "对表的操作"}
INTRODUCTIONS = {
    "en": "The same rules answer for links, sync tasks, data sheets, publish pages, the command line and the API: one "
    "answer for each table, and one record in the operation log for each call. Refused tables stop none of the others. "
    "A table that is as ordered already is answered as done (`nothing-to-do`).",
    "zh": "同步链路、同步任务、数据表、发布页面、命令行和 API 使用同一套规则：每张表各有一个结果，"
    "每次调用在操作日志中记一条。被拒绝的表不影响其他表；已处于所要求状态的表按完成返回（`nothing-to-do`）。",
}
PARTS = {"en": ("Subscribed tables", "Published tables"), "zh": ("订阅表", "发布表")}
HEADS = {
    "en": ("order", "what it does", "right", "parameters", "table of a link", "in states", "refused"),
    "zh": ("操作", "作用", "权限", "参数", "链路中的表", "可用状态", "拒绝原因"),
}
LINK = {
    "en": {
        LinkTables.OPERATORS: "with the right for sync links",
        LinkTables.DOCUMENT: "the document decides",
        LinkTables.ANYONE: "as others",
    },
    "zh": {
        LinkTables.OPERATORS: "需同步链路权限",
        LinkTables.DOCUMENT: "由链路配置决定",
        LinkTables.ANYONE: "与其他表相同",
    },
}
DOES_ZH = {
    "reload": "重新装载全量数据",
    "suspend": "就地暂停，保留位点",
    "resume": "从当前位点继续；失败的再试一次",
    "recover": "恢复全量异常或增量异常的表",
    "reset": "清除位点并暂停",
    "reset-start": "清除位点，按同步方式重新开始",
    "start-incremental": "从指定位点开始增量；只设置位点时不启动",
    "accept-gap": "跳过已丢失的变更继续",
    "limit": "设置允许的未处理错误数和跳过的失败变更数",
    "clean": "设置全量清理方式和 DDL 处理方式",
    "edit": "设置目标表、列、条件和 ETL 规则",
    "transfer": "转移到所属主控的其他通道",
    "rebalance": "按预览方案移动",
    "unbind": "解绑；位点保留一段时间",
    "compare": "与源表比对一次",
    "stop-comparing": "停止正在进行的比对",
    "repair": "按源表修复有差异的行",
    "discard": "放弃上次比对的差异",
    "verify": "优先校验该表",
    "repair-differences": "按源表修复校验发现的差异",
    "retry": "重试发布",
    "stop": "停止捕获；订阅者失去位点",
    "publish-again": "重新发布全量数据",
    "set-key": "改用其他列标识行，并重新发布全量数据",
    "withdraw": "撤销发布",
}
ALL = {"en": "all", "zh": "全部"}
BY_STATE = (IMPOSSIBLE, "sheet-no-exception")


def pages() -> dict[str, str]:
    """File name → text."""
    return {f"table-orders{'' if language == 'en' else '.zh'}.md": _page(language) for language in LANGUAGES}


def _page(language: str) -> str:
    parts = [INTRODUCTIONS[language]]
    for title, rules in zip(PARTS[language], (SUBSCRIBED, PUBLISHED), strict=True):
        rows = _rows(rules, language)
        parts += [f"## {title}", table(HEADS[language], rows)]
    return page(TITLES[language], *parts)


def _rows(rules: Mapping[TableVerb, Rule[Any]], language: str) -> Iterable[tuple[str, ...]]:
    of_subscribed = TableVerb.RELOAD in rules
    for verb, rule in rules.items():
        yield (
            code(verb.value),
            rule.does if language == "en" else DOES_ZH[verb.value],
            code(rule.right.value),
            ", ".join(code(name) for name in rule.parameters),
            LINK[language][rule.link_tables] if of_subscribed else "",
            _states(rule, of_subscribed) or ALL[language],
            "; ".join(code(refusal.code) for refusal in rule.refusals),
        )


def _states(rule: Rule[Any], of_subscribed: bool) -> str:
    """Where the order is not refused for the state alone; empty: everywhere."""
    facts: list[SubscribedFacts] | list[PublishedFacts]
    if of_subscribed:
        facts = [SubscribedFacts(state=state, suspended=state is SyncState.SUSPENDED) for state in SyncState]
    else:
        facts = [PublishedFacts(state=state) for state in PublishState]
    allowed = [one.state.value for one in facts if rule.refusal(one) not in BY_STATE]
    return "" if len(allowed) == len(facts) else ", ".join(code(state) for state in allowed)
