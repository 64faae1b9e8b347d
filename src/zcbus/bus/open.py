"""Opening of the bus in the settings."""

from pathlib import Path

from zcbus.bus.contract import Bus
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.kit.bus_settings import EMBEDDED, BusSettings
from zcbus.kit.setting_source import SettingsError


def check_bus(settings: BusSettings) -> None:
    """Check the settings, without connecting. Raises SettingsError."""
    if settings.address != EMBEDDED:
        open_bus(settings, Path()).close()


def open_bus(settings: BusSettings, data_dir: Path) -> Bus:
    """Open the bus of `ZCBUS_BUS`; the embedded one is in `<data_dir>/bus`.

    A cluster is connected on demand. Raises SettingsError.
    """
    if settings.address == EMBEDDED:
        return EmbeddedBus(data_dir / "bus")
    if not settings.address.startswith("kafka://"):
        raise SettingsError(name="ZCBUS_BUS", value=settings.address, expected="embedded: or kafka://host:port,…")
    # The client library is large, and most hosts never need it.
    from zcbus.bus.kafka.bus import KafkaBus

    return KafkaBus(settings)
