"""Several control planes over one PostgreSQL store."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.postgresql import PostgreSQLServer
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from zcbus.control.features.captcha import pictures as captcha
from zcbus.control.features.captcha import slide
from zcbus.control.key_check import KeyFileForeignError

pytestmark = pytest.mark.server


@pytest.fixture
def shared_store(postgres_server: PostgreSQLServer) -> Iterator[str]:
    server, name = postgres_server, postgres_server.fresh_database("replicas")
    yield f"postgresql+psycopg://{server.user}:{server.password}@{server.host}:{server.port}/{name}"
    server.drop_database(name)


@pytest.fixture
def replicas(shared_store: str, tmp_path: Path) -> Iterator[tuple[ControlPlane, ControlPlane]]:
    with control_plane(tmp_path / "one", shared_store, login_captcha="on") as one:
        copy_keys(one, tmp_path / "two")
        with control_plane(tmp_path / "two", shared_store, login_captcha="on") as two:
            yield one, two


def copy_keys(plane: ControlPlane, folder: Path) -> None:
    (folder / "var").mkdir(parents=True)
    shutil.copy(plane.data_dir / "keys", folder / "var" / "keys")


def test_captchas_and_sessions_are_good_at_every_replica(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one, two = replicas
    captcha.store_answer(one.services, "picture", "4711")
    slide.store_place(two.services, "puzzle", 99)
    ticket = one.post("sys/authentication/slide/check", {"uuid": "puzzle", "x": 99}).json()["data"]
    body = {"userName": "admin", "password": ADMIN_PASSWORD, "code": "4711", "uuid": "picture", "ticket": ticket}
    token = two.post("sys/authentication/login", body).json()["data"]["token"]
    assert one.get("auth/info", token).json()["code"] == 200
    one.post("sys/authentication/logout", {"token": token})
    assert two.get("auth/info", token).json()["code"] == 40102


def test_failed_attempts_count_together(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    answers = []
    for number in range(6):
        plane = replicas[number % 2]
        captcha.store_answer(plane.services, f"picture-{number}", "4711")
        slide.store_place(plane.services, f"puzzle-{number}", 99)
        ticket = slide.solve(plane.services, f"puzzle-{number}", 99)
        body = {"userName": "admin", "password": "wrong", "code": "4711", "uuid": f"picture-{number}", "ticket": ticket}
        answers.append(plane.post("sys/authentication/login", body).status_code)
    assert answers == [200] * 5 + [429]


def test_secrets_and_body_keys_are_the_same_at_every_replica(replicas: tuple[ControlPlane, ControlPlane]) -> None:
    one, two = replicas
    assert two.services.secrets.open(one.services.secrets.seal("secret", "x"), "x") == "secret"
    assert one.get("sys/authentication/key").json() == two.get("sys/authentication/key").json()


def test_a_replica_with_another_key_file_does_not_start(shared_store: str, tmp_path: Path) -> None:
    with control_plane(tmp_path / "one", shared_store):
        pass
    with pytest.raises(KeyFileForeignError, match="not the key file"), control_plane(tmp_path / "two", shared_store):
        pass
