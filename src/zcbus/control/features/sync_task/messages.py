"""Messages of sync tasks."""

ZH = {"task-unknown": "没有这个同步任务：{id}"}
EN = {"task-unknown": "Sync task {id} not found"}
