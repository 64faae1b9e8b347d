"""Texts of the recycle bin."""

ZH = {
    "recycled-name-taken": "名称 {name} 已被使用，请先重命名或删除同名对象，再恢复",
    "parameter.recycle_bin_days": "回收站保留天数，对之后删除的对象生效",
}

EN = {
    "recycled-name-taken": "The name {name} is in use. Rename or delete the other object, then restore this one.",
    "parameter.recycle_bin_days": "Days for which the recycle bin keeps objects deleted from now on",
}
