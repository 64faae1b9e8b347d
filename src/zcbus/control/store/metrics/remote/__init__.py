"""The metric store on a server that speaks Prometheus' protocols: remote write and PromQL."""
