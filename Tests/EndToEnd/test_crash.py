"""Nothing is lost by kill -9; `make check-crash` does the same 500 times."""

import crash_loop


def test_random_kills_lose_neither_changes_nor_rings(request):
    cycles = request.config.getoption("--crash-cycles")
    outcome = crash_loop.run(cycles, seed=20300501)
    assert outcome.calls > cycles
    outcome.check_doubled()


def test_random_kills_on_a_disk_that_fails_lose_nothing_acknowledged(request):
    cycles = request.config.getoption("--crash-cycles")
    outcome = crash_loop.run(cycles, seed=20300501, spoilt=True)
    assert outcome.calls > cycles
    assert outcome.failed > 0
    outcome.check_doubled()
