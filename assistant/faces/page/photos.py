"""The photos of the owner's printed map: their upload, and the fit of the grid to each and its check."""

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
from ...drawing.style import HEX_MM
from ...game.boards import Board
from ...game.photos import MAX_PART_BYTES, Photo, Photos, Tap, clean_title
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
from .projection import MIN_PAIRS, DegeneratePairs, Pair, Point, Projection, distances, fit_projection
from .tiles import TiledHexes

_MIN_PLACES_RIGHT = 3
"""The minimum number of checked hexes at which the player must confirm a fit before it is saved."""
_MAX_DISTANCE_HEXES = 0.5
"""The maximum distance, in hexes, between a tap and the place of its hex by the fit."""
_MAX_HEAD_BYTES = 700_000
"""The maximum number of bytes that are read from the beginning of a picture file."""
_MAX_TAPS = 40
"""The maximum number of hexes that may be tapped on a photo."""
_PLACES_CHECKED = 4
"""The number of hexes at which a fit is checked, if the photo shows enough hexes."""
_NAMED_PLACES_CHECKED = 3
"""The number of the checked hexes that are named places, if the rules or the printed map name enough."""

AnyOfPhotos = (
    ListPhotosRequest | MeasurePictureRequest | PutPhotoRequest | GetPhotoRequest | DeletePhotoRequest | FitPhotoRequest
)


def answer_photos(table: StandingTable, request: AnyOfPhotos) -> PhotosShown | PictureMeasured | PhotoShown | FitShown:
    """Return the answer to a request about photos.

    Raises InputError if the request cannot be carried out.
    """
    match request:
        case MeasurePictureRequest():
            return _measure_picture(request)
        case PutPhotoRequest():
            photo = Photo(title=clean_title(request.title), width=request.width, height=request.height)
            data = decoded(request.data)
            Photos(table.game.id).take_part(request.photo, photo, request.part, request.parts, data)
        case DeletePhotoRequest(photo=id):
            Photos(table.game.id).delete(id)
        case GetPhotoRequest(photo=id):
            return _show_photo(table, id)
        case FitPhotoRequest():
            return _fit_photo(table, request)
    return _list_photos(table)


def _measure_picture(request: MeasurePictureRequest) -> PictureMeasured:
    Limit.PHOTO_FILE.check(request.size, "the file has")
    head = read_picture_head(decoded(request.head)[:_MAX_HEAD_BYTES])
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
                here=not photo.places or photo.board == _find_map(table),
            )
        )
    return PhotosShown(photos=tuple(listed), part=MAX_PART_BYTES, most=Limit.PHOTO.most, file=Limit.PHOTO_FILE.most)


def _show_photo(table: StandingTable, id: str) -> PhotoShown:
    photos = Photos(table.game.id)
    photo = photos.read(id)
    is_here = bool(photo.places) and photo.board == _find_map(table)
    fitted = None
    if is_here:
        with suppress(InputError):  # the board has other hexes now, so that the photo must be fitted again
            fit = _fit_grid(table, photo, _join_taps(photo.taps, photo.places))
            fitted = _show_fit(fit, (), is_kept=True)
    return PhotoShown(
        id=id,
        title=photo.title,
        width=photo.width,
        height=photo.height,
        data=b64encode(photos.picture(id)).decode(),
        taps=photo.taps if is_here else (),
        fit=fitted,
    )


