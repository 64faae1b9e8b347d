"""Compares two tables with reladiff; prints the seconds it took and how many rows it found. Argument: settings as
JSON."""

import json
import sys
import time

import reladiff

settings = json.loads(sys.argv[1])
tables = [reladiff.connect_to_table(address, "orders", "id", case_sensitive=True) for address in settings["addresses"]]
began = time.perf_counter()
differ = reladiff.diff_tables(*tables, extra_columns=tuple(settings["columns"]), threaded=True)
found = {row[0] for _, row in differ}
print(json.dumps({"seconds": time.perf_counter() - began, "rows": len(found)}))
