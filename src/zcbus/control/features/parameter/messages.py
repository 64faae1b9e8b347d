"""Text about system parameters."""

ZH = {"parameter-unknown": "系统参数 {name} 不存在"}

EN = {"parameter-unknown": "There is no system parameter {name}"}
