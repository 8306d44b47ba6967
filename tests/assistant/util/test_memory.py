"""Garbage is looked for again after a picture is made, if it was before."""

import gc

from assistant.util.memory import all_kept


def test_the_search_for_garbage_rests_meanwhile():
    assert gc.isenabled()
    with all_kept():
        assert not gc.isenabled()
        with all_kept():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
