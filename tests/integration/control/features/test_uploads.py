"""Uploads: received in parts, checked by content, seen when they are whole, kept apart by tenant."""

import hashlib
import io
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.servers.s3 import WRITER, S3Server
from tests.support.control_plane import ControlPlane, control_plane
from zcbus.control.features.upload.cleaning import clean

CSV = b"id,name\n1,one\n2,two\n"
FILES, PICTURES, OBJECTS = "/api/localStorage", "/api/localStorage/pictures", "/api/qiNiuContent"


def picture(kind: str = "PNG", side: int = 200) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (side, side // 2), "teal").save(out, kind)
    return out.getvalue()


def answer_of(caller: Caller, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
    """The envelope; `body`: bytes or JSON."""
    sent = {"content": body} if isinstance(body, bytes) else {"json": body or {}}
    headers = {"ZCBUS-TOKEN": caller.token, "env": "en"}
    if isinstance(body, bytes):
        headers["content-type"] = "application/octet-stream"
    answer: dict[str, Any] = caller.plane.client.post(path, params=query, headers=headers, **sent).json()
    return answer


def begun(caller: Caller, name: str, data: bytes, path: str = FILES, **more: str) -> dict[str, Any]:
    answer = answer_of(caller, path, {"name": name, "size": len(data), **more})
    assert answer["code"] == 200, answer
    found: dict[str, Any] = answer["data"]
    return found


def sent(caller: Caller, upload: str, offset: int, data: bytes, sha256: str = "") -> dict[str, Any]:
    digest = sha256 or hashlib.sha256(data).hexdigest()
    return answer_of(caller, "/api/zcbus/upload/part", data, id=upload, offset=offset, sha256=digest)


def uploaded(caller: Caller, name: str, data: bytes, path: str = FILES) -> dict[str, Any]:
    upload = begun(caller, name, data, path)["id"]
    assert sent(caller, upload, 0, data)["code"] == 200
    found: dict[str, Any] = caller.call("upload/finish", {"id": upload})
    return found


def content_of(caller: Caller, upload: str) -> Any:
    return caller.plane.get(f"upload/content?id={upload}", caller.token)


def parts_left(plane: ControlPlane) -> list[str]:
    return [path.name for path in (plane.services.settings.uploads.folder / "parts").iterdir()]


@contextmanager
def with_settings(tmp_path: Path, store: str, **settings: str) -> Iterator[Caller]:
    with control_plane(tmp_path, store, **settings) as plane:
        yield Caller(plane, plane.sign_in())


def test_an_interrupted_upload_continues_where_it_was(admin: Caller, plane: ControlPlane) -> None:
    upload = begun(admin, "rows.csv", CSV, sha256=hashlib.sha256(CSV).hexdigest())["id"]
    assert sent(admin, upload, 0, CSV[:7])["data"]["received"] == 7
    again = sent(admin, upload, 0, CSV[:7])
    assert (again["data"]["error"], again["data"]["facts"]["received"]) == ("upload-offset", 7)
    assert sent(admin, upload, 7, CSV[7:], "0" * 64)["data"]["error"] == "upload-part-broken"
    assert admin.refused("upload/finish", {"id": upload})["data"]["error"] == "upload-incomplete"
    assert admin.call("upload/state", {"id": upload})["received"] == 7
    assert content_of(admin, upload).status_code == 404
    assert sent(admin, upload, 7, CSV[7:] + b"more")["data"]["error"] == "upload-offset"
    assert sent(admin, upload, 7, CSV[7:])["data"]["received"] == len(CSV)
    done = admin.call("upload/finish", {"id": upload})
    assert (done["state"], done["kind"], done["store"]) == ("ready", "csv", "local")
    assert admin.call("upload/finish", {"id": upload}) == done
    answer = content_of(admin, upload)
    assert answer.content == CSV
    assert answer.headers["content-disposition"].startswith("attachment")
    assert parts_left(plane) == []
    assert admin.logged_subject() == "rows.csv"


def test_parts_may_hold_any_bytes(admin: Caller) -> None:
    data = b"%PDF-1.7 \\u0000 \\ud800 \x00\xff"
    assert uploaded(admin, "one.pdf", data)["kind"] == "pdf"


@pytest.mark.parametrize(
    ("path", "name", "data"),
    [
        (FILES, "photo.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        (FILES, "rows.csv", b"<!doctype html><script>alert(1)</script>"),
        (FILES, "rows.csv", b"\x7fELF\x02\x01\x01\x00binary"),
        (PICTURES, "photo.png", CSV),
        (PICTURES, "photo.png", picture()[:60]),
    ],
)
def test_what_a_file_is_follows_from_its_content(admin: Caller, path: str, name: str, data: bytes) -> None:
    upload = begun(admin, name, data, path)["id"]
    sent(admin, upload, 0, data)
    refused = admin.refused("upload/finish", {"id": upload})
    assert refused["data"]["error"] in ("upload-type", "picture-unusable"), refused
    assert admin.call("upload/page", {})["total"] == 0
    assert parts_left(admin.plane) == []


def test_another_file_than_was_begun_is_refused(admin: Caller) -> None:
    upload = begun(admin, "rows.csv", CSV, sha256="0" * 64)["id"]
    sent(admin, upload, 0, CSV)
    assert admin.refused("upload/finish", {"id": upload})["data"]["error"] == "upload-checksum"


def test_names_are_no_paths(admin: Caller) -> None:
    for name in ("../keys", "a/b.csv", "..", "a\\b", "", " "):
        refused = answer_of(admin, FILES, {"name": name, "size": 1})
        assert [one["field"] for one in refused["data"]["fields"]] == ["name"], name


def test_files_are_listed_searched_and_deleted(admin: Caller, plane: ControlPlane) -> None:
    kept = [uploaded(admin, f"rows-{number}.csv", CSV) for number in range(3)]
    uploaded(admin, "photo.png", picture(), PICTURES)
    page = admin.call("upload/page", {"search": "rows", "size": 2, "sort": "name", "order": "asc"})
    assert (page["total"], [one["name"] for one in page["records"]]) == (3, ["rows-0.csv", "rows-1.csv"])
    assert admin.call("upload/page", {"purpose": "picture"})["records"][0]["kind"] == "png"
    used = admin.call("upload/limits", {})["used"]
    admin.call("upload/delete", {"id": kept[0]["id"]})
    assert admin.call("upload/limits", {})["used"] == used - len(CSV)
    assert content_of(admin, kept[0]["id"]).status_code == 404
    assert not (plane.services.settings.uploads.folder / "files" / kept[0]["id"]).exists()


def test_no_other_tenant_sees_a_file_and_no_other_user_continues_it(admin: Caller, plane: ControlPlane) -> None:
    south = administrator_of(plane, "south")
    ready, under_way = uploaded(south, "rows.csv", CSV)["id"], begun(south, "next.csv", CSV)["id"]
    north = administrator_of(plane, "north")
    assert north.call("upload/page", {})["total"] == 0
    assert content_of(north, ready).status_code == 404
    assert north.refused("upload/delete", {"id": ready})["code"] == 404
    for caller in (north, admin):
        assert sent(caller, under_way, 0, CSV)["code"] == 404
        assert caller.refused("upload/cancel", {"id": under_way})["code"] == 404
    south.call("upload/cancel", {"id": under_way})
    assert south.call("upload/page", {})["total"] == 1


def test_limits_of_file_and_tenant(tmp_path: Path, prepared_store: str) -> None:
    with with_settings(tmp_path, prepared_store, upload_mb="1", upload_tenant_mb="2") as admin:
        too_large = answer_of(admin, FILES, {"name": "a", "size": (1 << 20) + 1})
        assert too_large["data"]["error"] == "upload-too-large"
        for _ in range(2):
            begun(admin, "a", bytes(1 << 20))
        assert answer_of(admin, FILES, {"name": "a", "size": 1})["data"]["error"] == "upload-quota"
        assert answer_of(admin, FILES, {"name": "a", "size": 0})["data"]["error"] == "upload-empty"


def test_a_scanner_decides_before_a_file_is_seen(tmp_path: Path, prepared_store: str) -> None:
    scanner = tmp_path / "scanner"
    scanner.write_text('#!/bin/sh\ntest -e "$(dirname "$0")/broken" && exit 2\n! grep -q EVIL "$1"\n')
    scanner.chmod(scanner.stat().st_mode | stat.S_IXUSR)
    with with_settings(tmp_path, prepared_store, upload_scanner=str(scanner)) as admin:
        (tmp_path / "broken").touch()
        upload = begun(admin, "rows.csv", CSV)["id"]
        sent(admin, upload, 0, CSV)
        assert admin.refused("upload/finish", {"id": upload})["data"]["error"] == "upload-scanner-failed"
        assert content_of(admin, upload).status_code == 404
        (tmp_path / "broken").unlink()
        assert admin.call("upload/finish", {"id": upload})["state"] == "ready"
        evil = begun(admin, "evil.csv", CSV + b"3,EVIL\n")["id"]
        sent(admin, evil, 0, CSV + b"3,EVIL\n")
        refused = admin.refused("upload/finish", {"id": evil})
        assert refused["data"]["error"] == "upload-infected"
        assert str(tmp_path) not in str(refused)
        assert [one["name"] for one in admin.call("upload/page", {})["records"]] == ["rows.csv"]


def test_what_nobody_continues_is_removed(admin: Caller, plane: ControlPlane) -> None:
    upload = begun(admin, "rows.csv", CSV)["id"]
    sent(admin, upload, 0, CSV[:5])
    kept = uploaded(admin, "kept.csv", CSV)["id"]
    clean(plane.services)
    assert parts_left(plane) == [upload]
    plane.clock.advance(timedelta(days=1, minutes=1))
    clean(plane.services)
    assert parts_left(plane) == []
    with plane.services.database.read() as store:
        assert [row.id for row in store.exec_driver_sql("SELECT id FROM upload")] == [kept]


def test_a_picture_of_a_user_is_made_anew(admin: Caller) -> None:
    assert admin.call("account/user/avatar", {}) == {"picture": ""}
    for kind in ("PNG", "JPEG", "WEBP"):
        answer = answer_of(admin, "/api/users/updateAvatar", picture(kind) + b"<script>hidden</script>")
        shown = admin.call("account/user/avatar", {})
        assert shown == answer["data"]
        assert shown["picture"].startswith("data:image/webp;base64,")
    for bad in (b"<svg/>", picture()[:50], CSV):
        refused = answer_of(admin, "/api/users/updateAvatar", bad)
        assert refused["data"]["error"] == "picture-unusable"
    assert admin.call("account/user/avatar", {}) == shown
    admin.call("account/user/avatar/remove", {})
    assert admin.call("account/user/avatar", {}) == {"picture": ""}


@pytest.mark.server
def test_a_file_of_the_object_store_is_in_the_bucket_that_is_set(
    admin: Caller, s3_server: S3Server, tmp_path: Path
) -> None:
    # Without a bucket the folder takes it.
    assert uploaded(admin, "rows.csv", CSV, OBJECTS)["store"] == "local"
    bucket = {
        "upload_store": f"s3://{s3_server.bucket}/uploads",
        "upload_store_endpoint": s3_server.endpoint,
        "upload_store_key": WRITER,
        "upload_store_secret": WRITER.lower(),
    }
    with with_settings(tmp_path / "other", f"sqlite:///{tmp_path}/objects.db", **bucket) as caller:
        kept = uploaded(caller, "rows.csv", CSV, OBJECTS)
        assert (kept["store"], content_of(caller, kept["id"]).content) == ("object", CSV)
        folder = caller.plane.services.settings.uploads.folder / "files"
        assert [path for path in folder.rglob("*") if path.is_file()] == []
        assert uploaded(caller, "own.csv", CSV)["store"] == "local"
        caller.call("upload/delete", {"id": kept["id"]})
        clean(caller.plane.services)
        assert content_of(caller, kept["id"]).status_code == 404
