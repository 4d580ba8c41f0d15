"""What follows from an irregularity: settings that all games of laying tiles share, and their words."""

from __future__ import annotations

from dataclasses import dataclass

from referee.houserules import choice, whole


@dataclass(frozen=True, slots=True)
class Remedies:
    """House rules about irregularities.

    Attributes:
        false_pass_penalty, needless_draw_penalty: for each pass or draw that is proven false, in points
            against the player.
        draw_too_many_remedy: whether a tile drawn too many goes back unseen, its cost refunded, or stays.
        draw_too_many_penalty: for each tile that goes back, in points against the player.
        out_of_turn_remedy: whether a tile laid out of turn is taken back, or lies open and must be played.
        exposed_tile_remedy: whether a hand tile that was seen goes back to the hand, or must be played.
        wrong_opener_remedy: whether a wrong opener loses the bonus, or the round is played again.
        tile_missing_remedy: whether a wrong number of tiles is reported only, or voids the round.
    """

    false_pass_penalty: int = whole(0)
    needless_draw_penalty: int = whole(0)
    draw_too_many_remedy: str = choice("return", "stays")
    draw_too_many_penalty: int = whole(0)
    out_of_turn_remedy: str = choice("take_back", "stays_open")
    exposed_tile_remedy: str = choice("to_hand", "must_play")
    wrong_opener_remedy: str = choice("bonus", "replay")
    tile_missing_remedy: str = choice("report", "void")


def sentences(rules: Remedies) -> tuple[str, ...]:
    """The remedies in words, with the numbers in force."""
    must_play = "must be played at the first chance"
    out_of_turn = (
        "is taken back; if the next player has acted it may stand, with its score, and the turn goes on from there"
        if rules.out_of_turn_remedy == "take_back"
        else f"lies open before its player and {must_play}"
    )
    return (
        f"A tile laid out of turn {out_of_turn}.",
        f"A pass proven false costs {rules.false_pass_penalty}, a needless draw {rules.needless_draw_penalty}.",
        f"A tile drawn too many goes back unseen, its cost is refunded, and costs {rules.draw_too_many_penalty}."
        if rules.draw_too_many_remedy == "return"
        else "A tile drawn too many stays in the hand and costs what it costs"
        f"{'' if not rules.draw_too_many_penalty else f' (the penalty of {rules.draw_too_many_penalty} falls away)'}.",
        f"A hand tile that was seen {must_play if rules.exposed_tile_remedy == 'must_play' else 'goes back to it'}.",
        "A wrong opener keeps the points of his tile and loses the bonus."
        if rules.wrong_opener_remedy == "bonus"
        else "A round that was opened by the wrong seat does not count and is played again.",
        "A wrong number of tiles is reported"
        + ("; the round stands." if rules.tile_missing_remedy == "report" else ", and the round does not count."),
        "What the people at the table let stand stays where it lies and earns its value.",
    )
