"""The disposable cache beside a snapshot: same answers, never stale, no word of the forgotten."""

import json
import random
import shutil
import subprocess
import sys
import zlib
from dataclasses import asdict

import pytest

from conftest import ROOT
from looks import PASSWORD, files_of, found, texts
from vividmem import VividMem, terms

SETTINGS = {"timezone": "UTC", "store": {"durability": "os", "cache_bytes": 0, "scrypt_cost": 12}}
PEOPLE = ["Ana", "Bo", "Cleo van Dijk", "東京"]
WORDS = """heron bridge kettle violin market harbour ladder cinema pepper orchard tunnel window
    café naïve 猫が好き v2.14.3 merge_rows never not really""".split()
SAYINGS = [
    "I live in {}", "I moved to {} last month", "My sister works at {}", "I no longer like {}",
    "We switched from {} to {}", "My favourite dish is {}", "I bought a {} for the {}",
]  # fmt: skip
QUERIES = ["heron bridge", "where do I live?", "who works where?", "猫", "v2.14.3",
           "ladder", "what happened yesterday?", "Ana violin", "kettle pepper"]  # fmt: skip


@pytest.fixture
def opened(folder, clock):
    """Open the folder once more, with a cache however small it is; all is closed afterwards."""
    handles = []

    def handle(path=folder, **options):
        handles.append(VividMem(path, clock=clock, config=SETTINGS, **options))
        return handles[-1]

    yield handle
    for mem in handles:
        mem.close()


def cache_of(folder):
    return folder / "index.cache"


def words_in(folder):
    """All that the cache tells, in lower case."""
    return zlib.decompress(cache_of(folder).read_bytes().partition(b"\n")[2]).lower()


def lived(mem, clock, seed, steps=60):
    """Let *mem* go through random days: tell, restate, correct, recall, take back, forget."""
    rng = random.Random(seed)
    for step in range(steps):
        clock.minutes(rng.choice([1, 5, 40, 2000]))
        words = [" ".join(rng.sample(WORDS, rng.randint(1, 6))) for _ in range(2)]
        told = mem.memories(limit=1000)
        ids, current = [m.id for m in told], [m.id for m in told if m.current and not m.attribute]
        text, who = rng.choice([*SAYINGS, "{}", "{}", "{}"]).format(*words), rng.choice(PEOPLE)
        act = rng.randrange(12)
        if act < 4:
            mem.observe(text, entity=who, episode=rng.choice(["", "", f"trip {step % 3}"]))
        elif act < 6:
            mem.add_social_impression(who, text, "happy", 6, source=f"s{step}", tags=["seen"])
        elif act == 6:
            mem.add_fact(who, rng.choice(["city", "job"]), words[0])
        elif act == 7:
            mem.update_entity_preference(who, "food", words[0], rng.choice(["likes", "hates"]))
        elif act == 8 and current:
            mem.correct(rng.choice(current), words[1])
        elif act == 9 and ids:
            mem.forget(rng.choice(ids))
        elif act == 10:
            mem.resonate(words[0])
            mem.retract(f"s{rng.randrange(steps)}")
        elif act == 11:
            mem.tasks.start(words[0])


def rounded(hit):
    """Return *hit* as told, its evidence to 12 digits: sums may be made in another order."""
    told = asdict(hit)
    told["why"] = {name: round(part, 12) if isinstance(part, float) else part
                   for name, part in told["why"].items()}  # fmt: skip
    return told


def shown(mem):
    """All that can be asked of *mem* without leaving a trace."""
    hits = {q: list(map(rounded, mem.resonate(q, limit=8, reinforce=False))) for q in QUERIES}
    old = {q: found(mem, q, include_history=True, limit=20) for q in QUERIES}
    about = {who: [mem.facts(who), mem.preferences(who), mem.history(who)] for who in PEOPLE}
    blocks = [mem.get_context_block(who, "heron bridge") for who in PEOPLE]
    stats = {name: part for name, part in mem.stats().items() if name != "store"}
    return hits, old, about, blocks, mem.export(), mem.contradictions(), stats


BUILT_ANEW = pytest.mark.xfail(
    reason="what stood between two memories of one group is gone: only a new index joins them",
    strict=True,
)


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=BUILT_ANEW), 3, 4, 5, 6])
def test_answers_are_the_same_with_and_without_the_cache(seed, opened, folder, clock, tmp_path):
    mem = opened()
    lived(mem, clock, seed)
    mem.save()
    mem.close()
    shutil.copytree(folder, tmp_path / "bare")
    cache_of(tmp_path / "bare").unlink()
    with_cache, without = opened(), opened(tmp_path / "bare")
    assert shown(with_cache) == shown(without)
    for each in (with_cache, without):
        clock.now = 1_800_000_000
        lived(each, clock, seed + 100, steps=12)
    assert shown(with_cache) == shown(without)


