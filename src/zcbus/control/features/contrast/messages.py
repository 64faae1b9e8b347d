"""Texts of the contrast feature."""

ZH = {
    "comparison-under-way": "比对或修复正在进行，结束后才能再次比对",
    "comparison-not-under-way": "没有正在进行的比对",
    "comparison-nothing-to-repair": "没有可以修复的差异",
    "comparison-counts-only": "只有内容比对或严格内容比对可以修复",
    "repair-content": "只有内容比对或严格内容比对可以修复",
    "contrast-name": "{name} 比对",
}

EN = {
    "comparison-under-way": "A comparison or repair is under way: compare again once it is over",
    "comparison-not-under-way": "No comparison is under way",
    "comparison-nothing-to-repair": "There is no difference that could be repaired",
    "comparison-counts-only": "Only a comparison of contents, strict or not, can be repaired",
    "repair-content": "Only a comparison of contents, strict or not, can be repaired",
    "contrast-name": "{name} contrast",
}
