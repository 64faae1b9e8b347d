"""Texts of cache management."""

ZH = {"cache-unknown": "缓存 {name} 不存在"}

EN = {"cache-unknown": "Cache {name} not found"}
