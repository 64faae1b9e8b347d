"""Text about agents and containers."""

from zcbus.control.features.container import property_texts

ZH = {
    "container-unknown": "容器 {name} 不存在",
    "container-choice-needed": "请选择容器：共有 {count} 个",
    "agent-choice-needed": "请选择主机：共有 {count} 台",
    "address-outside": "容器不允许数据服务监听 {host}:{port}；端口范围为 {first}–{last}",
    "kafka-property-refused": "Kafka 属性不可用：{detail}",
    "property-unknown": "没有名为 {name} 的属性",
    "property-refused": "属性 {name} 的取值范围为 {least} 到 {most}",
    "bus-not-shared": "容器 {container} 的主机必须共用一个总线：主机 {host} 使用 {other}，本机使用 {own}。"
    "请为所有主机设置同一个 ZCBUS_BUS=kafka://…，或将本机加入另一个容器；已不存在的主机请先在容器页面移除",
    "not-this-container": "该代理令牌不属于此容器",
    "not-this-agent": "该代理令牌属于主机 {host} 上的另一个代理，请为本机生成新的加入命令",
    "agent-unknown": "代理尚未注册",
    "reference-unread": "主机 {hosts} 的代理版本较旧，不能使用机密引用：请先升级这些代理，或直接填写机密",
    **property_texts.ZH,
}

EN = {
    "container-unknown": "Container {name} not found",
    "container-choice-needed": "Choose a container: there are {count}",
    "agent-choice-needed": "Choose a host: there are {count}",
    "address-outside": "The container does not allow data services on {host}:{port}; its ports are {first} to {last}",
    "kafka-property-refused": "These Kafka properties cannot be used: {detail}",
    "property-unknown": "Property {name} not found",
    "property-refused": "The property {name} takes values from {least} to {most}",
    "bus-not-shared": "The hosts of container {container} must share one bus: host {host} uses {other}, "
    "this host {own}. Give all of them the same ZCBUS_BUS=kafka://…, or join this host to a container of its own; "
    "remove hosts that are gone on the container's page",
    "not-this-container": "The agent's token does not belong to this container",
    "not-this-agent": "The agent's token belongs to another agent, on host {host}; make a join command for this host",
    "agent-unknown": "The agent has not registered",
    "reference-unread": "The agents on {hosts} are of an older version and take no references to secrets: upgrade them "
    "first, or enter the secret itself",
    **property_texts.EN,
}
