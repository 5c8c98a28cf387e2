#!/usr/bin/env python3
"""Says how Python's zoneinfo reads wall times around every clock change of the system's tzdata.

usage: zone_transitions.py OUTPUT [FIRST_YEAR LAST_YEAR]

Writes OUTPUT.index, one line a zone: its name and how many records it has; and OUTPUT.data, the
records: three 64-bit integers in the machine's order: the wall time in seconds since 1970-01-01
00:00:00 on that wall, the instant in seconds since the Unix epoch, and the kind (0 the wall shows
it once, 1 never: a gap, 2 twice: an overlap).
"""

import array
import datetime
import os
import struct
import sys
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1)
ROOT = os.environ.get("TZDIR", "/usr/share/zoneinfo")


def listed_names():
    """Zones and links of tzdata.zi, each file content once."""
    seen = set()
    with open(os.path.join(ROOT, "tzdata.zi"), encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words[0] == "Z" or words[0] == "L":
                name = words[1] if words[0] == "Z" else words[2]
                with open(os.path.join(ROOT, name), "rb") as file:
                    content = file.read()
                if name != "Factory" and content not in seen:
                    seen.add(content)
                    yield name, content


def stored_transitions(content):
    """The 64-bit transition times of a TZif file (RFC 8536 section 3)."""
    def counts(at):
        return struct.unpack(">6l", content[at + 20:at + 44])

    isut, isstd, leap, times, types, chars = counts(0)
    second = 44 + times * 5 + types * 6 + chars + leap * 8 + isstd + isut
    times = counts(second)[3]
    return struct.unpack(f">{times}q", content[second + 44:second + 44 + times * 8])


def offset(zone, instant):
    utc = datetime.datetime.fromtimestamp(instant, datetime.timezone.utc)
    return int(utc.astimezone(zone).utcoffset().total_seconds())


def transitions(zone, content, first, last):
    """Those stored, and those after them that the rule in the file's footer makes."""
    stored = [time for time in stored_transitions(content) if first <= time < last]
    low = max([first, *stored])
    found = list(stored)
    while low < last:
        high = low + 7 * 86400
        if offset(zone, low) != offset(zone, high):
            left, right = low, high
            while right - left > 1:
                middle = (left + right) // 2
                if offset(zone, middle) == offset(zone, low):
                    left = middle
                else:
                    right = middle
            found.append(right)
        low = high
    return found


def record(zone, wall):
    civil = (EPOCH + datetime.timedelta(seconds=wall)).replace(tzinfo=zone)
    before = int(civil.utcoffset().total_seconds())
    after = int(civil.replace(fold=1).utcoffset().total_seconds())
    kind = 0 if before == after else 1 if before < after else 2
    return wall, wall - before, kind


def main():
    output = sys.argv[1]
    years = [int(year) for year in sys.argv[2:4]] or [1970, 2040]
    first, last = (
        int((datetime.datetime(year, 1, 1) - EPOCH).total_seconds())
        for year in (years[0], years[1] + 1))
    with open(output + ".index", "w", encoding="utf-8") as index:
        with open(output + ".data", "wb") as data:
            for name, content in listed_names():
                zone = zoneinfo.ZoneInfo(name)
                records = array.array("q")
                for time in transitions(zone, content, first, last):
                    edges = sorted((time + offset(zone, time - 1), time + offset(zone, time)))
                    middle = sum(edges) // 2
                    for wall in (edges[0] - 1, edges[0], middle, edges[1] - 1, edges[1]):
                        records.extend(record(zone, wall))
                index.write(f"{name} {len(records) // 3}\n")
                records.tofile(data)


main()
