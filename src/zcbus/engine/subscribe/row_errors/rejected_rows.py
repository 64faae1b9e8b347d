"""What becomes of a change that the target refused: it is kept and passed over, or the table stands still."""

from dataclasses import replace

from zcbus.connectors.errors import RowRefused
from zcbus.connectors.roles import TargetSession
from zcbus.connectors.row_errors import RowErrorFilter
from zcbus.engine.reasons import ROW_ERRORS_OVER_LIMIT, NotAppended, TableStopped
from zcbus.engine.subscribe.reader import PlacedChanges
from zcbus.engine.subscribe.row_errors.expression_errors import image_to_put
from zcbus.engine.subscribe.row_errors.images import key_of, put, statement_of
from zcbus.engine.subscribe.row_errors.single_change import Change, told_by
from zcbus.engine.subscribe.row_errors.skips import Skips
from zcbus.engine.subscribe.schema.mapping import Mapped
from zcbus.engine.subscribe.table import SyncRun
from zcbus.kit.clock import now_ms
from zcbus.model.row_errors import Decision, RowError, RowErrorStatus, RowOperation


class RowBlocks(TableStopped):
    """The table stands still in front of a change, `row_error`, because no more may be passed over."""

    def __init__(self, row_error: RowError, limit: int) -> None:
        super().__init__(
            ROW_ERRORS_OVER_LIMIT,
            table=row_error.target,
            limit=limit,
            key=", ".join(f"{name}={value}" for name, value in row_error.key.items()),
            detail=row_error.detail,
        )
        self.row_error = row_error


class RejectedRows:
    """Of one table within the open transaction of a session."""

    def __init__(self, session: TargetSession, subscription: str, run: SyncRun, skips: Skips, strict: bool) -> None:
        """`strict`: refuse instead of passing over (RowRefused)."""
        self._session, self._subscription, self._run = session, subscription, run
        self._skips, self.strict = skips, strict

    def work_on(self, mapped: Mapped) -> None:
        """Whose changes are refused from now on."""
        self._mapped, self._target = mapped, mapped.table

    def id_of(self, part: PlacedChanges) -> str:
        """What a row error of a single change is called."""
        return self.name(part.offset, part.changes.order[0].as_py())

    def name(self, offset: object, order: int) -> str:
        """What a row error is called of what stands at a place in a record."""
        return f"{self._run.task.id}/{self._run.task.generation}/{offset}.{order}"

    def refuse(self, change: Change, error: RowRefused, earlier: RowError | None = None) -> None:
        """Find out what is to be done with a refused change. Raises RowRefused, RowBlocks."""
        if self.strict and not isinstance(error, NotAppended):
            raise error
        known = earlier or self._known(change.id)
        if known is not None and known.blocking:
            if known.wanted is Decision.SKIP:
                self._done(known, "skipped")
                return
            if known.edited:
                refusal = self._try_edited(known, change)
                if refusal is None:
                    return
                change, error = replace(change, after=known.after), refusal
        found = self._row_error(change, error, known)
        if earlier is not None:
            self._hold(found)
        elif self._skips.take_dml():
            self._keep(replace(found, status=RowErrorStatus.PROCESSED, note="skip-count"))
        elif len(self._run.held) < self._run.task.error_limit:
            self._hold(found)
        elif self.strict:
            raise error
        else:
            raise RowBlocks(replace(found, blocking=True), self._run.task.error_limit)

    def _known(self, identifier: str) -> RowError | None:
        """What was kept of the same change when the table stood still in front of it."""
        found = self._session.row_errors.read(self._subscription, RowErrorFilter(ids=(identifier,)))
        return found[0] if found else None

    def _try_edited(self, known: RowError, change: Change) -> RowRefused | None:
        """Apply what somebody made of a change in front of which the table stood still; returns why it was refused."""
        try:
            after = image_to_put(known, self._mapped)
            with self._session.savepoint():
                put(self._session, self._target, change.before, after)
        except RowRefused as error:
            return error
        self._done(known, "retried")
        return None

    def _done(self, known: RowError, note: str) -> None:
        self._keep(replace(known, status=RowErrorStatus.PROCESSED, wanted=None, blocking=False, note=note))

    def _row_error(self, change: Change, error: RowRefused, known: RowError | None) -> RowError:
        target, now = self._target, now_ms()
        unevaluated = change.unevaluated.lacks if change.unevaluated is not None else ()
        lacks = dict.fromkeys((*unevaluated, *(known.lacks if known else ())))
        return RowError(
            id=known.id if known else change.id,
            table=self._run.task.id,
            target=str(target.name),
            operation=change.operation,
            status=RowErrorStatus.NOT_PROCESSED,
            key=key_of(told_by(change, target), target),
            before=change.before,
            after=change.after,
            code=error.code,
            detail=str(error.facts.get("detail", error)),
            statement=statement_of(target, change.before, change.after),
            position=change.position,
            commit_ms=change.commit_ms,
            found_ms=known.found_ms if known else now,
            changed_ms=now,
            attempts=known.attempts + 1 if known else 1,
            edited=known is not None and known.edited and known.blocking,
            lacks=tuple(name for name in lacks if name not in change.after),
        )

    def _hold(self, error: RowError) -> None:
        self._keep(error)
        self._run.held.put(error)

    def _keep(self, error: RowError) -> None:
        self._session.row_errors.keep(self._subscription, [replace(error, changed_ms=now_ms())])

    def overtaken(self, error: RowError) -> None:
        """What a held row lacked has come with a later change."""
        self._keep(replace(error, status=RowErrorStatus.SUCCESS, wanted=None, note="overtaken"))
        self._run.held.drop(error)

    def leave_place(self, error: RowError) -> None:
        """Another row has taken the place from which the held row was to go."""
        if error.operation is RowOperation.DELETE:
            self.overtaken(error)
        else:
            self._hold(replace(error, before={}, operation=RowOperation.INSERT))
