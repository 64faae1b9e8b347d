"""Answers the control plane's requests in threads, a few at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zcbus.agent.file_download import FileDownload
from zcbus.agent.log_search import find_lines
from zcbus.agent.logs import read_log, search_log
from zcbus.engine.connections import registered
from zcbus.engine.requests import answer
from zcbus.engine.requests.table_import import import_table
from zcbus.engine.requests.watch import Watch
from zcbus.kit.bus_settings import BusSettings
from zcbus.kit.errors import ZcbusError
from zcbus.kit.logging import get_logger
from zcbus.protocol.agent import PutRequest, RequestProgress
from zcbus.protocol.answers import Answer
from zcbus.protocol.base import Message, Reason
from zcbus.protocol.log_search import FindLogLines
from zcbus.protocol.requests import ReadLog, Request, SearchLog
from zcbus.protocol.table_import import ImportTable

_log = get_logger("agent")
_AT_ONCE = 8


class Answers:
    """Exactly one answer per request. A repeated request that is still open is not started again."""

    def __init__(
        self, data_dir: Path, bus: BusSettings, deliver: Callable[[Answer], None], download: FileDownload
    ) -> None:
        self._data_dir, self._download = data_dir, download
        self.bus = bus
        self._deliver = deliver
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="request")
        self._open: dict[str, asyncio.Task[None]] = {}
        self._watches: dict[str, Watch] = {}

    def take(self, request: PutRequest) -> None:
        """Begin to answer."""
        if request.id not in self._open:
            task = asyncio.create_task(self._answer(request))
            self._open[request.id] = task
            task.add_done_callback(lambda _: self._open.pop(request.id, None))

    def progress(self) -> tuple[RequestProgress, ...]:
        """Progress of the open answers that report it."""
        progress = ((name, *watch.progress) for name, watch in self._watches.items())
        return tuple(RequestProgress(request=name, done=done, total=total) for name, done, total in progress if total)

    def withdraw(self, request_id: str) -> None:
        """Cancel an answer that is no longer awaited."""
        if request_id in self._watches:
            self._watches[request_id].withdraw()

    def close(self) -> None:
        """Cancel open answers."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, request: PutRequest) -> None:
        watch = self._watches[request.id] = Watch()
        work = asyncio.get_running_loop().run_in_executor(
            self._pool, _answer, request.request, self._data_dir, self.bus, watch, self._download
        )
        try:
            message = await _ended(work, watch, request.timeout_s)
            self._deliver(Answer(request=request.id, result=message.model_dump(mode="json")))
        except TimeoutError:
            watch.withdraw()
            facts = {"seconds": f"{request.timeout_s:g}"}
            self._deliver(Answer(request=request.id, error=Reason(code="request-timeout", facts=facts)))
        except ZcbusError as error:
            facts = {name: str(value) for name, value in error.facts.items()}
            self._deliver(Answer(request=request.id, error=Reason(code=error.code, facts=facts)))
        except Exception as error:  # noqa: BLE001  every failure must be answered
            _log.exception("request-failed", kind=request.request.type)
            facts = {"detail": type(error).__name__}
            self._deliver(Answer(request=request.id, error=Reason(code="request-failed", facts=facts)))
        finally:
            del self._watches[request.id]


async def _ended(work: asyncio.Future[Message], watch: Watch, timeout: float) -> Message:
    """The answer, however long it takes, while it makes progress.

    Raises TimeoutError after `timeout` seconds without progress, and the errors of the work.
    """
    while (left := timeout - watch.seconds_without_progress) > 0:
        await asyncio.wait((work,), timeout=left)
        if work.done():
            return work.result()
    work.cancel()
    raise TimeoutError


def _answer(request: Request, data_dir: Path, bus: BusSettings, watch: Watch, download: FileDownload) -> Message:
    """Answer questions about this host here, those about databases and the bus by the engine."""
    if isinstance(request, ImportTable):
        with download.import_file(request.file, watch) as path:
            return import_table(request, path, registered, watch)
    if isinstance(request, ReadLog):
        return read_log(data_dir, request)
    if isinstance(request, SearchLog):
        return search_log(data_dir, request)
    if isinstance(request, FindLogLines):
        return find_lines(data_dir, request, watch)
    return answer(request, data_dir, bus, watch=watch)
