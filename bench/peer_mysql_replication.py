"""Run by the peers' interpreter: reads so many row changes from a binlog and prints how long it took."""

import json
import sys
import time

from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.row_event import DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent


def main() -> None:
    settings = json.loads(sys.argv[1])
    began = time.perf_counter()
    stream = BinLogStreamReader(
        connection_settings={
            "host": settings["host"],
            "port": settings["port"],
            "user": settings["user"],
            "passwd": settings["password"],
        },
        server_id=7001,
        blocking=True,
        resume_stream=True,
        log_file=settings["file"],
        log_pos=settings["offset"],
        only_events=[DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent],
        only_tables=["orders"],
        is_mariadb=True,
    )
    seen = 0
    for event in stream:
        seen += len(event.rows)
        if seen >= settings["changes"]:
            break
    print(json.dumps({"seconds": time.perf_counter() - began}))


main()
