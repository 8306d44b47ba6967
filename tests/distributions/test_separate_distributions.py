"""Games come from distributions of their own, and the assistant stays as it is.

Each distribution in this folder is built and installed by pip into a folder of its own, without network, and asked as a
player asks: on the command line, in another process. `skirmish` brings code and one question, `mill_race` brings files
only, those in `broken` fail in three ways.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped,unused-ignore]

from assistant.formats.notation import read_notation
from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.saves import write_save
from assistant.game.games import read_game
from module_builder.vassal.module import module_grid, shown_board, wanted_module
from module_builder.vassal.module_setting import ModuleSetting
from module_builder.vassal.pieces.maker import Art, Maker
from module_builder.vassal.setups import write_set_up

from ..cases import thorough

pytestmark = thorough
HERE = Path(__file__).parent
SKIRMISH, MILL_RACE = "skirmish-at-mill-creek", "mill-race"
BROKEN = ("broken/on_import", "broken/when_asked")
UNKNOWN_OPTION, UNUSABLE, UNDECIDED = 2, 3, 4
Installer = Callable[[str], Path]


# --- the table --------------------------------------------------------------------------------------------------------


class Said(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


class Table(NamedTuple):
    """The command line with some distributions beside the assistant; positions are files in `folder`."""

    folder: Path
    installed: tuple[Path, ...]

    def run(self, *words: str, program: str = "assistant") -> Said:
        """Run one command in a process of its own."""
        env = dict(os.environ)
        env |= {"PYTHONPATH": os.pathsep.join(map(str, self.installed)), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", program, *words]
        done = subprocess.run(command, check=False, cwd=self.folder, env=env, capture_output=True, encoding="utf-8")
        return Said(done.returncode, done.stdout, done.stderr)

    def ask(self, question: str, position: str, *words: str) -> Said:
        """Ask about a position in notation; messages call its file game.pos."""
        self.folder.joinpath("game.pos").write_text(position, "utf-8")
        return self.run("ask", question, "game.pos", *words)

    def report(self, question: str, position: str, *words: str, code: int = 0) -> dict[str, Any]:
        """The report on a question as JSON, found valid by the schema that the question publishes."""
        said = self.ask(question, position, "--json", *words)
        assert (said.code, said.err) == (code, "")
        report: dict[str, Any] = json.loads(said.out)
        assert errors(report, self.schemas(report["game"])[question]["report"]) == []
        return report

    def schemas(self, game: str) -> dict[str, Any]:
        """The questions of a game with their published schemas, by name."""
        return _schemas(self._replace(folder=self.installed[0]), game)


@cache
def _schemas(table: Table, game: str) -> dict[str, Any]:
    said = table.run("questions", game, "--json")
    assert (said.code, said.err) == (0, "")
    return {question["name"]: question for question in json.loads(said.out)}


def errors(document: object, schema: dict[str, Any]) -> list[str]:
    """What a schema, itself a valid one, finds wrong with a document."""
    Draft202012Validator.check_schema(schema)
    return [error.message for error in Draft202012Validator(schema).iter_errors(document)]


def exact(figure: dict[str, Any]) -> Fraction:
    """A fraction of a report; its decimal has to agree with its exact text."""
    fraction = Fraction(figure["exact"])
    assert figure["decimal"] == pytest.approx(float(fraction))
    return fraction


def distribution(likelihoods: list[dict[str, Any]], name: str = "value") -> dict[Any, Fraction]:
    """A list of values with their chances; chances that are no fractions of one whole fail."""
    found = {one[name]: exact(one["chance"]) for one in likelihoods}
    assert sum(found.values()) == 1
    return found


def fingerprint() -> dict[str, str]:
    """A hash of every file of the assistant's package."""
    spec = importlib.util.find_spec("assistant")
    assert spec and spec.submodule_search_locations
    (folder,) = map(Path, spec.submodule_search_locations)
    files = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="session")
