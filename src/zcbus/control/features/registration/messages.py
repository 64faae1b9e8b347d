"""Texts about registration."""

ZH = {
    "registration-code-invalid": "注册码无效（{detail}）；请完整粘贴签发的注册码，或向签发方重新申请",
    "registration-code-over": "该注册码已于 {end} 到期；请申请新的注册码",
    "registration-key-missing": "未设置 ZCBUS_REGISTRATION_KEY，无法校验注册码；请先设置签发方的公钥并重启控制面",
}

EN = {
    "registration-code-invalid": "The registration code is invalid ({detail}); paste all of it, or apply for another",
    "registration-code-over": "This registration code ended at {end}; apply for another one",
    "registration-key-missing": (
        "Without ZCBUS_REGISTRATION_KEY no code can be checked; set it to the issuer's public key and restart"
    ),
}
