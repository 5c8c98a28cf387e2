"""Lists of many tasks: a slow reader gets all of them."""

import json
import pathlib
import socket
import sqlite3
import subprocess

import pytest
import waiting
from programs import REMINDCTL


def fill(daemon, count):
    """Makes `count` tasks of two that the daemon has written: one by one would take long."""
    daemon.add("Pay the rent and the electricity", "--at", "2038-05-01 09:00", "--tag", "home",
               "--note", "To the landlord")
    daemon.add("Read")
    daemon.stop()
    with sqlite3.connect(daemon.database) as store:
        columns = {
            table: [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            for table in ("task", "alarm", "tag")}

        def copy(table, **changed):
            names = ", ".join(columns[table])
            values = ", ".join(changed.get(name, f"{table}.{name}") for name in columns[table])
            key = "number" if table == "task" else "task"
            store.execute(
                f"INSERT INTO {table} ({names}) WITH RECURSIVE n(i) AS (VALUES (3) UNION ALL "
                f"SELECT i + 1 FROM n WHERE i < {count}) SELECT {values} FROM n, {table} "
                f"WHERE {table}.{key} = 2 - i % 2")

        copy("task", number="i", id="randomblob(16)", title="title || ' ' || i",
             due="due + i * (number = 1)")
        copy("alarm", task="i")
        copy("tag", task="i")
    store.close()
    daemon.start()


def memory(daemon):
    """Megabytes that the daemon has had at most."""
    status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


@pytest.fixture
def hundred_thousand(daemon):
    fill(daemon, 100_000)
    return daemon


def test_slow_reader_gets_a_long_list_whole(hundred_thousand):
    daemon = hundred_thousand
    before = memory(daemon)
    listing = subprocess.Popen(
        [REMINDCTL, "--json", "list", "--all"], env=daemon.env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first = listing.stdout.readline()
    # The pipe is full and nobody reads; others are served meanwhile.
    for _ in range(5):
        assert len(daemon.objects("next", "3")) == 3
    numbers = {json.loads(line)["number"] for line in [first, *listing.stdout]}
    assert numbers == set(range(1, 100_001))
    assert (listing.wait(waiting.LIMIT), listing.stderr.read()) == (0, b"")
    assert memory(daemon) - before < 16


def test_reader_of_the_socket_that_takes_a_little_at_a_time_gets_all(hundred_thousand):
    daemon = hundred_thousand
    before = memory(daemon)
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(waiting.LIMIT)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(str(daemon.socket))
        client.sendall(b'{"method":"org.remindd.Reminders.List","parameters":{"show":"all"},"more":true}\0')
        (count, rest) = (0, b"")
        while True:
            data = client.recv(8192)
            assert data, "the daemon has closed the connection"
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                reply = json.loads(message)
                count += len(reply["parameters"]["reminders"])
            if messages and not reply.get("continues"):
                break
    assert count == 100_000
    assert memory(daemon) - before < 16


def test_text_of_a_long_list_comes_whole(hundred_thousand):
    lines = hundred_thousand.call("list", "--all").stdout.splitlines()
    assert sum(1 for line in lines if line.lstrip()[:1].isdigit()) == 100_000