def installer(tmp_path_factory: pytest.TempPathFactory) -> Installer:
    """Installs a distribution of this folder once, and says where."""
    done: dict[str, Path] = {}

    def install(name: str) -> Path:
        if name not in done:
            folder = tmp_path_factory.mktemp(name.replace("/", "-"))
            source, done[name] = folder / "source", folder / "installed"
            # pip builds in the source's own folder
            shutil.copytree(HERE / name, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
            offline = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
            pip = [sys.executable, "-m", "pip", "install", *offline, "--target", str(done[name]), str(source)]
            built = subprocess.run(pip, check=False, capture_output=True, encoding="utf-8")
            assert built.returncode == 0, built.stderr
        return done[name]

    return install


@pytest.fixture
def table(installer: Installer, tmp_path: Path) -> Callable[..., Table]:
    """A table with the named distributions installed, each in a folder of its own."""
    return lambda *names: Table(tmp_path, tuple(installer(name) for name in names))


@pytest.fixture
def skirmish(table: Callable[..., Table]) -> Table:
    return table("skirmish")


@pytest.fixture
def mill_race(table: Callable[..., Table]) -> Table:
    return table("mill_race")


# --- they are found, and the assistant is the same --------------------------------------------------------------------


def test_games_lists_them_beside_the_others(table: Callable[..., Table]) -> None:
    without, beside = table().run("games"), table("skirmish", "mill_race").run("games")
    assert (beside.code, beside.err) == (0, "")
    added = {f"{SKIRMISH}: Skirmish at Mill Creek", f"{MILL_RACE}: Mill Race"}
    assert set(beside.out.splitlines()) == set(without.out.splitlines()) | added
    assert "twilight-in-the-east" in without.out and SKIRMISH not in without.out


def test_the_assistant_is_unchanged_and_knows_neither_by_name(installer: Installer, tmp_path: Path) -> None:
    before = fingerprint()
    both = Table(tmp_path, (installer("skirmish"), installer("mill_race")))
    assert both.report("morale", FUSILIERS)["game"] == SKIRMISH
    assert both.report("odds", BRIDGE)["game"] == MILL_RACE
    assert len(before) > 20 and fingerprint() == before
    for file in before:
        text = Path(file).read_text("utf-8").casefold()
        assert not any(name in text for name in ("mill creek", "mill-creek", "mill race", "mill-race")), file


# --- Skirmish at Mill Creek: a question of its own --------------------------------------------------------------------

FUSILIERS = f"""\
game {SKIRMISH}
C5 woods: Fusiliers -2
B4: Clansmen
chart failure 4 = routs / 1
ask morale unit=Fusiliers
"""


def test_the_question_publishes_schemas_of_its_own_types(skirmish: Table) -> None:
    schemas = skirmish.schemas(SKIRMISH)
    assert set(schemas) == {"morale", "check"}
    parameters = schemas["morale"]["parameters"]
    assert errors({"unit": "Fusiliers", "volleys": 3, "officer": True}, parameters) == []
    assert errors({"unit": "Fusiliers", "volleys": 4}, parameters) == ["4 is greater than the maximum of 3"]
    assert errors({"volleys": 1}, parameters) == ["'unit' is a required property"]


def test_a_check_before_the_dice_gives_exact_chances(skirmish: Table) -> None:
    # morale 6; two steps lost +2, the Clansmen +1, woods -1: holds on 4 or less on 1d10, fails by 1 on 5 ... 6 on 10
    report = skirmish.report("morale", FUSILIERS)
    result = report["result"]
    assert {one["why"]: one["amount"] for one in result["modifiers"]} == {
        "steps lost": 2,
        "enemy adjacent": 1,
        "cover": -1,
    }
    assert exact(result["holds"]) == Fraction(2, 5)
    assert distribution(result["outcomes"]) == {
        "holds": Fraction(2, 5),
        "shaken": Fraction(1, 10),
        "falls-back": Fraction(1, 5),
        "routs": Fraction(3, 10),
    }
    # a step on a 7; on 8, 9 and 10 a rout loses one, and on a 6 of 1d6 a second
    assert distribution(result["losses"]) == {0: Fraction(3, 5), 1: Fraction(7, 20), 2: Fraction(1, 20)}
    assert [(ask["kind"], ask["name"], ask["dice"]) for ask in report["asks"]] == [("roll", "morale", "1d10")]


def test_its_schema_refuses_a_report_that_lacks_a_figure(skirmish: Table) -> None:
    report = skirmish.report("morale", FUSILIERS)
    del report["result"]["holds"]
    assert errors(report, skirmish.schemas(SKIRMISH)["morale"]["report"]) != []


@pytest.mark.parametrize(
    ("lost", "dice", "outcome", "steps", "changes", "due"),
    [
        (2, "morale=4", "holds", 0, {}, []),
        (2, "morale=5", "shaken", 0, {"status": (None, "shaken")}, []),
        (2, "morale=9", "routs", None, {}, ["stragglers"]),
        (2, "morale=9 stragglers=6", "routs", 2, {"lost": (2, 4), "status": (None, "routed")}, []),
        (4, "morale=9", "routs", 1, {"place": ("C5", None)}, []),  # its last step: removed, no stragglers
    ],
)
def test_a_check_with_these_dice(
    skirmish: Table,
    lost: int,
    dice: str,
    outcome: str,
    steps: int | None,
    changes: dict[str, tuple[object, object]],
    due: list[str],
) -> None:
    report = skirmish.report("morale", f"{FUSILIERS.replace('-2', f'-{lost}')}answers {dice}\n")
    assert (report["result"]["outcome"], report["result"]["steps"]) == (outcome, steps)
    assert {change["track"]: (change["before"], change["after"]) for change in report["changes"]} == changes
    assert [ask["name"] for ask in report["asks"]] == due


def test_a_step_lost_before_the_stragglers_counts_once(skirmish: Table) -> None:
    assert skirmish.report("morale", f"{FUSILIERS}answers morale=9\n")["verdict"]["figures"]["lost"] == 1


@pytest.mark.parametrize(("enemy", "adjacent"), [("B4", True), ("C6", True), ("D4", False), ("D6", False)])
def test_rows_are_shifted_as_the_game_says(skirmish: Table, enemy: str, adjacent: bool) -> None:
    # even rows lie half a hex further east: C5 has B4 and C4 above it, with odd rows shifted it would have C4 and D4
    report = skirmish.report("morale", FUSILIERS.replace("B4", enemy))
    assert ("enemy adjacent" in {one["why"] for one in report["result"]["modifiers"]}) is adjacent


def test_a_board_and_a_ruling_of_the_game(skirmish: Table) -> None:
    position = f"game {SKIRMISH}\nboard creek\nE6: Pikes\nask morale unit=Pikes\n"
    covered = skirmish.report("morale", position)
    assert exact(covered["result"]["holds"]) == Fraction(3, 5)  # morale 5, the mill covers
    assert [part["title"] for part in covered["parts"]] == ["Check", "Rulings"]
    agreed = skirmish.report("morale", f"{position}ruling mill-cover = no\n")
    assert exact(agreed["result"]["holds"]) == Fraction(1, 2)


def test_parameters_and_answers_may_come_as_options(skirmish: Table) -> None:
    result = skirmish.report("morale", FUSILIERS, "--volleys", "2", "--answers", '{"morale": "3"}')["result"]
    assert (exact(result["holds"]), result["outcome"]) == (Fraction(1, 5), "shaken")
    as_json = skirmish.report("morale", FUSILIERS, "--params", '{"unit": "clansmen", "officer": true}', code=UNDECIDED)
    assert [ask["how"] for ask in as_json["asks"]] == ["B4 open|woods|mill"]


def test_a_misspelt_unit_is_named_with_its_place_and_the_nearest(skirmish: Table) -> None:
    said = skirmish.ask("morale", FUSILIERS.replace("Fusiliers -2", "Fuseliers -2"))
    assert (said.code, said.out) == (UNUSABLE, "")
    where, what = said.err.splitlines()
    assert where == "assistant: game.pos:2:11: unknown unit 'Fuseliers'"
    assert "nearest known: Fusiliers" in what


@pytest.mark.parametrize(
    ("line", "mended", "place", "says"),
    [
        ("B4: Clansmen", "B4 wood: Clansmen", "3:4", "nearest known: woods"),
        ("B4: Clansmen", "N4: Clansmen", "3:1", "off the map"),
        ("routs / 1", "flees / 1", "4:19", "shaken, falls-back or routs"),
        ("unit=Fusiliers", "unit=Fusiliers volleys=5", "5:27", "volleys"),
        ("unit=Fusiliers", "unit=Fusiliers\nanswers morale=11", "6:9", "11 is impossible on a d10"),
    ],
)
def test_other_faults_name_their_place_too(skirmish: Table, line: str, mended: str, place: str, says: str) -> None:
    said = skirmish.ask("morale", FUSILIERS.replace(line, mended))
    assert (said.code, said.out) == (UNUSABLE, "")
    assert said.err.startswith(f"assistant: game.pos:{place}: ") and says in said.err


def test_an_option_that_the_question_lacks(skirmish: Table) -> None:
    said = skirmish.ask("morale", FUSILIERS, "--volley", "1")
    assert said.code == UNKNOWN_OPTION and "'--volleys'" in said.err


def test_a_chart_cell_has_to_be_stated_by_its_owner(skirmish: Table) -> None:
    unstated = FUSILIERS.replace("chart failure 4 = routs / 1\n", "")
    before = skirmish.report("morale", unstated)
    assert exact(before["result"]["holds"]) == Fraction(2, 5) and before["result"]["outcomes"] == []
    assert [ask["how"] for ask in before["asks"] if ask["kind"] == "cell"] == ["chart failure 4 = result / steps"]
    known = skirmish.report("morale", f"{unstated}answers morale=7\n")  # fails by 3, which the game's own file knows
    assert (known["result"]["outcome"], known["result"]["steps"]) == ("falls-back", 1)
    unknown = skirmish.report("morale", f"{unstated}answers morale=8\n", code=UNDECIDED)
    assert unknown["verdict"]["kind"] == "undecided" and unknown["result"]["outcome"] is None


MISSING = f"game {SKIRMISH}\nC5: Reivers, hill Volunteers\nask morale unit=Reivers\n"


def test_all_missing_facts_are_listed_at_once(skirmish: Table) -> None:
    report = skirmish.report("morale", MISSING, code=UNDECIDED)
    assert (report["verdict"]["kind"], report["result"]) == ("undecided", None)
    assert {ask["how"]: ask["kind"] for ask in report["asks"]} == {
        "C5 open|woods|mill": "fact",
        "Reivers morale=N": "fact",
    }
    volunteers = skirmish.report("morale", MISSING, "--unit", "Volunteers", code=UNDECIDED)
    assert {ask["how"] for ask in volunteers["asks"]} == {
        "C5 open|woods|mill",
        "Volunteers morale=N",
        "Volunteers strength=N",
    }
    stated = MISSING.replace("Reivers,", "Reivers morale=5,").replace("C5:", "C5 open:")
    assert exact(skirmish.report("morale", stated)["result"]["holds"]) == Fraction(1, 2)


def test_what_a_report_asks_for_can_be_typed_as_it_says(skirmish: Table) -> None:
    asks = skirmish.report("morale", MISSING, code=UNDECIDED)["asks"]
    typed = [ask["how"].replace("open|woods|mill", "open").replace("=N", "=5") for ask in asks]
    assert exact(skirmish.report("morale", MISSING + "\n".join(typed))["result"]["holds"]) == Fraction(1, 2)


def test_a_parameter_takes_yes_as_a_flag_does(skirmish: Table) -> None:
    result = skirmish.report("morale", FUSILIERS.replace("unit=Fusiliers", "unit=Fusiliers officer=yes"))["result"]
    assert exact(result["holds"]) == Fraction(1, 2)


def test_the_tour_and_the_rule_index_take_them_in(skirmish: Table) -> None:
    tour = skirmish.run("demo", SKIRMISH)
    assert tour.code == 0 and "= a 40.0% chance to hold" in tour.out
    index = skirmish.run("rules", SKIRMISH, "4").out.splitlines()
    assert [line.split()[0] for line in index] == ["4.1", "4.2", "4.3", "4.5"]
    assert "checks.py:37 modifiers" in index[1] and "players move the counter themselves" in index[3]


# --- Mill Race: no code at all ----------------------------------------------------------------------------------------

BRIDGE = f"""\
game {MILL_RACE}
0303: 1st, 2nd, 3rd
0402: Guard, Levy
0303|0402 race
ask odds attackers=1st,2nd defenders=Guard
"""


def test_its_distribution_holds_files_only(installer: Installer) -> None:
    (package,) = (folder for folder in installer("mill_race").iterdir() if folder.name == "mill_race")
    code = {file.name: file.read_text("utf-8") for file in package.rglob("*.py")}
    assert code == {"__init__.py": ""}
    assert {file.suffix for file in package.iterdir() if file.is_file()} == {".py", ".toml", ".csv"}


SIXTH = Fraction(1, 6)


@pytest.mark.parametrize(
    ("attackers", "defenders", "more", "ratio", "column", "outcomes"),
    [
        ("1st,2nd", "Guard", "", "2:1", "2:1", "back hold swap yield yield gone"),  # 12 against 5
        ("Guard", "1st", "", "1:1", "1:1", "back back hold hold swap yield"),  # 9 against 5: not yet 2:1
        ("3rd", "Guard", "", "1:2", "1:2", "back back back hold hold swap"),  # 3 against 5
        ("Levy", "2nd", "shift=1", "1:7", "1:2", "back back back hold hold swap"),  # 1 against 7, shifted 1:6
        ("1st,2nd,3rd", "Levy", "shift=-3 drm=1", "5:1", "2:1", "hold swap yield yield gone gone"),  # 15 against 3
    ],
)
def test_odds_before_the_roll(
    mill_race: Table, attackers: str, defenders: str, more: str, ratio: str, column: str, outcomes: str
) -> None:
    asked = f"attackers={attackers} defenders={defenders} {more}"
    result = mill_race.report("odds", BRIDGE.replace("attackers=1st,2nd defenders=Guard", asked))["result"]
    assert (result["initial"], result["column"]) == (ratio, column)
    # each face of the die as the table has it in that column
    faces = outcomes.split()
    expected = {outcome: faces.count(outcome) * SIXTH for outcome in faces}
    assert distribution(result["outcomes"], "result") == expected


@pytest.mark.parametrize(
    ("roll", "more", "outcome"),
    [("4", "", "yield"), ("4", "drm=-2", "hold"), ("6", "drm=9", "gone"), ("1", "shift=-1", "back")],
)
def test_odds_after_the_roll(mill_race: Table, roll: str, more: str, outcome: str) -> None:
    position = BRIDGE.replace("defenders=Guard", f"defenders=Guard {more}")
    report = mill_race.report("odds", f"{position}answers roll={roll}\n")
    assert (report["result"]["natural"], report["result"]["result"]) == (int(roll), outcome)
    assert (report["verdict"]["text"], report["asks"]) == (outcome, [])


def test_its_strengths_may_be_stated_over_the_roster(mill_race: Table) -> None:
    stated = BRIDGE.replace("Guard, Levy", "Guard (?-7), Levy")
    assert mill_race.report("odds", stated)["result"]["column"] == "1:1"  # 12 against 7
    unknown = BRIDGE.replace("Guard, Levy", "white Militia").replace("defenders=Guard", "defenders=Militia")
    assert [ask["how"] for ask in mill_race.report("odds", unknown, code=UNDECIDED)["asks"]] == ["Militia defence=N"]


def test_check_says_what_was_understood(mill_race: Table) -> None:
    result = mill_race.report("check", BRIDGE)["result"]
    units = {unit["unit"]: (unit["place"], unit["facts"]) for unit in result["units"]}
    assert units["Guard"] == ("0402", {"army": "white", "attack": 9, "defence": 5})
    assert result["facts"] == {"0303|0402": {"water": "race"}}


def test_columns_are_shifted_as_the_game_says(mill_race: Table) -> None:
    # even columns lie half a hex further south, so 0303 touches 0402 and 0403; with odd ones shifted, 0403 and 0404
    said = mill_race.ask("check", BRIDGE.replace("0303|0402", "0303|0404"))
    assert said.code == UNUSABLE
    assert said.err.startswith("assistant: game.pos:4:6: 0303 and 0404 are not adjacent")


def test_a_roll_that_cannot_be(mill_race: Table) -> None:
    said = mill_race.ask("odds", f"{BRIDGE}answers roll=7\n")
    assert said.code == UNUSABLE and "7 is impossible on a d6" in said.err


def test_a_roll_that_cannot_be_is_named_with_its_place(mill_race: Table) -> None:
    said = mill_race.ask("odds", f"{BRIDGE}answers roll=7\n")
    assert said.err.startswith("assistant: game.pos:6:9: roll: 7 is impossible")


TABLE = """\
day=7
wind=gale
0303 dam=2 sluice=rot_1: 1st (6-?) stance=line tired, 2nd stance=march
0402 sluice=ä: Guard orders="hold the mill; or/else"
0303|0402 race
"""


def test_a_save_of_its_module_is_understood(mill_race: Table) -> None:
    game = read_game(MILL_RACE, HERE / "mill_race" / "mill_race")
    wanted = wanted_module(game)
    maker = Maker(game, {unit: Art("front.png") for unit in game.roster}, wanted.counter)
    about = ModuleData(wanted.name, "1", "3.6.0")
    board = shown_board(game, wanted)
    setting = ModuleSetting(game, maker, board.title, board.grid, module_grid(game, wanted), about)
    position = read_notation(f"game {MILL_RACE}\n{TABLE}".encode(), "table.pos", lambda id: game)
    save = write_set_up(setting, position).save
    mill_race.folder.joinpath("table.vsav").write_bytes(write_save(save))
    said = mill_race.run("check", "table.vsav", "--json")
    assert (said.code, said.err) == (0, "")
    typed = mill_race.report("check", f"game {MILL_RACE}\n{TABLE}")["result"]
    found = json.loads(said.out)["result"]
    for result in (found, typed):
        result["units"].sort(key=lambda unit: unit["unit"])
    assert found == typed
    guard = next(unit for unit in typed["units"] if unit["unit"] == "Guard")
    assert (guard["place"], guard["facts"]["orders"]) == ("0402", "hold the mill; or/else")
    strange = msgspec.structs.replace(save, turns={"TurnTracker0": "0|4;0;true;12"})
    mill_race.folder.joinpath("table.vsav").write_bytes(write_save(strange))
    said = mill_race.run("check", "table.vsav")
    assert said.code == UNUSABLE and "table.vsav: day: 4 is not allowed" in said.err.replace("'", "")


def test_its_module_is_built_and_checked(mill_race: Table) -> None:
    assert mill_race.run("check", MILL_RACE, program="module_builder").code == 0
    done = mill_race.run("module", MILL_RACE, program="module_builder")
    assert done == Said(0, "mill-race.vmod: 5 counters and 0 set-ups\n", "")
    again = mill_race.run("module", MILL_RACE, program="module_builder")
    assert (again.code, again.out) == (UNUSABLE, "") and "already exists" in again.err


# --- broken ones ------------------------------------------------------------------------------------------------------

SHARE = "game broken-when-asked\nask share\n"


def complaint(said: Said) -> str:
    """The one or two lines in which unusable input is refused, by its exit code and without a traceback."""
    assert (said.code, said.out) == (UNUSABLE, "")
    assert 1 <= len(said.err.splitlines()) <= 2 and "Traceback" not in said.err
    return said.err


def test_a_package_that_raises_on_import_is_named_with_its_distribution(table: Callable[..., Table]) -> None:
    said = complaint(table("broken/on_import").run("questions", "broken-on-import"))
    assert "plugin broken-on-import of faulty-on-import 0.3 failed" in said
    assert "RuntimeError: the mill has burnt down" in said


def test_a_question_that_raises_is_named_with_its_game(table: Callable[..., Table]) -> None:
    said = complaint(table("broken/when_asked").ask("share", SHARE))
    assert "broken-when-asked" in said and "share" in said and "ZeroDivisionError" in said


def test_a_question_that_raises_is_named_with_its_distribution(table: Callable[..., Table]) -> None:
    assert "faulty-when-asked 0.3" in complaint(table("broken/when_asked").ask("share", SHARE))


def test_a_broken_question_still_answers_where_it_can(table: Callable[..., Table]) -> None:
    report = table("broken/when_asked").report("share", "game broken-when-asked\n0101: X\n0102: Y\n0103: Z\n")
    assert exact(report["result"]["share"]) == Fraction(1, 3)


def test_broken_ones_do_not_disturb_the_others(table: Callable[..., Table]) -> None:
    alone, among = table("skirmish", "mill_race"), table(*BROKEN, "skirmish", "mill_race")
    assert among.ask("morale", FUSILIERS, "--json") == alone.ask("morale", FUSILIERS, "--json")
    assert among.ask("odds", BRIDGE, "--json") == alone.ask("odds", BRIDGE, "--json")
    listed = among.run("games")
    assert listed.code == 0
    added = set(listed.out.splitlines()) - set(alone.run("games").out.splitlines())
    assert added == {"broken-when-asked: Broken when asked"}
    assert listed.err.startswith("broken-on-import: plugin broken-on-import of faulty-on-import 0.3 failed")


def test_a_broken_one_does_not_disturb_the_tour(table: Callable[..., Table]) -> None:
    said = table("broken/on_import").run("demo")
    assert said.code == 0 and "1914, Twilight in the East" in said.out


def test_a_hook_that_raises_is_named_with_its_distribution(table: Callable[..., Table]) -> None:
    said = complaint(table("broken/on_registering").run("questions", "broken-on-registering"))
    assert "plugin broken-on-registering of faulty-on-registering 0.3 failed: __init__.py:16: LookupError" in said


def test_a_hook_that_raises_does_not_disturb_the_others(table: Callable[..., Table]) -> None:
    said = table("broken/on_registering").run("games")
    assert "twilight-in-the-east: 1914, Twilight in the East" in said.out.splitlines()
    assert said.err.count("failed") == 1
