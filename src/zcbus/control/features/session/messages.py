"""Text about signing in."""

ZH = {
    "captcha-expired": "验证码已过期",
    "captcha-wrong": "验证码错误",
    "credentials-wrong": "用户名或密码错误",
    "account-disabled": "该账户已停用，请联系管理员",
    "password-change-required": "首次登录请修改密码",
}

EN = {
    "captcha-expired": "The verification code has expired",
    "captcha-wrong": "The verification code is wrong",
    "credentials-wrong": "No corresponding user",
    "account-disabled": "This account is disabled, contact the administrator",
    "password-change-required": "Please change the password at the first login",
}
