"""Reads a recorded match and judges it line by line; a change rewrites the list and plays it all again."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace

from tests.naive.laying import Laying
from tests.naive.moonmatch import Moon
from tests.naive.reading import Act, Line
from tests.naive.rounds import Said

CHANGES = ("undo", "overrule", "correct")
DONE = {"undo": "ok-undo", "overrule": "ok-overruled", "correct": "ok-correct"}


Judge = Laying | Moon


def new_match(act: Act) -> Judge:
    """The judge of a match that begins."""
    return Moon(act) if act.word == "kk-moon" else Laying(act)


@dataclass
class Step:
    """One line as it was judged when it came."""

    said: Said
    scores: list[int]
    is_end: bool  # of a round or of the match
    is_change: bool


class Replay:
    """A record as far as it has been read."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.was_legal: dict[int, bool] = {}  # when the line came
        self.now: dict[int, Said] = {}  # as it stands after all changes
        self.match: Judge | None = None

    def read(self, line: Line) -> Step:
        """Judge the next line."""
        act = line.act
        before = self.match.phase if self.match else "over"
        if act.verb == "match" and before == "over":
            self.match = new_match(act)
            said = Said(reason="ok-match")
        elif act.verb == "match":
            said = Said({"not-now"})
        elif act.verb in CHANGES:
            said = self.change(line)
        else:
            assert self.match is not None
            said = self.match.say(act, line.seq)
        self.lines.append(line)
        self.was_legal[line.seq] = not said.faults
        self.now[line.seq] = said
        assert self.match is not None
        is_end = before != self.match.phase and self.match.phase in ("clear", "over") and act.verb != "match"
        is_change = act.verb in CHANGES and not said.faults
        return Step(said, list(self.match.scores), is_end, is_change)

    def change(self, line: Line) -> Said:
        """An undo, an overrule or a correction: what it says of itself."""
        act, now = line.act, self.now.get(line.act.entry)
        target = next((each.act for each in self.lines if each.seq == act.entry), None)
        if target is None or now is None or target.verb == "match":
            return Said({"no-such-entry"})
        is_legal = not now.faults
        amounts_to = self.rewritten(self.lines)[act.entry]
        may = {
            "undo": is_legal or bool(now.awards) or self.has_stood(act.entry, target, amounts_to),
            "overrule": not is_legal and amounts_to.verb in ("lays", "plays"),
            "correct": target.verb not in CHANGES,
        }
        assert self.match is not None
        if not may[act.verb]:
            return Said({"no-such-entry"})
        if self.match.phase == "over" and not act.is_confirmed:
            return Said({"needs-confirming"})
        match, said = self.play_again([*self.lines, line])
        refused = said.get(act.entry)
        if refused and refused.faults:
            return refused
        self.match, self.now = match, said
        return Said(reason=DONE[act.verb])

    def standing(self, lines: list[Line]) -> list[Line]:
        """The changes that were accepted and not undone by one that stands itself."""
        accepted = [each for each in lines if each.act.verb in CHANGES and self.was_legal.get(each.seq, True)]

        def stands(change: Line) -> bool:
            later = [each for each in accepted if each.seq > change.seq]
            return not any(each.act.verb == "undo" and each.act.entry == change.seq and stands(each) for each in later)

        return [change for change in accepted if stands(change)]

    def rewritten(self, lines: list[Line]) -> dict[int, Act]:
        """What was done, line by line, as people say now: without what was undone, with what was corrected."""
        changes = self.standing(lines)
        undone = {change.act.entry for change in changes if change.act.verb == "undo"}
        acts = {each.seq: each.act for each in lines if each.seq not in undone}
        for change in changes:
            act = acts.get(change.act.entry)
            if act is None:
                continue
            if change.act.verb == "correct" and change.act.instead:
                acts[change.act.entry] = change.act.instead
            elif change.act.verb == "overrule":
                acts[change.act.entry] = replace(act, is_overruled=True)
        return acts

    def play_again(self, lines: list[Line]) -> tuple[Judge, dict[int, Said]]:
        """The whole match from its first line on."""
        acts = self.rewritten(lines)
        match = new_match(lines[0].act)
        said: dict[int, Said] = {lines[0].seq: Said(reason="ok-match")}
        for line in lines[1:]:
            act = acts.get(line.seq)
            if act is None:
                continue
            if act.verb in CHANGES:
                accepted = self.was_legal.get(line.seq, True)
                said[line.seq] = Said(reason=DONE[act.verb]) if accepted else self.now[line.seq]
            else:
                match, said[line.seq] = self.say_again(match, act, line, lines)
        return match, said

    def has_stood(self, seq: int, written: Act, amounts_to: Act) -> bool:
        """Whether what was done was ever accepted, as it was written or as it was changed."""
        is_move = written.verb not in CHANGES
        return is_move and (self.was_legal.get(seq, True) or amounts_to != written)

    def say_again(self, match: Judge, act: Act, line: Line, lines: list[Line]) -> tuple[Judge, Said]:
        """Judge an act that may have been judged otherwise when it came."""
        if self.has_stood(line.seq, line.act, act):
            said = match.say(act, line.seq)
            if said.faults:  # what stood costs nothing if it should not have stood
                for (seat, _), points in said.awards.items():
                    match.scores[seat] -= points
                said = Said(said.faults)
            return match, said
        tried = deepcopy(match)
        said = tried.say(act, line.seq)
        is_past = not said.faults and self.was_taken_back(line, lines)
        return (match, Said({line.reason})) if is_past else (tried, said)

    def was_taken_back(self, line: Line, lines: list[Line]) -> bool:
        """Whether a refused act is past: somebody else has acted since, and no change had come before that."""
        if self.was_legal.get(line.seq, True):
            return False
        standing = {change.seq for change in self.standing(lines)}
        for later in lines[lines.index(line) + 1 :]:
            if later.seq in standing:
                return False
            if later.act.verb not in CHANGES and self.was_legal.get(later.seq):
                return True
        return False
