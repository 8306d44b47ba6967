"""Photos of the owner's printed map on the page: how one arrives, and how the grid is fitted to it and checked."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from ...drawing.hex_sets import board_hexes
from ...drawing.style import HEX
from ...game.photos import PART, Photo, Photos, Tap, clean_title
from ...installed.registry import pack_of
from ...util.errors import InputError
from ...util.limits import Limit
from ...util.picture_head import read_picture_head
from .desk import StandingTable
from .fit_check import find_places_to_check
from .grid_fit import GridFit, find_hex, fit_grid
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
from .projection import NEEDED
from .tiles import TiledHexes

ENOUGH = 3
"""At how many of the hexes where it is checked a fit has to be found right before it is kept."""
OFF = 0.5
"""How far off a hex may lie, in hexes."""
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
            fit = fit_grid(table, photo, _taps_of(photo.taps, photo.places))
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


def _taps_of(taps: Sequence[Tap], places: Iterable[Tap]) -> list[Tap]:
    """Return all that a fit counts with: the taps, and the places at which it was found right, each hex once."""
    return [*{tap.hex: tap for tap in (*places, *taps)}.values()]


def fit_photo(table: StandingTable, request: FitPhotoRequest) -> FitShown:
    """Fit the grid to a photo, and keep the fit if that is wished and it has been found right. Raises InputError for
    taps that settle none, for one that lies far off, and for a fit that is off by more than half a hex where it is
    checked.
    """
    photos = Photos(table.game.id)
    photo = photos.read(request.photo)
    fitted = fit_grid(table, photo, request.taps)
    worst, tap = max(zip(fitted.off, fitted.taps, strict=True), key=lambda tap: tap[0])
    if worst > OFF and request.keep:
        raise InputError(
            f"the tap of {tap.hex} lies {_hexes(worst)} off", hint="take it out, or move it to the middle of that hex"
        )
    checked = [replace(place, hex=find_hex(fitted.board, place.hex)) for place in request.places]
    for place in checked:
        if (off := fitted.is_off(place)) > OFF:
            hint = f"tap {place.hex} too, so that the fit counts with it; or see whether a tap has the wrong number"
            raise InputError(f"{place.hex} lies {_hexes(off)} from where the fit puts it", hint=hint)
    if not request.keep:
        places = find_places_to_check(table, fitted, [place.hex for place in checked], request.skip)
        return _find_shown(fitted, tuple(places), is_kept=False)
    if len({place.hex for place in checked}) < ENOUGH:
        raise InputError(f"the fit is to be found right at {ENOUGH} hexes", hint="look at each hex that is outlined")
    fitted = fit_grid(table, photo, _taps_of(fitted.taps, checked))
    taps = tuple(replace(tap, hex=find_hex(fitted.board, tap.hex)) for tap in request.taps)
    photos.keep_fit(request.photo, _about(table), taps, tuple(checked))
    return _find_shown(fitted, (), is_kept=True)


def _hexes(off: float) -> str:
    return f"{off:.1f} hexes" if off < 100 else "very far"


def _find_shown(fitted: GridFit, places: tuple[PlaceToCheck, ...], *, is_kept: bool) -> FitShown:
    of_picture = fitted.projection.after(HEX, TiledHexes("", fitted.board, ()).centre_of((0.0, 0.0)))
    return FitShown(
        matrix=of_picture.inverse().matrix,
        taps=tuple(TapOff(hex=tap.hex, off=round(off, 3)) for tap, off in zip(fitted.taps, fitted.off, strict=True)),
        says=_format_fit(fitted),
        places=places,
        kept=is_kept,
    )


def _format_fit(fitted: GridFit) -> str:
    """Return how well a grid fits, in words."""
    count = len(fitted.taps)
    if count == NEEDED:
        return "Four taps always fit exactly: the outlined hexes show whether it is right, and more taps refine it."
    mean = math.sqrt(sum(off**2 for off in fitted.off) / count)
    worst, at = max(zip(fitted.off, [tap.hex for tap in fitted.taps], strict=True))
    return f"{count} hexes fit to {mean:.2f} hexes on average; the worst, {at}, to {worst:.2f}."


def hexes_in_photo(table: StandingTable, id: str) -> list[str]:
    """Return the hexes that a fitted photo of a table's map shows; none for another one."""
    try:
        photo = Photos(table.game.id).read(id)
        if not photo.places or photo.board != _about(table):
            return []
        fitted = fit_grid(table, photo, _taps_of(photo.taps, photo.places))
    except InputError:
        return []
    return [name for name in board_hexes(fitted.board) if fitted.seen(name)]
