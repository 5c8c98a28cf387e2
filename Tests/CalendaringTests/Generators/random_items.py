#!/usr/bin/env python3
"""Writes ../Fixtures/random_items.txt: calendars with one series each, and when its occurrences
begin according to the libraries icalendar and recurring-ical-events (PyPI), which share no code
with ours. One calendar a line, its lines joined by "|", then a tab and the instants.

Series begin on a date that their rule gives: where they do not, the standard leaves open what
holds. Times are often within an hour of clock changes."""

import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
         "Africa/Casablanca", "America/Santiago", "Europe/Dublin", "UTC"]
RULES = ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,SU",
         "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1SU",
         "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=31",
         "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY",
         "FREQ=YEARLY;BYMONTH=3,10,11;BYDAY=-1SU", "FREQ=DAILY;BYHOUR=1,2,3"]
STAMP = "%Y%m%dT%H%M%S"


def item(rng):
    zone = rng.choice(ZONES)
    rule = rng.choice(RULES)
    base = datetime(rng.choice([2023, 2024, 2025]), rng.choice([1, 3, 3, 10, 10, 11]),
                    rng.randint(1, 31), rng.choice([0, 1, 2, 2, 3, 9]),
                    rng.choice([0, 30]))
    start = rrulestr(rule, dtstart=base)[0]
    naive = list(rrulestr(rule + ";COUNT=20", dtstart=start))
    kind = rng.choice(["count", "until", "open"])
    if kind == "count":
        rule += f";COUNT={rng.randint(2, 15)}"
    elif kind == "until":
        end = naive[rng.randint(3, 12)].replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc)
        rule += f";UNTIL={end.strftime(STAMP)}Z"

    def time(name, value, extra=""):
        if zone == "UTC":
            return f"{name}{extra}:{value.strftime(STAMP)}Z"
        return f"{name}{extra};TZID={zone}:{value.strftime(STAMP)}"

    lines = [time("DTSTART", start), f"RRULE:{rule}"]
    # That library takes all occurrences of a day for one when some are changed or left out.
    days = "BYHOUR" not in rule
    for out in rng.sample(naive[1:10], rng.choice([0, 0, 1, 2]) if days else 0):
        lines.append(time("EXDATE", out))
    if rng.random() < 0.3:
        lines.append(time("RDATE", start + timedelta(days=rng.randint(1, 40), hours=5)))
    events = [lines]
    if rng.random() < 0.5 and days and not lines[-1].startswith("RDATE"):
        moved = naive[rng.randint(1, 4)]
        events.append([time("RECURRENCE-ID", moved), time("DTSTART", moved + timedelta(hours=7))])
    text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Random//EN"]
    for event in events:
        text += ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20240101T000000Z"] + event + ["END:VEVENT"]
    return text + ["END:VCALENDAR"], start


def main(count):
    rng = random.Random(5545)
    rows = []
    while len(rows) < count:
        try:
            lines, start = item(rng)
        except ValueError:
            continue
        calendar = icalendar.Calendar.from_ical("\r\n".join(lines) + "\r\n")
        found = recurring_ical_events.of(calendar).between(
            start - timedelta(days=1), start + timedelta(days=500))
        instants = sorted({event["DTSTART"].dt.astimezone(timezone.utc) for event in found})
        texts = [instant.strftime("%Y-%m-%dT%H:%M:%SZ") for instant in instants[:12]]
        rows.append("|".join(lines) + "\t" + " ".join(texts))
    path = Path(__file__).parent.parent / "Fixtures" / "random_items.txt"
    path.write_text("\n".join(rows) + "\n")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
