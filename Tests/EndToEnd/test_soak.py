"""A mixed load leaves nothing behind; `make soak` does the same for fifteen minutes."""

import soak


def test_a_mixed_load_leaves_neither_descriptors_nor_threads():
    done = soak.run(minutes=0, seconds=2, seed=20300501)
    assert sum(client.calls for client in done.clients) > 50
    assert len(done.rounds) == 2
