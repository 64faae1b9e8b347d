"""Names become parts of a driver's URL, and drivers are files of one folder."""

from pathlib import Path

import pytest

from zcbus.connectors.jdbc.drivers import DriverMissing, driver_files
from zcbus.connectors.options import OptionsInvalid, parse
from zcbus.connectors.registry import spec_of


@pytest.mark.parametrize("kind", ["h2", "hsqldb", "derby"])
@pytest.mark.parametrize(
    "name",
    [
        "shop;INIT=RUNSCRIPT FROM 'http://other/x.sql'",
        "shop;create=true",
        "shop?user=x",
        "shop&x=1",
        "a=b",
        "shop\n",
        "zip:/x.zip!/shop",
        "//other/shop;x",
    ],
)
def test_a_name_brings_no_settings_of_the_driver(kind: str, name: str) -> None:
    with pytest.raises(OptionsInvalid):
        parse(spec_of(kind).model, {"host": "db", "database": name})
    with pytest.raises(OptionsInvalid):
        parse(spec_of(kind).model, {"host": "db/x;a=b", "database": "shop"})


@pytest.mark.parametrize("name", ["../secret.jar", "/etc/x.jar", ".hidden.jar", "a/b.jar"])
def test_a_driver_is_a_name_within_the_folder(name: str) -> None:
    with pytest.raises(OptionsInvalid):
        parse(spec_of("h2").model, {"host": "db", "database": "shop", "driver": name})


def test_drivers_are_found_by_name_or_by_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZCBUS_DRIVERS_DIR", str(tmp_path))
    for name in ("h2-2.3.jar", "derby/client.jar", "derby/shared.jar", "notes.txt", "empty/readme"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert driver_files("", ("h2",)) == [tmp_path / "h2-2.3.jar"]
    assert driver_files("derby", ("derby",)) == [tmp_path / "derby" / "client.jar", tmp_path / "derby" / "shared.jar"]
    with pytest.raises(DriverMissing, match=r"which has: derby, h2-2\.3\.jar"):
        driver_files("empty", ("h2",))
    (tmp_path / "h2-2.4.jar").touch()
    with pytest.raises(DriverMissing):
        driver_files("", ("h2",))
    assert driver_files("h2-2.4.jar", ("h2",)) == [tmp_path / "h2-2.4.jar"]


def test_distributed_drivers_are_found_behind_those_of_the_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, distributed = tmp_path / "drivers", tmp_path / "agent" / "drivers"
    monkeypatch.setenv("ZCBUS_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("ZCBUS_DRIVERS_DIR", raising=False)
    for folder, names in ((own, ["h2-2.3.jar"]), (distributed, ["h2-2.3.jar", "hsqldb.jar", ".new.jar.fetched"])):
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).touch()
    assert driver_files("", ("hsqldb",)) == [distributed / "hsqldb.jar"]
    assert driver_files("h2-2.3.jar", ("h2",)) == [own / "h2-2.3.jar"]
    with pytest.raises(DriverMissing, match=r"which has: h2-2\.3\.jar; distributed: h2-2\.3\.jar, hsqldb\.jar"):
        driver_files("other.jar", ("h2",))
