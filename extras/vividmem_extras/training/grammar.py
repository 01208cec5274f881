"""Pairs of statements about everyday life with the label they deserve, made from a grammar.

`families.txt` and `slots.txt` hold slots, `states.txt` poles of states, `acts.txt` opposite acts.
Every seventh row is held out: its words are seen by no training and tell how well a model reads
slots it does not know.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from vividmem_extras.training.values import Person, Values
from vividmem_extras.training.wordnet import WordNet

FOLDER = Path(__file__).parent
LABELS = ("contradiction", "neutral", "entailment")
C, N, E = 0, 1, 2  # indexes of these
NOT_AGAINST = 3  # neutral or entailment: which of them is not said
HELD_OUT_EVERY = 7


class Pair(NamedTuple):
    """Two statements and whether the second contradicts (0), says nothing of (1) or follows (2).

    The label 3 says only that the second does not contradict.
    """

    first: str
    second: str
    label: int
    family: str


@dataclass
class Family:
    """One slot: what can be said of it."""

    name: str
    single: bool  # a value excludes the others
    pool: str
    says: list[str] = field(default_factory=list)
    denials: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    implied: list[str] = field(default_factory=list)
    nothing: list[str] = field(default_factory=list)

    @property
    def shared(self) -> bool:
        """Return whether it is said of "us", so that the subject stays."""
        return not re.search(r"\b(?:I|my)\b", " ".join(self.says), re.I)


class Wording(NamedTuple):
    """Slots of many things in the same words."""

    things: list[str]
    says: list[str]
    changes: list[str]
    pool: str

    @property
    def personal(self) -> bool:
        """Return whether every way to say it names the owner."""
        return all(re.search(r"\b(?:I|my)\b", text, re.I) for text in (*self.says, *self.changes))


class Contrast(NamedTuple):
    """Two poles of a state or act, each in several wordings, and the things they are said of."""

    things: tuple[str, ...]  # empty: the wordings are whole sentences
    poles: tuple[list[str], list[str]]


def families() -> list[Family]:
    """Return the families of `families.txt`."""
    found: list[Family] = []
    rows = {"+": "says", "-": "denials", ">": "changes", "~": "implied", "0": "nothing"}
    for line in _lines("families.txt"):
        if line[:2] in [mark + " " for mark in rows]:
            getattr(found[-1], rows[line[0]]).extend(_parts(line[2:]))
        else:
            name, kind, pool = line.split(" ", 2)
            found.append(Family(name, kind == "one", pool))
    return found


def wordings() -> list[Wording]:
    """Return the slots of `slots.txt`."""
    found = []
    for line in _lines("slots.txt"):
        things, says, changes, pool = line.split(" | ")
        found.append(Wording(things.split(", "), says.split("; "), changes.split("; "), pool))
    return found


def contrasts() -> list[Contrast]:
    """Return the poles of `states.txt` and `acts.txt`."""
    found = []
    for line in (*_lines("states.txt"), *_lines("acts.txt")):
        things, bar, poles = line.rpartition(" | ")
        one, other = [[w.strip() for w in pole.split(";")] for pole in poles.split("//")]
        named = tuple(thing.strip() for thing in things.split(",")) if bar else ()
        found.append(Contrast(named, (one, other)))
    return found


def held_out(place: int) -> bool:
    """Return whether the family, state or act at *place* of its table is kept from training."""
    return place % HELD_OUT_EVERY == HELD_OUT_EVERY - 1


def spoken(template: str, person: Person) -> str:
    """Return *template*, written in the first person, as said of *person*.

    >>> nadia = Person("Nadia", "she", "her", "her")
    >>> spoken("I live* with my dog", nadia), spoken("My car is red", nadia)
    ('Nadia lives with her dog', "Nadia's car is red")
    """
    text = template
    if person.name:
        for pattern, instead in _THIRD:
            text = re.sub(pattern, instead, text)
        text = re.sub(r"\bI((?: \w+ly| never| still| always)?) (\w+)\*", _inflected, text)
        text = re.sub(r"\b(\w+)\*", lambda found: third(found[1]), text)
        text = _named(text, person)
    text = text.replace("*", "")
    return text[:1].upper() + text[1:]


def _named(text: str, person: Person) -> str:
    """Return *text* with the person's name where he is first spoken of, then pronouns."""
    first = iter(((person.name, person.name + "'s", person.name),))
    later = person.subject, person.possessive, person.object

    def word(found: re.Match[str]) -> str:
        return next(first, later)[("i", "my", "me").index(found[0].lower())]

    return re.sub(r"\b(?:I|[Mm]y|me)\b", word, text)


