"""Text about live events."""

ZH = {"live-too-many": "已打开 {limit} 个实时连接，请关闭一些页面；本页面改为定时刷新"}

EN = {"live-too-many": "{limit} live connections are open; close some pages. This page asks from time to time instead"}
