"""The question `due`: what the scenario brings in a turn or a period, by its schedules and by what units state."""

from __future__ import annotations

from assistant.readymade.arrivals import reckon_arrivals
from assistant.readymade.due import due_question

QUESTION = due_question(reckon_arrivals)
