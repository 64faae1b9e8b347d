"""A shop that rents films out, in the shapes of the public samples Pagila and Sakila: foreign keys, views, triggers,
partitions, pictures, and each dialect's odd types. Shapes only: the data is made here."""

import json
from datetime import datetime
from decimal import Decimal
from ipaddress import IPv4Address
from typing import Any
from uuid import UUID

from psycopg.types.range import Range

from tests.servers.base import Server

TABLES = {
    "language": "language_id",
    "film": "film_id",
    "staff": "staff_id",
    "film_text": "film_id, language_id",
    "rental": "rental_id",
    "payment": "payment_id, paid",
}
"""With the columns of their keys."""
_PICTURE_BYTES = 70_000

_POSTGRESQL = """
CREATE TYPE rating AS ENUM ('G', 'PG-13', 'nicht für Kinder');
CREATE DOMAIN year AS integer CHECK (VALUE BETWEEN 1901 AND 2155);
CREATE DOMAIN title AS varchar(80) NOT NULL;
CREATE TABLE language (language_id smallserial PRIMARY KEY, name char(20) NOT NULL);
CREATE TABLE film (
  film_id serial PRIMARY KEY, title title, released year, rating rating DEFAULT 'G', cost numeric(6,2), exact numeric,
  features text[], words tsvector, seasons integer[], facts jsonb, shown daterange, code uuid, ratio double precision,
  original_language smallint REFERENCES language, is_new boolean, host inet, at timestamptz DEFAULT now());
CREATE INDEX film_words ON film USING gin (words);
CREATE INDEX film_title ON film (title, released DESC);
CREATE TABLE staff (staff_id integer PRIMARY KEY, name text NOT NULL, picture bytea, boss integer REFERENCES staff);
CREATE TABLE film_text (film_id integer REFERENCES film ON DELETE CASCADE, language_id smallint REFERENCES language,
  body text, PRIMARY KEY (film_id, language_id));
CREATE TABLE rental (rental_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, film_id integer REFERENCES film,
  staff_id integer REFERENCES staff, during int8range, updated timestamp);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN NEW.updated = '2026-01-02 03:04:05.678'; RETURN NEW; END $$;
CREATE TRIGGER touch BEFORE UPDATE ON rental FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TABLE payment (payment_id integer, paid date, amount numeric(5,2), PRIMARY KEY (payment_id, paid))
  PARTITION BY RANGE (paid);
CREATE TABLE payment_2025 PARTITION OF payment FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE payment_2026 PARTITION OF payment FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE VIEW busy AS SELECT staff_id, count(*) FROM rental GROUP BY 1;
CREATE MATERIALIZED VIEW titles AS SELECT film_id, title FROM film;
INSERT INTO language SELECT n, 'language ' || n FROM generate_series(1, 6) n;
INSERT INTO film SELECT n, 'Film «' || n || '» 影片', 1901 + n % 200, (enum_range(NULL::rating))[1 + n % 3],
  n * 1.01, n / 7.0, CASE n % 4 WHEN 0 THEN NULL WHEN 1 THEN '{}' ELSE ARRAY['Trailers', 'it''s, "quoted"', NULL] END,
  to_tsvector('simple', 'a film of the year ' || n), ARRAY[n, NULL, -n], jsonb_build_object('n', n, 'ü', '☃'),
  daterange('2026-01-01'::date, '2026-01-02'::date + n), md5(n::text)::uuid, n / 3.0, 1 + n % 6, n % 2 = 0,
  ('10.0.0.' || n % 250)::inet, '2026-03-29 01:30:00+01'::timestamptz + n * interval '1 hour'
  FROM generate_series(1, 400) n;
INSERT INTO film_text SELECT n, 1 + n % 6, repeat('Ein Text. ', n) FROM generate_series(1, 400) n;
INSERT INTO rental (film_id, staff_id, during)
  SELECT 1 + n % 400, NULL, int8range(n, n * n, '[]')
  FROM generate_series(1, 900) n;
INSERT INTO payment SELECT n, '2025-12-01'::date + n % 60, n % 900 / 9.0 FROM generate_series(1, 500) n;
"""
_MYSQL = """
CREATE TABLE language (language_id tinyint unsigned PRIMARY KEY AUTO_INCREMENT, name char(20) NOT NULL);
CREATE TABLE film (
  film_id smallint unsigned PRIMARY KEY AUTO_INCREMENT, title varchar(128) NOT NULL, released year,
  rating enum('G','PG-13','nicht für Kinder') DEFAULT 'G', cost decimal(6,2), features set('Trailers','Deleted Scenes'),
  length mediumint unsigned, large bigint unsigned, facts json, plot mediumtext, ratio double, runs time(3),
  original_language tinyint unsigned, is_new tinyint(1), shown datetime(6), at timestamp NULL,
  KEY idx_title (title, released), FULLTEXT KEY words (plot),
  FOREIGN KEY (original_language) REFERENCES language (language_id));
CREATE TABLE staff (staff_id int PRIMARY KEY, name varchar(45) CHARACTER SET latin1 NOT NULL, picture mediumblob,
  boss int, FOREIGN KEY (boss) REFERENCES staff (staff_id));
CREATE TABLE film_text (film_id smallint unsigned, language_id tinyint unsigned, body longtext,
  PRIMARY KEY (film_id, language_id), FOREIGN KEY (film_id) REFERENCES film (film_id) ON DELETE CASCADE);
CREATE TABLE rental (rental_id bigint PRIMARY KEY AUTO_INCREMENT, film_id smallint unsigned, staff_id int,
  updated datetime(3), FOREIGN KEY (film_id) REFERENCES film (film_id),
  FOREIGN KEY (staff_id) REFERENCES staff (staff_id));
CREATE TRIGGER touch BEFORE UPDATE ON rental FOR EACH ROW SET NEW.updated = '2026-01-02 03:04:05.678';
CREATE TABLE payment (payment_id int, paid date, amount decimal(5,2), PRIMARY KEY (payment_id, paid))
  PARTITION BY RANGE COLUMNS (paid)
  (PARTITION a VALUES LESS THAN ('2026-01-01'), PARTITION b VALUES LESS THAN MAXVALUE);
CREATE VIEW busy AS SELECT staff_id, count(*) FROM rental GROUP BY staff_id;
CREATE TABLE digit (d int); INSERT INTO digit VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE n (n int); INSERT INTO n SELECT a.d + b.d * 10 + c.d * 100 + 1 FROM digit a, digit b, digit c;
INSERT INTO language SELECT n, CONCAT('language ', n) FROM n WHERE n <= 6;
INSERT INTO film SELECT n, CONCAT('Film «', n, '» 影片'), 1901 + n MOD 200, 1 + n MOD 3, n * 1.01, n MOD 4,
  16777215 - n, 18446744073709551615 - n, JSON_OBJECT('n', n, 'ü', '☃'), REPEAT('Ein Text. ', n),
  n / 3, SEC_TO_TIME(n * 1000.125),
  1 + n MOD 6, n MOD 2, '2026-03-29 01:30:00.000001' + INTERVAL n HOUR, '2026-01-01 00:00:00' + INTERVAL n HOUR
  FROM n WHERE n <= 400;
INSERT INTO film_text SELECT n, 1 + n MOD 6, REPEAT('Ein Text. ', n) FROM n WHERE n <= 400;
INSERT INTO rental (film_id, staff_id) SELECT 1 + n MOD 400, NULL FROM n WHERE n <= 900;
INSERT INTO payment SELECT n, '2025-12-01' + INTERVAL n MOD 60 DAY, n MOD 900 / 9 FROM n WHERE n <= 500;
"""
CHANGES = (
    "UPDATE film SET title = 'it''s \\\\ new', features = NULL WHERE film_id < 40",
    "UPDATE rental SET staff_id = 3 WHERE rental_id <= 300",
    "UPDATE staff SET name = 'Zoë', boss = 1 WHERE staff_id = 5",
    "DELETE FROM film_text WHERE film_id > 350",
    "INSERT INTO language (language_id, name) VALUES (7, 'Ελληνικά')",
    "UPDATE film_text SET language_id = 7 WHERE film_id BETWEEN 10 AND 20",
    "UPDATE payment SET paid = '2026-06-01' WHERE payment_id <= 100",
    "DELETE FROM staff WHERE staff_id = 4",
    "DELETE FROM film WHERE film_id > 390 AND film_id NOT IN (SELECT film_id FROM rental)",
)
"""In both dialects."""


