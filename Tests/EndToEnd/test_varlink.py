"""A ready-made Varlink client, Python's, does everything that remindctl does."""

import time

import pytest
import varlink

INTERFACE = "org.remindd.Reminders"


def given(reminder):
    """A reminder as this client hands it out: without the fields that are null."""
    return {key: value for key, value in reminder.items() if value is not None}


@pytest.fixture
def client(daemon):
    with varlink.Client(f"unix:{daemon.socket}") as client:
        yield client


@pytest.fixture
def service(client):
    with client.open(INTERFACE) as service:
        yield service


def test_service_describes_itself(client):
    with client.open("org.varlink.service") as about:
        info = about.GetInfo()
        assert info["product"]
        assert info["version"]
        assert {"org.varlink.service", INTERFACE} <= set(info["interfaces"])
        text = about.GetInterfaceDescription(INTERFACE)["description"]
    assert text.lstrip().startswith("#") and f"interface {INTERFACE}" in text
    with pytest.raises(varlink.VarlinkError), client.open("org.varlink.service") as about:
        about.GetInterfaceDescription("com.example.Unknown")


def test_every_method_of_the_interface_answers(client, service):
    names = set(client.get_interface(INTERFACE).members)
    assert {"Add", "List", "Show", "Done", "Reopen", "Remove", "Snooze", "Dismiss", "Next",
            "Watch", "Status", "Edit", "When", "Pause", "Resume", "Log", "Explain", "Import",
            "Export", "Undo", "Changes", "Search", "Doctor"} <= names


def test_a_task_from_beginning_to_end(daemon, service):
    added = service.Add(title="Pay rent", at="2030-05-01 09:00", note="To the landlord",
                        priority="high", tags=["home"])
    task = added["reminder"]
    assert added["understood"]["text"].startswith("Wed 1 May 2030, 09:00 CEST")
    assert service.List()["reminders"] == [given(t) for t in daemon.objects("list")] == [task]
    number = str(task["number"])
    shown = service.Show(number)
    assert shown["reminders"] == [task]
    assert shown["rings"][0]["at"] == "2030-05-01T09:00:00+02:00"
    assert service.Next()["rings"][0]["reminder"] == task
    assert service.Snooze(number, "2h")["reminders"][0]["alarm"] == "snoozed"
    assert service.Done(number)["reminders"][0]["state"] == "done"
    assert service.List()["reminders"] == []
    assert service.List(show="done")["reminders"] == [
        given(t) for t in daemon.objects("list", "--done")]
    assert service.Reopen(number)["reminders"][0]["state"] == "open"
    assert service.Status()["open"] == 1
    assert service.Remove(task["id"])["reminders"][0]["number"] == task["number"]
    assert service.List(show="all")["reminders"] == []


def test_times_pauses_edits_and_the_past(service):
    number = str(service.Add(title="Pills", every="day at 9:00", nag="5m")["reminder"]["number"])
    assert service.Edit(reference=number, title="Vitamins")["reminders"][0]["title"] == "Vitamins"
    assert service.Dismiss(str(ringing(service)))["reminders"][0]["state"] == "open"
    meaning = service.When(phrase="monthly on the 31st", now="2024-05-01T10:30:00+02:00",
                           timeZone="Europe/Berlin", count=2)
    assert meaning["occurrences"] == ["2024-05-31", "2024-06-30"]
    assert service.Pause("1h")["until"]
    assert service.Status()["holding"]
    service.Resume()
    assert not service.Status()["holding"]
    assert [entry["kind"] for entry in service.Log()["entries"]] == ["dismissed", "rang"]
    assert service.Explain(number)["lines"]


def test_changes_are_taken_back_and_texts_are_found(service):
    number = service.Add(title="Pay the café")["reminder"]["number"]
    service.Done(str(number))
    assert [change["what"] for change in service.Changes()["changes"]] == ["done", "add"]
    undone = service.Undo()
    assert undone["reminders"][0]["state"] == "open" and undone["outcome"] == "open"
    assert [task["number"] for task in service.Search("CAFE pay")["reminders"]] == [number]
    assert service.Undo()["removed"][0]["number"] == number
    with pytest.raises(varlink.VarlinkError) as caught:
        service.Undo()
    assert caught.value.error() == f"{INTERFACE}.NothingToUndo"


def ringing(service):
    """The number of a task that rings."""
    number = service.Add(title="Late", at="2020-05-01", past=True)["reminder"]["number"]
    deadline = time.monotonic() + 20
    while service.Show(str(number))["reminders"][0]["alarm"] != "ringing":
        assert time.monotonic() < deadline, "it rings"
    return number


def test_a_calendar_file_is_shown(service):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", "BEGIN:VTODO", "UID:one",
             "DUE:20300501T090000Z", "SUMMARY:Rent", "END:VTODO", "END:VCALENDAR", ""]
    replies = list(service.Import(
        data="\r\n".join(lines), dryRun=True, now="2030-01-01T00:00:00Z", _more=True))
    items = [item for reply in replies for item in reply.get("items", [reply.get("item")]) if item]
    assert [item["title"] for item in items] == ["Rent"]


def test_errors_carry_message_hint_and_value(service):
    with pytest.raises(varlink.VarlinkError) as caught:
        service.Add(title="Pay rent", at="2020-05-01 09:00")
    assert caught.value.error() == f"{INTERFACE}.InThePast"
    assert caught.value.parameters()["phrase"] == "2020-05-01 09:00"
    assert caught.value.parameters()["hint"]
    with pytest.raises(varlink.VarlinkError) as caught:
        service.Show("4711")
    assert caught.value.error() == f"{INTERFACE}.NoSuchReminder"
    with pytest.raises(varlink.VarlinkError) as caught:
        service.Add(title="  ")
    assert caught.value.error() == f"{INTERFACE}.InvalidArgument"


def test_watch_streams_what_happens(daemon, service):
    stream = service.Watch(_more=True)
    assert "event" not in next(stream), "the first reply says that it has begun"
    task = daemon.add("--in", "1h", "Watched")
    daemon.call("done", task["number"])
    daemon.call("rm", task["number"])
    events, deadline = [], time.monotonic() + 20
    while "removed" not in events and time.monotonic() < deadline:
        reply = next(stream)
        assert reply["reminder"]["number"] == task["number"]
        events.append(reply["event"])
    assert events[0] == "added" and "completed" in events and events[-1] == "removed"
