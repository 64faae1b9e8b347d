"""Text about signing in with an identity provider."""

ZH = {
    "external-sign-in-absent": "本系统未配置此登录方式",
    "public-address-needed": "未设置 ZCBUS_PUBLIC_ADDRESS，不能使用此登录方式，请联系管理员",
    "provider-unreachable": "身份认证服务没有响应或响应不可用，请稍后再试；仍不行请联系管理员",
    "provider-refused": "身份认证未通过，请重新登录",
    "saml-assertion-encrypted": "身份提供方加密了断言，平台不支持：请管理员在身份提供方关闭断言加密"
    "（传输已由 TLS 保护）",
    "handshake-over": "登录已超时，请重新登录",
}

EN = {
    "external-sign-in-absent": "This way to sign in is not set up here",
    "public-address-needed": "This way to sign in needs the setting ZCBUS_PUBLIC_ADDRESS, contact the administrator",
    "provider-unreachable": "The identity provider gives no usable answer, try again later or ask the administrator",
    "provider-refused": "The identity provider did not confirm this sign-in, sign in again",
    "saml-assertion-encrypted": "The identity provider encrypts its assertions, which is not supported: have its "
    "administrator turn that off (TLS protects them on their way)",
    "handshake-over": "The sign-in took too long, sign in again",
}
