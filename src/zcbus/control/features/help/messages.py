"""Text about the documentation."""

ZH = {
    "documents-missing": "没有找到文档：安装包或代码目录中缺少 docs",
    "document-unknown": "没有名为 {name} 的文档",
    "cache.help-pages": "帮助文档目录",
    "cache.help-pages.cleared": "下次打开帮助时重新读取目录。",
}

EN = {
    "documents-missing": "Documentation not found: neither the package nor the checkout holds docs",
    "document-unknown": "Document {name} not found",
    "cache.help-pages": "Contents of the documentation",
    "cache.help-pages.cleared": "The list of pages is read again when the documentation is opened.",
}
