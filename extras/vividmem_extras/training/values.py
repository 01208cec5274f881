"""What fills the slots of the grammar: names, places, numbers, times."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vividmem import MissingExtraError

_MONTHS = ("January February March April May June July August September October November"
           " December").split()  # fmt: skip
_RELATIVES = (
    ("sister", "she"), ("brother", "he"), ("mother", "she"), ("father", "he"), ("aunt", "she"),
    ("uncle", "he"), ("boss", "she"), ("neighbour", "he"), ("flatmate", "he"), ("cousin", "she"),
    ("best friend", "she"), ("colleague", "he"), ("grandmother", "she"), ("son", "he"),
    ("daughter", "she"), ("wife", "she"), ("husband", "he"), ("teacher", "she"),
)  # fmt: skip
_OBJECTS = {"she": ("her", "her"), "he": ("his", "him")}
_LISTS = {
    "small": "two three four five six seven".split(),
    "weekday": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "colour": "red blue green yellow black white silver orange purple brown turquoise".split(),
    "month": _MONTHS,
    "grade": "first second third fourth fifth sixth seventh eighth".split(),
    "uni": [f"{place} University" for place in "Leeds Turin Ghent Lund Osaka Delft Graz Bergen "
            "Kyoto Oxford Boston Porto Zagreb Tartu Cork".split()],
    "petname": "Biscuit Rufus Luna Milo Daisy Rocky Bella Pepper Simba Coco Oscar Nala Felix Ziggy "
               "Waffles Pixel Toby Maple Olive Shadow".split(),
}  # fmt: skip


@dataclass(frozen=True)
class Person:
    """Somebody who is spoken of; the speaker himself if *name* is empty."""

    name: str = ""
    subject: str = "I"
    possessive: str = "my"
    object: str = "me"


class Values:
    """Draws values for slots, names from faker; the same seed draws the same ones."""

    def __init__(self, seed: int, breadth: int = 600) -> None:
        self.random = random.Random(seed)
        self._seed, self._breadth = seed, breadth
        self._pools: dict[str, list[str]] = {}

    def two(self, pool: str) -> tuple[str, str]:
        """Return two different values of *pool* of which neither says the other."""
        if pool in _DRAWN:
            one = other = _DRAWN[pool](self.random)
            while one == other:
                other = _DRAWN[pool](self.random)
            return one, other
        while True:
            one, other = self.random.sample(self._pool(pool), 2)
            if other not in self.wider(pool, one) and one not in self.wider(pool, other):
                return one, other

    def wider(self, pool: str, value: str) -> list[str]:
        """Return what *value* says, too: a latte is a coffee."""
        found = re.findall(rf"(?:^|\s){re.escape(value.replace(' ', '_'))}<(\S+)", pool)
        return [wide.replace("_", " ") for wide in found]

    def person(self) -> Person:
        """Return a relative, a friend with or without a name, or just a name."""
        role, pronoun = self.random.choice(_RELATIVES)
        female = pronoun == "she"
        name = self.random.choice(self._pool("@female" if female else "@male"))
        form = self.random.choice((f"my {role}", name, name, f"my {role} {name}"))
        possessive, objective = _OBJECTS[pronoun]
        return Person(form, pronoun, possessive, objective)

    def _pool(self, pool: str) -> list[str]:
        if pool not in self._pools:
            self._pools[pool] = self._made(pool)
        return self._pools[pool]

    def _made(self, pool: str) -> list[str]:
        if not pool.startswith("@"):
            return [word.partition("<")[0].replace("_", " ") for word in pool.split()]
        if pool[1:] in _LISTS:
            return _LISTS[pool[1:]]
        fake = self._faker
        maker = {
            "@city": fake.city, "@country": fake.country, "@company": fake.company,
            "@job": lambda: fake.job().split(",")[0].split("/")[0].lower(),
            "@name": fake.first_name, "@female": fake.first_name_female,
            "@male": fake.first_name_male, "@surname": fake.last_name,
            "@fullname": fake.name_nonbinary, "@email": fake.email,
        }[pool]  # fmt: skip
        return list(dict.fromkeys(maker() for _ in range(self._breadth)))

    @cached_property
    def _faker(self) -> Any:
        try:
            from faker import Faker
        except ImportError as error:
            raise MissingExtraError(
                "the training grammar", 'pip install "vividmem[train]"'
            ) from error
        fake = Faker(["en_GB", "en_US", "en_IN", "en_AU"])
        fake.seed_instance(self._seed)
        return fake


def _clock(chance: random.Random) -> str:
    hour, minute = chance.randrange(24), chance.choice(("00", "15", "30", "45"))
    if chance.random() < 0.5:
        return f"{hour}:{minute}"
    return f"{hour % 12 or 12} {'am' if hour < 12 else 'pm'}"


def _money(chance: random.Random) -> str:
    amount = chance.randrange(3, 99) * chance.choice((10, 50, 100, 1000))
    return chance.choice(("{:,} euros", "{:,} pounds", "${:,}", "{} dollars")).format(amount)


def _phone(chance: random.Random) -> str:
    return f"{chance.randrange(100, 999)} {chance.randrange(1000, 9999)}"


_DRAWN: dict[str, Callable[[random.Random], str]] = {
    "@clock": _clock,
    "@money": _money,
    "@phone": _phone,
    "@age": lambda chance: str(chance.randrange(14, 90)),
    "@date": lambda chance: f"{chance.choice(_MONTHS)} {chance.randrange(1, 29)}",
    "@version": lambda chance: f"{chance.randrange(1, 20)}.{chance.randrange(20)}",
    "@kilos": lambda chance: f"{chance.randrange(45, 130)} kilos",
    "@metres": lambda chance: f"1.{chance.randrange(50, 99)} m",
    "@diopter": lambda chance: f"{chance.randrange(1, 8)} dioptres",
    "@many": lambda chance: str(chance.randrange(2, 60)),
    "@cigs": lambda chance: f"{chance.randrange(2, 40)} cigarettes a day",
    "@gate": lambda chance: f"{chance.choice('ABCDE')}{chance.randrange(1, 60)}",
}
