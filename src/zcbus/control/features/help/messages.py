"""Text about the documentation."""

ZH = {
    "documents-missing": "没有找到文档：安装包或代码目录中缺少 docs",
    "document-unknown": "没有名为 {name} 的文档",
    "article-changed": "其他作者已修改文章 {name}：请重新打开后再修改",
    "article-empty": "请至少填写一种语言的内容",
    "article-shipped": "{name} 是随产品提供的页面，其顺序不能调整",
    "articles-full": "最多 {most} 篇文章：请先删除不再需要的文章",
    "article-versions-full": "文章 {name} 已有 {most} 个版本：请删除后重新创建",
    "field.article-title": "须有一级标题（# 标题），最多 200 个字符",
    "field.article-lines": "最多 5000 行",
    "article.own": "自有文章",
    "cache.help-pages": "帮助文档目录",
    "cache.help-pages.cleared": "下次打开帮助时重新读取目录。",
}

EN = {
    "documents-missing": "Documentation not found: neither the package nor the checkout holds docs",
    "document-unknown": "Document {name} not found",
    "article-changed": "Another author has changed article {name}: open it again, then change it",
    "article-empty": "Write the text of one language at least",
    "article-shipped": "{name} is a shipped page: its place cannot be changed",
    "articles-full": "There may be at most {most} articles: delete some that are no longer needed",
    "article-versions-full": "Article {name} has {most} versions: delete it and create it again",
    "field.article-title": "A heading of the first level (# Title) of at most 200 characters",
    "field.article-lines": "At most 5,000 lines",
    "article.own": "Own articles",
    "cache.help-pages": "Contents of the documentation",
    "cache.help-pages.cleared": "The list of pages is read again when the documentation is opened.",
}
