"""docs/popups.md says what the servers say."""

from programs import ROOT

COLUMNS = {"gnome": 1, "plasma": 2, "dunst": 3, "xfce4-notifyd": 4, "notification-daemon": 5}


def test_capabilities_are_those_of_the_table(screen):
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in (ROOT / "docs/popups.md").read_text().splitlines() if line.startswith("| `")]
    documented = {row[0].strip("`"): row[COLUMNS[screen.name]] for row in rows}
    assert len(documented) == 5
    has = screen.capabilities()
    assert documented == {name: "yes" if name in has else "no" for name in documented}
