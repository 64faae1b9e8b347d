"""Chinese."""

MESSAGES = {
    "ok": "操作成功",
    "error": "操作失败（{code}）",
    "bad-request": "请求有误",
    "not-authenticated": "请先登录",
    "session-expired": "登录已过期，请重新登录",
    "session-revoked": "登录已失效，请重新登录",
    "forbidden": "无权访问",
    "path-not-found": "请求的地址不存在",
    "console-missing": "控制台尚未构建，请在 console 目录执行 npm run build",
    "method-not-allowed": "不支持该请求方法",
    "record-not-found": "记录不存在或已被删除",
    "request-too-large": "请求内容过大，上限为 {limit} 字节",
    "request-malformed": "请求参数有误：{fields}",
    "nul-character": "文本中不能包含空字符（NUL）",
    "value-refused": "有一个值过长或超出范围",
    "too-many-requests": "操作过于频繁，请在 {seconds} 秒后重试",
    "server-error": "服务器请求异常",
    "store-busy": "系统繁忙，请稍后重试",
    "secret-unreadable": "无法解密已保存的密钥，请检查数据目录中的密钥文件",
    "sort-unknown": "不支持按 {sort} 排序",
}
