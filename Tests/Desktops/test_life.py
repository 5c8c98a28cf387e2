"""The life of a reminder on real desktops: it rings, its buttons are pressed with the pointer."""

from waiting import until


def gone(screen, title):
    until(lambda: not screen.shows(title), f"‘{title}’ has left the screen")


def rings(screen, title):
    until(lambda: screen.shows(title), f"‘{title}’ is on the screen")


def has_state(daemon, task, **expected):
    def is_so():
        found = daemon.show(task)
        return all(found[key] == value for key, value in expected.items())
    until(is_so, f"{task['title']}: {expected}")


def test_rings_is_snoozed_rings_again_and_is_done(snoozes_soon, screen):
    title = "Stretch"
    task = snoozes_soon.add("--in", "1s", title)
    rings(screen, title)
    screen.press(title, "Snooze 6 s")
    gone(screen, title)
    has_state(snoozes_soon, task, alarm="ringing")
    rings(screen, title)
    screen.press(title, "Done")
    gone(screen, title)
    has_state(snoozes_soon, task, state="done", alarm="none")


def test_task_deleted_while_it_is_shown_leaves_the_screen(rings_on, screen):
    title = "Deleted while shown"
    task = rings_on.add("--in", "1s", title)
    rings(screen, title)
    rings_on.call("rm", task["number"])
    gone(screen, title)


def test_pop_up_comes_back_when_the_server_is_started_again(rings_on, screen):
    title = "Outlives the server"
    task = rings_on.add("--in", "1s", title)
    rings(screen, title)
    screen.restart_server()
    rings(screen, title)
    screen.press(title, "Done")
    gone(screen, title)
    has_state(rings_on, task, state="done")


def test_twelve_at_once_are_one_pop_up_whose_buttons_answer_all(snoozes_soon, screen):
    titles = [f"Thing {number} of twelve" for number in range(1, 13)]
    tasks = snoozes_soon.add_at_once(titles, seconds=4)
    title = "12 reminders"
    rings(screen, title)
    screen.press(title, "Snooze all 6 s")
    gone(screen, title)
    rings(screen, title)
    screen.press(title, "Done all")
    gone(screen, title)
    for task in tasks:
        has_state(snoozes_soon, task, state="done")
