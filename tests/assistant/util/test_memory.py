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


def test_what_was_made_meanwhile_counts_as_old():
    with all_kept():
        made = [[number] for number in range(1000)]
    assert not {id(one) for one in made} & {id(one) for one in gc.get_objects(generation=0)}
    assert gc.get_freeze_count() == 0
