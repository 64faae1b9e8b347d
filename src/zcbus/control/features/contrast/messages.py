"""Texts of the contrast feature."""

ZH = {
    "comparison-under-way": "比对或修复正在进行，结束后才能再次比对",
    "comparison-not-under-way": "没有正在进行的比对",
    "comparison-nothing-to-repair": "没有可以修复的差异",
    "contrast-name": "{name} 比对",
}

EN = {
    "comparison-under-way": "A comparison or repair is under way: compare again once it is over",
    "comparison-not-under-way": "No comparison is under way",
    "comparison-nothing-to-repair": "There is no difference that could be repaired",
    "contrast-name": "{name} contrast",
}
