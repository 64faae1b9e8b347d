"""Run by the peers' interpreter: adds records to a Redis stream in groups and prints how long that took."""

import json
import os
import sys
import time

import redis


def main() -> None:
    settings = json.loads(sys.argv[1])
    client = redis.Redis(port=settings["port"])
    record = os.urandom(settings["size"])
    began = time.perf_counter()
    for _ in range(settings["count"] // settings["group"]):
        pipeline = client.pipeline(transaction=settings["mode"] == "transaction")
        for _ in range(settings["group"]):
            pipeline.xadd("s", {b"p": record})
        pipeline.execute()
    took = time.perf_counter() - began
    assert client.xlen("s") == settings["count"]
    print(json.dumps({"seconds": took}))


main()
