"""Texts of file previews."""

ZH = {
    "preview-unreadable": "无法预览该文件：{detail}。请选择 Parquet、Excel 或 ODS 文件，过大的文件请拆分后再试",
    "preview-busy": "正在读取其他文件：请稍后重试",
}

EN = {
    "preview-unreadable": "The file cannot be previewed: {detail}. Choose a Parquet, Excel or ODS file; divide one "
    "that is too large",
    "preview-busy": "Other files are being read: try again in a moment",
}