def _fit_photo(table: StandingTable, request: FitPhotoRequest) -> FitShown:
    """Fit the grid to a photo, and save the fit if the request asks for that and the fit has been confirmed.

    Raises InputError if the taps determine no fit, or if a tap or a checked place is too far off.
    """
    photos = Photos(table.game.id)
    photo = photos.read(request.photo)
    fitted = _fit_grid(table, photo, request.taps)
    worst, tap = max(zip(fitted.off, fitted.taps, strict=True), key=lambda tap: tap[0])
    if worst > _MAX_DISTANCE_HEXES and request.keep:
        raise InputError(
            f"the tap of {tap.hex} lies {_format_distance(worst)} off",
            hint="take it out, or move it to the middle of that hex",
        )
    checked = [replace(place, hex=_find_hex(fitted.board, place.hex)) for place in request.places]
    for place in checked:
        if (off := fitted.distance_of(place)) > _MAX_DISTANCE_HEXES:
            hint = f"tap {place.hex} too, so that the fit counts with it; or see whether a tap has the wrong number"
            raise InputError(f"{place.hex} lies {_format_distance(off)} from where the fit puts it", hint=hint)
    if not request.keep:
        places = _find_places_to_check(table, fitted, [place.hex for place in checked], request.skip)
        return _show_fit(fitted, tuple(places), is_kept=False)
    if len({place.hex for place in checked}) < _MIN_PLACES_RIGHT:
        raise InputError(
            f"the fit is to be found right at {_MIN_PLACES_RIGHT} hexes", hint="look at each hex that is outlined"
        )
    fitted = _fit_grid(table, photo, _join_taps(fitted.taps, checked))
    taps = tuple(replace(tap, hex=_find_hex(fitted.board, tap.hex)) for tap in request.taps)
    photos.keep_fit(request.photo, _find_map(table), taps, tuple(checked))
    return _show_fit(fitted, (), is_kept=True)


def _find_places_to_check(
    table: StandingTable, fitted: _GridFit, checked: Sequence[str], skip: Iterable[str]
) -> Iterator[PlaceToCheck]:
    """Yield the hexes at which a fit is checked: each far from the taps and from the previous hexes.

    Places that the rules or the printed map name come first.

    `checked`: the hexes that were checked already.
    `skip`: the hexes that the player cannot find.
    """
    names = {
        place.hex: place.name
        for place in named_places(View(table.game, table.position.state))
        if place.basis.source in CERTAIN and fitted.board.has(place.hex)
    }
    excluded = {*skip, *(tap.hex for tap in fitted.taps)}
    taken = [fitted.board.centre(name) for name in (*(tap.hex for tap in fitted.taps), *checked)]
    needed = _PLACES_CHECKED - len(checked)
    others = board_hexes(fitted.board)
    for number in range(needed):
        shown = None
        if number + len(checked) < _NAMED_PLACES_CHECKED:
            shown = _find_farthest(fitted, [at for at in names if at not in excluded], taken)
        if shown is None:
            shown = _find_farthest(fitted, [at for at in others if at not in excluded], taken)
        if shown is None:
            return
        excluded.add(shown)
        taken.append(fitted.board.centre(shown))
        x, y = fitted.seen(shown) or (0.0, 0.0)
        outline = fitted.outline(shown)
        yield PlaceToCheck(hex=shown, name=names.get(shown, ""), x=round(x, 1), y=round(y, 1), outline=outline)


def _find_farthest(fitted: _GridFit, hexes: Iterable[str], taken: Sequence[Point]) -> str | None:
    """Return the hex farthest from all taken points, or None if the photo shows none of the hexes whole."""

    def distance(name: str) -> float:
        return min(math.dist(fitted.board.centre(name), point) for point in taken)

    seen = sorted((name for name in hexes if fitted.seen(name)), key=distance, reverse=True)
    return next((name for name in seen if fitted.outline(name)), None)


def _show_fit(fitted: _GridFit, places: tuple[PlaceToCheck, ...], *, is_kept: bool) -> FitShown:
    of_picture = fitted.projection.after(HEX_MM, TiledHexes("", fitted.board, ()).centre_of((0.0, 0.0)))
    return FitShown(
        matrix=of_picture.inverse().matrix,
        taps=tuple(TapOff(hex=tap.hex, off=round(off, 3)) for tap, off in zip(fitted.taps, fitted.off, strict=True)),
        says=_format_fit(fitted),
        places=places,
        kept=is_kept,
    )


