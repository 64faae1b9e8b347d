"""Text about two-step verification."""

ZH = {
    "second-factor-wrong": "验证码不正确或已使用过，请输入身份验证器当前显示的验证码，或一个未使用的恢复码",
    "second-factor-on": "两步验证已开启",
    "second-factor-off": "账号 {name} 未开启两步验证",
    "second-factor-required-here": "您的租户要求使用两步验证，不能关闭",
    "set-up-over": "设置已超时，请重新开始",
    "keys-unavailable": "本平台的访问地址不支持安全密钥，请管理员将 ZCBUS_PUBLIC_ADDRESS 设为带域名的 https 地址",
    "key-refused": "安全密钥未通过验证，请使用本账号已注册的密钥，并从平台的公开地址打开控制台",
    "key-copied": "安全密钥 {name} 的签名计数小于上次的值，可能已被复制；请改用其他方式登录，并移除该密钥",
    "key-ceremony-over": "安全密钥的操作已超时或已使用过，请重试",
    "key-known": "该安全密钥已注册，请使用另一个密钥",
    "key-gone": "该安全密钥已不存在，请刷新列表",
    "too-many-keys": "最多可注册 {limit} 个安全密钥，请先移除不用的密钥",
    "last-factor": "这是唯一的第二因素，如不再需要，请关闭两步验证",
}

EN = {
    "second-factor-wrong": "The code is wrong or was used before. Enter the code that the authenticator shows "
    "now, or an unused recovery code",
    "second-factor-on": "Two-step verification is on already",
    "second-factor-off": "Two-step verification of the account {name} is off",
    "second-factor-required-here": "Your tenant requires two-step verification: it cannot be turned off",
    "set-up-over": "The set-up took too long, start again",
    "keys-unavailable": "Security keys do not work at this platform's address: the administrator has to set "
    "ZCBUS_PUBLIC_ADDRESS to an https address with a host name",
    "key-refused": "The security key was not confirmed. Use a key that is registered with this account, and open the "
    "console at the platform's public address",
    "key-copied": "The security key {name} counted fewer signatures than before, so there may be a copy of it. "
    "Sign in in another way and remove the key",
    "key-ceremony-over": "The security key was asked too long ago, or answered already. Try again",
    "key-known": "This security key is registered already, use another one",
    "key-gone": "This security key is not there any more, refresh the list",
    "too-many-keys": "At most {limit} security keys can be registered, remove one that is not used",
    "last-factor": "This is the only second factor. Turn two-step verification off if it is not needed any more",
}
