"""Texts of the history of loads."""

ZH = {"parameter.load_history_days": "全量装载和表结构变更历史保留天数"}

EN = {"parameter.load_history_days": "Days for which the history of full loads and schema changes is kept"}
