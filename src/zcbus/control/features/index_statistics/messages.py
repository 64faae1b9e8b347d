"""Texts of the key figures."""

ZH = {
    "field.statistics-range": "时间范围须从早到晚，且不超过 {days} 天",
}

EN = {
    "field.statistics-range": "The range must end after its beginning and have at most {days} days",
}
