"""Reasons why a file was not imported into a table."""

ZH = {
    "import-file-unusable": "无法读取文件：{detail}",
    "import-file-unusable.remedy": "检查分隔符、首行和工作表；文件过大时请分成几个",
    "import-table-exists": "表 {table} 已存在",
    "import-table-exists.remedy": "选择已有的表，或换一个名称",
    "import-columns-unusable": "表 {table} 没有这些列，或数据库没有对应的类型：{columns}",
    "import-columns-unusable.remedy": "重新选择对应的列或类型",
    "import-key-missing": "表 {table} 没有可用的键：所选的列未包含其主键或唯一键",
    "import-key-missing.remedy": "为键的每一列选择文件中的列，或改用“插入”",
    "file-not-received": "代理未能从 {url} 取得文件：{detail}",
    "file-not-received.remedy": "请重试；若重复出现，检查代理与控制台之间的网络",
}

EN = {
    "import-file-unusable": "The file cannot be read: {detail}",
    "import-file-unusable.remedy": "Check delimiter, first row and sheet; divide a file that is too large",
    "import-table-exists": "Table {table} exists already",
    "import-table-exists.remedy": "Choose the existing table, or another name",
    "import-columns-unusable": "Table {table} lacks these columns, or the database has no type for them: {columns}",
    "import-columns-unusable.remedy": "Choose other columns or types",
    "import-key-missing": "Table {table} has no usable key: the chosen columns contain neither its primary nor a "
    "unique key",
    "import-key-missing.remedy": "Choose a column of the file for each column of the key, or insert the rows",
    "file-not-received": "The agent did not receive the file from {url}: {detail}",
    "file-not-received.remedy": "Try again; if it comes back, check the network between agent and control plane",
}
