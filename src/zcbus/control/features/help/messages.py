"""Text about the documentation."""

ZH = {
    "documents-missing": "没有找到文档：安装包或代码目录中缺少 docs",
    "document-unknown": "没有名为 {name} 的文档",
}

EN = {
    "documents-missing": "Documentation not found: neither the package nor the checkout holds docs",
    "document-unknown": "Document {name} not found",
}
