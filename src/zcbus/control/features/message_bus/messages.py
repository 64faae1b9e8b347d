"""Texts of the message bus."""

ZH = {
    "bus-topic-of-node": "主题 {topic} 由发布节点 {node} 内部使用，随节点一起删除，不能单独删除",
    "bus-topic-of-target": "主题 {topic} 保存一个目标端的位点和异常行，删除后其所有表都会重新装载，因此不能删除",
    "bus-topic-in-use": "发布节点 {node} 的服务未停止，不能删除主题 {topic}。请先停止该服务",
    "bus-topic-being-loaded": "还有 {count} 张表需要从主题 {topic} 装载全量数据：{tables}。请等待装载完成，或先解绑",
    "bus-topic-not-typed": "请输入完整的主题名称 {topic} 以确认删除",
    "bus-records-not-shown": "主题 {topic} 没有可查看的数据记录",
    "bus-topic-gone": "消息总线上已没有主题 {topic}",
}

EN = {
    "bus-topic-of-node": "Topic {topic} is used internally by publish node {node} and is deleted with it, "
    "not on its own.",
    "bus-topic-of-target": "Topic {topic} keeps the positions and row errors of a target: without it all its tables "
    "would be loaded again. It cannot be deleted.",
    "bus-topic-in-use": "The service of publish node {node} is not stopped, so topic {topic} cannot be deleted. "
    "Stop the service first.",
    "bus-topic-being-loaded": "Tables still have to load topic {topic} ({count}): {tables}. "
    "Wait until they are loaded, or unsubscribe them first.",
    "bus-topic-not-typed": "Type the whole name {topic} to confirm the deletion.",
    "bus-records-not-shown": "Topic {topic} has no data records to look into.",
    "bus-topic-gone": "The message bus does not have topic {topic} any more.",
}
