"""The workload by which the goals for reading logs were set: orders that come in transactions of any size up to a
thousand rows, while older ones are updated anywhere in the table.
"""

from collections.abc import Iterator
from random import Random

from tests.servers.base import Server

INSERTS, UPDATES, DELETES = 1000, 300, 100
"""Per step; the inserts are two transactions."""
CHANGES = INSERTS + UPDATES + DELETES

COLUMNS = {
    "postgresql": """id bigint PRIMARY KEY, customer_id integer NOT NULL, qty integer NOT NULL,
        amount numeric(12,2) NOT NULL, discount numeric(12,2), sku varchar(32) NOT NULL, email varchar(80), note text,
        created_at timestamp NOT NULL, updated_at timestamp, ship_date date, active boolean NOT NULL""",
    "mysql": """id bigint PRIMARY KEY, customer_id int NOT NULL, qty int NOT NULL, amount decimal(12,2) NOT NULL,
        discount decimal(12,2), sku varchar(32) NOT NULL, email varchar(80), note text, created_at datetime(6) NOT NULL,
        updated_at datetime(6), ship_date date, active tinyint(1) NOT NULL""",
}
_INSERT = {
    "postgresql": """INSERT INTO orders SELECT i, i * 7919 % 100000, i % 50 + 1, (i * 31337 % 10000000) / 100.0,
        CASE WHEN i % 3 > 0 THEN (i * 17 % 5000) / 100.0 END, 'SKU-' || lpad((i * 104729 % 1000000)::text, 8, '0'),
        CASE WHEN i % 5 > 0 THEN 'user' || i * 7919 % 100000 || '@example.org' END,
        CASE WHEN i % 4 > 0 THEN 'note ' || md5(i::text) || ' ünïcode ' || i % 977 END,
        timestamp '2024-01-01' + i * interval '1.37 second',
        CASE WHEN i % 2 > 0 THEN timestamp '2025-01-01' + i * interval '0.731 second' END,
        CASE WHEN i % 7 > 0 THEN date '2024-01-01' + (i % 700)::int END, i % 2 = 0
        FROM generate_series({first}::bigint, {last}) i""",
    "mysql": """INSERT INTO orders SELECT i, i * 7919 % 100000, i % 50 + 1, (i * 31337 % 10000000) / 100.0,
        IF(i % 3 > 0, (i * 17 % 5000) / 100.0, NULL), CONCAT('SKU-', LPAD(i * 104729 % 1000000, 8, '0')),
        IF(i % 5 > 0, CONCAT('user', i * 7919 % 100000, '@example.org'), NULL),
        IF(i % 4 > 0, CONCAT('note ', MD5(i), ' ünïcode ', i % 977), NULL),
        TIMESTAMP '2024-01-01 00:00:00' + INTERVAL i * 1370000 MICROSECOND,
        IF(i % 2 > 0, TIMESTAMP '2025-01-01 00:00:00' + INTERVAL i * 731000 MICROSECOND, NULL),
        IF(i % 7 > 0, DATE '2024-01-01' + INTERVAL i % 700 DAY, NULL), i % 2 = 0
        FROM (SELECT seq AS i FROM seq_{first}_to_{last}) n""",
}
_UPDATE = {
    "postgresql": """UPDATE orders SET qty = qty + 1, amount = amount + 1.25,
        updated_at = timestamp '2026-01-01' + {step} * interval '1.001 second',
        note = coalesce(note, 'upd') || {digit}""",
    "mysql": """UPDATE orders SET qty = qty + 1, amount = amount + 1.25,
        updated_at = TIMESTAMP '2026-01-01 00:00:00' + INTERVAL {step} * 1001000 MICROSECOND,
        note = CONCAT(COALESCE(note, 'upd'), {digit})""",
}


def statements(server: Server, begin: int) -> Iterator[str]:
    """See workload.Workload. Before each step there were all the steps from the id 1 on."""
    step = begin // INSERTS
    chance = Random(step)
    border = begin + 100 + chance.randrange(800)
    for first, last in ((begin, border - 1), (border, begin + INSERTS - 1)):
        yield _INSERT[server.kind].format(first=first, last=last)
    older = begin - INSERTS * chance.randrange(step + 1)
    yield f"{_UPDATE[server.kind].format(step=step, digit=step % 10)} {_among(older)} 10 IN (1, 2, 3)"
    yield f"DELETE FROM orders {_among(begin)} 10 = 5"


def _among(begin: int) -> str:
    return f"WHERE id BETWEEN {begin} AND {begin + INSERTS - 1} AND id %"
