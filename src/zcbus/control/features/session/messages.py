"""Text about signing in."""

ZH = {
    "credentials-wrong": "用户名或密码错误",
    "account-disabled": "该账户已停用，请联系管理员",
    "password-change-required": "首次登录请修改密码",
}

EN = {
    "credentials-wrong": "No corresponding user",
    "account-disabled": "This account is disabled, contact the administrator",
    "password-change-required": "Please change the password at the first login",
}
