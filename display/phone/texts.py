"""What the page says besides the words for codes; `app.js` asks for these by name."""

from __future__ import annotations

from display.sentences import N_, NO_PLACE

PAGE_TEXTS: dict[str, str] = {
    "told": N_("{name}: {text}"),
    "and": N_("{others} and {last}"),
    "player": N_("Player {letter}"),
    "rule": N_("Rule {clauses}"),
    "illegal": N_("{tile} is illegal"),
    "round": N_("Round {round}"),
    "round-of": N_("Round {round} of {rounds}"),
    "target": N_("ends at {target}"),
    "lowest-wins": N_("the lowest score wins"),
    "to-play": N_("to play"),
    "hand-shown": N_("hand shown"),
    "round-points": N_("round {points}"),
    "answer-there": N_("Answer on the screen at the table."),
    "not-saved": N_("The score cannot be saved: the card is full or broken"),
    "win": N_("{name} wins the match!"),
    "shared-win": N_("A shared win: {names}"),
    "to-draw": N_("to draw: {count}"),
    "drawn": N_("drawn in this turn: {count}"),
    "no-place": NO_PLACE,
    "ends": N_("open ends: {ends}"),
    "busy": N_("a hand is over the table"),
    "live": N_("Live"),
    "connecting": N_("Connecting …"),
    "reconnecting": N_("Reconnecting …"),
    "silent": N_("The table is silent"),
    "waiting": N_("Waiting for the table …"),
    "last-known": N_("Last known score"),
    "earlier": N_("Earlier rulings"),
    "language": N_("Language"),
    "table": N_("The table"),
    "tiles": N_("The tiles on the table"),
    "scores": N_("Scores"),
}
