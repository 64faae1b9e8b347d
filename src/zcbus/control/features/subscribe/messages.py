"""Text about subscriptions."""

ZH = {
    "master-limit": "单个节点的主控数量已达上限 {limit}，无法继续添加",
    "channel-name-taken": "已存在相同的通道名称 {name}",
}

EN = {
    "master-limit": "The limit of {limit} master controllers on one node is reached",
    "channel-name-taken": "A channel named {name} already exists",
}
