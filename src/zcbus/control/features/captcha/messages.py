"""Text about captchas."""

ZH = {
    "captcha-expired": "验证码已过期",
    "captcha-wrong": "验证码错误",
    "slide-needed": "请完成滑动验证",
    "slide-expired": "滑动验证已过期，请重新验证",
    "slide-missed": "滑块未对准缺口，请重试",
    "cache.captchas": "验证码与滑动验证",
    "cache.captchas.cleared": "正在登录或确认删除的用户需要重新获取验证码。",
}

EN = {
    "captcha-expired": "The verification code has expired",
    "captcha-wrong": "The verification code is wrong",
    "slide-needed": "Complete the slider verification",
    "slide-expired": "The slider verification has expired, do it again",
    "slide-missed": "The piece is not in the right position, try again",
    "cache.captchas": "Captchas and slider verifications",
    "cache.captchas.cleared": "Users who are signing in or confirming a deletion need a new captcha.",
}
