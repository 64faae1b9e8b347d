"""Text about dictionaries."""

ZH = {"dictionary-unknown": "字典 {type} 不存在"}

EN = {"dictionary-unknown": "There is no dictionary {type}"}
