"""The question `supply`: which units are in supply, along which hexes, and why not (14)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

from msgspec.structs import replace

from assistant.field import Around, side_of
from assistant.field.whose import check_units, sides_asked
from assistant.questions import Answers, InputError, Parameters, SideName, UnitName, View, declare, note
from assistant.questions.doubts import Group, Holds
from assistant.questions.question import Judgement
from assistant.questions.report import Ask, MissingFacts, Part, Report, Verdict, step, verdict
from assistant.questions.wording import fill
from assistant.state.state import Unit
from assistant.util.errors import quoted, suggested

from ..forces.assets import formations_beside
from ..forces.reading import at_best
from ..ground.calendar import flood_left_out, weather_left_out
from ..ground.phases import phase_of
from ..ground.zones import around as field_around
from ..ground.zones import assume_zones
from ..terms import SECOND_DIVISION_LOW, SUPPLY_ARMS
from .bearers import check_bearers
from .doubts import TRACED, Traced, doubts, held
from .isolation import is_isolated
from .lines import best, compile_map, judge, line_part, off_the_railway, typed_line
from .modes import flip, with_modes
from .on_paper import over_network, suppliers
from .report import (
    STATES,
    SupplyResult,
    as_stated,
    isolation_part,
    report,
    sources_part,
    state_verdict,
    supplied,
    surplus_asks,
    take_for_granted,
    tried,
)
from .rules import RR_LINE, any_length, near_and_far
from .sources import (
    always_supplied,
    railway,
    serves_nobody,
    source_of_line,
    sources_on_map,
    supplied_with,
)
from .special import campaign_left_out, presume_named
from .whole.drawn import for_all
from .whole.report import (
    WholeSupply,
    cautions,
    changes_part,
    rests_on_drawn,
    rivers_crossed,
    serving,
    side_parts,
    sides_part,
    whole_verdict,
)
from .whole.side import SupplySide
from .whole.sides import SideFound, side_supply

if TYPE_CHECKING:
    from assistant.drawing.letters import Rows
    from assistant.drawing.scene import Scene


SIDES_TOLD = "sides told"
"""The name under which a view keeps what was found out about sides."""


class SupplyAsked(Parameters, frozen=True):
    """The units whose supply is asked: one, several, or all of a side."""

    unit: Annotated[tuple[UnitName, ...], note("their ids; all units of the side if left out")] = ()
    side: Annotated[
        SideName,
        note(
            "whose units; if left out, those of the viewpoint's side, or of the one whose player turn it is, or of both"
        ),
    ] = ""
    line: Annotated[str, note("a typed line by its name; the one that ends at the unit if left out")] = ""


class SupplyParameters(Parameters, frozen=True):
    """A unit whose supply is asked."""

    unit: UnitName
    line: str = ""


def answer(view: View, parameters: SupplyAsked, answers: Answers) -> Report[SupplyResult | WholeSupply]:
    """The report on a unit's supply, along a typed line or traced over a drawn board from every source, or on that of many units.

    Raises MissingFacts for whatever is not stated, InputError for a line that does not lead to the unit.
    """
    check_bearers(view, view.units())
    one = len(parameters.unit) == 1 and not parameters.side
    found = unit_supply(view, parameters.unit[0], parameters.line) if one else whole_supply(view, parameters)
    for left_out in (
        *weather_left_out(view),
        *flood_left_out(view, rivers_crossed(view, found.result)),
        *campaign_left_out(view, serving(found.result)),
    ):
        view.presume(left_out)
    return found


def decide(view: View, parameters: SupplyAsked, answers: Answers) -> Report[SupplyResult | WholeSupply]:
    """The report without causes and modes, which decide no state."""
    if len(parameters.unit) == 1 and not parameters.side:
        return unit_supply(view, parameters.unit[0], parameters.line, briefly=True)
    return whole_supply(view, parameters, briefly=True)


def unit_supply(view: View, unit: str, line: str = "", *, briefly: bool = False) -> Report[Any]:
    """The report on the supply of one unit. briefly: without the modes of what supplies it."""
    found = found_supply(view, SupplyParameters(unit=unit, line=line), briefly=briefly)
    return with_service(view, at_best_low(view, found))


def with_service(view: View, found: Report[SupplyResult]) -> Report[SupplyResult]:
    """A report on the supply of a supply unit, with why it serves nobody, if it does not."""
    result = found.result
    if result is None or view.word("arm", result.unit) not in SUPPLY_ARMS:
        return found
    with view.gather() as facts:
        why_not = serves_nobody(facts, view.unit(result.unit))
    if not why_not or result.state == "out":
        return found
    told = Part("Service", (step("14.2", "{unit} serves nobody: {why}", result, why=why_not),))
    return replace(found, parts=(*found.parts, told), result=replace(result, idle=why_not))


def whole_supply(view: View, parameters: SupplyAsked, *, briefly: bool = False) -> Report[Any]:
    """The report on the supply of many units. briefly: without the causes. Raises InputError for a unit that is not on the map, and for a
    typed line."""
    if parameters.line:
        raise InputError(
            "a line supplies one unit", hint=f"name it: ask supply unit=UNIT line={quoted(parameters.line)}"
        )
    hint = "leave out the side, or the unit of the ask line with an empty unit="
    check_units(view, parameters.unit, parameters.side, hint)
    asked_sides = sides_asked(view, parameters.side, parameters.unit, view.word("phasing"))
    found = [side_supply(view, side, parameters.unit, causes=not briefly) for side in asked_sides]
    view.kept(SIDES_TOLD, lambda known, apart: found)
    in_doubt = not briefly and rests_on_drawn(view)
    told = [one.marked() if in_doubt else one.supply for one in found if one.supply.units or len(found) == 1]
    if (phase := phase_of(view)) not in ("", "other") and any(one.changes for one in found):
        view.presume(
            step(
                "14.2", "supply units are flipped for supply in the Supply Phase alone, and it is {phase}", phase=phase
            )
        )
    changes = tuple(change for one in found for change in one.changes)
    heading = (sides_part(told, view.game.file.title_of),) if len(told) > 1 else ()
    return Report(
        title=f"Supply of {', '.join(parameters.unit) or ' and '.join(map(view.game.file.the_side, asked_sides))}",
        verdict=whole_verdict(told),
        parts=(
            *heading,
            *(
                part
                for one in told
                for part in side_parts(one, view.game.file.title_of(one.side) if len(told) > 1 else "")
            ),
            changes_part(changes),
        ),
        cautions=cautions(
            exact=all(one.exact for one in told),
            more=[text for one in found for text in (*one.cautions, *(not_sought(one) if in_doubt else ()))],
        ),
        asks=tuple({ask.name: ask for one in found for ask in one.asks}.values()),
        changes=changes,
        result=WholeSupply(sides=tuple(told)),
    )


def not_sought(found: SideFound) -> Iterator[str]:
    """What was not weighed of the drawn facts of a side, in words."""
    if left := len(found.drawn.left) if found.drawn else 0:
        units = fill("{left:#unit}", {"left": left})
        yield f"whether a drawn fact keeps a better line from {units} more is not weighed: ask supply unit=UNIT"


def at_best_low(view: View, found: Report[SupplyResult]) -> Report[SupplyResult]:
    """A report on supply, capped for a unit that is in Low Supply at best."""
    result = found.result
    if result is None or result.state is None:
        return found
    with view.gather() as facts:
        if at_best(facts, result.unit, result.state) == result.state:
            return found
    text = "up to GT {turn} {unit} is {state} at best"
    low = step("24.4", text, result, turn=SECOND_DIVISION_LOW, state=STATES["low"])
    said, parts = Verdict("figure", low.template, low.figures), (*found.parts, Part("At best", (low,)))
    return replace(found, verdict=said, parts=parts, result=replace(result, state="low"))


def found_supply(view: View, parameters: SupplyParameters, *, briefly: bool = False) -> Report[SupplyResult]:
    """The report as far as sources and lines go. briefly: without the modes of what supplies the unit."""
    unit = view.unit(parameters.unit)
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = field_around(facts, unit)
        always = always_supplied(facts, unit)
        served = supplied_with(facts, unit)
        beside = formations_beside(facts, unit) if served.id != unit.id else []
        unseen = [str(hidden.place) for hidden in view.unseen.values() if side_of(facts, hidden) == around.side]
    if always:
        result = SupplyResult(unit=unit.id, place=unit.place, state="in", source=always)
        return report(result, verdict("yes", "{unit} is In Supply: {source}", result))
    if served.id != unit.id:
        found = at_best_low(view, found_supply(view, replace(parameters, unit=served.id), briefly=briefly))
        text = "{unit} shares the supply of {force}, with which it stands"
        others = [name for name in beside if name != served.id]
        if others and not view.state.value("with", unit.id):
            text += "; its owner may attach it to {units} instead (with=UNIT)"
        shared = Part("Attachment", (step("6.4.1", text, unit=unit.id, force=served.id, units=others),))
        return shared_by(unit, served, replace(found, parts=(shared, *found.parts)))
    if unseen and (marked := view.state.facts.get(("supply", unit.id))):
        return as_stated(unit, str(marked.value), [])
    if unseen:
        title = f"Trains and Depots of {unit.id}'s side that may stand unseen at {', '.join(unseen)}"
        how = f"{quoted(unit.id)} supply=in|low|out, as its owner tells"
        raise MissingFacts([Ask(kind="fact", name="sources", rule="14.2", title=title, how=how)])
    name = parameters.line or only_line(view, unit.place)
    if not name:
        return over_map(view, unit, around, briefly=briefly) if view.board.hexes else over_network(view, unit, around)
    along = along_typed_line(view, unit, around, name)
    state = along.result.state if along.result else None
    if parameters.line or view.board.hexes or state == "in":
        return along
    all_typed = over_network(view, unit, around)
    decided = all_typed.result and all_typed.result.state
    return all_typed if decided or state else replace(along, asks=all_typed.asks)


def shared_by(unit: Unit, formation: Unit, found: Report[SupplyResult]) -> Report[SupplyResult]:
    """The report on a formation's supply as that of an Asset Unit which is attached to it."""
    result, said = found.result, found.verdict
    assert result is not None
    text = said.template.replace("{unit}", "{unit} (attached to {force})")
    told = Verdict(said.kind, text, {**said.figures, "unit": unit.id, "force": formation.id})
    shared = replace(result, unit=unit.id, through=formation.id)
    return report(shared, told, *found.parts, asks=found.asks)


