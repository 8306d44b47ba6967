"""What is listed of the turns that begin with an entry."""

from __future__ import annotations

from assistant.records.journal.begun_turns import select_items
from assistant.rules.due import DueItem


def make_item(item: str, text: str, account: str = "", action: str = "", units: tuple[str, ...] = ()) -> DueItem:
    return DueItem(
        turn="1", who="", item=item, action=action, count=1, units=units, account=account, rule="", text=text
    )


ITEMS = (
    make_item("sp", "5 supply points", account="sp"),
    make_item("unit", "1st"),
    make_item("unit", "2nd"),
    make_item("unit", "3rd"),
    make_item("rpl", "a replacement", account="rpl"),
    make_item("unit", "4th leaves", action="withdraw"),
    make_item("dice", "a die"),
)


def selected(most: int) -> list[str]:
    return [item.text for item in select_items(ITEMS, most)]


def test_the_first_of_each_kind_is_listed_before_others_of_its_kind_and_what_only_adds_to_an_account_last() -> None:
    assert selected(3) == ["1st", "4th leaves", "a die"]
    assert selected(4) == ["1st", "2nd", "4th leaves", "a die"]
    assert selected(5) == ["1st", "2nd", "3rd", "4th leaves", "a die"]
    assert selected(6) == ["5 supply points", "1st", "2nd", "3rd", "4th leaves", "a die"]
    headquarters = make_item("hq", "a Headquarters with 5 supply points", account="sp", units=("1st HQ",))
    assert select_items((*ITEMS, headquarters), 4)[-1] == headquarters
