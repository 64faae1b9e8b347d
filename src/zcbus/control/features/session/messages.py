"""Text about signing in."""

ZH = {
    "credentials-wrong": "用户名或密码错误",
    "account-disabled": "该账号已停用，请联系管理员",
    "login-free-absent": "未启用免登录模式",
    "login-free-account": "免登录账号 {name} 不存在、已停用或是内置账号，请联系管理员",
    "no-account": "账号 {name} 在本系统中不存在或不能以此方式登录，请联系管理员",
    "session-gone": "该会话已结束",
    "sign-in-over": "登录已超时或验证码错误次数过多，请重新登录",
    "second-factor-set-up": "您的租户要求使用两步验证，请先完成设置",
    "second-factor-required": "请完成两步验证",
    "password-change-required": "首次登录请修改密码",
    "cache.pending-sign-ins": "等待第二因素的登录",
    "cache.pending-sign-ins.cleared": "已输入密码、尚未输入动态验证码的用户需要重新登录。",
}

EN = {
    "credentials-wrong": "No corresponding user",
    "account-disabled": "This account is disabled, contact the administrator",
    "login-free-absent": "Signing in is needed here",
    "login-free-account": "The account {name}, which everybody is to have here, does not exist, is disabled or is "
    "built in; contact the administrator",
    "no-account": "No account {name} may sign in this way; contact the administrator",
    "session-gone": "This session has ended already",
    "sign-in-over": "The sign-in took too long, or too many codes were wrong. Sign in again",
    "second-factor-set-up": "Your tenant requires two-step verification: set it up first",
    "second-factor-required": "Finish the two-step verification",
    "password-change-required": "Please change the password at the first login",
    "cache.pending-sign-ins": "Sign-ins that wait for a second factor",
    "cache.pending-sign-ins.cleared": "Users who gave their password but not their code yet start their sign-in again.",
}
