"""Text about registration."""

ZH = {"registration-code-invalid": "注册码无效：{detail}"}

EN = {"registration-code-invalid": "The registration code is not valid: {detail}"}
