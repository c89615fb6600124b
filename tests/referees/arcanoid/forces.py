"""Commitments and the Fool, for the second referee of Arcanoid: from the rulebook alone."""

from tests.referees.arcanoid.board import Table
from tests.referees.arcanoid.cards import COUPLES, Fault, Stand, form, stealable

SECRET = ("koblenz", "malta")


class Forces(Table):
    """A table where one commits, steals and judges. window: key and field of what a Fool may still steal."""

    # --- commitments ---

    def commit(self, key: str, reserve: bool, cards: list[str], down: bool, fields: str) -> None:
        """Commit cards, and those of the Chariot with them; nobody is out of play before the window closes."""
        player = self.players[key]
        if reserve and not player.reserve:
            raise Fault("chariot", "an empty reserve, or none")
        self.need(key, cards)
        whole = sorted([*cards, *(player.reserve or [])]) if reserve else cards
        if down:
            whole = self.face_down(key, reserve, cards, fields)
        old = player.stands.get(fields[0])
        completes = self.variant == "worms" and old is not None and old.lone_ace() and len(fields) == 1
        if any(field in player.stands for field in fields) and not completes:
            raise Fault("committed-already", "once on each field")
        self.closed(key, fields, whole)
        kind = (
            self.completing(old, whole, fields) if completes and old else form(whole, fields, self.form_variant(down))
        )
        if kind == "imperial" and down and len(fields) > 1:
            raise Fault("face-down", "one field")
        if kind == "world" and fields in self.touched:
            raise Fault("world", "something was committed there")
        self.lay(key, reserve, cards, fields, Stand(kind, tuple(whole), self.clock, down))
        self.before = old if completes else None
        if down and self.variant == "malta":
            self.pile.append("T01")
        player.secret = player.secret or down

    def form_variant(self, down: bool) -> str:
        """Return the variant whose forms a commitment has."""
        return "mainz" if down and self.variant == "malta" else self.variant

    def closed(self, key: str, fields: str, cards: list[str]) -> None:
        """Raise Fault where Temperance bars the field."""
        if cards and self.temper and self.temper[1] in fields and (self.variant != "dresden" or self.temper[0] != key):
            raise Fault("temperance", f"{self.temper[0]} has tempered it")

    def face_down(self, key: str, reserve: bool, cards: list[str], fields: str) -> list[str]:
        """Return what lies face down."""
        whole = [card for card in cards if card != "T01"] if self.variant == "malta" else cards
        magician = self.variant != "malta" or len(whole) < len(cards)
        if self.variant not in SECRET or reserve or not whole or not magician or len(fields) > 1:
            raise Fault("face-down", "not in this way")
        if {"T20", "T21"} & set(whole):
            raise Fault("face-down", "neither World nor Judgment")
        if self.variant == "koblenz" and self.players[key].secret:
            raise Fault("once-a-round", "once a round")
        return whole

    def completing(self, old: Stand, cards: list[str], field: str) -> str:
        """Return the kind of an ace's completion."""
        if not cards:
            raise Fault("committed-already", "an ace stands there")
        kind = form(cards, field, self.variant)
        if ("T01" in old.cards and "T01" in cards) or kind not in ("numeric", "knave", "knight"):
            raise Fault("ace-completion", "these do not complete an ace")
        return kind

    def lay(self, key: str, reserve: bool, cards: list[str], fields: str, stand: Stand) -> None:
        """Put a commitment down, and open the window."""
        player = self.players[key]
        self.leave(key, cards)
        if reserve:
            player.reserve = None
            self.pile.append("T07")
        for field in fields:
            self.stand(key, field, stand)
        if self.temper and self.temper[0] == key and self.temper[1] in fields and cards_of(stand):
            self.lift()
        if stand.kind == "world":
            for other in self.players.values():
                if fields not in other.stands:
                    other.stands[fields] = Stand("abdicated", (), self.clock)
        self.window = (key, fields)
        if stand.kind in (*COUPLES, "world", "abdicated") and not stand.down:
            self.close()
            self.window = None

    def close(self) -> None:
        """Close the Fool's window: a completed ace becomes one commitment, and who is done leaves the round."""
        if self.window and self.before:
            key, field = self.window
            new, old = self.players[key].stands[field], self.before
            if new.kind == "numeric":
                cards = (*old.cards, *new.cards)
                self.players[key].stands[field] = new._replace(cards=cards, whole=True)
            else:
                self.pile += old.cards
        self.window = self.before = None
        self.finish()

    # --- the Fool ---

    def thief(self, name: str) -> str:
        """Return who plays the Fool with a word that names so."""
        for key in (name, f"{name}d"):
            if key in self.players and key != self.usa and "T00" in self.players[key].cards():
                return key
        if name not in self.players:
            raise Fault("turn", f"{name} is not there")
        if self.players[name].finished:
            raise Fault("finished" if "T00" in (self.row or []) else "turn", f"{name} is out of play")
        if name == self.usa:
            raise Fault("usa", "it plays no Fool")
        return name

    def fool(self, name: str, rest: str) -> None:
        """Steal the commitment just announced, or look at it in vain."""
        key = self.thief(name)
        field, vain = rest[:1], rest[1:] == "-"
        if self.window is None or self.window[1] != field or rest[1:] not in ("", "-"):
            raise Fault("fool", "no such commitment was just announced")
        victim = self.players[self.window[0]]
        stand, player = victim.stands[field], self.players[key]
        if key == victim.key or field in player.stands:
            raise Fault("fool", "he is not open there")
        known = stand.kind != "unknown"
        if (vain and not stand.down) or (known and vain == stealable(stand, self.variant)):
            raise Fault("fool", "it cannot be stolen, or it can")
        self.need(key, ["T00"])
        self.leave(key, ["T00"])
        self.pile.append("T00")
        self.queue[-1:-1] = [(key, "hand"), (key, "open")]
        if not vain:
            del victim.stands[field]
            if self.before:
                victim.stands[field] = self.before
            self.stand(key, field, stand._replace(time=self.clock))
            self.before = None
        self.close()

    def judge(self, key: str, name: str, field: str) -> None:
        """Let a seat abdicate at once."""
        self.need(key, ["T20"])
        target = self.players.get(name)
        if target is None or field in target.stands:
            raise Fault("judgment", "that field is not open")
        self.leave(key, ["T20"])
        self.aside.append("T20")
        self.stand(name, field, Stand("abdicated", (), self.clock))
        self.finish()


def cards_of(stand: Stand) -> bool:
    """Say whether a commitment is more than an abdication."""
    return stand.kind != "abdicated"
