"""Text about calls that take long."""

ZH = {
    "call-cancelled": "已取消，未做任何更改",
    "progress.begun": "准备中",
    "progress.list-tables": "正在读取数据库中的表",
    "progress.resolve": "正在查找所选的表",
    "progress.precheck": "正在预检查",
    "progress.store": "正在保存",
}

EN = {
    "call-cancelled": "Cancelled, nothing was changed",
    "progress.begun": "Preparing",
    "progress.list-tables": "Reading the tables of the databases",
    "progress.resolve": "Finding the chosen tables",
    "progress.precheck": "Checking the tables",
    "progress.store": "Saving",
}
