"""Texts about custom texts."""

ZH = {
    "text-unknown": "文本 {key} 不存在，可能已随版本升级移除",
    "text-fault": "文本不可用：{problem}",
    "label-fault": "名称“{name}”不可用：{problem}",
    "texts-refused": "文件中有 {count} 条文本不可用，未导入任何内容。第一条 {key}：{problem}",
    "problem.text-language": "该文本没有这种语言的形式",
    "problem.text-too-long": "文本过长，最多 1000 个字符",
    "problem.text-placeholders": "占位符必须与出厂文本相同，不能增加、减少或改写",
    "problem.text-markup": "不能含有 HTML 标签",
    "problem.text-characters": "不能含有控制字符或改变文字方向的字符",
    "cache.shipped-texts": "出厂文本",
    "cache.shipped-texts.cleared": "下次打开翻译页面时重新构建，约需零点几秒。",
    "cache.custom-texts": "自定义文本",
    "cache.custom-texts.cleared": "立即从元数据库重新读取。",
}

EN = {
    "text-unknown": "Text {key} not found. A newer version may have removed it",
    "text-fault": "The text cannot be used. {problem}",
    "label-fault": "The name {name} cannot be used. {problem}",
    "texts-refused": "Nothing was imported: texts that cannot be used: {count}. The first is {key}: {problem}",
    "problem.text-language": "The text has no such form in this language",
    "problem.text-too-long": "The text is too long: at most 1000 characters",
    "problem.text-placeholders": "Placeholders must be those of the shipped text: none added, left out or changed",
    "problem.text-markup": "HTML tags are not allowed",
    "problem.text-characters": "Control characters and characters that turn the direction of text are not allowed",
    "cache.shipped-texts": "Shipped texts",
    "cache.shipped-texts.cleared": "The page of translations builds them again, in some tenths of a second.",
    "cache.custom-texts": "Custom texts",
    "cache.custom-texts.cleared": "They are read from the store again at once.",
}
