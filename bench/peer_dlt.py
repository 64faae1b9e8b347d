"""Loads `orders` with dlt; prints the seconds it took. Argument: settings as JSON."""

import json
import sys
import time

import dlt
from dlt.sources.sql_database import sql_table

settings = json.loads(sys.argv[1])
if settings["kind"] == "postgresql":
    destination = dlt.destinations.postgres(settings["target"])
else:
    destination = dlt.destinations.sqlalchemy(settings["target"])
began = time.perf_counter()
table = sql_table(
    credentials=settings["source"],
    table="orders",
    backend="connectorx",
    backend_kwargs={"conn": settings["source"].replace("+pymysql", ""), "return_type": "arrow_stream"},
    chunk_size=50_000,
)
pipeline = dlt.pipeline(
    "bench", destination=destination, dataset_name=settings["dataset"], pipelines_dir=settings["folder"]
)
form = "csv" if settings["kind"] == "postgresql" else None
pipeline.run(table, loader_file_format=form, write_disposition="replace").raise_on_failed_jobs()
print(json.dumps({"seconds": time.perf_counter() - began}))
