"""Reasons why an agent does not have a driver."""

ZH = {
    "driver-not-signed": "驱动 {name} 没有本机 {folder} 中任何公钥的签名",
    "driver-not-signed.remedy": "在该主机的 ZCBUS_DRIVER_KEYS 目录中放入签名者的公钥，或用其中的密钥重新签名后上传",
    "driver-not-written": "无法写入 {file}：{detail}",
    "driver-not-written.remedy": "检查该主机上代理数据目录的空间与权限；代理会自动重试",
}

EN = {
    "driver-not-signed": "Driver {name} is signed by none of the keys in {folder} of this host",
    "driver-not-signed.remedy": "Place the signer's public key in the folder ZCBUS_DRIVER_KEYS of the host, or upload "
    "the driver with a signature by one of its keys",
    "driver-not-written": "{file} cannot be written: {detail}",
    "driver-not-written.remedy": "Check space and permissions of the data folder of the host's agent; it tries again",
}
