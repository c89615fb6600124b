"""How an Arcanoid word is put together by tapping: cards first, then what is done with them, then a field or a seat."""

from cartulary.engine.arcanoid import State
from cartulary.engine.arcanoid.cards import FIELDS, NAMES
from cartulary.engine.arcanoid.state import everybody, who_name
from cartulary.engine.cards.deck import FOOL
from cartulary.notation.arcanoid.words import USABLE_TRUMPS
from cartulary.notation.card_forms import TRUMP_SIGN, rank_label
from cartulary.notation.contract import FormBranch as Branch
from cartulary.notation.contract import FormThing as Thing
from cartulary.notation.contract import Keypad, SuitKeys, WordForm

_SUITS = ("swords", "staves", "cups", "coins")
_ASKED = (*zip("SWCD", _SUITS, strict=True), ("T", "trumps"), ("T00", "the Fool"))
_KEYS = (
    *(
        SuitKeys(
            name.capitalize(),
            name,
            tuple((NAMES[card], rank_label(NAMES[card])) for card in range(14 * at, 14 * at + 14)),
        )
        for at, name in enumerate(_SUITS)
    ),
    SuitKeys(TRUMP_SIGN, "trumps", tuple((NAMES[card], str(card - FOOL)) for card in range(FOOL, FOOL + 22))),
)


def keypad(state: State, seat: int) -> Keypad:
    """Return the keys of the 78 cards; they are the same in every state and for every seat."""
    return Keypad(_KEYS)


def form(state: State, seat: int) -> WordForm:
    """Return how the words of a seat are put together, those of the table and of everybody too for seat 0.

    What is rare comes after one tap more. Whether a word is legal is not asked.
    """
    who = [who_name(one) for one in everybody(state.sides)]
    used = {NAMES[FOOL + number] for number in (*USABLE_TRUMPS, 0, 14, 20)}
    groups = {
        "cards": (*(Thing(name) for name in NAMES), Thing("~", label="unseen")),
        "first": (
            *(Thing(name, next_node=name if name in used else "cards") for name in NAMES),
            Thing("~", label="unseen", next_node="cards"),
        ),
        "fields": tuple(Thing(letter, label=name) for letter, name in zip(FIELDS, _SUITS, strict=True)),
        "whose fields": tuple(
            Thing(f"{one}{letter}", label=f"{one or 'own'} {name}")
            for one in ("", *who)
            for letter, name in zip(FIELDS, _SUITS, strict=True)
        ),
        "who": tuple(Thing(one) for one in who),
        "asked": tuple(Thing(text, label=name) for text, name in _ASKED),
    }
    cards = (
        Branch(",", group="cards", next_node="cards"),
        Branch("-", "Discard", next_node="end"),
        Branch("@", group="fields", next_node="field"),
        Branch("@~", "Face down…", next_node="hide"),
        Branch("@r", "Chariot", next_node="end"),
    )
    nodes: dict[str, tuple[Branch, ...]] = {
        "cards": cards,
        "hide": (Branch(group="fields", next_node="end"),),
        "field": (Branch(group="fields", next_node="end"), Branch("*", "drew…", next_node="draw")),
        "end": (Branch("*", "drew…", next_node="draw"),),
        "draw": (Branch(group="cards", next_node="drew"),),
        "drew": (Branch(",", group="cards", next_node="drew"), Branch("-", "discarded…", next_node="away")),
        "away": (Branch(group="cards", next_node="away more"),),
        "away more": (Branch(",", group="cards", next_node="away more"),),
        "call": (Branch(group="cards", next_node="called"),),
        "called": (
            Branch(">", "call another…", next_node="call"),
            Branch(":", group="who", next_node="end"),
            Branch("*", "drew…", next_node="draw"),
        ),
        "shows": (
            Branch("^None", "nobody shows", next_node="end"),
            Branch("^", group="who", after="=", next_node="show"),
            Branch("*", "drew…", next_node="draw"),
        ),
        "show": (Branch(group="cards", next_node="show more"),),
        "show more": (
            Branch(",", group="cards", next_node="show more"),
            *(Branch("^", group="who", after="=", next_node="show"),),
        ),
        "chariot": (Branch("@", group="fields", next_node="end"), Branch(",", group="cards", next_node="chariot")),
        "chariot first": (Branch(group="cards", next_node="chariot"), Branch("@", group="fields", next_node="end")),
        "turn up": (Branch(group="fields", after="=", next_node="away"),),
    }
    nodes["show more"] += (Branch("*", "drew…", next_node="draw"),)
    for number in (*USABLE_TRUMPS, 0, 14):
        name = NAMES[FOOL + number]
        use: tuple[Branch, ...] = (Branch("", "Use it", next_node="end"),)
        if number in (2, 12):
            use = (Branch(">", group="who", next_node="end"),)
        elif number == 5:
            use = (Branch("=", group="asked", next_node="shows"),)
        elif number == 11:
            use = tuple(Branch(f"={count}", f"{count} more", next_node="end") for count in (1, 2))
        elif number == 16:
            use = (Branch(":", group="whose fields", next_node="end"),)
        elif number in (17, 18, 19):
            use = (Branch(">", "call…", next_node="call"),)
        elif number == 14:
            use = ()
        elif not number:
            use = (Branch(":", group="fields", next_node="vain"),)
        nodes[name] = (*use, *cards)
    nodes["vain"] = (Branch("-", "in vain", next_node="end"), Branch("*", "drew…", next_node="draw"))
    nodes["T20"] = (Branch("@", group="whose fields", next_node="end"), *cards)
    votes = (Branch("Yes", "Yes, a new deck"), Branch("No", "No new deck"))
    asked = state.dues[:1] and state.dues[0].what == "vote"
    rare = (
        Branch("r-", "Drop the chariot", next_node="end"),
        Branch("r", "Commit the chariot…", next_node="chariot first"),
        Branch("^", "Turn up…", next_node="turn up"),
        *(() if asked else votes),
        Branch("Pass", "Pass"),
    )
    words = (*(votes if asked else ()), Branch(group="first"), Branch("@", "Abdicate…", next_node="hide"))
    nodes["words"] = (*words, *rare)
    nodes["drawn by"] = (
        Branch(group="who", after="*", next_node="away"),
        Branch("j*", "the row", next_node="away"),
        Branch("*", "to the deck", next_node="away"),
    )
    others = tuple(
        Branch(f"{one}/", f"{one} says…", next_node="words") for one in who if seat == 0 or one.startswith(f"p{seat}")
    )
    nodes["more"] = (*rare, *others)
    table = () if seat else (Branch("p0/", "Drawn by…", next_node="drawn by"),)
    nodes["start"] = (*words, *table, Branch("", "More…", next_node="more"))
    ends = ("field", "end", "drew", "away more", "called", "shows", "show more", "vain")
    return WordForm(nodes, groups, ends)
