"""Texts of imports into a table."""

ZH = {
    "import-file-unreadable": "无法读取文件 {name} 中的数据：{detail}。请检查分隔符、首行和工作表，或换用其他格式",
    "import-busy": "正在读取其他文件：请稍后重试",
    "field.column-twice": "每个目标列只能选择一次",
    "field.column-type": "新表的每一列都需要类型",
}

EN = {
    "import-file-unreadable": "The data in file {name} cannot be read: {detail}. Check delimiter, first row and sheet, "
    "or use another format",
    "import-busy": "Other files are being read: try again in a moment",
    "field.column-twice": "Choose each column of the table once",
    "field.column-type": "Each column of a new table needs a type",
}
