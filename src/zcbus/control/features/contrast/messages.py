"""Texts of the contrast feature."""

ZH = {
    "comparison-under-way": "比对正在进行，不允许重新比对，结束后再试",
    "comparison-append-only": "该表以只追加方式发布，没有键，只能按记录数比对",
    "comparison-repair-first": "有差异等待修复，不允许重新比对，请先修复或放弃差异",
    "comparison-repairing": "正在修复，结束后再试",
    "comparison-not-over": "比对正在进行，不允许修复，结束后再试",
    "comparison-abnormal": "比对异常，不允许修复，请重新比对",
    "comparison-nothing-to-discard": "没有等待修复的差异",
    "comparison-not-under-way": "没有正在进行的比对",
    "comparison-nothing-to-repair": "没有可以修复的差异",
    "comparison-counts-only": "只有内容比对或严格内容比对可以修复",
    "repair-content": "只有内容比对或严格内容比对可以修复",
}

EN = {
    "comparison-under-way": "Re-compare is not allowed while a comparison is under way: wait until it is over",
    "comparison-append-only": "The table is published append-only: without a key only record counts can be compared",
    "comparison-repair-first": "Re-compare is not allowed while differences wait: repair or discard them first",
    "comparison-repairing": "A repair is under way: wait until it is over",
    "comparison-not-over": "Repair is not allowed while a comparison is under way: wait until it is over",
    "comparison-abnormal": "Repair is not allowed after a comparison that failed: compare again",
    "comparison-nothing-to-discard": "No differences wait for repair",
    "comparison-not-under-way": "No comparison is under way",
    "comparison-nothing-to-repair": "No difference can be repaired",
    "comparison-counts-only": "Only a comparison of contents, strict or not, can be repaired",
    "repair-content": "Only a comparison of contents, strict or not, can be repaired",
}
