"""The bus that the settings ask for."""

from pathlib import Path

from zcbus.bus.contract import Bus
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.kit.settings import SettingsError


def open_bus(setting: str, data_dir: Path) -> Bus:
    """Open the bus named by `ZCBUS_BUS`; the embedded one keeps its topics in `<data_dir>/bus`.

    Raises SettingsError.
    """
    if setting == "embedded:":
        return EmbeddedBus(data_dir / "bus")
    raise SettingsError(name="ZCBUS_BUS", value=setting, expected="embedded:")
