"""Messages of sync tasks."""

ZH = {"task-unknown": "同步任务 {id} 不存在"}
EN = {"task-unknown": "Sync task {id} not found"}
