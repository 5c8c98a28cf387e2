"""Files of other tools come in as those tools write them."""

import os
import subprocess

from programs import REMINDCTL


def run(daemon, command, **env):
    """Runs a line of the shell where `remindctl` is the released one."""
    path = f"{REMINDCTL.parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command], env=os.environ | daemon.env | {"PATH": path} | env,
        cwd=daemon.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=60).stdout


def test_what_task_export_prints_comes_in_through_a_pipe(daemon):
    (daemon.folder / "taskrc").write_text(f"data.location={daemon.folder}/tasks\nconfirmation=off\n")
    (daemon.folder / "tasks").mkdir()
    env = {"TASKRC": str(daemon.folder / "taskrc")}
    run(daemon, "task add due:2038-05-01 project:home +bills priority:H Rent", **env)
    run(daemon, "task add Tea", **env)
    take = "task export | remindctl import --from taskwarrior -"
    assert run(daemon, take, **env) == "2 added, 0 changed, 0 left alone.\n"
    assert run(daemon, take, **env) == "0 added, 0 changed, 2 left alone.\n"
    [rent] = daemon.objects("list", "--list", "home")
    assert (rent["title"], rent["tags"], rent["priority"], rent["dateOnly"]) == ("Rent", ["bills"], "high", True)


def test_a_folder_of_calcurse_comes_in_with_its_notes(daemon):
    folder = daemon.folder / "calcurse"
    (folder / "notes").mkdir(parents=True)
    name = "6c438459de25822dbc686f5559650f41acd667c5"
    (folder / "notes" / name).write_text("Bring the letter\n")
    (folder / "apts").write_text(f"05/01/2038 @ 09:00 -> 05/01/2038 @ 10:00>{name} |Dentist\nnonsense\n")
    said = subprocess.run(
        [REMINDCTL, "import", "--from", "calcurse", folder], env=os.environ | daemon.env, capture_output=True,
        text=True, check=False, timeout=60)
    assert (said.returncode, said.stdout) == (1, "1 added, 0 changed, 0 left alone, 1 refused.\n")
    assert "Line 2" in said.stderr and "apts" in said.stderr
    [dentist] = daemon.objects("list")
    assert (dentist["title"], dentist["note"]) == ("Dentist", "Bring the letter")