def only_line(view: View, place: str) -> str:
    """The typed line that ends in a hex, "" for none, and for several without a drawn board, for then all that is typed is traced
    over. Raises InputError for several on a drawn board."""
    ending = [name for name, line in view.state.lines.items() if line[-1] == place]
    if len(ending) > 1 and not view.board.hexes:
        return ""
    if len(ending) > 1:
        raise InputError(f"several lines end in {place}: {', '.join(ending)}", hint="name one: ask supply line=NAME")
    return ending[0] if ending else ""


def along_typed_line(view: View, unit: Unit, around: Around, name: str) -> Report[SupplyResult]:
    """Whether one line that a player typed supplies the unit. Raises InputError if there is none, or it does not end at the unit."""
    if name not in view.state.lines:
        raise InputError(f"no line {name!r} in this position", hint=suggested(name, view.state.lines))
    hexes = view.state.lines[name]
    if hexes[-1] != unit.place:
        raise InputError(f"the line {name!r} ends in {hexes[-1]}, but {unit.id} is in {unit.place}")
    with view.gather() as facts:
        source, why_not = source_of_line(facts, unit, around, name, hexes[0])
        if source.kind == RR_LINE and not any_length(source):
            hexes = hexes[off_the_railway(facts, hexes, around) :]
            source = railway(hexes[0])
        line = typed_line(facts, hexes, around)
    off = next((one.hex for one in line.steps if one.hex not in line.linked), "") if any_length(source) else ""
    why_not = (
        (f"no RR line leads into {off}" if off else "") or why_not or line.barred
    )  # first what no statement can cure
    found = source.ranges[0] if any_length(source) else None if why_not else judge(view, source, line)
    if found and (asks := surplus_asks(view, unit, source)):
        raise MissingFacts(asks)
    near, far = near_and_far(source)
    why_not = why_not or (
        "" if found else f"{source.name} has a range of {near}{f', or {far} extended' if far else ''}"
    )
    take_for_granted(view, source, line)
    presume_named(view, unit.id, source)
    assume_zones(around, hexes)
    result = supplied(unit, source, line, None if why_not else found, [tried(source, line, why_not)])
    shown = line_part(f"The line from {source.name}", line)
    if not why_not:
        if result.state == "low":
            view.presume(step("14.4", "no other source or line gives {unit} more than Low Supply", result))
        modes = flip(view, source.name, extended=result.extended) if source.kind in SUPPLY_ARMS else Part("Modes", ())
        return report(result, state_verdict(result), shown, modes)
    text = "undecided: this line does not supply {unit}: {why}; another one may"
    how = "another line, with ask ... line=NAME; or supply=out for the unit if there is none"
    another = Ask(kind="fact", name="line", rule="14.1", title="a line that does", how=how)
    return report(result, verdict("undecided", text, result, why=why_not), shown, asks=(another,))


