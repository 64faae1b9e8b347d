"""What a control plane keeps of texts in its memory."""

from zcbus.control.features.translation.shipped import shipped_texts
from zcbus.control.features.translation.use import forget_messages, kept_messages, refresh_messages
from zcbus.control.platform.caches import Cache, CacheFigures
from zcbus.control.platform.services import Services


def _shipped(_services: Services) -> CacheFigures:
    used = shipped_texts.cache_info()
    return CacheFigures(used.currsize, used.maxsize, hits=used.hits, misses=used.misses)


def _clear_shipped(_services: Services) -> int:
    count = shipped_texts.cache_info().currsize
    shipped_texts.cache_clear()
    return count


def _custom(services: Services) -> CacheFigures:
    entries, size_bytes = kept_messages(services.catalogue)
    return CacheFigures(entries, size_bytes=size_bytes)


def _clear_custom(services: Services) -> int:
    entries, _ = kept_messages(services.catalogue)
    forget_messages(services.catalogue)
    refresh_messages(services)
    return entries


CACHES = (
    Cache("shipped-texts", "process", _shipped, _clear_shipped),
    Cache("custom-texts", "process", _custom, _clear_custom),
)
