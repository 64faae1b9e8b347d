"""Text about users' settings."""

ZH = {"too-many-settings": "最多保存 {limit} 项个人设置"}

EN = {"too-many-settings": "At most {limit} settings are kept for a user"}
