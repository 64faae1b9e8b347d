"""Text about routes."""

ZH = {
    "route-name-taken": "网络路由 {name} 已存在",
    "route-name-stays": "网络路由的名称由连接引用，不能修改；请新建一条路由",
    "route-used": "网络路由 {name} 正被 {count} 个连接使用（{users}），不能删除；请先修改这些连接",
    "route-secret-needed": "请填写密码或私钥：已保存的只用于原来的主机、端口和用户",
    "field.secret-reference": "引用的写法为 {expected}",
    "routes-full": "每个租户最多 {most} 条网络路由",
    "route-missing": "网络配置中没有名为 {route} 的路由：请新建该路由，或修改连接；若路由含机密引用，请升级代理",
    "field.route-required": "此类路由必须填写",
    "field.route-target": "须为地址、网段（10.0.0.0/8）或名称（*.example.com）",
    "field.route-address": "须为 IP 地址",
    "check.reach": "到达堡垒机或代理",
    "check.host-key": "主机密钥",
    "check.sign-in": "登录",
    "check.target": "到达目标服务器",
    "advice.route": "核对网络配置中的路由，并在那里测试它",
}

EN = {
    "route-name-taken": "Route {name} already exists",
    "route-name-stays": "Connections name the route, so its name cannot change; create another route",
    "route-used": "Route {name} is taken by {count} connections ({users}) and cannot be deleted; change them first",
    "route-secret-needed": "Enter password or private key: a stored one is only for the host, port and user it was "
    "given for",
    "field.secret-reference": "A reference is written {expected}",
    "routes-full": "A tenant has at most {most} routes",
    "route-missing": "The network configuration has no route {route}: create it, or change the connection; if "
    "it has references to secrets, upgrade the agent",
    "field.route-required": "Routes of this type need it",
    "field.route-target": "An address, a network (10.0.0.0/8) or a name (*.example.com)",
    "field.route-address": "An IP address",
    "check.reach": "Bastion or proxy reached",
    "check.host-key": "Host key",
    "check.sign-in": "Sign-in",
    "check.target": "Server reached",
    "advice.route": "Check the route in the network configuration, and test it there",
}
