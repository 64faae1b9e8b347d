"""Text about the menu."""

ZH = {
    "menu-unknown": "菜单 {key} 不存在",
    "menu-nested": "{key} 不能放在这里：只有顶层分组可以包含菜单项",
    "menu-needed": "{key} 不能隐藏，否则无法再恢复",
    "menu-shipped": "{key} 是系统菜单，只能隐藏，不能删除",
}

EN = {
    "menu-unknown": "There is no menu entry {key}",
    "menu-nested": "{key} cannot stand there: only topmost groups hold entries",
    "menu-needed": "{key} cannot be hidden: nobody could bring it back",
    "menu-shipped": "{key} belongs to the system: it can be hidden, not deleted",
}
