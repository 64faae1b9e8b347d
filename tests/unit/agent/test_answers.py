"""Long requests report progress, and end when the caller no longer waits."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from zcbus.agent import answers
from zcbus.agent.answers import Answers
from zcbus.agent.file_download import FileDownload
from zcbus.agent.identity import AgentTokens
from zcbus.engine.requests.watch import RequestWithdrawn, Watch
from zcbus.kit.bus_settings import EMBEDDED, BusSettings
from zcbus.protocol.agent import PutRequest, RequestProgress
from zcbus.protocol.answers import Answer, Schemas
from zcbus.protocol.base import Connection, Message
from zcbus.protocol.requests import ListSchemas

CONNECTION = Connection(
    kind="postgresql", options={"host": "db.example", "port": 5432, "user": "u", "database": "shop"}
)
NO_FILES = FileDownload("http://localhost:1", AgentTokens(Path("/nonexistent"), "", "token"), True, "agent")


class Slow:
    """Answers step by step: each step needs `go`; `ended` holds how it ended."""

    def __init__(self) -> None:
        self.go, self.stepped, self.ended = threading.Semaphore(0), threading.Semaphore(0), ""

    def answer(
        self, _request: object, _data_dir: Path, _bus: BusSettings, watch: Watch, _download: FileDownload
    ) -> Schemas:
        try:
            for number in range(3):
                watch.reached(number, 3)
                self.stepped.release()
                assert self.go.acquire(timeout=20)
        except RequestWithdrawn:
            self.ended = "withdrawn"
            raise
        self.ended = "answered"
        return Schemas(schemas=())


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    double = Slow()
    monkeypatch.setattr(answers, "_answer", double.answer)
    return double


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def put(timeout_s: float = 20) -> PutRequest:
    return PutRequest(id="q", request=ListSchemas(connection=CONNECTION), timeout_s=timeout_s)


def test_progress_of_an_answer_and_its_withdrawal(slow: Slow, tmp_path: Path) -> None:
    delivered: list[Answer] = []

    async def scenario() -> None:
        box = Answers(tmp_path, BusSettings(EMBEDDED), delivered.append, NO_FILES)
        box.take(put())
        await until(lambda: slow.stepped.acquire(blocking=False))
        slow.go.release()
        await until(lambda: slow.stepped.acquire(blocking=False))
        assert box.progress() == (RequestProgress(request="q", done=1, total=3),)
        box.withdraw("q")
        box.withdraw("of which nothing is known")
        slow.go.release()
        await until(lambda: bool(delivered))
        assert box.progress() == ()
        box.close()

    asyncio.run(scenario())
    assert slow.ended == "withdrawn"
    assert delivered[0].error is not None
    assert delivered[0].error.code == "request-withdrawn"


class Moving(Watch):
    """Reports progress at the first few polls; then `work` is done, or nothing moves any more."""

    def __init__(self, work: asyncio.Future[Message] | None) -> None:
        super().__init__()
        self._work, self._polls = work, 0

    @property
    def seconds_without_progress(self) -> float:
        self._polls += 1
        if self._polls < 5:
            return 0.0
        if self._work is None:
            return 60.0
        self._work.set_result(Schemas(schemas=("done",)))
        return 0.0


def test_work_that_progresses_is_never_given_up() -> None:
    async def scenario() -> Message:
        work: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        return await answers._ended(work, Moving(work), timeout=0.01)

    assert asyncio.run(scenario()) == Schemas(schemas=("done",))


def test_work_that_stalls_is_given_up() -> None:
    async def scenario() -> None:
        work: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        with pytest.raises(TimeoutError):
            await answers._ended(work, Moving(None), timeout=0.01)
        assert work.cancelled()

    asyncio.run(scenario())


def test_long_lists_are_read_in_batches_with_progress() -> None:
    watch, seen = Watch(), []
    for part in watch.batches(range(600), 100, 1_400):
        seen.append((watch.progress, len(part)))
    assert seen == [((100, 1_400), 250), ((350, 1_400), 250), ((600, 1_400), 100)]
    assert watch.progress == (700, 1_400)
    watch.withdraw()
    with pytest.raises(RequestWithdrawn):
        list(watch.batches(range(600), 0, 600))


def test_running_work_is_ended_once_no_caller_waits() -> None:
    watch, ended = Watch(), threading.Event()
    watch.on_withdrawal(ended.set)
    watch.on_withdrawal(None)
    watch.on_withdrawal(ended.set)
    assert not ended.is_set()
    watch.withdraw()
    assert ended.wait(10)
    with pytest.raises(RequestWithdrawn):
        watch.on_withdrawal(ended.set)


def test_work_beyond_its_timeout_ends(slow: Slow, tmp_path: Path) -> None:
    delivered: list[Answer] = []

    async def scenario() -> None:
        box = Answers(tmp_path, BusSettings(EMBEDDED), delivered.append, NO_FILES)
        box.take(put(timeout_s=0.05))
        await until(lambda: bool(delivered))
        slow.go.release(3)
        await until(lambda: bool(slow.ended))
        box.close()

    asyncio.run(scenario())
    assert delivered[0].error is not None
    assert (delivered[0].error.code, slow.ended) == ("request-timeout", "withdrawn")
