"""Texts about drivers."""

ZH = {
    "driver-name-taken": "已有名为 {name} 的驱动：请先移除它，或在名称中写明版本",
    "driver-unsigned": "驱动 {name} 没有 ZCBUS_DRIVER_KEYS 中任何公钥（{keys}）的签名：请上传文件的 Ed25519 签名",
    "driver-unconfirmed": "驱动 {name} 的校验和为 {sha256}，与确认的不同：请与发布者公布的校验和比较",
    "package-unknown": "文件不是所写的 {name}，而是 {found}：驱动为 jar 文件；代理安装包的名称与版本须与文件一致",
    "too-many-drivers": "最多 {most} 个驱动：请先移除不再使用的驱动",
    "field.driver-kind": "请选择使用驱动的数据源类型",
    "field.driver-file": "驱动为 .jar 文件，代理安装包为 zcbus-版本-py3-none-any.whl",
    "field.driver-containers": "请至少选择一个容器，或选择所有容器",
}

EN = {
    "driver-name-taken": "There is a driver {name} already: remove it first, or name the version too",
    "driver-unsigned": "Driver {name} is signed by none of the keys in ZCBUS_DRIVER_KEYS ({keys}): upload the Ed25519 "
    "signature of the file",
    "driver-unconfirmed": "The checksum of driver {name} is {sha256}, not the confirmed one: compare it with the one "
    "that its publisher names",
    "package-unknown": "The file is not {name} but {found}: drivers are jar files, and a package of agents is called "
    "as the file itself says",
    "too-many-drivers": "There are {most} drivers, more are not possible: remove those that are no longer used",
    "field.driver-kind": "Choose a kind of data source that needs a driver",
    "field.driver-file": "Drivers are .jar files, packages of agents zcbus-VERSION-py3-none-any.whl",
    "field.driver-containers": "Choose at least one container, or all",
}
