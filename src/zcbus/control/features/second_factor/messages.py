"""Text about two-step verification."""

ZH = {
    "second-factor-wrong": "验证码不正确或已使用过，请输入身份验证器当前显示的验证码，或一个未使用的恢复码",
    "second-factor-on": "两步验证已开启",
    "second-factor-off": "账号 {name} 未开启两步验证",
    "second-factor-required-here": "您的租户要求使用两步验证，不能关闭",
    "set-up-over": "设置已超时，请重新开始",
}

EN = {
    "second-factor-wrong": "The code is wrong or was used before. Enter the code that the authenticator shows "
    "now, or an unused recovery code",
    "second-factor-on": "Two-step verification is on already",
    "second-factor-off": "Two-step verification of the account {name} is off",
    "second-factor-required-here": "Your tenant requires two-step verification: it cannot be turned off",
    "set-up-over": "The set-up took too long, start again",
}
