"""Texts about registration."""

ZH = {
    "registration-code-invalid": "注册码缺少必需的内容；请向签发方重新申请",
    "registration-code-foreign": "注册码的签名与 ZCBUS_REGISTRATION_KEY 不符；请核对公钥，或向签发方重新申请",
    "registration-code-unreadable": "注册码不完整或含有多余的字符；请完整粘贴签发的注册码",
    "registration-code-over": "该注册码已于 {end} 到期；请申请新的注册码",
    "registration-key-missing": "未设置 ZCBUS_REGISTRATION_KEY，无法校验注册码；请先设置签发方的公钥并重启控制平面",
}

EN = {
    "registration-code-invalid": "The registration code lacks required content; apply for another",
    "registration-code-foreign": (
        "The registration code is not signed with the key of ZCBUS_REGISTRATION_KEY; check that key, or apply again"
    ),
    "registration-code-unreadable": "The registration code is incomplete or has further characters; paste all of it",
    "registration-code-over": "This registration code ended at {end}; apply for another one",
    "registration-key-missing": (
        "Without ZCBUS_REGISTRATION_KEY no code can be checked; set it to the issuer's public key and restart"
    ),
}
