"""Text about live events."""

ZH = {
    "live-too-many": "已打开 {limit} 个实时连接，请关闭一些页面；本页面改为定时刷新",
    "cache.socket-tickets": "实时连接与终端的票据",
    "cache.socket-tickets.cleared": "正在打开的实时连接和终端会被拒绝；实时连接会自动重试，终端需重新打开。",
}

EN = {
    "live-too-many": "{limit} live connections are open; close some pages. This page asks from time to time instead",
    "cache.socket-tickets": "Tickets of live events and terminals",
    "cache.socket-tickets.cleared": "Sockets that are being opened are refused. Live events try again by "
    "themselves; terminals are opened again by hand.",
}