def over_map(view: View, unit: Unit, around: Around, *, briefly: bool = False) -> Report[SupplyResult]:
    """The best supply state of a unit over a drawn board, from every source that may serve it. briefly: without the modes of that."""
    place = str(unit.place)
    with view.gather() as facts:
        board = compile_map(facts, around)
        sources = sources_on_map(facts, unit, around, board)
    looked_at, serving = [], []
    for source, no_use in sources:
        line = board.line(source, place)
        found = judge(view, source, line) if line and not no_use else None
        looked_at.append(tried(source, line, no_use or ("" if found else "no line within its range")))
        if line and found:
            serving.append((source, line, found))
    asked = [ask for one in serving for ask in surplus_asks(view, unit, one[0])]
    certain = [one for one in serving if not surplus_asks(view, unit, one[0])] if asked else serving
    if asked and (not certain or best(serving)[2].gives != best(certain)[2].gives):
        raise MissingFacts(asked)
    chosen = best(certain) if certain else None
    view.kept(TRACED, lambda known, apart: Traced(unit, around, board, tuple(sources), chosen))
    if chosen:
        source, line, found = chosen
        presume_named(view, unit.id, source)
        result, modes = supplied(unit, source, line, found, looked_at), Part("Modes", ())
        changes_mode = source.kind in SUPPLY_ARMS and found.extended != view.flag("extended", source.name)
        if changes_mode and not briefly:
            with view.gather() as facts:
                near = {unit.id, *(one.id for one in suppliers(facts, unit, around))}
            result, modes = with_modes(SupplySide(view, around, board, near), result, source.name)
        shown = line_part(f"The line from {source.name}", line)
        return report(result, state_verdict(result), sources_part(looked_at), shown, modes)
    isolated = is_isolated(view, unit, around, board)
    result = SupplyResult(unit=unit.id, place=place, state="out", isolated=isolated, tried=tuple(looked_at))
    out = "{unit} is Out of Supply and Isolated" if isolated else "{unit} is Out of Supply, but not Isolated"
    return report(result, verdict("no", out, result), sources_part(looked_at), isolation_part(isolated))


