"""A server that errs, or means harm, neither gets secrets nor makes a part look whole."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from zcbus.connectors.errors import SourceNotReady, SourceUnavailable
from zcbus.connectors.stores.ftp import FtpAccess, FtpStore

_LIST = "type=file;size=10;modify=20200101000000; a.csv\r\n"
_REPLIES = {
    "USER": "331 name",
    "PASS": "230 in",
    "FEAT": "211-Features\r\n MLST type*;size*;modify*;\r\n211 End",
    "TYPE": "200 type",
    "CWD": "250 there",
    "PWD": '257 "/in"',
    "MLST": "250-About\r\n type=file;size=10;modify=20200101000000; /in/a.csv\r\n250 End",
    "MLSD": "150 list",
    "RETR": "150 file",
    "REST": "350 on",
}


class _Server:
    """Speaks by `replies`. `sent`: data of transfers; `ends`: replies behind them, empty for none."""

    def __init__(self) -> None:
        self.replies: dict[str, str] = dict(_REPLIES)
        self.sent = {"MLSD": _LIST.encode(), "RETR": b"0123456789"}
        self.ends = {"MLSD": "226 done", "RETR": "226 done"}
        self.shown_host = "127,0,0,1"
        self.commands: list[str] = []
        self._stores: list[FtpStore] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._passive = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    def store(self, tls: str = "disable") -> FtpStore:
        access = FtpAccess("ftp", "127.0.0.1", self.port, "u", "the-secret", tls, False, "utf-8")
        self._stores.append(FtpStore(access, "/in", seconds=2.0))
        return self._stores[-1]

    def close(self) -> None:
        for one in (*self._stores, self._listening, self._passive):
            one.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=self._speak, args=(self._listening.accept()[0],), daemon=True).start()

    def _speak(self, control: socket.socket) -> None:
        with control, control.makefile("rb") as lines, suppress(OSError):
            control.sendall(b"220 hello\r\n")
            for line in lines:
                self.commands.append(line.decode().strip())
                self._answer(control, self.commands[-1].partition(" ")[0])

    def _answer(self, control: socket.socket, command: str) -> None:
        if command == "PASV":
            high, low = divmod(self._passive.getsockname()[1], 256)
            control.sendall(f"227 Entering ({self.shown_host},{high},{low})\r\n".encode())
            return
        reply = self.replies.get(command, "500 unknown")
        # Taken before the first byte is sent: a test prepares the next answer as soon as it has these bytes.
        sent, end = self.sent.get(command), self.ends.get(command)
        control.sendall(f"{reply}\r\n".encode())
        if sent is not None and reply.startswith("1"):
            data, _ = self._passive.accept()
            with data:
                data.sendall(sent)
            if not end:
                control.shutdown(socket.SHUT_RDWR)
            control.sendall(f"{end}\r\n".encode())


@pytest.fixture
def server() -> Iterator[_Server]:
    made = _Server()
    yield made
    made.close()


def test_it_reads_as_the_protocol_has_it(server: _Server) -> None:
    store = server.store()
    assert [(file.name, file.size) for file in store.files()] == [("a.csv", 10)]
    assert store.open("a.csv").read() == b"0123456789"


def test_no_name_is_sent_before_the_connection_is_encrypted(server: _Server) -> None:
    for reply in ("500 no", "534 no", "504 no"):
        server.replies["AUTH"] = reply
        with pytest.raises(SourceNotReady):
            server.store("verify-full").files()
    assert set(server.commands) == {"AUTH TLS"}


def test_data_come_from_the_server_itself_whatever_it_says(server: _Server) -> None:
    server.shown_host = "10,1,2,3"
    assert len(server.store().files()) == 1


def test_a_list_that_was_cut_is_none(server: _Server) -> None:
    for end in ("", "426 aborted", "451 local error"):
        server.ends["MLSD"] = end
        with pytest.raises(SourceUnavailable):
            server.store().files()


def test_a_file_that_was_cut_is_not_a_short_file(server: _Server) -> None:
    store = server.store()
    store.files()
    server.sent["RETR"] = b""
    for end in ("", "426 aborted"):
        server.ends["RETR"] = end
        with pytest.raises(SourceUnavailable):
            store.open("a.csv").read()
    server.ends["RETR"] = "226 done"
    with pytest.raises(FileNotFoundError):
        store.open("a.csv").read()


def test_a_cut_file_is_read_on_where_it_was_cut(server: _Server) -> None:
    store = server.store()
    store.files()
    server.sent["RETR"], server.ends["RETR"] = b"01234", "426 aborted"
    with store.open("a.csv") as file:
        assert file.read(5) == b"01234"
        server.sent["RETR"], server.ends["RETR"] = b"56789", "226 done"
        assert file.read() == b"56789"
    assert "REST 5" in server.commands


def test_without_restart_it_is_not_read_from_the_middle(server: _Server) -> None:
    server.replies["REST"] = "502 no"
    store = server.store()
    store.files()
    with store.open("a.csv") as file:
        file.seek(5)
        with pytest.raises(SourceNotReady) as refused:
            file.read()
    assert refused.value.facts["setting"] == "REST"


@pytest.mark.parametrize(
    "line",
    [
        "type=file;size=1;modify=20200101000000; x/../../etc/passwd",
        "type=file;size=1;modify=20200101000000; a\x01.csv",
        "type=file;size=1;modify=20200101000000; ",
        "?",
    ],
)
def test_names_that_are_none_stop_the_list(server: _Server, line: str) -> None:
    server.sent["MLSD"] = f"{line}\r\n".encode()
    with pytest.raises(SourceUnavailable):
        server.store().files()


def test_folders_in_a_circle_and_replies_without_end(server: _Server) -> None:
    server.sent["MLSD"] = b"type=dir;modify=20200101000000; again\r\n"
    with pytest.raises(SourceUnavailable, match="in each other"):
        server.store().files()
    server.replies["PWD"] = "257-\r\n" + " more\r\n" * 1000 + "257 end"
    with pytest.raises(SourceUnavailable, match="lines"):
        server.store().files()


def test_times_to_the_minute_are_refused(server: _Server) -> None:
    server.replies["FEAT"] = "500 no"
    server.replies["LIST"] = "150 list"
    server.sent["LIST"], server.ends["LIST"] = b"-rw-r--r-- 1 a a 10 Jan  1  2020 a.csv\r\n", "226 done"
    with pytest.raises(SourceNotReady) as refused:
        server.store().files()
    assert refused.value.facts["setting"] == "MDTM"


def test_facts_that_contradict_the_list_are_reported(server: _Server) -> None:
    store = server.store()
    store.files()
    for size, moment in (("10", "20200101000001"), ("11", "20200101000000")):
        server.replies["MLST"] = f"250-About\r\n type=file;size={size};modify={moment}; /in/a.csv\r\n250 End"
        with pytest.raises(SourceUnavailable, match="others than in the list"):
            store.open("a.csv").read()
    server.sent["MLSD"] = _LIST.replace("size=10", "size=11").encode()
    with pytest.raises(FileNotFoundError):
        store.open("a.csv").read()


def test_the_password_is_in_no_error(server: _Server) -> None:
    server.replies["CWD"] = "550 the-secret is no folder"
    with pytest.raises(SourceUnavailable) as refused:
        server.store().files()
    assert "the-secret" not in str(refused.value)


def test_what_is_asked_of_old_files_once(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.replies |= {"FEAT": "500 no", "LIST": "150 list", "MDTM": "213 20200101000000"}
    server.sent["LIST"], server.ends["LIST"] = b"-rw-r--r-- 1 a a 10 Jan  1  2020 a.csv\r\n", "226 done"
    store, clock = server.store(), [0.0]
    monkeypatch.setattr("zcbus.connectors.stores.ftp.listing.time.monotonic", lambda: clock[0])

    def asked_at(moment: float, listed: Callable[[], object] = store.files) -> int:
        before, clock[0] = len(server.commands), moment
        listed()
        return sum(command.startswith("MDTM") for command in server.commands[before:])

    assert [asked_at(moment) for moment in (0.0, 60.0, 125.0, 126.0, 900.0)] == [1, 1, 1, 0, 0]
    server.sent["LIST"] = b"-rw-r--r-- 1 a a 10 Nov 27 07:00 a.csv\r\n"
    assert [asked_at(moment) for moment in (901.0, 902.0)] == [1, 1]
