"""Text about containers and their hosts."""

ZH = {
    "container-name-taken": "容器名称 {name} 已存在",
    "container-needed": "容器 {name} 是系统容器，不能删除",
    "container-in-use": "容器 {name} 中还有 {count} 个服务，不能删除：{services}",
    "container-tenant-unknown": "租户 {id} 不存在",
    "join-token-refused": "加入令牌无效、已使用或已过期，请在容器页面重新生成加入命令",
    "host-id-taken": "该代理标识属于主机 {host}，请先在容器页面移除该主机，或清空本机数据目录中的 agent 文件夹后再加入",
    "certificate-request-refused": "主机的证书请求无效",
    "host-alive": "主机 {host} 仍在线，请先在该主机上停止代理（zcbus agent）再移除",
    "host-needed": "主机 {host} 上还有 {count} 个应运行的服务，容器中没有其他在线主机与其共用消息总线，"
    "不能移除：{services}。请重新启动该主机，或加入共用同一总线的主机；主机确已不再恢复时，先停止这些服务再移除",
}

EN = {
    "container-name-taken": "Container {name} already exists",
    "container-needed": "The container {name} belongs to the platform and cannot be deleted",
    "container-in-use": "The container {name} cannot be deleted: {count} services are in it: {services}",
    "container-tenant-unknown": "Tenant {id} not found",
    "join-token-refused": "The join token is unknown, was used already or is too old; make a new command on the "
    "container's page",
    "host-id-taken": "This agent's id belongs to the host {host}. Remove that host on the container's page first, or "
    "empty the folder agent in this host's data folder, then join again",
    "certificate-request-refused": "The host's certificate request is not valid",
    "host-alive": "The host {host} is online; stop its agent (zcbus agent) before removing it",
    "host-needed": "The host {host} cannot be removed: {count} services are to run on it, and no other host of the "
    "container that is online uses their bus: {services}. Start the host again, or add one that uses the same bus; "
    "where it is gone for good, stop these services first, then remove it",
}
