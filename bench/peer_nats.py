"""Run by the peers' interpreter: publishes records to a stream of NATS JetStream and prints how long that took.

`single`: message by message, with a group of them waiting to be acknowledged. `atomic`: each group as one batch.
"""

import asyncio
import json
import os
import sys
import time
from typing import Any

import nats
from nats.aio.client import Client


async def work(settings: dict[str, Any]) -> float:
    client = await nats.connect(f"nats://127.0.0.1:{settings['port']}", pending_size=64 << 20)
    stream = {"name": "s", "subjects": ["t"], "storage": "file", "retention": "limits", "num_replicas": 1}
    asked = json.dumps({**stream, "allow_atomic": True}).encode()
    assert b"error" not in (await client.request("$JS.API.STREAM.CREATE.s", asked)).data
    write = {"single": single, "atomic": atomic}[settings["mode"]]
    began = time.perf_counter()
    await write(client, os.urandom(settings["size"]), settings["count"], settings["group"])
    took = time.perf_counter() - began
    assert (await client.jetstream().stream_info("s")).state.messages == settings["count"]
    await client.close()
    return took


async def single(client: Client, record: bytes, count: int, group: int) -> None:
    stream = client.jetstream(publish_async_max_pending=group)
    for _ in range(count // group):
        await asyncio.gather(*[await stream.publish_async("t", record) for _ in range(group)])


async def atomic(client: Client, record: bytes, count: int, group: int) -> None:
    for batch in range(count // group):
        for number in range(1, group):
            await client.publish("t", record, headers=headers(batch, number))
        last = {**headers(batch, group), "Nats-Batch-Commit": "1"}
        done = json.loads((await client.request("t", record, headers=last, timeout=60)).data)
        assert done.get("count") == group, done


def headers(batch: int, number: int) -> dict[str, str]:
    return {"Nats-Batch-Id": str(batch), "Nats-Batch-Sequence": str(number)}


print(json.dumps({"seconds": asyncio.run(work(json.loads(sys.argv[1])))}))
