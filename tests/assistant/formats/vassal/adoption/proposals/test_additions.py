"""A mapping of an older version of this program, to which what is new is added."""

from __future__ import annotations

import tomllib

import pytest

from assistant.formats.vassal.adoption.proposals.additions import add_proposals
from assistant.formats.vassal.adoption.proposals.candidates import Proposal
from assistant.formats.vassal.adoption.proposals.draft import MappingDraft, write_proposal
from assistant.util.errors import InputError

HEAD = {"module": "Front", "version": "1.3", "game": "some-game", "folder": "/games/some-game", "board": "east"}


def test_a_mapping_without_version_and_folder_gets_both() -> None:
    older = {name: value for name, value in HEAD.items() if name not in ("version", "folder")}
    text = "".join(f'{name} = "{value}"\n' for name, value in older.items())
    assert tomllib.loads(add_proposals(text, MappingDraft(HEAD, {}, [])).text) == HEAD


def test_a_mapping_with_folder_but_no_version_gets_it() -> None:
    text = 'module = "Front"\ngame = "some-game"\nfolder = "/old"\nboard = "east"\nignored = []\n\n[units]\n'
    found = tomllib.loads(add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("a", "A", "sure", "")]}, [])).text)
    assert found == {**HEAD, "ignored": [], "units": {"a": "A"}}


@pytest.mark.parametrize("last", ['# "a" = "x"', '"a" = "x"', "[dice]", "# a remark"])
def test_a_last_line_without_a_line_break_is_a_line_of_its_own(last: str) -> None:
    text = f'game = "some-game"\n[units]\n{last}'
    made = add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("b", "B", "sure", "")]}, []))
    assert [one.name for one in made.new["units"]] == ["b"]
    assert tomllib.loads(made.text)["units"]["b"] == "B"
    assert last in made.text.splitlines()


def test_lines_end_as_they_did() -> None:
    text = 'game = "some-game"\r\n[units]\r\n"a" = "A"\r\n'
    made = add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("b", "B", "sure", "")]}, []))
    assert made.text.count("\r\n") == made.text.count("\n") == len(made.text.split("\n")) - 1


def test_comments_and_order_of_the_player_stay() -> None:
    text = """# mine
game = "some-game"  # of us
version = "1.2"     # old
module = "Front"

[units]  # by piece
"b" = ["B",
  "B reduced"]  # both

# the rest
"a" = ""
# "c" = ""  # left
# Layers: what each level states.
[layers]
"""
    units = [Proposal(name, name.upper(), "sure", "by its name") for name in ("a", "c", "d")]
    made = add_proposals(
        text, MappingDraft(HEAD, {"units": units, "sides": [Proposal("R", "red", "likely", "by its name")]}, [])
    )
    assert {section: [one.name for one in some] for section, some in made.new.items()} == {
        "units": ["c", "d"],
        "sides": ["R"],
    }
    assert made.text == (
        text.replace('"some-game"  # of us\n', '"some-game"  # of us\nfolder = "/games/some-game"\n')
        .replace('version = "1.2" ', 'version = "1.3" ')
        .replace('# "c" = ""  # left\n', "".join(f"{write_proposal(one)}\n" for one in units[1:]))
        + f"\n[sides]\n{write_proposal(Proposal('R', 'red', 'likely', 'by its name'))}\n"
    )


def test_what_cannot_be_taken_apart_is_not_changed() -> None:
    text = 'game = "some-game"\nunits = { "a" = "A" }\n'
    with pytest.raises(InputError, match=r"cannot be added to \[units\]"):
        add_proposals(text, MappingDraft(HEAD, {"units": [Proposal("b", "B", "sure", "")]}, []))
    with pytest.raises(InputError, match="nothing can be added"):
        add_proposals('game = "some-game', MappingDraft(HEAD, {}, []))
