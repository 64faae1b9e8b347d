"""Text about accounts."""

ZH = {
    "password-length": "密码长度必须为 {shortest}-{longest} 个字符",
    "password-too-simple": "安全性过低，必须包含大小写字母和数字",
    "passwords-differ": "两次输入的密码不一致",
    "password-unchanged": "新密码不能与当前密码相同",
    "current-password-wrong": "当前密码不正确",
    "password-changed": "修改成功，即将重新登录",
    "user-name-taken": "用户名 {name} 已存在",
    "user-unknown": "用户 {name} 不存在",
    "role-unknown": "角色 {code} 不存在",
    "directory-unavailable": "目录服务（LDAP）没有给出结果，无法验证密码，请稍后再试，或联系管理员查看日志",
}

EN = {
    "password-length": "Password length must be {shortest}-{longest} characters",
    "password-too-simple": "Security too low, must contain upper and lower case letters and digits",
    "passwords-differ": "The passwords entered twice are inconsistent",
    "password-unchanged": "The new password must differ from the current one",
    "current-password-wrong": "The current password is not correct",
    "password-changed": "Update successful, about to log in again",
    "user-name-taken": "The user name {name} is taken",
    "user-unknown": "User {name} not found",
    "role-unknown": "Role {code} not found",
    "directory-unavailable": "The directory (LDAP) did not answer, so the password could not be checked. "
    "Try again later; the reason is in the log",
}
