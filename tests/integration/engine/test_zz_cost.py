import time, pytest
from zcbus.connectors.postgresql.capture import (
    identity_watch,
    publication_state,
    publication,
    labels,
    composites,
    table_watch,
    partitions,
)

pytestmark = pytest.mark.server


def test_cost(postgres_server):
    db = postgres_server.fresh_database()
    n = 1000
    stmts = "".join(
        f"CREATE TABLE t{i} (id int PRIMARY KEY, a int, b text, c timestamptz, d numeric(12,2), e varchar(40), f date, g boolean);"
        for i in range(n)
    )
    postgres_server.execute(stmts, db)
    postgres_server.execute("CREATE PUBLICATION zz FOR TABLE " + ", ".join(f"t{i}" for i in range(n)), db)
    with postgres_server.connect(db) as c:
        backend = c.execute("SELECT pg_backend_pid()").fetchone()[0]
        c.execute("ANALYZE")
        oids = [
            r[0]
            for r in c.execute(
                "SELECT oid::int8 FROM pg_class WHERE relkind='r' AND relname LIKE 't%' AND relnamespace='public'::regnamespace"
            )
        ]
        names = [["public"] * n, [f"t{i}" for i in range(n)]]
        qs = {
            k: (v, m)
            for m in (identity_watch, publication_state, labels, composites, table_watch, partitions)
            for k, v in vars(m).items()
            if isinstance(v, str) and "SELECT" in v
        }
        print(list(qs))

        def cpu():
            f = __import__("pathlib").Path(f"/proc/{backend}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(f[11]) + int(f[12])) / 100

        args = {"_IDENTITIES": names, "_LABELS": [], "_BY_OID": [oids], "_SHAPES": [oids]}
        for k, (q, m) in qs.items():
            for given in [args[k]] if k in args else ([], ["zz"], ["zz", "zz"], [oids], names):
                try:
                    plan = c.execute("EXPLAIN (ANALYZE, TIMING OFF) " + q, given or None).fetchall()
                    before = cpu()
                    for _ in range(20):
                        c.execute(q, given or None).fetchall()
                    print(
                        m.__name__.split(".")[-1],
                        k,
                        len(given),
                        [p[0] for p in plan if "Time" in p[0]],
                        f"{(cpu() - before) / 20 * 1000:.1f} ms cpu",
                    )
                    break
                except Exception as e:
                    c.rollback() if not c.autocommit else None
                    err = e
            else:
                print(k, "not run", str(err)[:100])
    postgres_server.drop_database(db)
