"""The console's files, as a browser asks for them."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.control_plane import ControlPlane, control_plane

PAGE = "<!doctype html><title>console</title>"
SCRIPT = "console.log('hello')"
# The server sends the file unchanged.
BROTLI = b"compressed by the build"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    folder = tmp_path_factory.mktemp("console")
    dist = folder / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text(PAGE)
    (dist / "assets" / "app-1a2b.js").write_text(SCRIPT)
    (dist / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT.encode(), mtime=0))
    (dist / "assets" / "app-1a2b.js.br").write_bytes(BROTLI)
    (folder / "secret.txt").write_text("outside")
    (dist / "way-out.txt").symlink_to(folder / "secret.txt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zcbus.control.app.find_console", lambda: dist)
        with control_plane(folder) as running:
            yield running


@pytest.mark.parametrize("path", ["/", "/zcbus"])
def test_the_address_alone_leads_to_the_console(site: ControlPlane, path: str) -> None:
    answer = site.client.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (307, "/zcbus/")


@pytest.mark.parametrize("path", ["/zcbus/", "/zcbus/login", "/zcbus/sync-link-config/01abc", "/zcbus/index.html"])
def test_every_page_of_the_console_is_the_one_page(site: ControlPlane, path: str) -> None:
    answer = site.client.get(path)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("encodings", "sent"),
    [("gzip, br", "br"), ("gzip, deflate", "gzip"), ("gzip, br;q=0", "gzip"), ("identity", None)],
)
def test_hashed_files_are_kept_for_ever_and_sent_compressed(
    site: ControlPlane, encodings: str, sent: str | None
) -> None:
    request = site.client.build_request("GET", "/zcbus/assets/app-1a2b.js", headers={"Accept-Encoding": encodings})
    answer = site.client.send(request, stream=True)
    content = b"".join(answer.iter_raw())
    assert content == (BROTLI if sent == "br" else gzip.compress(SCRIPT.encode(), mtime=0) if sent else SCRIPT.encode())
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers.get("Content-Encoding") == sent


@pytest.mark.parametrize("path", ["/zcbus/assets/gone.js", "/zcbus/favicon.ico", "/zcbus/assets/gone"])
def test_a_missing_file_is_not_a_page(site: ControlPlane, path: str) -> None:
    assert site.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path", ["/zcbus/%2e%2e/secret.txt", "/zcbus/assets/%2e%2e/%2e%2e/secret.txt", "/zcbus/way-out.txt"]
)
def test_files_outside_the_folder_stay_outside(site: ControlPlane, path: str) -> None:
    answer = site.client.get(path)
    assert "outside" not in answer.text


@pytest.mark.wide
def test_the_api_page_needs_nothing_from_elsewhere(site: ControlPlane) -> None:
    text = site.client.get("/swagger-ui.html").text
    assert "/api/zcbus/sys/authentication/login" in text
    assert "http://" not in text
    assert "https://" not in text
    assert "<script" not in text


def test_without_a_built_console_the_answer_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.control.app.find_console", lambda: None)
    with control_plane(tmp_path) as plane:
        answer = plane.client.get("/zcbus/")
        assert (answer.status_code, answer.json()["data"]["error"]) == (404, "console-missing")
