"""Names of states, actions and ways of cleaning inside other messages: (key, Chinese, English)."""

_NAMES: tuple[tuple[str, str, str], ...] = (
    ("state.uninitialized", "未初始化", "uninitialized"),
    ("state.full-allowed", "允许全量", "full allowed"),
    ("state.full-running", "全量运行中", "full running"),
    ("state.full-finished", "全量完成", "full finished"),
    ("state.incremental-allowed", "允许增量", "incremental allowed"),
    ("state.incremental-running", "增量运行中", "incremental running"),
    ("state.suspended", "已暂停", "suspended"),
    ("state.error", "异常", "in error"),
    ("state.full-error", "全量异常", "in full error"),
    ("state.incremental-error", "增量异常", "in incremental error"),
    ("state.full-info-expired", "全量信息过期", "full info expired"),
    ("state.table-locked", "表已锁定", "locked"),
    ("state.stopped", "已停止", "stopped"),
    ("state.starting", "启动中", "starting"),
    ("state.stopping", "停止中", "stopping"),
    ("action.start", "启动", "start"),
    ("action.pause", "暂停", "pause"),
    ("action.resume", "恢复", "resume"),
    ("action.stop", "停止", "stop"),
    ("action.reload", "启动全量", "start full"),
    ("action.reset", "重置", "reset"),
    ("action.reset-start", "重置并启动", "reset and start"),
    ("action.start-incremental", "启动增量", "start incremental"),
    ("action.accept-gap", "接受缺口并继续", "accept the gap and continue"),
    ("action.suspend", "暂停", "suspend"),
    ("clean.truncate", "重建索引和主键后清空", "indexes and key rebuilt, then truncated"),
    ("clean.drop", "删除并重建", "dropped and created again"),
    ("clean.only-truncate", "仅清空", "truncated"),
    ("why.renamed-or-replaced", "可能是改名，也可能是另一列", "renamed, or another column"),
    ("why.type-changed", "类型变更", "its type changed"),
    (
        "why.values-rewritten",
        "类型变更时重写了所有行，旧行的值可能已改变；确认只是加宽类型则应用，否则重新装载",
        "changing its type rewrote all rows, whose values may have changed; apply it if the type was only widened, "
        "else load the table again",
    ),
    ("why.values-unknown", "已有行中的值未知", "its values in old rows are unknown"),
    ("why.chosen-column-dropped", "所选列已不存在", "a chosen column went away"),
    ("why.renamed-in-transaction", "同一事务内改名", "renamed within a transaction"),
)

ZH = {key: chinese for key, chinese, _ in _NAMES}
EN = {key: english for key, _, english in _NAMES}
