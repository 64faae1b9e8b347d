"""Text about dictionaries."""

ZH = {
    "dictionary-unknown": "字典 {type} 不存在",
    "dictionary-type-taken": "字典类型 {type} 已存在",
    "dictionary-built-in": "字典 {type} 由平台内置：可以修改名称和顺序，不能删除，也不能增减或修改键值",
    "dictionary-key-twice": "键 {key} 重复",
}

EN = {
    "dictionary-unknown": "Dictionary {type} not found",
    "dictionary-type-taken": "Dictionary {type} already exists",
    "dictionary-built-in": "Dictionary {type} is the platform's own: names and order can be changed, keys and values "
    "cannot, and it cannot be deleted",
    "dictionary-key-twice": "Key {key} is given twice",
}
