"""Drivers: trusted by a signature or a confirmed checksum, distributed to hosts, removed with what depends on them."""

import hashlib
import io
import struct
import subprocess
import zipfile
from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from tests.integration.control.features.conftest import Caller, document
from tests.integration.control.features.fake_agent import FakeAgent
from tests.integration.control.features.people import administrator_of
from tests.integration.control.features.test_uploads import answer_of, begun, sent, uploaded, with_settings
from zcbus.control.features.container.repository import insert_container
from zcbus.control.features.upload.cleaning import clean
from zcbus.control.store.live import EVERY_TENANT, subject
from zcbus.protocol.base import Reason
from zcbus.protocol.drivers import DriverState

BEGIN, BASE = "/api/deploy/upload", "deploy/driver"


def jar(entries: dict[str, bytes] | None = None, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        for name, content in (entries or {"org/h2/Driver.class": b"\xca\xfe\xba\xbe"}).items():
            archive.writestr(name, content)
    return out.getvalue()


JAR = jar()


def added(caller: Caller, name: str = "h2-2.3.jar", content: bytes = JAR, **more: Any) -> dict[str, Any]:
    upload = uploaded(caller, name, content, BEGIN)
    given = {"name": name, "kind": "h2", "version": "2.3", "everywhere": True, "sha256": upload["sha256"], **more}
    found: dict[str, Any] = caller.call(f"{BASE}/add", {"uploadId": upload["id"], **given})
    return found


def fetched(agent: FakeAgent, driver: str, name: str = "") -> httpx.Response:
    address = f"{agent.plane.address}/api/zcbus/agent/driver/file"
    asked = {"agent": name or agent.name, "id": driver}
    return httpx.get(address, params=asked, headers={"ZCBUS-TOKEN": agent.token}, verify=False, timeout=20)


def states(caller: Caller, driver: str) -> list[str]:
    return [one["state"] for one in caller.call(f"{BASE}/host/page", {"id": driver})["records"]]


def test_a_driver_is_confirmed_distributed_and_removed(admin: Caller, agent: FakeAgent) -> None:
    agent.rest()
    assert admin.call(f"{BASE}/rules")["signed"] is False
    upload = uploaded(admin, "h2.jar", JAR, BEGIN)
    assert (upload["purpose"], upload["kind"]) == ("driver", "jar")
    given = {"uploadId": upload["id"], "name": "h2-2.3.jar", "kind": "h2", "version": "2.3", "everywhere": True}
    wrong = admin.refused(f"{BASE}/add", {**given, "sha256": "0" * 64})
    assert (wrong["data"]["error"], upload["sha256"] in wrong["message"]) == ("driver-unconfirmed", True)
    assert admin.refused(f"{BASE}/add", {**given, "kind": "postgresql"})["code"] == 422
    assert admin.refused(f"{BASE}/add", {**given, "name": "../h2.jar"})["code"] == 422
    driver = admin.call(f"{BASE}/add", {**given, "sha256": upload["sha256"]})
    assert (driver["hosts"], driver["present"], driver["userName"]) == (1, 0, "admin")
    assert admin.refused(f"{BASE}/add", {**given, "sha256": upload["sha256"]})["code"] == 404, "it is a driver already"
    taken = {**given, "uploadId": uploaded(admin, "h2.jar", JAR, BEGIN)["id"], "sha256": upload["sha256"]}
    assert admin.refused(f"{BASE}/add", taken)["data"]["error"] == "driver-name-taken"

    agent.sync()
    assert agent.orders is not None
    [ordered] = agent.orders.drivers
    assert (ordered.name, ordered.sha256) == ("h2-2.3.jar", hashlib.sha256(JAR).hexdigest())
    assert fetched(agent, driver["id"]).content == JAR
    assert fetched(agent, upload["id"], "another").status_code != 200
    assert states(admin, driver["id"]) == ["waiting"]
    full = Reason(code="driver-not-written", facts={"file": "f", "detail": "full"})
    failed = DriverState(id=driver["id"], state="failed", reason=full)
    # Open pages learn of it at once.
    with admin.plane.services.database.change_events.listen(subject(EVERY_TENANT, "service")) as changes:
        agent.sync(drivers=(failed, DriverState(id="unknown", state="present")))
        assert changes.wait(20)
    [host] = admin.call(f"{BASE}/host/page", {"id": driver["id"], "state": "failed"})["records"]
    assert "full" in host["reason"]["text"]
    agent.sync(drivers=(DriverState(id=driver["id"], state="present"),))
    [listed] = admin.call(f"{BASE}/page", {"search": "2.3", "sort": "size", "order": "asc"})["records"]
    assert (listed["present"], listed["failed"], listed["kindLabel"]) == (1, 0, "H2")
    assert admin.call(f"{BASE}/list") == [{"name": "h2-2.3.jar", "kind": "h2", "version": "2.3"}]

    admin.call(f"{BASE}/delete", {"id": driver["id"]})
    assert admin.logged_before()["sha256"] == upload["sha256"]
    agent.sync()
    assert agent.orders.drivers == ()
    assert fetched(agent, driver["id"]).status_code == 404
    assert admin.call(f"{BASE}/page")["total"] == 0


def wheel(name: str = "zcbus", version: str = "9.1.0") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("zcbus/__init__.py", "")
        archive.writestr(
            f"zcbus-{version}.dist-info/METADATA", f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n"
        )
    return out.getvalue()


def test_a_package_of_agents_reaches_its_hosts_and_no_connection(admin: Caller, agent: FakeAgent) -> None:
    agent.rest()
    name, content = "zcbus-9.1.0-py3-none-any.whl", wheel()
    driver = added(admin, name, content, kind="agent", version="9.1.0")
    assert (driver["kindLabel"], driver["hosts"]) == ("ZCBUS", 1)
    agent.sync()
    assert agent.orders is not None
    assert [one.name for one in agent.orders.drivers] == [name]
    assert fetched(agent, driver["id"]).content == content
    assert admin.call(f"{BASE}/list") == []
    [offered] = admin.call(f"{BASE}/download/list")
    assert (offered["name"], offered["sha256"]) == (name, hashlib.sha256(content).hexdigest())
    saved = admin.plane.get(f"{BASE}/download/file?id={driver['id']}", admin.token)
    assert (saved.content, name in saved.headers["content-disposition"]) == (content, True)
    assert admin.call(f"{BASE}/user/page", {"id": driver["id"]})["total"] == 0


def test_a_package_is_what_it_is_called(admin: Caller) -> None:
    name = "zcbus-9.1.0-py3-none-any.whl"
    for content, kind, version, called in (
        (wheel("other"), "agent", "9.1.0", name),
        (wheel(version="9.2.0"), "agent", "9.1.0", name),
        (wheel(), "agent", "9.1.0", "zcbus-9.2.0-py3-none-any.whl"),
        (JAR, "agent", "9.1.0", name),
        (wheel(), "h2", "9.1.0", "h2.jar"),
    ):
        upload = uploaded(admin, "file", content, BEGIN)
        given = {"uploadId": upload["id"], "name": called, "kind": kind, "version": version, "everywhere": True}
        refused = admin.refused(f"{BASE}/add", {**given, "sha256": upload["sha256"]})
        assert refused["data"]["error"] == "package-unknown", (kind, called)
        other = {**given, "name": "h2.jar" if kind == "agent" else name, "sha256": upload["sha256"]}
        assert admin.refused(f"{BASE}/add", other)["code"] == 422


def test_only_hosts_of_chosen_containers_keep_it(admin: Caller, agent: FakeAgent) -> None:
    agent.rest()
    own = admin.call("container/list")[0]["id"]
    driver = added(admin, everywhere=False, containerIds=[own])
    agent.sync()
    assert agent.orders is not None
    assert len(agent.orders.drivers) == 1
    assert [one["id"] for one in driver["containers"]] == [own]
    assert admin.refused(f"{BASE}/distribute", {"id": driver["id"]})["code"] == 422
    with admin.plane.services.database.write() as store:
        now = admin.plane.clock.now()
        other = insert_container(store, name="other", display_name="Other", tenant_id=None, created_at=now)
    moved = admin.call(f"{BASE}/distribute", {"id": driver["id"], "containerIds": [other]})
    assert moved["hosts"] == 0
    agent.sync()
    assert agent.orders.drivers == ()
    assert fetched(agent, driver["id"]).status_code == 404


def test_a_configured_key_must_have_signed_it(tmp_path: Path, prepared_store: str) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    for name in ("release", "foreign"):
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", tmp_path / f"{name}.key"], check=True)
    subprocess.run(
        ["openssl", "pkey", "-in", tmp_path / "release.key", "-pubout", "-out", keys / "release.pem"], check=True
    )
    (tmp_path / "h2.jar").write_bytes(JAR)

    def signature(name: str) -> str:
        command = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", f"{name}.key", "-in", "h2.jar"]
        made = subprocess.run(command, check=True, capture_output=True, cwd=tmp_path).stdout
        return b64encode(made).decode()

    with with_settings(tmp_path, prepared_store, driver_keys=str(keys)) as admin:
        assert (admin.call(f"{BASE}/rules")["signed"], admin.call(f"{BASE}/rules")["keys"]) == (True, ["release"])
        upload = uploaded(admin, "h2.jar", JAR, BEGIN)
        given = {"uploadId": upload["id"], "name": "h2.jar", "kind": "h2", "version": "2.3", "everywhere": True}
        for wrong in ("", signature("foreign"), "AAAA"):
            refused = admin.refused(f"{BASE}/add", {**given, "sha256": upload["sha256"], "signature": wrong})
            assert refused["data"]["error"] == "driver-unsigned", wrong
        assert admin.call(f"{BASE}/add", {**given, "signature": signature("release")})["signer"] == "release"


def test_what_is_no_sound_jar_is_refused(admin: Caller) -> None:
    unsound = {
        "bomb": jar({"a.class": bytes(24 << 20)}),
        "broken": jar(compression=zipfile.ZIP_STORED).replace(b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"),
        "other": jar({"readme.txt": b"no classes"}),
        "lying": _lying(),
    }
    for what, content in unsound.items():
        upload = begun(admin, "h2.jar", content, BEGIN)["id"]
        assert sent(admin, upload, 0, content)["code"] == 200
        assert admin.refused("upload/finish", {"id": upload})["data"]["error"] == "upload-type", what
    assert list((admin.plane.services.settings.uploads.folder / "parts").iterdir()) == []


def _lying() -> bytes:
    """The archive's list says that an entry has one byte."""
    content = bytearray(jar({"a.class": bytes(1 << 20)}))
    place = content.rindex(b"PK\x01\x02")
    content[place + 24 : place + 28] = struct.pack("<I", 1)
    return bytes(content)


def test_what_depends_on_it_is_named_and_others_have_no_say(admin: Caller, agent: FakeAgent) -> None:
    driver = added(admin)
    assert admin.call(f"{BASE}/user/page", {"id": driver["id"]})["total"] == 0
    side = {"host": "db", "port": 9092, "database": "shop", "user": "sa", "password": "x", "driver": "h2-2.3.jar"}
    admin.call("sync/link/apply", {"document": document(source={"kind": "h2", **side})})
    [user] = admin.call(f"{BASE}/user/page", {"id": driver["id"]})["records"]
    assert (user["named"], user["use"], user["kind"]) == (True, "publish", "h2")
    other = administrator_of(admin.plane, "other")
    assert answer_of(other, BEGIN, {"name": "a.jar", "size": 1})["code"] == 40103
    assert other.plane.post(f"{BASE}/page", {}, other.token).status_code == 403
    assert other.plane.post(f"{BASE}/delete", {"id": driver["id"]}, other.token).status_code == 403
    assert [one["name"] for one in other.call(f"{BASE}/list")] == ["h2-2.3.jar"]
    assert admin.plane.get(f"upload/content?id={driver['id']}", admin.token).status_code == 404


def test_a_jar_that_became_no_driver_is_cleaned(admin: Caller) -> None:
    left, kept = uploaded(admin, "left.jar", JAR, BEGIN)["id"], added(admin)["id"]
    admin.plane.clock.advance(timedelta(days=8))
    clean(admin.plane.services)
    folder = admin.plane.services.settings.uploads.folder / "files"
    assert left != kept
    assert [path.name for path in folder.iterdir()] == [kept]
