"""Texts of the key figures."""

ZH = {
    "statistics-range": "时间范围须从早到晚，且不超过 {days} 天",
}

EN = {
    "statistics-range": "The range must end after its beginning and have at most {days} days",
}
