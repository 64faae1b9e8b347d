"""Text about captchas."""

ZH = {
    "captcha-expired": "验证码已过期",
    "captcha-wrong": "验证码错误",
}

EN = {
    "captcha-expired": "The verification code has expired",
    "captcha-wrong": "The verification code is wrong",
}