def test_what_was_told_before_is_known_when_told_again(opened):
    first = opened()
    told = first.add_social_impression("Ana", "The heron walks over the bridge")
    fact = first.add_fact("Ana", "city", "Turku")
    first.save()
    again = opened()
    assert again.add_social_impression("Ana", "The heron walks over the bridge").id == told.id
    assert again.add_fact("Ana", "city", "Oslo").id != fact.id
    assert [known.value for known in again.facts("Ana")] == ["Oslo"]


def test_changes_after_the_snapshot_are_seen_beside_the_cache(opened, folder):
    first = opened()
    kept = first.add_self_reflection("The heron walks over the bridge")
    gone = first.add_self_reflection("A kettle whistles in the kitchen")
    first.save()
    before = cache_of(folder).stat().st_ino
    first.add_self_reflection("A violin lies on the ladder")
    first.correct(kept.id, "The heron swims under the bridge")
    first.retract("nobody")
    other = opened()
    assert cache_of(folder).stat().st_ino == before
    assert found(other, "violin") == ["A violin lies on the ladder"]
    assert found(other, "heron") == ["The heron swims under the bridge"]
    assert found(other, "kettle") == [gone.text]


def cached(opened, folder):
    """A closed folder with a cache, and the bytes of that."""
    mem = opened()
    for number, word in enumerate(WORDS):
        mem.add_social_impression("Ana", f"The {word} stands in room {number}")
    mem.save()
    mem.close()
    return cache_of(folder).read_bytes()


def test_a_fitting_cache_is_left_as_it_is(opened, folder):
    cached(opened, folder)
    before = cache_of(folder).stat()
    assert found(opened(), "heron")[0] == "The heron stands in room 0"
    after = cache_of(folder).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.7, 0.999])
@pytest.mark.parametrize("how", ["flipped", "cut", "emptied"])
def test_a_damaged_cache_is_ignored_and_made_anew(how, share, opened, folder):
    sound = cached(opened, folder)
    place = int(len(sound) * share)
    flipped = sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :]
    cache_of(folder).write_bytes({"flipped": flipped, "cut": sound[:place]}.get(how, b""))
    mem = opened()
    assert mem.stats()["memories"] == len(WORDS)
    assert found(mem, "heron")[0] == "The heron stands in room 0"
    assert cache_of(folder).read_bytes() == sound


def test_a_cache_of_an_earlier_snapshot_is_ignored(opened, folder):
    old = cached(opened, folder)
    mem = opened()
    mem.forget(1)
    mem.add_self_reflection("The zebra stands in the yard")
    mem.save()
    mem.close()
    cache_of(folder).write_bytes(old)
    again = opened()
    assert found(again, "zebra")[0] == "The zebra stands in the yard"
    assert "The heron stands in room 0" not in found(again, "heron")
    assert cache_of(folder).read_bytes() != old


def test_a_cache_of_another_folder_is_ignored(opened, folder, tmp_path):
    foreign = cached(opened, folder)
    mem = opened(tmp_path / "other")
    mem.add_self_reflection("The zebra stands in the yard")
    mem.save()
    mem.close()
    cache_of(tmp_path / "other").write_bytes(foreign)
    again = opened(tmp_path / "other")
    assert texts(again) == ["The zebra stands in the yard"]
    assert found(again, "heron") == []


def test_a_cache_of_another_text_analysis_is_ignored_and_made_anew(opened, folder):
    sound = cached(opened, folder)
    first, _, zipped = sound.partition(b"\n")
    count, _, rest = zlib.decompress(zipped).partition(b"\n")
    head = json.loads(rest[: int(count)])
    head["analysis"][0] += 1
    changed = json.dumps(head).encode()
    content = zlib.compress(b"%d\n%b%b" % (len(changed), changed, rest[int(count) :]))
    line = b"-3," + json.dumps([json.loads(first)[2][0], zlib.crc32(content)]).encode()
    cache_of(folder).write_bytes(b'["%08x",%b]\n' % (zlib.crc32(line), line) + content)
    assert found(opened(), "heron")[0] == "The heron stands in room 0"
    assert cache_of(folder).read_bytes() == sound


