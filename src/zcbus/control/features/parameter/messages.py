"""Text about system parameters."""

ZH = {
    "parameter-unknown": "系统参数 {name} 不存在",
    "parameter-value": "系统参数 {name} 的值不正确：{place}",
    "parameter.sys_config": "控制台：删除是否需要验证码、左下角文字、未读告警的查询间隔（秒）、"
    "菜单上方的图片（data:image 地址）与名称",
    "parameter.front_addresses": "登录后跳转：租户标识与其控制台地址",
    "parameter.source_addresses": "来源地址：用户由此跳转登录、退出后返回的门户地址",
    "parameter.alert_expiry_hours": "到期告警：主题中的数据将在多少小时内到期时告警",
    "parameter.alert_lag_seconds": "延迟告警：链路延迟达到多少秒时告警",
    "parameter.alert_held_log_mb": "源端日志积压告警：等待链路读取的日志超过多少 MB 时告警",
    "parameter.verification_percent": "持续校验：每个通道逐段校验目标与源端是否一致，"
    "最多占用单核与两端会话时间的百分之几，0 为关闭",
}

EN = {
    "parameter-unknown": "System parameter {name} not found",
    "parameter-value": "The system parameter {name} cannot have this value: {place}",
    "parameter.sys_config": "Console: whether deleting asks for a code, text at the lower left, "
    "seconds between two checks for unread alerts, picture (a data:image address) and name above the menu",
    "parameter.front_addresses": "After sign-in: tenants' ids and the addresses of their own consoles",
    "parameter.source_addresses": "Source addresses: portals that may send people here to sign in and get them back "
    "when they sign out",
    "parameter.alert_expiry_hours": "Expiry alert: how many hours before a topic's data goes",
    "parameter.alert_lag_seconds": "Lag alert: from how many seconds of a link's lag on",
    "parameter.alert_held_log_mb": "Waiting log alert: from how many MB of log on that wait at a source for a link",
    "parameter.verification_percent": "Continuous verification: how many percent of a core, and of a session's time on "
    "either server, each channel may spend on proving its tables equal to their source; 0 turns it off",
}
