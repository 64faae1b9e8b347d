"""Text about uploads."""

ZH = {
    "upload-too-large": "文件大小为 {size} MB，最多 {limit} MB（ZCBUS_UPLOAD_MB）",
    "upload-quota": "租户已使用 {used} MB，再上传 {size} MB 将超过 {limit} MB：请先删除不再需要的文件",
    "upload-crowded": "未完成的上传最多 {most} 个：请先继续或取消其中一些",
    "upload-offset": "该分片不是下一个：请从第 {received} 字节继续",
    "upload-part-broken": "分片在传输中被改变：请从第 {received} 字节重新发送",
    "upload-busy": "该上传正由另一个请求处理：请稍后重试",
    "upload-incomplete": "只收到 {size} 字节中的 {received} 字节：请继续上传",
    "upload-checksum": "文件 {name} 与声明的校验和不符，已删除：请重新上传",
    "upload-type": "文件 {name} 的内容类型为 {kind}，此处只接受 {accepted}；文件已删除",
    "upload-empty": "文件为空",
    "picture-unusable": "图片无法使用：{detail}。请选择 PNG、JPEG、WebP 或 GIF 图片",
    "upload-infected": "扫描程序拒绝了文件 {name}，文件已删除：{detail}",
    "upload-scanner-failed": "扫描程序没有给出结论，文件暂不可见：{detail}。请稍后重试；若重复出现，"
    "请管理员检查 ZCBUS_UPLOAD_SCANNER",
    "file-store-unavailable": "文件存储 {place} 不可用：{detail}。请稍后重试；若重复出现，请管理员检查上传设置",
    "field.file-name": "须为文件名，不含路径",
}

EN = {
    "upload-too-large": "The file has {size} MB, at most {limit} MB are taken (ZCBUS_UPLOAD_MB)",
    "upload-quota": "The tenant's files take {used} MB; {size} MB more would exceed its {limit} MB: delete files that "
    "are no longer needed",
    "upload-crowded": "At most {most} uploads may be unfinished: continue or cancel some",
    "upload-offset": "This part is not the next one: continue at byte {received}",
    "upload-part-broken": "The part changed on the way: send it again from byte {received}",
    "upload-busy": "Another request works on this upload: try again in a moment",
    "upload-incomplete": "Only {received} of {size} bytes are here: continue the upload",
    "upload-checksum": "File {name} does not have the announced checksum and was removed: upload it again",
    "upload-type": "By its content file {name} is {kind}; only {accepted} are taken here. The file was removed",
    "upload-empty": "The file is empty",
    "picture-unusable": "The picture cannot be used: {detail}. Choose a PNG, JPEG, WebP or GIF",
    "upload-infected": "The scanner rejected file {name}, which was removed: {detail}",
    "upload-scanner-failed": "The scanner gave no verdict, so the file stays invisible: {detail}. Try again later; if "
    "it comes back, an administrator checks ZCBUS_UPLOAD_SCANNER",
    "file-store-unavailable": "The file store {place} is unavailable: {detail}. Try again later; if it comes back, an "
    "administrator checks the settings of uploads",
    "field.file-name": "A file name without a path",
}
