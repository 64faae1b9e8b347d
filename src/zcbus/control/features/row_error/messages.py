"""Text about row errors: why one is over."""

ZH = {
    "row-error-cause.append-only": "该表以只追加方式发布：更新和删除不会应用",
    "row-error-note.retried": "重试成功",
    "row-error-note.skipped": "已跳过",
    "row-error-note.applied": "结构变更已应用",
    "row-error-note.skip-count": "按跳过次数自动跳过",
    "row-error-note.overtaken": "该行后续变更已成功应用",
    "row-error-note.reloaded": "表已重新启动全量",
}

EN = {
    "row-error-cause.append-only": "The table is published append-only: updates and deletes are not applied",
    "row-error-note.retried": "Retried successfully",
    "row-error-note.skipped": "Skipped",
    "row-error-note.applied": "The change of structure was applied",
    "row-error-note.skip-count": "Skipped by the skip count",
    "row-error-note.overtaken": "A later change of the row was applied",
    "row-error-note.reloaded": "The table was loaded again",
}
