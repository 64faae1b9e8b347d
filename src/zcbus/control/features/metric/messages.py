"""Text about metrics."""

ZH = {"field.metric-range": "起始时间须早于结束时间，且范围不超过 {days} 天"}

EN = {"field.metric-range": "The range must begin before it ends, and have at most {days} days"}
