"""Text about the menu."""

ZH = {
    "menu-unknown": "菜单 {key} 不存在",
    "menu-nested": "{key} 不能放在这里：只有顶层分组可以包含菜单项",
    "menu-needed": "{key} 不能隐藏，否则无法再恢复",
    "menu-shipped": "{key} 是系统菜单，只能隐藏，不能删除",
}

EN = {
    "menu-unknown": "Menu entry {key} not found",
    "menu-nested": "{key} cannot be there: only top-level groups have entries",
    "menu-needed": "{key} cannot be hidden: it could not be shown again",
    "menu-shipped": "{key} belongs to the system: it can be hidden, not deleted",
}