def decided(found: Report[SupplyResult | WholeSupply]) -> Hashable:
    """What a report decides: the state of each unit, and whether it is Isolated."""
    result = found.result
    if isinstance(result, WholeSupply):
        return tuple((one.unit, one.could.state, one.isolated) for side in result.sides for one in side.units)
    return (found.verdict.kind, result.state, result.isolated) if result else None


def doubtful(view: View, report: Report[Any]) -> Iterable[Group] | None:
    """The drawn facts on which the supply of one unit may turn; those of many units are only sought together."""
    return () if isinstance(report.result, WholeSupply) else doubts(view, report)


def holds(view: View, report: Report[Any]) -> Holds | None:
    """What holds supply states up and down: that of one unit, or those of many."""
    if not isinstance(report.result, WholeSupply):
        return held(view, report)
    found: list[SideFound] = view.kept(SIDES_TOLD, lambda known, apart: [])
    drawn = [one.drawn for one in found if one.drawn]
    return for_all(drawn) if drawn else None


def picture(view: View, found: Report[SupplyResult | WholeSupply]) -> Scene:
    """The units of a report with their lines and sources. Raises InputError if none of them is in a hex."""
    from .picture import picture  # only here: most answers are not drawn

    return picture(view, found)


def text_map(view: View, found: Report[SupplyResult | WholeSupply], width: int) -> Rows:
    """The same in letters, so many wide. Raises InputError as `picture` does, and if it is too wide."""
    from .picture import text_map

    return text_map(view, found, width)


QUESTION = declare(
    "supply",
    "which units are in supply, along which hexes, and why not",
    answer,
    picture=picture,
    text_map=text_map,
    decision=decided,
    decide=decide,
    doubts=doubtful,
    holds=holds,
    judges=Judgement("supply", "unit", lambda found: getattr(found.result, "state", None)),
)