def test_whoever_changes_the_text_analysis_raises_its_number(opened, folder):
    """If this fails, raise the first number of `_ANALYSIS` and note both here."""
    said = ["The cats' running café wasn't naïve", "v2.14.3 ADR-016 merge_stale_rows C++ .NET"]
    said += ["猫が好き 東京タワー", "no longer 2024-05-01 10:30 1,000,000 a.b@c.de", "тёмную ночь"]
    digest = zlib.crc32(json.dumps([terms(text) for text in said]).encode())
    cached(opened, folder)
    content = words_in(folder).partition(b"\n")[2]
    number = json.JSONDecoder().raw_decode(content.decode("latin-1"))[0]["analysis"][0]
    assert (number, digest) == (5, 3246942654)


def test_a_cache_that_cannot_be_written_is_no_error(opened, folder):
    mem = opened()
    mem.add_self_reflection("The heron walks over the bridge")
    mem.save()
    cache_of(folder).unlink()
    cache_of(folder).mkdir()
    assert found(opened(), "heron") == ["The heron walks over the bridge"]


def test_a_small_memory_has_no_cache(folder, clock):
    with VividMem(folder, clock=clock) as mem:
        mem.add_self_reflection("The heron walks over the bridge")
        mem.save()
    with VividMem(folder, clock=clock):
        assert not cache_of(folder).exists()


def test_a_record_that_is_no_memory_is_told_at_each_opening(opened, folder):
    cached(opened, folder)
    path = folder / "memory.json"
    head, *lines = path.read_bytes().split(b"\n")
    payload = lines[1].split(b",", 2)[2][:-2].replace(b'"impression"', b"5")
    rest = b"1,%b" % payload
    lines[1] = b'["%08x",%b],' % (zlib.crc32(rest), rest)
    body = b",\n" + b"\n".join(lines)
    header = json.loads(head[1:-1])[2] | {"checksum": f"{zlib.crc32(body):08x}"}
    rest = b"-1," + json.dumps(header, separators=(",", ":")).encode()
    path.write_bytes(b'[["%08x",%b]' % (zlib.crc32(rest), rest) + body)
    for _ in range(2):
        mem = opened()
        assert mem.stats()["memories"] == len(WORDS) - 1
        assert "record 1 was left out" in str(mem.stats())
        mem.close()


def test_an_encrypted_folder_has_no_cache(opened, folder):
    pytest.importorskip("cryptography")
    mem = opened()
    mem.add_self_reflection("The heron walks over the bridge")
    mem.save()
    assert cache_of(folder).exists()
    mem.encryption.encrypt(PASSWORD)
    assert not cache_of(folder).exists()
    mem.save()
    mem.close()
    sealed = opened(password=PASSWORD)
    assert found(sealed, "heron") == ["The heron walks over the bridge"]
    assert not cache_of(folder).exists()
    sealed.encryption.decrypt()
    assert b"heron" in words_in(folder)


def test_what_is_forgotten_is_not_in_the_cache(opened, folder):
    mem = opened()
    mem.add_social_impression("Ana", "The heron walks over the bridge", episode="a day out")
    for number in range(2):
        mem.add_social_impression(
            "Mr Quagga", f"The quagga eats hay {number}", episode="quagga", source="quagga",
            tags=["quagga"], meta={"quagga": 1}, why_saved="quagga",
        )  # fmt: skip
    mem.add_fact("Mr Quagga", "quagga", "quagga")
    mem.observe("I bought a quagga in Quaggaville", entity="Mr Quagga")
    mem.save()
    assert b"quagga" in words_in(folder)
    mem.forget_entity("Mr Quagga")
    assert b"heron" in words_in(folder)
    assert [p for p, data in files_of(folder).items() if b"quagga" in data.lower()] == []
    assert found(opened(), "heron") == ["The heron walks over the bridge"]


OTHER = """
import sys
from vividmem import VividMem
with VividMem(sys.argv[1], config={"store": {"cache_bytes": 0}}) as mem:
    mem.add_self_reflection(sys.argv[2])
    if sys.argv[3] != "0":
        mem.forget(int(sys.argv[3]))
    mem.save()
"""


def test_processes_that_save_in_turn_see_everything(opened, folder):
    mem = opened()
    gone = mem.add_self_reflection("The quagga eats hay")
    mem.save()
    for number, word in enumerate(WORDS[:3]):
        mem.add_self_reflection(f"My {word} is green")
        words = [str(folder), f"Their {word} is red", str(gone.id if number == 1 else 0)]
        subprocess.run([sys.executable, "-c", OTHER, *words], check=True, cwd=ROOT)
        assert sorted(found(mem, word)) == [f"My {word} is green", f"Their {word} is red"]
        mem.save()
    assert found(mem, "quagga") == found(opened(), "quagga") == []
    assert sorted(texts(opened())) == sorted(texts(mem))
    assert b"quagga" not in words_in(folder)
