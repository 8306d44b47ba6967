"""Photos of the owner's printed map on the page: how one arrives, and how the grid is fitted to it and checked."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.view import View
from ...drawing.hex_sets import board_hexes
from ...drawing.situation import named_places
from ...drawing.style import HEX
from ...game.boards import Board
from ...game.photos import PART, Photo, Photos, Tap, clean_title
from ...installed.registry import pack_of
from ...state.tracks import CERTAIN
from ...util.console import format_count
from ...util.errors import InputError
from ...util.limits import Limit
from ...util.picture_head import read_picture_head
from .desk import StandingTable
from .messages.photos import FitShown, PhotoListed, PhotoShown, PhotosShown, PictureMeasured, PlaceToCheck, TapOff
from .messages.requests import (
    DeletePhotoRequest,
    FitPhotoRequest,
    GetPhotoRequest,
    ListPhotosRequest,
    MeasurePictureRequest,
    PutPhotoRequest,
    decoded,
)
from .projection import NEEDED, DegeneratePairs, Pair, Point, Projection, distances, fit_projection
from .tiles import TiledHexes

PLACES = 4
"""At how many hexes a fit is checked, as far as the photo shows so many."""
ENOUGH = 3
"""How many of them have to be found right."""
_NAMED = 3
"""How many of them are named places, as far as the rules or the printed map name so many."""
OFF = 0.5
"""How far off a hex may lie, in hexes."""
_MOST_TAPS = 40
"""How many hexes may be tapped on a photo at most."""
_HEAD = 700_000
"""The most bytes of the beginning of a file."""
AnyOfPhotos = (
    ListPhotosRequest | MeasurePictureRequest | PutPhotoRequest | GetPhotoRequest | DeletePhotoRequest | FitPhotoRequest
)


def answer_photos(table: StandingTable, request: AnyOfPhotos) -> PhotosShown | PictureMeasured | PhotoShown | FitShown:
    """Return the answer to what the owner asks about his photos. Raises InputError for what cannot be done."""
    match request:
        case MeasurePictureRequest():
            return _measure(request)
        case PutPhotoRequest():
            photo = Photo(title=clean_title(request.title), width=request.width, height=request.height)
            data = decoded(request.data)
            Photos(table.game.id).take_part(request.photo, photo, request.part, request.parts, data)
        case DeletePhotoRequest(photo=id):
            Photos(table.game.id).delete(id)
        case GetPhotoRequest(photo=id):
            return _show_photo(table, id)
        case FitPhotoRequest():
            return fit_photo(table, request)
    return _list_photos(table)


def _measure(request: MeasurePictureRequest) -> PictureMeasured:
    """Return how large a chosen picture is. Raises InputError for one that is none, or too large to be decoded."""
    Limit.PHOTO_FILE.check(request.size, "the file has")
    head = read_picture_head(decoded(request.head)[:_HEAD])
    Limit.PHOTO_PIXELS.check(head.width * head.height, "the picture has")
    return PictureMeasured(kind=head.kind, width=head.width, height=head.height)


def _list_photos(table: StandingTable) -> PhotosShown:
    photos = Photos(table.game.id)
    listed = []
    for id in photos.ids():
        try:
            photo = photos.read(id)
        except InputError:  # damaged, or deleted meanwhile
            continue
        listed.append(
            PhotoListed(
                id=id,
                title=photo.title,
                width=photo.width,
                height=photo.height,
                fitted=bool(photo.places),
                here=not photo.places or photo.board == _about(table),
            )
        )
    return PhotosShown(photos=tuple(listed), part=PART, most=Limit.PHOTO.most, file=Limit.PHOTO_FILE.most)


def _show_photo(table: StandingTable, id: str) -> PhotoShown:
    photos = Photos(table.game.id)
    photo = photos.read(id)
    is_here = bool(photo.places) and photo.board == _about(table)
    fitted = None
    if is_here:
        with suppress(InputError):  # the board has other hexes now: it is to be fitted again
            fit = _fit(table, photo, _taps_of(photo.taps, photo.places))
            fitted = _find_shown(fit, (), is_kept=True)
    return PhotoShown(
        id=id,
        title=photo.title,
        width=photo.width,
        height=photo.height,
        data=b64encode(photos.picture(id)).decode(),
        taps=photo.taps if is_here else (),
        fit=fitted,
    )


def _about(table: StandingTable) -> str:
    """Return of which map the photos of a table are: the board whose file in the pack has its facts."""
    return pack_of(table.game).file_about(table.position.state.board)


# --- the grid fitted --------------------------------------------------------------------------------------------------


class _GridFit(NamedTuple):
    """A grid fitted to a photo."""

    board: Board
    photo: Photo
    projection: Projection
    """From the units of the grid to pixels."""
    taps: Sequence[Tap]
    """Those by which it was fitted, with how far each lies off."""
    off: Sequence[float]

    def seen(self, name: str) -> Point | None:
        """Return where the middle of a hex lies in the photo, None if the photo does not show it."""
        try:
            x, y = self.projection.project(self.board.centre(name))
        except ValueError:
            return None
        return (x, y) if 0 <= x <= self.photo.width and 0 <= y <= self.photo.height else None

    def outline(self, name: str) -> tuple[Point, ...]:
        """Return the corners of a hex in the photo, () for one that it does not show whole."""
        grid = self.board.grid
        try:
            points = [self.projection.project(grid.point(corner)) for corner in grid.outline(grid.parse(name))]
        except ValueError:
            return ()
        is_whole = all(0 <= x <= self.photo.width and 0 <= y <= self.photo.height for x, y in points)
        return tuple((round(x, 1), round(y, 1)) for x, y in points) if is_whole else ()

    def is_off(self, tap: Tap) -> float:
        """Return how far a tap lies from where the fit puts its hex, in hexes."""
        try:
            return distances(self.projection, [_pair(self.board, tap)])[0]
        except ValueError:  # behind the camera
            return math.inf


def _pair(board: Board, tap: Tap) -> Pair:
    return board.centre(tap.hex), (tap.x, tap.y)


def _fit(table: StandingTable, photo: Photo, taps: Iterable[Tap]) -> _GridFit:
    """Return the grid of a table's map fitted to a photo. Raises InputError for what is not a hex, and for taps that
    settle no fit.
    """
    board = table.game.board(table.position.state.board)
    named = [replace(tap, hex=_hex(board, tap.hex)) for tap in taps]
    if len(named) > _MOST_TAPS:
        raise InputError(f"more than {_MOST_TAPS} taps", hint="take some out: eight that lie far apart are plenty")
    pairs = [_pair(board, tap) for tap in named]
    try:
        projection = fit_projection(pairs)
        off = distances(projection, pairs)
    except DegeneratePairs as error:
        raise _refusal(error, named) from None
    except ValueError:
        raise _refusal(DegeneratePairs("crossed"), named) from None
    return _GridFit(board, photo, projection, named, off)


def _taps_of(taps: Sequence[Tap], places: Iterable[Tap]) -> list[Tap]:
    """Return all that a fit counts with: the taps, and the places at which it was found right, each hex once."""
    return [*{tap.hex: tap for tap in (*places, *taps)}.values()]


def _hex(board: Board, text: str) -> str:
    name = board.place(text)
    if not board.is_hex(name):
        raise InputError(f"{text} is not a hex", hint="name a hex by its printed number")
    return name


def _refusal(error: DegeneratePairs, taps: Sequence[Tap]) -> InputError:
    """Return why taps settle no fit, and what to do."""
    named = " and ".join(taps[at].hex for at in error.which)
    match error.fault:
        case "few":
            more = NEEDED - len(taps)
            return InputError(
                f"{format_count(more, 'more hex', 'more hexes')} to tap",
                hint="choose hexes far apart, near the corners of the photo",
            )
        case "twice" if len({taps[at].hex for at in error.which}) < len(error.which):
            return InputError(
                f"{taps[error.which[0]].hex} is tapped twice", hint="name another hex, or take one of the two out"
            )
        case "twice":
            return InputError(
                f"{named} are tapped in the same place", hint="take one of them out, and tap its hex again"
            )
        case "line":
            return InputError(
                f"{named} lie in one line" if named else "the taps lie in one line",
                hint="tap a hex far beside that line, such as near another corner",
            )
        case "mirrored":
            return InputError(
                "the numbers run the wrong way round, as in a mirror",
                hint="two taps have each other's number, or the picture is mirrored: correct them",
            )
    return InputError(
        "no camera sees these hexes in these places",
        hint="two taps have each other's number: take them out, and tap them again",
    )


def fit_photo(table: StandingTable, request: FitPhotoRequest) -> FitShown:
    """Fit the grid to a photo, and keep the fit if that is wished and it has been found right. Raises InputError for
    taps that settle none, for one that lies far off, and for a fit that is off by more than half a hex where it is
    checked.
    """
    photos = Photos(table.game.id)
    photo = photos.read(request.photo)
    fitted = _fit(table, photo, request.taps)
    worst, tap = max(zip(fitted.off, fitted.taps, strict=True), key=lambda tap: tap[0])
    if worst > OFF and request.keep:
        raise InputError(
            f"the tap of {tap.hex} lies {_hexes(worst)} off", hint="take it out, or move it to the middle of that hex"
        )
    checked = [replace(place, hex=_hex(fitted.board, place.hex)) for place in request.places]
    for place in checked:
        if (off := fitted.is_off(place)) > OFF:
            hint = f"tap {place.hex} too, so that the fit counts with it; or see whether a tap has the wrong number"
            raise InputError(f"{place.hex} lies {_hexes(off)} from where the fit puts it", hint=hint)
    if not request.keep:
        places = _find_places_to_check(table, fitted, [place.hex for place in checked], request.skip)
        return _find_shown(fitted, tuple(places), is_kept=False)
    if len({place.hex for place in checked}) < ENOUGH:
        raise InputError(f"the fit is to be found right at {ENOUGH} hexes", hint="look at each hex that is outlined")
    fitted = _fit(table, photo, _taps_of(fitted.taps, checked))
    taps = tuple(replace(tap, hex=_hex(fitted.board, tap.hex)) for tap in request.taps)
    photos.keep_fit(request.photo, _about(table), taps, tuple(checked))
    return _find_shown(fitted, (), is_kept=True)


def _hexes(off: float) -> str:
    return f"{off:.1f} hexes" if off < 100 else "very far"


def _find_shown(fitted: _GridFit, places: tuple[PlaceToCheck, ...], *, is_kept: bool) -> FitShown:
    of_picture = fitted.projection.after(HEX, TiledHexes("", fitted.board, ()).centre_of((0.0, 0.0)))
    return FitShown(
        matrix=of_picture.inverse().matrix,
        taps=tuple(TapOff(hex=tap.hex, off=round(off, 3)) for tap, off in zip(fitted.taps, fitted.off, strict=True)),
        says=_format_fit(fitted),
        places=places,
        kept=is_kept,
    )


def _format_fit(fitted: _GridFit) -> str:
    """Return how well a grid fits, in words."""
    count = len(fitted.taps)
    if count == NEEDED:
        return "Four taps always fit exactly: the outlined hexes show whether it is right, and more taps refine it."
    mean = math.sqrt(sum(off**2 for off in fitted.off) / count)
    worst, at = max(zip(fitted.off, [tap.hex for tap in fitted.taps], strict=True))
    return f"{count} hexes fit to {mean:.2f} hexes on average; the worst, {at}, to {worst:.2f}."


# --- where it is checked ----------------------------------------------------------------------------------------------


def _find_places_to_check(
    table: StandingTable, fitted: _GridFit, checked: Sequence[str], skip: Iterable[str]
) -> Iterator[PlaceToCheck]:
    """Yield the hexes at which a fit is checked: places that the rules or the printed map name first, each far from
    those before it and from the taps. checked: hexes that have been found right.
    """
    names = {
        place.hex: place.name
        for place in named_places(View(table.game, table.position.state))
        if place.basis.source in CERTAIN and fitted.board.has(place.hex)
    }
    gone = {*skip, *(tap.hex for tap in fitted.taps)}
    taken = [fitted.board.centre(name) for name in (*(tap.hex for tap in fitted.taps), *checked)]
    needed = PLACES - len(checked)
    others = board_hexes(fitted.board)
    for number in range(needed):
        shown = None
        if number + len(checked) < _NAMED:
            shown = _farthest(fitted, [at for at in names if at not in gone], taken)
        if shown is None:
            shown = _farthest(fitted, [at for at in others if at not in gone], taken)
        if shown is None:
            return
        gone.add(shown)
        taken.append(fitted.board.centre(shown))
        x, y = fitted.seen(shown) or (0.0, 0.0)
        outline = fitted.outline(shown)
        yield PlaceToCheck(hex=shown, name=names.get(shown, ""), x=round(x, 1), y=round(y, 1), outline=outline)


def _farthest(fitted: _GridFit, hexes: Iterable[str], taken: Sequence[Point]) -> str | None:
    """Return, of the hexes that the photo shows whole, the one whose nearest neighbour of those taken is farthest; None
    for none.
    """

    def far(name: str) -> float:
        return min(math.dist(fitted.board.centre(name), point) for point in taken)

    seen = sorted((name for name in hexes if fitted.seen(name)), key=far, reverse=True)
    return next((name for name in seen if fitted.outline(name)), None)


def hexes_in_photo(table: StandingTable, id: str) -> list[str]:
    """Return the hexes that a fitted photo of a table's map shows; none for another one."""
    try:
        photo = Photos(table.game.id).read(id)
        if not photo.places or photo.board != _about(table):
            return []
        fitted = _fit(table, photo, _taps_of(photo.taps, photo.places))
    except InputError:
        return []
    return [name for name in board_hexes(fitted.board) if fitted.seen(name)]
