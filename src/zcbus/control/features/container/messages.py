"""Text about agents and containers."""

from zcbus.control.features.container import reasons_en, reasons_zh, table_reasons, transform_reasons

ZH = {
    "no-agent": "容器 {container} 中没有代理响应，请确认代理（zcbus agent）正在运行并能访问管理端",
    "agent-silent": "容器 {container} 的代理在 {seconds} 秒内没有给出结果，请检查数据库是否可达后重试",
    "container-unknown": "容器 {name} 不存在",
    "kafka-property-refused": "Kafka 属性不可用：{detail}",
    "not-this-container": "该代理令牌不属于此容器",
    "agent-unknown": "代理尚未注册",
    **reasons_zh.REASONS,
    **table_reasons.ZH,
    **transform_reasons.ZH,
}

EN = {
    "no-agent": "No agent of container {container} answers; check that an agent (zcbus agent) runs "
    "and reaches the control plane",
    "agent-silent": "The agent of container {container} gave no result within {seconds} seconds; "
    "check that the database can be reached, then try again",
    "container-unknown": "There is no container {name}",
    "kafka-property-refused": "These Kafka properties cannot be used: {detail}",
    "not-this-container": "The agent's token does not belong to this container",
    "agent-unknown": "The agent has not registered",
    **reasons_en.REASONS,
    **table_reasons.EN,
    **transform_reasons.EN,
}
