"""Names, the lock, deletion."""

import fcntl
import os
from pathlib import Path

import pytest

from zcbus.bus.contract import RecordTooLarge, Retention, TopicBusy, TopicNameInvalid
from zcbus.bus.embedded.bus import EmbeddedBus
from zcbus.bus.embedded.layout import lock_topic, topic_folder
from zcbus.bus.open import open_bus
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.setting_source import SettingsError


@pytest.mark.parametrize("topic", ["", "/", "a/", "/a", "a//b", ".", "..", "a b", "a+b", "ä", "~a", "a\n", "x" * 201])
def test_names_that_are_none(tmp_path: Path, topic: str) -> None:
    bus = EmbeddedBus(tmp_path)
    for call in (lambda: bus.info(topic), lambda: bus.reader(topic, 0), lambda: bus.writer(topic, Retention())):
        with pytest.raises(TopicNameInvalid):
            call()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("topic", ["a", "real/01jd", "full/n/t/12", "A.b_c-9/../d", "x" * 200])
def test_names_stay_inside_of_the_root(tmp_path: Path, topic: str) -> None:
    assert topic_folder(tmp_path, topic).resolve().parent == tmp_path.resolve()


def test_the_lock_is_not_taken_on_a_deleted_file(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    first = lock_topic(folder, "t")
    with pytest.raises(TopicBusy):
        lock_topic(folder, "t")
    (folder / "writer.lock").unlink()
    second = lock_topic(folder, "t")
    os.close(first)
    with pytest.raises(TopicBusy):
        lock_topic(folder, "t")
    os.close(second)


def test_a_lock_won_on_a_topic_deleted_in_between_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening the file and locking it another process deletes the topic."""
    path, real = tmp_path / "t" / "writer.lock", fcntl.flock

    def deleted_meanwhile(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", real)
        path.unlink()
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", deleted_meanwhile)
    descriptor = lock_topic(tmp_path / "t", "t")
    assert os.path.samestat(os.fstat(descriptor), path.stat())
    os.close(descriptor)


def test_a_deletion_that_was_cut_off_is_finished(tmp_path: Path) -> None:
    (tmp_path / "~left").mkdir()
    (tmp_path / "~left" / "00000000000000000000.seg").write_bytes(b"x")
    assert EmbeddedBus(tmp_path).topics() == []
    assert list(tmp_path.iterdir()) == []


def test_too_large_a_record_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zcbus.bus.embedded.writer.MAX_PAYLOAD_BYTES", 100)
    with EmbeddedBus(tmp_path).writer("t", Retention()) as writer:
        writer.append([b"x" * 60, b"y" * 40])
        with pytest.raises(RecordTooLarge):
            writer.append([b"x" * 60, b"y" * 41])
        assert writer.flush() == 1


def test_open_bus(tmp_path: Path) -> None:
    with open_bus(BusSettings(), tmp_path).writer("t", Retention()) as writer:
        writer.append([b"x"])
    assert [info.name for info in EmbeddedBus(tmp_path / "bus").topics()] == ["t"]
    with pytest.raises(SettingsError):
        open_bus(BusSettings("carrier-pigeon:"), tmp_path)
