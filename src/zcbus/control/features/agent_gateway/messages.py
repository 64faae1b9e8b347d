"""Texts of the control plane's side of its talk with agents."""

ZH = {
    "cache.orders": "代理的任务版本",
    "cache.orders.cleared": "每个代理下次联系时会收到全部任务，而不只是变更。正在运行的服务不受影响。",
}

EN = {
    "cache.orders": "Editions of the agents' orders",
    "cache.orders.cleared": (
        "Each agent receives all its orders at its next contact instead of the changes. Running services are not "
        "affected."
    ),
}
