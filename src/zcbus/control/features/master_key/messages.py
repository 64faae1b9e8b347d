"""Texts of master keys."""

ZH = {
    "master-key-not-everywhere": "以下主机上的控制平面还没有主密钥 {key}：{hosts}。"
    "请把 {path} 复制到这些主机（权限 0600），然后再次运行 zcbus key rotate",
    "master-key-not-used": "以下主机上的控制平面仍未使用主密钥 {key} 加密：{hosts}。"
    "请稍候再次运行；若仍如此，请重启该控制平面",
    "master-key-unknown": "没有主密钥 {key}。zcbus key status 列出所有主密钥",
    "master-key-seals": "主密钥 {key} 正在使用。请先运行 zcbus key rotate",
    "master-key-needed": "仍有 {count} 个已存储的机密使用主密钥 {key}（{where}）。请先运行 zcbus key rotate",
    "master-key-recent": "主密钥 {key} 刚刚停用，浏览器可能还持有由它加密的内容。请在 {until} 之后再运行",
    "keys-fixed": "主密钥来自 {name}，命令无法更改。请在该处更改后重启",
    "key-file-owner": "密钥文件 {path} 属于用户 {owner}。请以该用户（即运行控制平面的账号）运行此命令",
    "keys-invalid": "{source} 第 {line} 行不是主密钥：应为“标识 密钥”，密钥为 32 字节的 base64，"
    "或由 Vault 加密（需设置 ZCBUS_KEYS_TRANSIT）",
    "vault-unreachable": "无法访问 Vault {address}（{path}）：{detail}。"
    "将会重试；请检查地址、网络以及 Vault 是否已解封",
    "vault-refused": "Vault {address} 拒绝了 {path}：{detail}。请检查令牌、其策略和路径",
    "key.made": "已生成新的主密钥",
    "key.continued": "继续上次未完成的更换",
    "key.waiting": "等待 {count} 个控制平面",
    "key.sealing": "所有控制平面都已持有新密钥，现在由它加密",
    "key.resealed": "已重新加密 {count} 行",
    "key.done": "主密钥 {key} 现在加密所有内容，重新加密了 {rows} 行。旧密钥不再需要时，可用 zcbus key retire 移除",
    "key.wrapped": "{count} 个密钥现在由 Vault 加密保存",
    "key.retired": "主密钥 {key} 已从 {path} 移除。此前的备份和用加密工具得到的文本仍需要它；"
    "请在其他每台控制平面主机上也运行此命令",
    "key.saved": "该密钥已写入 {path}",
    "key.retirable": "可以移除",
    "key.seals": "正在使用",
    "key.missing": "本机没有此密钥",
}

EN = {
    "master-key-not-everywhere": "Control planes on these hosts do not have master key {key}: {hosts}. Copy {path} "
    "there (mode 0600), then run zcbus key rotate again.",
    "master-key-not-used": "Control planes on these hosts do not encrypt with master key {key} yet: {hosts}. Run the "
    "command again in a moment; if that does not help, restart them.",
    "master-key-unknown": "There is no master key {key}. zcbus key status lists them.",
    "master-key-seals": "Master key {key} is in use. Run zcbus key rotate first.",
    "master-key-needed": "{count} stored secrets still need master key {key} ({where}). Run zcbus key rotate first.",
    "master-key-recent": "Master key {key} was in use until a moment ago, and browsers may hold what it encrypted. Run "
    "the command again after {until}.",
    "keys-fixed": "The master keys come from {name}, which a command cannot change. Change them there and restart.",
    "key-file-owner": "The key file {path} belongs to user {owner}. Run the command as that user, as which the control "
    "plane runs.",
    "keys-invalid": "Line {line} of {source} is no master key. Expected: id and key, the key as 32 bytes in base64, or "
    "encrypted by Vault (with ZCBUS_KEYS_TRANSIT set).",
    "vault-unreachable": "Vault {address} cannot be reached for {path}: {detail}. It is tried again. Check address and "
    "network, and whether Vault is unsealed.",
    "vault-refused": "Vault {address} refused {path}: {detail}. Check the token, its policies and the path.",
    "key.made": "made a new master key",
    "key.continued": "continuing the rotation that was begun",
    "key.waiting": "waiting for {count} control planes",
    "key.sealing": "all control planes hold the new key; it encrypts from now on",
    "key.resealed": "{count} rows encrypted again",
    "key.done": "Master key {key} encrypts everything now; {rows} rows were encrypted again. Remove an old key with "
    "zcbus key retire once nothing needs it.",
    "key.wrapped": "{count} keys are stored encrypted by Vault now.",
    "key.retired": "Master key {key} is removed from {path}. Older backups and texts made with the encryption tool "
    "still need it. Run this command on the host of each other control plane, too.",
    "key.saved": "The key is in {path}.",
    "key.retirable": "can be retired",
    "key.seals": "in use",
    "key.missing": "this host does not have it",
}
