"""Text about machines."""

ZH = {
    "machine-unknown": "请先填写该主机的连接信息",
    "machine-password-needed": "主机、端口或用户已修改，请重新输入密码",
    "machine-unreachable": "无法连接 {host}:{port}：{detail}",
    "machine-refused": "主机 {host}:{port} 不接受用户 {user} 的密码",
    "machine-key-changed": "主机 {host}:{port} 的密钥已改变（原为 {known}，现为 {shown}）。若确认主机更换了密钥，"
    "请填入新的指纹后保存",
}

EN = {
    "machine-unknown": "Say first how to sign in to this host",
    "machine-password-needed": "Host, port or user changed: enter the password again",
    "machine-unreachable": "{host}:{port} cannot be reached: {detail}",
    "machine-refused": "Host {host}:{port} does not take this password of {user}",
    "machine-key-changed": "The key of host {host}:{port} changed (was {known}, is {shown}). If the host was given "
    "another key, enter the new fingerprint and save",
}
