"""A save's pieces with their traits, read with pywargame: `saves.py SAVE [idle]`, idle to be ready and not read."""

import sys

from pywargame.vassal.save import SaveIO
from pywargame.vassal.withtraits import WithTraits

if len(sys.argv) == 2:
    _, lines = SaveIO.readSave(sys.argv[1])
    pieces = [WithTraits.decodeAdd2(line, False) for line in lines if line.startswith("+/") and "piece;" in line]
    assert pieces
