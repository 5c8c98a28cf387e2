#!/usr/bin/env python3
"""Expands random recurrence rules with python-dateutil; writes Fixtures/random_rules.txt.

usage: random_rules.py > ../Fixtures/random_rules.txt       (needs python-dateutil; made with 2.9.0)

A line is: the rule, DTSTART, `+` or `.` (more occurrences follow, or not), and the first
occurrences, at most 50: each as base-36 seconds after the one before it (the first after DTSTART),
a run of equal steps as STEP*TIMES.

Left out, because dateutil reads RFC 5545 differently there: BYWEEKNO without BYDAY (the RFC takes
the weekday from DTSTART, dateutil all seven), BYSETPOS in weekly rules (dateutil cuts the set of
the first week at DTSTART), week numbers far from the end (only -1 to -10 are drawn), and parts that
the RFC forbids for a frequency.
"""

import datetime
import itertools
import random
import signal

from dateutil import rrule

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def base36(number):
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text or "0"


def some(draw, low, high, most=3, negative=None):
    values = set(draw.sample(range(low, high + 1), draw.randint(1, min(most, high - low + 1))))
    if negative and draw.random() < 0.4:
        values = {-draw.randint(1, negative) if draw.random() < 0.6 else v for v in values}
    return ",".join(str(value) for value in sorted(values))


def weekdays(draw, ordinals):
    chosen = draw.sample(DAYS, draw.randint(1, 4))
    if ordinals:
        return ",".join(
            (str(draw.choice([-ordinals, -2, -1, 1, 2, 3, ordinals])) if draw.random() < 0.7
             else "") + day for day in chosen)
    return ",".join(chosen)


def random_rule(draw):
    frequency = draw.choice(
        ["YEARLY"] * 5 + ["MONTHLY"] * 5 + ["WEEKLY"] * 3 + ["DAILY"] * 3
        + ["HOURLY", "HOURLY", "MINUTELY", "MINUTELY", "SECONDLY"])
    daily_or_longer = frequency in ("YEARLY", "MONTHLY", "WEEKLY", "DAILY")
    parts = [f"FREQ={frequency}"]
    if draw.random() < 0.5:
        parts.append(f"INTERVAL={draw.choice([1, 2, 2, 3, 4, 5, 7, 10, 24, 36, 90])}")
    by = []

    def maybe(chance, text):
        if draw.random() < chance:
            by.append(text())

    maybe(0.3, lambda: "BYMONTH=" + some(draw, 1, 12, 4))
    week_numbers = frequency == "YEARLY" and draw.random() < 0.2
    if week_numbers:
        by.append("BYWEEKNO=" + some(draw, 1, 53, 4, negative=10))
        by.append("BYDAY=" + weekdays(draw, 0))
    else:
        ordinals = {"YEARLY": 5, "MONTHLY": 4}.get(frequency, 0)
        maybe(0.45, lambda: "BYDAY=" + weekdays(draw, draw.choice([0, ordinals])))
    if frequency != "WEEKLY":
        maybe(0.3, lambda: "BYMONTHDAY=" + some(draw, 1, 31, 5, negative=31))
    if frequency not in ("DAILY", "WEEKLY", "MONTHLY"):
        maybe(0.15, lambda: "BYYEARDAY=" + some(draw, 1, 366, 6, negative=366))
    maybe(0.25, lambda: "BYHOUR=" + some(draw, 0, 23))
    maybe(0.25, lambda: "BYMINUTE=" + some(draw, 0, 59))
    maybe(0.1, lambda: "BYSECOND=" + some(draw, 0, 59))
    if by and frequency != "WEEKLY" and draw.random() < 0.25:
        by.append("BYSETPOS=" + some(draw, 1, 3, 2, negative=3))
    parts += by
    if draw.random() < 0.2:
        parts.append("WKST=" + draw.choice(DAYS))
    end = draw.random()
    if end < 0.15:
        parts.append(f"COUNT={draw.randint(1, 60)}")
    start = datetime.datetime(2000, 1, 1) + datetime.timedelta(
        days=draw.randint(0, 20000), minutes=draw.randint(0, 1439))
    if 0.15 <= end < 0.3:
        span = draw.choice([1, 20, 400, 4000]) if daily_or_longer else draw.choice([1, 20])
        parts.append(f"UNTIL={start + datetime.timedelta(days=span):%Y%m%dT%H%M%S}")
    return ";".join(parts), start


def too_slow(_signal, _frame):
    raise TimeoutError


def expand(text, start):
    """The first occurrences and whether more follow; fewer when they take dateutil long."""
    found = []
    signal.setitimer(signal.ITIMER_REAL, 0.7)
    try:
        for time in itertools.islice(iter(rrule.rrulestr(text, dtstart=start)), 51):
            found.append(time)
        more = len(found) == 51
    except TimeoutError:
        more = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return found[:50], more


def main():
    signal.signal(signal.SIGALRM, too_slow)
    draw = random.Random(5545)
    written = 0
    while written < 1000:
        text, start = random_rule(draw)
        try:
            found, more = expand(text, start)
        except ValueError:
            continue
        if not found:
            continue
        written += 1
        steps = [int((b - a).total_seconds()) for a, b in zip([start, *found], found)]
        runs = [(base36(step), len(list(run))) for step, run in itertools.groupby(steps)]
        words = [step if times == 1 else f"{step}*{times}" for step, times in runs]
        print(text, f"{start:%Y-%m-%dT%H:%M:%S}", "+" if more else ".", *words)


main()
