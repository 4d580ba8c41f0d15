"""What follows from an irregularity: settings that all games of laying tiles share, and their words."""

from __future__ import annotations

from dataclasses import dataclass

from referee.houserules import choice, whole

STOPS = "stops"


@dataclass(frozen=True, slots=True)
class Remedies:
    """House rules about irregularities.

    Attributes:
        wrong_tile_penalty: for each tile laid where it does not fit, in points against the player.
        false_pass_penalty, needless_draw_penalty: for each pass or draw that is proven false, in points
            against the player.
        false_pass_remedy: whether play goes on when a pass is proven false, or the round stops unscored.
        draw_too_many_remedy: whether a tile drawn too many goes back unseen, its cost refunded, or stays.
        draw_too_many_penalty: for each tile that goes back, in points against the player.
        out_of_turn_remedy: whether a tile laid out of turn is taken back, or lies open and must be played.
        exposed_tile_remedy: whether a hand tile that was seen goes back to the hand, or must be played.
        wrong_opener_remedy: whether a wrong opener loses the bonus, or the round is played again.
        wrong_deal_remedy: whether a wrong deal that is found after the first play voids the round, or is
            reported only and the counts are corrected.
        wrong_deal_penalty: for each, in points against the player.
        tile_missing_remedy: whether a wrong number of tiles is reported only, or voids the round.
    """

    wrong_tile_penalty: int = whole(0)
    false_pass_penalty: int = whole(0)
    false_pass_remedy: str = choice("stands", STOPS)
    needless_draw_penalty: int = whole(0)
    draw_too_many_remedy: str = choice("return", "stays")
    draw_too_many_penalty: int = whole(0)
    out_of_turn_remedy: str = choice("take_back", "stays_open")
    exposed_tile_remedy: str = choice("to_hand", "must_play")
    wrong_opener_remedy: str = choice("bonus", "replay")
    wrong_deal_remedy: str = choice("void", "report")
    wrong_deal_penalty: int = whole(0)
    tile_missing_remedy: str = choice("report", "void")


@dataclass(frozen=True, slots=True)
class Matter:
    """What there is in a game that can go wrong.

    Attributes:
        passing_claims, drawing_claims: whether who passes or draws says that he cannot play.
        opens_by_rule: whether the rule says who opens.
        opening_bonus, tile_points, draw_cost: whether an opening earns a bonus, a tile points, and a draw costs any.
    """

    passing_claims: bool
    drawing_claims: bool
    opens_by_rule: bool
    opening_bonus: bool
    tile_points: bool
    draw_cost: bool


def sentences(rules: Remedies, matter: Matter) -> tuple[str, ...]:
    """The remedies in words, with the numbers in force."""
    must_play = "must be played at the first chance"
    out_of_turn = (
        f"is taken back; if the next player has acted it may stand{', with its score' * matter.tile_points}, and the "
        "turn goes on from there"
        if rules.out_of_turn_remedy == "take_back"
        else f"lies open before its player and {must_play}"
    )
    is_void = rules.tile_missing_remedy == "void"
    missing = "once all hands are counted, the round does not count" if is_void else "the round stands"
    return (
        f"A tile laid out of turn {out_of_turn}.",
        f"A tile laid where it does not fit is taken back and costs {rules.wrong_tile_penalty}; "
        "its player tries again.",
        *_false_claims(rules, matter),
        f"A tile drawn too many {_drawn_too_many(rules, matter)}.",
        f"A hand tile that was seen {must_play if rules.exposed_tile_remedy == 'must_play' else 'goes back to it'}.",
        "A tile of the stock that was seen is mixed in again.",
        *_wrong_opening(rules, matter),
        "A wrong deal is put right before the first play; found later, "
        + ("the round does not count" if rules.wrong_deal_remedy == "void" else "it is reported and play goes on")
        + f", and it costs {rules.wrong_deal_penalty}.",
        "A draw that was not announced is booked when it is found. Where a player names another number of tiles "
        "drawn, the count rules.",
        f"Where table, hands and stock are not the whole set, that is reported; {missing}.",
        f"What the people at the table let stand stays where it lies{' and earns its value' * matter.tile_points}.",
    )


def _drawn_too_many(rules: Remedies, matter: Matter) -> str:
    if rules.draw_too_many_remedy != "return":
        return f"stays in the hand{' and costs what it costs' * matter.draw_cost}"
    back = f"goes back unseen{', its cost is refunded,' * matter.draw_cost}"
    return f"{back} and costs {rules.draw_too_many_penalty}; one that was seen stays"


def _wrong_opening(rules: Remedies, matter: Matter) -> tuple[str, ...]:
    """What becomes of a wrong opening, where the rule says who opens."""
    if not matter.opens_by_rule:
        return ()
    later = "Later it stands."
    if rules.wrong_opener_remedy != "bonus":
        later = "A round that was opened by the wrong seat does not count and is played again."
    elif matter.opening_bonus:
        later = "Later a wrong opener keeps the points of his tile and loses the bonus."
    return "A wrong opening is taken back while nobody has acted since.", later


def _false_claims(rules: Remedies, matter: Matter) -> tuple[str, ...]:
    """What a pass or a draw costs that is proven false, for those that can be."""
    stops = "; after a false pass the round does not count" if rules.false_pass_remedy == STOPS else ""
    costs = [f"A pass proven false costs {rules.false_pass_penalty}{stops}."] if matter.passing_claims else []
    if matter.drawing_claims:
        costs.append(f"A needless draw costs {rules.needless_draw_penalty}, however many tiles it took.")
    return tuple(costs)
