"""Downloads: what the installation has of its own version, whole, with the checksum of what is sent."""

import hashlib
import io
import zipfile
from importlib.metadata import version

from tests.support.control_plane import ControlPlane


def test_everybody_gets_what_the_installation_has(plane: ControlPlane) -> None:
    wheel = plane.data_dir / "downloads" / f"zcbus-{version('zcbus')}-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"PK wheel")
    (wheel.parent / "keys.txt").write_text("never")
    listed = plane.get("download/list").json()["data"]
    assert listed["version"] == version("zcbus")
    kinds = [one["kind"] for one in listed["files"]]
    assert kinds[:2] == ["package", "documents"]
    for one in listed["files"]:
        sent = plane.get(f"download/file?kind={one['kind']}")
        assert (len(sent.content), hashlib.sha256(sent.content).hexdigest()) == (one["size"], one["sha256"])
        assert one["name"] in sent.headers["content-disposition"]
        if one["kind"] == "documents":
            with zipfile.ZipFile(io.BytesIO(sent.content)) as archive:
                assert {"index.md", "index.zh.md"} <= set(archive.namelist())


def test_nothing_else_is_sent(plane: ControlPlane) -> None:
    assert plane.get("download/file?kind=../keys").status_code == 422
    missing = {"package", "bill"} - {one["kind"] for one in plane.get("download/list").json()["data"]["files"]}
    for kind in missing:
        assert plane.get(f"download/file?kind={kind}").status_code == 404
