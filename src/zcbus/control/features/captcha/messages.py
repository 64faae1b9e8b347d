"""Text about captchas."""

ZH = {
    "captcha-expired": "验证码已过期",
    "captcha-wrong": "验证码错误",
    "slide-needed": "请完成滑动验证",
    "slide-expired": "滑动验证已过期，请重新验证",
    "slide-missed": "滑块未对准缺口，请重试",
}

EN = {
    "captcha-expired": "The verification code has expired",
    "captcha-wrong": "The verification code is wrong",
    "slide-needed": "Complete the slider verification",
    "slide-expired": "The slider verification has expired, do it again",
    "slide-missed": "The piece is not in the right position, try again",
}