def _format_fit(fitted: _GridFit) -> str:
    count = len(fitted.taps)
    if count == MIN_PAIRS:
        return "Four taps always fit exactly: the outlined hexes show whether it is right, and more taps refine it."
    mean = math.sqrt(sum(off**2 for off in fitted.off) / count)
    worst, at = max(zip(fitted.off, [tap.hex for tap in fitted.taps], strict=True))
    return f"{count} hexes fit to {mean:.2f} hexes on average; the worst, {at}, to {worst:.2f}."


def _format_distance(off: float) -> str:
    return f"{off:.1f} hexes" if off < 100 else "very far"


def hexes_in_photo(table: StandingTable, id: str) -> list[str]:
    """Return the hexes that a fitted photo of a table's map shows, or none for any other photo."""
    try:
        photo = Photos(table.game.id).read(id)
        if not photo.places or photo.board != _find_map(table):
            return []
        fitted = _fit_grid(table, photo, _join_taps(photo.taps, photo.places))
    except InputError:
        return []
    return [name for name in board_hexes(fitted.board) if fitted.seen(name)]


def _find_map(table: StandingTable) -> str:
    """Return the map in the photos of a table: the board whose file in the pack has the map's facts."""
    return pack_of(table.game).file_about(table.position.state.board)


def _join_taps(taps: Sequence[Tap], places: Iterable[Tap]) -> list[Tap]:
    return [*{tap.hex: tap for tap in (*places, *taps)}.values()]


class _GridFit(NamedTuple):
    board: Board
    photo: Photo
    projection: Projection
    """The projection from the units of the grid to pixels."""
    taps: Sequence[Tap]
    off: Sequence[float]
    """The distance, in hexes, of each tap from the place of its hex by the fit."""

    def seen(self, name: str) -> Point | None:
        try:
            x, y = self.projection.project(self.board.centre(name))
        except ValueError:
            return None
        return (x, y) if 0 <= x <= self.photo.width and 0 <= y <= self.photo.height else None

    def outline(self, name: str) -> tuple[Point, ...]:
        grid = self.board.grid
        try:
            points = [self.projection.project(grid.point(corner)) for corner in grid.outline(grid.parse(name))]
        except ValueError:
            return ()
        is_whole = all(0 <= x <= self.photo.width and 0 <= y <= self.photo.height for x, y in points)
        return tuple((round(x, 1), round(y, 1)) for x, y in points) if is_whole else ()

    def distance_of(self, tap: Tap) -> float:
        try:
            return distances(self.projection, [_make_pair(self.board, tap)])[0]
        except ValueError:  # the tapped hex is behind the camera
            return math.inf


def _make_pair(board: Board, tap: Tap) -> Pair:
    return board.centre(tap.hex), (tap.x, tap.y)


def _fit_grid(table: StandingTable, photo: Photo, taps: Iterable[Tap]) -> _GridFit:
    board = table.game.board(table.position.state.board)
    named = [replace(tap, hex=_find_hex(board, tap.hex)) for tap in taps]
    if len(named) > _MAX_TAPS:
        raise InputError(f"more than {_MAX_TAPS} taps", hint="take some out: eight that lie far apart are plenty")
    pairs = [_make_pair(board, tap) for tap in named]
    try:
        projection = fit_projection(pairs)
        off = distances(projection, pairs)
    except DegeneratePairs as error:
        raise _explain_fault(error, named) from None
    except ValueError:
        raise _explain_fault(DegeneratePairs("crossed"), named) from None
    return _GridFit(board, photo, projection, named, off)


def _find_hex(board: Board, text: str) -> str:
    name = board.place(text)
    if not board.is_hex(name):
        raise InputError(f"{text} is not a hex", hint="name a hex by its printed number")
    return name


def _explain_fault(error: DegeneratePairs, taps: Sequence[Tap]) -> InputError:
    named = " and ".join(taps[at].hex for at in error.which)
    match error.fault:
        case "few":
            more = MIN_PAIRS - len(taps)
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
