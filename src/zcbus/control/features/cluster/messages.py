"""Text about containers and their hosts."""

ZH = {
    "container-name-taken": "容器名称 {name} 已存在",
    "container-needed": "容器 {name} 是系统容器，不能删除",
    "container-in-use": "容器 {name} 中还有 {count} 个服务，不能删除：{services}",
    "container-tenant-unknown": "租户 {id} 不存在",
    "join-token-refused": "加入令牌无效、已使用或已过期，请在容器页面重新生成加入命令",
    "host-alive": "主机 {host} 仍在线，请先在该主机上停止代理（zcbus agent）再移除",
}

EN = {
    "container-name-taken": "There is a container {name} already",
    "container-needed": "The container {name} belongs to the platform and cannot be deleted",
    "container-in-use": "The container {name} cannot be deleted: {count} services are in it: {services}",
    "container-tenant-unknown": "There is no tenant {id}",
    "join-token-refused": "The join token is unknown, was used already or is too old; make a new command on the "
    "container's page",
    "host-alive": "The host {host} is online; stop its agent (zcbus agent) before removing it",
}