def third(verb: str) -> str:
    """Return the third person singular of *verb*.

    >>> third("have"), third("carry"), third("watch"), third("live")
    ('has', 'carries', 'watches', 'lives')
    """
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|sh|ch|x|z)$", verb) else "s")


def _inflected(found: re.Match[str]) -> str:
    return f"I{found[1]} {third(found[2])}"


_THIRD = (
    (r"\bI'm\b", "I is"), (r"\bI've\b", "I has"), (r"\bI'll\b", "I will"),
    (r"\bI'd\b", "I would"), (r"\bI don't\b", "I doesn't"), (r"\bI haven't\b", "I hasn't"),
    (r"\band don't\b", "and doesn't"), (r"\bI have\b(?!\*)", "I has"),
    (r"\bmine\b", "theirs"), (r"\bus siblings\b", "the siblings"),
)  # fmt: skip


class Grammar:
    """Draws pairs; the same seed draws the same ones."""

    def __init__(self, seed: int, *, test: bool = False, wordnet: Path | None = None) -> None:
        self.words = None if wordnet is None else WordNet(wordnet)
        self.random = random.Random(seed)
        self.values = Values(seed)
        every, poles = families(), contrasts()
        self.wordings = [w for i, w in enumerate(wordings()) if held_out(i) is test]
        self.families = [f for i, f in enumerate(every) if held_out(i) is test]
        self.contrasts = [c for i, c in enumerate(poles) if held_out(i) is test]
        self.background = [f for i, f in enumerate(every) if not held_out(i)]

    def pairs(self, count: int) -> Iterator[Pair]:
        """Yield *count* pairs, the three labels about equally often."""
        makers = {
            C: (self._other_value, self._denied, self._left_behind, self._nothing, self._reversed,
                self._past, self._swapped, self._opposite, self._thing_has_other,
                self._thing_lost),
            N: (self._other_person, self._other_family, self._beside, self._vaguer, self._freed,
                self._other_thing, self._past_beside, self._thing_beside, self._thing_of_another),
            E: (self._reworded, self._implied, self._arrived, self._excluded, self._one_of_two,
                self._same_pole, self._thing_reworded, self._thing_got),
        }  # fmt: skip
        if self.words is not None:
            makers = {
                C: (*makers[C], self._antonym),
                N: (*makers[N], self._narrower),
                E: (*makers[E], self._broader),
            }
        made = 0
        while made < count:
            label = self.random.randrange(3)
            drawn = self.random.choice(makers[label])()
            if drawn is None or drawn[0] == drawn[1]:
                continue
            made += 1
            yield Pair(self._dressed(drawn[0], label), self._worn(drawn[1]), label, drawn[2])

    def _family(self, *needs: str) -> Family:
        fit = [f for f in self.families if all(getattr(f, need) for need in needs)]
        return self.random.choice(fit)

    def _two(self, family: Family) -> tuple[str, str]:
        """Return two values of *family* of which neither says the other."""
        return self.values.two(family.pool)

    def _who(self, family: Family | None = None) -> Person:
        if (family is not None and family.shared) or self.random.random() < 0.55:
            return Person()
        return self.values.person()

    def _say(self, templates: Sequence[str], who: Person, v: str = "", a: str = "") -> str:
        text = spoken(self.random.choice(templates), who)
        return self._filled(text, v, a)

    def _filled(self, text: str, v: str, a: str = "") -> str:
        text = text.replace("{v}", v).replace("{a}", a)
        return text[:1].upper() + text[1:]

    def _habit(self, family: Family, adverb: str, who: Person, v: str) -> str | None:
        """Return "I used to ..." or "I never ..." where the family says it with a verb."""
        fit = [t for t in family.says if re.match(r"I \w+\* ", t)]
        if not fit:
            return None
        text = self.random.choice(fit)
        if adverb == "used to":
            return self._filled(
                spoken(text.replace("*", "").replace("I ", "I used to ", 1), who), v
            )
        return self._filled(spoken(text.replace("I ", f"I {adverb} ", 1), who), v)

    def _other_value(self) -> tuple[str, str, str] | None:
        family = self._family("single", "says")
        (v, w), who = self._two(family), self._who(family)
        return self._say(family.says, who, v), self._say(family.says, who, w), family.name

    def _denied(self) -> tuple[str, str, str] | None:
        family = self._family("denials")
        (v, _), who = self._two(family), self._who(family)
        both = [self._say(family.says, who, v), self._say(family.denials, who, v)]
        self.random.shuffle(both)
        return both[0], both[1], family.name

    def _left_behind(self) -> tuple[str, str, str] | None:
        family = self._family("changes")
        (a, v), who = self._two(family), self._who(family)
        both = [self._say(family.changes, who, v, a), self._say(family.says, who, a)]
        self.random.shuffle(both)
        return both[0], both[1], family.name

    def _nothing(self) -> tuple[str, str, str] | None:
        family = self._family("nothing")
        (v, _), who = self._two(family), self._who(family)
        told = family.says + family.implied
        both = [self._say(told, who, v), self._say(family.nothing, who)]
        self.random.shuffle(both)
        return both[0], both[1], family.name

    def _reversed(self) -> tuple[str, str, str] | None:
        family = self._family("changes")
        (a, v), who = self._two(family), self._who(family)
        first = self._say(family.changes, who, v, a)
        return first, self._say(family.changes, who, a, v), family.name

    def _past(self) -> tuple[str, str, str] | None:
        family = self._family("says")
        (v, _), who = self._two(family), self._who(family)
        told = self._habit(family, self.random.choice(("used to", "never", "no longer")), who, v)
        both = [told, self._say(family.says, who, v)]
        self.random.shuffle(both)
        return (both[0], both[1], family.name) if both[0] and both[1] else None

    def _swapped(self) -> tuple[str, str, str] | None:
        family = self._family("single")
        if family.shared:
            return None
        (v, w), one, other = self._two(family), self.values.person(), self.values.person()
        scene = f"{self._say(family.says, one, v)}. {self._say(family.says, other, w)}"
        return scene, self._say(family.says, *((one, w), (other, v))[self._coin()]), family.name

    def _opposite(self) -> tuple[str, str, str] | None:
        contrast, who = self.random.choice(self.contrasts), self._who()
        thing = self._thing(contrast)
        side = self._coin()
        first = self._pole(contrast, side, thing, who)
        if thing and self.random.random() < 0.2:
            first = self._revoked(contrast, side, thing)
        return first, self._pole(contrast, 1 - side, thing, who), "poles"

    def _other_person(self) -> tuple[str, str, str] | None:
        family = self._family("says")
        if family.shared:
            return None
        v, w = self._two(family)
        one, other = self._who(), self.values.person()
        if one.name == other.name:
            return None
        told = family.says + family.denials
        both = [self._say(family.says, one, v), self._say(told, other, self.random.choice((v, w)))]
        self.random.shuffle(both)
        return both[0], both[1], family.name

    def _other_family(self) -> tuple[str, str, str] | None:
        one, other = self._family("says"), self._family("says")
        alike = [f for f in self.families if f.pool == one.pool and f is not one]
        if alike and self._coin():
            other = self.random.choice(alike)
        if one is other or {"diet", "food", "favfood", "steak"} >= {one.name, other.name}:
            return None
        who = self._who()
        v, w = self._two(one)[0], self._two(other)[0]
        return self._say(one.says, who, v), self._say(other.says, who, w), one.name

    def _beside(self) -> tuple[str, str, str] | None:
        many = [f for f in self.families if not f.single]
        family = self.random.choice(many)
        (v, w), who = self._two(family), self._who(family)
        first = family.says + family.denials
        second = family.says if self._coin() else family.denials
        return self._say(first, who, v), self._say(second, who, w), family.name

    def _vaguer(self) -> tuple[str, str, str] | None:
        family = self._family("implied")
        (v, _), who = self._two(family), self._who(family)
        return self._say(family.implied, who), self._say(family.says, who, v), family.name

    def _freed(self) -> tuple[str, str, str] | None:
        family = self._family("denials")
        (v, w), who = self._two(family), self._who(family)
        both = [self._say(family.denials, who, v), self._say(family.says, who, w)]
        self.random.shuffle(both)
        return both[0], both[1], family.name

    def _other_thing(self) -> tuple[str, str, str] | None:
        contrast = self.random.choice([c for c in self.contrasts if c.things])
        one, other = self.random.sample(contrast.things, 2)
        if self.random.random() < 0.4:
            near = self.random.choice([c for c in self.contrasts if c.things and c is not contrast])
            return (self._pole(contrast, self._coin(), one, Person()),
                    self._pole(near, self._coin(), self.random.choice(near.things), Person()),
                    "poles")  # fmt: skip
        return (self._pole(contrast, self._coin(), one, Person()),
                self._pole(contrast, self._coin(), other, Person()), "poles")  # fmt: skip

    def _past_beside(self) -> tuple[str, str, str] | None:
        family = self._family("says")
        (v, w), who = self._two(family), self._who(family)
        told = self._habit(family, "used to", who, v)
        return (told, self._say(family.says, who, w), family.name) if told else None

    def _reworded(self) -> tuple[str, str, str] | None:
        family = self._family("says")
        (v, _), who = self._two(family), self._who(family)
        wider = self.values.wider(family.pool, v)
        second = self.random.choice(wider) if wider and self._coin() else v
        return self._say(family.says, who, v), self._say(family.says, who, second), family.name

    def _implied(self) -> tuple[str, str, str] | None:
        family = self._family("implied")
        (v, _), who = self._two(family), self._who(family)
        return self._say(family.says, who, v), self._say(family.implied, who), family.name

    def _arrived(self) -> tuple[str, str, str] | None:
        family = self._family("changes")
        (a, v), who = self._two(family), self._who(family)
        second = self._say(family.says, who, v)
        if self._coin() and family.denials:
            second = self._filled(spoken(family.denials[0], who), a)
        return self._say(family.changes, who, v, a), second, family.name

    def _excluded(self) -> tuple[str, str, str] | None:
        family = self._family("single", "denials")
        (v, w), who = self._two(family), self._who(family)
        first = self._say(family.nothing or family.says, who, v)
        first = first if self._coin() else self._say(family.says, who, v)
        return first, self._filled(spoken(family.denials[0], who), w), family.name

    def _one_of_two(self) -> tuple[str, str, str] | None:
        family = self._family("says")
        if family.shared:
            return None
        (v, w), one, other = self._two(family), self._who(), self.values.person()
        scene = f"{self._say(family.says, one, v)}. {self._say(family.says, other, w)}"
        return scene, self._say(family.says, *((one, v), (other, w))[self._coin()]), family.name

    def _same_pole(self) -> tuple[str, str, str] | None:
        contrast, who = self.random.choice(self.contrasts), self._who()
        thing, side = self._thing(contrast), self._coin()
        both = self._pole(contrast, side, thing, who), self._pole(contrast, side, thing, who)
        if thing and self.random.random() < 0.2:
            return self._revoked(contrast, side, thing), both[1], "poles"
        return both[0], both[1], "poles"

    def _thing_has_other(self) -> tuple[str, str, str] | None:
        wording, thing, (v, w), who = self._slot()
        return self._said(wording, thing, who, v), self._said(wording, thing, who, w), "slots"

    def _thing_lost(self) -> tuple[str, str, str] | None:
        wording, thing, (a, v), who = self._slot()
        changed = self._said(wording, thing, who, v, a)
        before = (self._said(wording, thing, who, a), self._said(wording, thing, who, a, v))
        return changed, before[self._coin()], "slots"

    def _thing_beside(self) -> tuple[str, str, str] | None:
        wording, thing, values, who = self._slot()
        other = self.random.choice([t for t in wording.things if t != thing])
        v, w = values[0], values[self._coin()]
        if self.random.random() < 0.3:
            return (
                self._said(wording, thing, who, *values),
                self._said(wording, other, who, w),
                "slots",
            )
        return self._said(wording, thing, who, v), self._said(wording, other, who, w), "slots"

    def _thing_of_another(self) -> tuple[str, str, str] | None:
        wording, thing, (v, w), who = self._slot()
        if not wording.personal:
            return None
        both = [
            self._said(wording, thing, who, v),
            self._said(wording, thing, self.values.person(), w),
        ]
        self.random.shuffle(both)
        return both[0], both[1], "slots"

    def _thing_reworded(self) -> tuple[str, str, str] | None:
        wording, thing, (v, _), who = self._slot()
        return self._said(wording, thing, who, v), self._said(wording, thing, who, v), "slots"

    def _thing_got(self) -> tuple[str, str, str] | None:
        wording, thing, (a, v), who = self._slot()
        return self._said(wording, thing, who, v, a), self._said(wording, thing, who, v), "slots"

    def _slot(self) -> tuple[Wording, str, tuple[str, str], Person]:
        """Draw a wording, one of its things, two values and whose thing it is."""
        wording = self.random.choice(self.wordings)
        who = self._who() if wording.personal else Person()
        return wording, self.random.choice(wording.things), self.values.two(wording.pool), who

    def _said(self, wording: Wording, thing: str, who: Person, v: str, a: str = "") -> str:
        """Return that the thing has the value *v*; with *a*, that it had that one before."""
        templates = wording.changes if a else wording.says
        said = self._say(templates, who, v, a).replace("{t}", thing)
        return _ARTICLE.sub(r"\1n \2", said)

    def _antonym(self) -> tuple[str, str, str] | None:
        one, other = self.random.choice(self._words.antonyms)
        thing = self.random.choice(_THINGS)
        return f"{thing} is {one}", f"{thing} is {other}", "wordnet"

    def _broader(self) -> tuple[str, str, str] | None:
        narrow, broad = self.random.choice(self._words.kinds)
        said = self.random.choice(_SAID_OF_THINGS)
        return said.format(_with_article(narrow)), said.format(_with_article(broad)), "wordnet"

    def _narrower(self) -> tuple[str, str, str] | None:
        first, second, family = self._broader() or ("", "", "")
        return second, first, family

    @property
    def _words(self) -> WordNet:
        assert self.words is not None
        return self.words

    def _thing(self, contrast: Contrast) -> str:
        return self.random.choice(contrast.things) if contrast.things else ""

    def _word(self, contrast: Contrast, side: int) -> str:
        return self.random.choice(contrast.poles[side])

    def _pole(self, contrast: Contrast, side: int, thing: str, who: Person) -> str:
        word = self._word(contrast, side)
        return self._filled(f"{thing} {word}", "") if thing else spoken(word, who)

    def _revoked(self, contrast: Contrast, side: int, thing: str) -> str:
        """Return a statement that first says the other pole and takes it back."""
        slip = self._pole(contrast, 1 - side, thing, Person())
        return f"{slip}, no, wait: it {self._word(contrast, side)}"

    def _coin(self) -> int:
        return self.random.randrange(2)

    def _dressed(self, text: str, label: int) -> str:
        """Return *text* as people say it: with words around it, at times with another matter."""
        if self.random.random() < 0.15:
            family = self.random.choice(self.background)
            more = self._say(family.says, self.values.person(), self._two(family)[0])
            both = [text, more] if self._coin() else [more, text]
            text = ". ".join(both)
        return self._worn(text)

    def _worn(self, text: str) -> str:
        chance = self.random.random
        if chance() < 0.3:
            text = (
                re.sub(r"\b(I)'m\b", r"\1 am", text)
                .replace("n't ", " not ")
                .replace("ca not", "cannot")
            )
        if chance() < 0.15:
            opener = self.random.choice(_OPENERS)
            common = re.match(r"(?:My|The|It|We|Our|You|There|Every\w*|Nobody|All|This)\b", text)
            text = opener + (text[:1].lower() + text[1:] if common else text)
        if chance() < 0.08:
            text += self.random.choice((", you know", " now", ", by the way", " at the moment"))
        return text if chance() < 0.1 else text + "."


_THINGS = (
    "The house", "The film", "My neighbour", "This idea", "The water", "The result", "The answer",
    "Our teacher", "The road", "The story", "The room", "Her voice", "The team", "His plan",
)  # fmt: skip
_SAID_OF_THINGS = (
    "I saw {} yesterday", "There is {} in the picture", "My brother bought {}", "She talked of {}",
    "We looked at {} for a while", "He mentioned {} in his letter",
)  # fmt: skip


def _with_article(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


_ARTICLE = re.compile(r"\b(a) ([aeiou])", re.I)
_OPENERS = (
    "By the way, ", "As you know, ", "Honestly, ", "Well, ", "Actually, ", "Right now ", "So ",
    "I should say that ", "Just so you know: ", "It turns out that ", "Update: ", "News: ",
)  # fmt: skip


def _parts(row: str) -> list[str]:
    return [part.strip().rstrip(".") for part in row.split(" | ")]


def _lines(name: str) -> list[str]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
