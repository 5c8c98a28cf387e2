"""What the clients of a daemon that is killed know of their tasks, and what may be true of them."""

import random
import time

from programs import instant

SOON = 60
"""Seconds: what rings within them is waited for."""


class Task:
    """A task of one client: what was acknowledged, and what was under way when the daemon died."""

    def __init__(self, key, title):
        self.key, self.titles = key, {title}
        self.record = None  # as last acknowledged; None: the add itself is under way
        self.states = {"open"}
        self.may_be_gone, self.must_be_gone = True, False
        self.snoozes = 0
        self.in_doubt = True

    def acknowledged(self, record):
        self.record, self.titles, self.states = record, {record["title"]}, {record["state"]}
        self.may_be_gone, self.in_doubt = False, False

    def faults(self, stored):
        """What must not be, of the task as it is stored (None: it is not)."""
        if stored is None:
            return [] if self.may_be_gone else ["acknowledged and lost"]
        if self.must_be_gone:
            return ["deleted and back again"]
        found = []
        if stored["title"] not in self.titles:
            found.append(f"the title is {stored['title']}, not one of {self.titles}")
        if stored["state"] not in self.states:
            found.append(f"it is {stored['state']}, not {self.states}")
        if self.record and any(stored[name] != self.record[name] for name in ("id", "number", "due")):
            found.append(f"not what was acknowledged: {self.record}")
        if stored["rings"] > 1 + self.snoozes:
            found.append(f"it rang {stored['rings']} times after {self.snoozes} snoozes")
        if stored["alarm"] in ("pending", "snoozed") and instant(stored["nextRing"]) < time.time() - 2:
            found.append(f"due at {stored['nextRing']} and not ringing")
        return [f"{self.key}: {fault}; stored: {stored}" for fault in found]


class Client:
    """Adds tasks and changes its own, one call after the other."""

    def __init__(self, name, seed):
        self.name, self.chance = name, random.Random(seed)
        self.tasks, self.count, self.calls, self.failed = [], 0, 0, 0

    def act(self, service, refused):
        """One call. What `service` raises passes through, but for `refused`."""
        try:
            self.change(service, refused)
            self.calls += 1
        except refused as error:
            # Nobody was told that it is done: it may be there or not, and is not touched again.
            if not error.error().endswith(".StoreFailed"):
                raise
            self.failed += 1
        # Rather many moments than many tasks.
        time.sleep(self.chance.uniform(0, 0.02))

    def change(self, service, refused):
        mine = [task for task in self.tasks
                if not task.in_doubt and not task.must_be_gone and "open" in task.states]
        if not mine or self.chance.random() < 0.5:
            self.add(service)
        else:
            change = self.chance.choice([self.edit, self.done, self.remove, self.snooze])
            task = self.chance.choice(mine)
            try:
                change(service, task)
            except refused as error:
                if error.error().endswith(".StoreFailed"):
                    raise
                # A snooze of what has no ring, say: nothing was changed.
                task.acknowledged(task.record)

    def add(self, service):
        self.count += 1
        key = f"{self.name}/{self.count}"
        task = Task(key, f"{key} new")
        self.tasks.append(task)
        ahead = self.chance.choice(["1s", "1s", "2s", "30d"])
        task.acknowledged(service.Add(**{"title": f"{key} new", "in": ahead})["reminder"])

    def edit(self, service, task):
        title = f"{task.key} edited {self.calls + self.failed}"
        task.in_doubt = True
        task.titles.add(title)
        task.acknowledged(service.Edit(reference=task.record["id"], title=title)["reminders"][0])

    def done(self, service, task):
        task.in_doubt = True
        task.states.add("done")
        task.acknowledged(service.Done(reference=task.record["id"])["reminders"][0])

    def remove(self, service, task):
        task.in_doubt = task.may_be_gone = True
        service.Remove(reference=task.record["id"])
        task.must_be_gone = True

    def snooze(self, service, task):
        task.in_doubt = True
        task.snoozes += 1
        until = self.chance.choice(["1s", "1h"])
        task.acknowledged(
            service.Snooze(reference=task.record["id"], until=until)["reminders"][0])
