"""Texts of the monitoring screen: it has none of its own."""

ZH: dict[str, str] = {}
EN: dict[str, str] = {}