def create(server: Server, database: str) -> None:
    """Make and fill all tables."""
    script = _POSTGRESQL if server.kind == "postgresql" else _MYSQL
    with server.connect(database) as connection, connection.cursor() as cursor:
        for statement in script.split(";\n"):
            for part in [statement] if server.kind == "postgresql" else statement.split("; "):
                if part.strip():
                    cursor.execute(part)
        for number in range(1, 7):
            row = (number, f"Mitarbeiter {number}", _picture(number), None)
            cursor.execute("INSERT INTO staff VALUES (%s, %s, %s, %s)", row)
        connection.commit()


def rows(server: Server, database: str, table: str) -> list[tuple[Any, ...]]:
    """All rows in the order of their keys, in a form that is the same in both dialects."""
    with server.connect(database) as connection, connection.cursor() as cursor:
        cursor.execute("SET time_zone = '+00:00'" if server.kind == "mysql" else "SET TimeZone = 'UTC'")
        cursor.execute(f"SELECT * FROM {table} ORDER BY {TABLES[table]}")
        return [tuple(_plain(value) for value in row) for row in cursor.fetchall()]


def _picture(number: int) -> bytes:
    """All bytes there are, in an order of its own."""
    return b"\x89PNG\r\n\x1a\n\0" + bytes((place * number) % 256 for place in range(number * _PICTURE_BYTES // 6))


def _plain(value: Any) -> Any:
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, Range):
        return f"{value.bounds[0]}{value.lower},{value.upper}{value.bounds[1]}"
    if isinstance(value, str) and value[:1] in ("[", "{"):
        value = _parsed(value)
    if isinstance(value, list | dict):
        return json.dumps(value, sort_keys=True)
    if isinstance(value, Decimal) and value.as_tuple().exponent == 0:
        return int(value)
    return str(value) if isinstance(value, Decimal | UUID | IPv4Address) else value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text  # a range
