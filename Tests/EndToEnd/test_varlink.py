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
            "Watch", "Status"} <= names


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
