"""Text: folding, stems, terms, sentences, excerpts, token estimates."""

import random
import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vividmem
from vividmem import (
    folded,
    graphemes_cut,
    repaired,
    sentences,
    stem,
    terms,
    token_estimate,
)

STEMS = dict(
    pair.split(":")
    for pair in """
    retry:retri retries:retri retried:retri swims:swim swimming:swim mango:mango mangoes:mango
    movie:movi movies:movi serialize:serial serialization:serial consistency:consist
    consigned:consign knackeries:knackeri generate:generat general:general generously:generous
    communication:communic community:communiti arsenal:arsenal universe:univers
    organization:organiz international:internat emergency:emergenc later:later past:past
    happy:happi enjoy:enjoy enjoyed:enjoy say:say cry:cri by:by dying:die lying:lie tying:tie
    succeed:succeed proceeds:proceed agreed:agre feed:feed inning:inning evening:evening
    outing:outing herring:herring hopping:hop hoping:hope hopped:hop luxuriated:luxuri
    conflated:conflat troubled:troubl sized:size egged:egg added:add filing:file falling:fall
    skis:ski skies:sky news:news atlas:atlas bias:bias early:earli only:onli gently:gentl
    gas:gas this:this kiwis:kiwi caresses:caress ties:tie cries:cri abilities:abil
    relational:relat conditional:condit valency:valenc hesitancy:hesit digitizer:digit
    radically:radic vilely:vile analogously:analog vietnamization:vietnam operator:oper
    feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous formality:formal
    sensitivity:sensit sensibility:sensibl psychologist:psycholog triplicate:triplic
    formative:format formalize:formal electricity:electr electrical:electr hopeful:hope
    goodness:good revival:reviv allowance:allow inference:infer airliner:airlin
    adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust
    dependent:depend adoption:adopt communism:communism activate:activ homologous:homolog
    effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controlling:control
    rolling:roll children's:children
    """.split()
)
IRREGULAR = dict(
    pair.split(":")
    for pair in """
    went:go gone:go children:child bought:buy mice:mouse better:good caught:catch knives:knife
    swam:swim swum:swim written:write criteria:criterion paid:pay
    """.split()
)
VOCABULARY = [
    head + tail
    for head in """
    act add agre anal arsen beg commun compar consist control create criti custom dream early
    egg emerg even excit famili fix fly general happi hop hope ident inter lie local luxur mail
    nation note organ past play pleas press proceed qu relat retri run serial sky stop study succ
    travel univers use vari yell
    """.split()
    for tail in """
    - s es ed ing ingly edly y ies ied ly ally fully ness ment ation ational ization izer ate
    ator ative al alism ality ity iveness ous ously ence ent ently able ably ible ibly ic ical
    icity ion er ogist ogy less lessly eed eedly e ee ll lle 's ying
    """.replace("-", "").split()
]
SHARED = """
retry/retries swim/swims swim/swam swim/swimming mango/mangoes movie/movies
serialize/serialization buy/bought child/children colour/color Paris./Paris! Codey's/Codey
codey’s/Codey naïve/naive Straße/STRASSE İstanbul/istanbul Łódź/Lodz smørrebrød/smorrebrod
ΑΘΉΝΑ/αθηνα тёмную/тёмная тему/тема книгой/книги Москве/Москва كِتَاب/كتاب שָׁלוֹם/שלום
４０９６/4096 1,000/1000 $900/900 50%/50 foot\u00adball/football foot\u200bball/football
iPhone15/iphone iPhone/iphone iphones/iPhone getUserName/getusername getUserName/user
vault-sync-dev/vault merge_stale_rows/row ADR-016/adr-016 #python/python 5th/5
2027-03-31T10:00/2027-03-31
""".split()


def test_a_surrogate_pair_becomes_its_character_and_a_lone_one_the_replacement_character():
    assert repaired("a\ud83d\ude00b") == "a😀b"
    assert repaired("broken \ud83d emoji \ude00") == "broken \ufffd emoji \ufffd"
    assert repaired("\ud83d") == "\ufffd"


@given(st.text())
def test_text_without_surrogates_comes_back_as_it_is(text):
    assert repaired(text) == text


@given(st.text(st.characters(exclude_categories=())))
def test_repaired_text_can_always_be_encoded(text):
    assert repaired(repaired(text)) == repaired(text)
    repaired(text).encode()


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("ØLÆÞÐ ŁĐı", "olaethd ldi"),
        ("It’s", "it's"),
        ("ﬁne", "fine"),
        ("Тёмный", "темныи"),
        ("ガギ", "ガギ"),
        ("끝말", "끝말"),
        ("มะม่วง", "มะม่วง"),
        ("नमस्ते", "नमस्ते"),
        ("≠", "≠"),
        ("", ""),
    ],
)
def test_only_the_diacritics_of_five_scripts_are_folded(text, expected):
    assert folded(text) == unicodedata.normalize("NFC", expected)


@given(st.text())
def test_folding_twice_is_folding_once(text):
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize("word", STEMS)
def test_stems_are_those_of_porter2(word):
    assert stem(word) == STEMS[word]


@pytest.mark.parametrize("word", IRREGULAR)
def test_irregular_forms_have_the_stem_of_their_base(word):
    assert stem(word) == stem(IRREGULAR[word])


def test_the_stemmer_agrees_with_snowball():
    reason = "pip install snowballstemmer to compare"
    snowball = pytest.importorskip("snowballstemmer", reason=reason).stemmer("english")
    regular = [word for word in VOCABULARY if word not in vividmem.IRREGULAR]
    assert len(regular) > 2_000
    assert [word for word in regular if stem(word) != snowball.stemWord(word)] == []


@pytest.mark.parametrize("pair", SHARED)
def test_these_two_spellings_share_a_term(pair):
    left, right = pair.split("/")
    assert set(terms(left)) & set(terms(right))


@pytest.mark.parametrize(
    "note, query",
    [
        ("我住在杭州西湖附近", "杭州"),
        ("来週は京都で友人に会う予定です", "京都"),
        ("어제 끝말잇기 게임을 했다", "끝말잇기"),
        ("ฉันชอบกินข้าวเหนียวมะม่วง", "มะม่วง"),
        ("Марта поставила тёмную тему", "тёмная тема"),
        ("Zoë ordered crème brûlée", "creme brulee"),
        ("Codey is not replying", "why is Codey not replying to my messages"),
        ("The device is an iPhone15でLINE", "LINE"),
        ("see https://www.example.com/docs?id=7.", "https://example.com/docs?id=7"),
        ("mail anna.b@example.com!", "<anna.b@example.com>"),
    ],
)
def test_a_query_shares_its_terms_with_the_note_it_means(note, query):
    assert set(terms(query)) <= set(terms(note)) | set(terms("message reply"))


def test_a_chinese_query_shares_no_term_with_english():
    assert not set(terms("杭州在哪里")) & set(terms("I live near the West Lake in Hangzhou"))


@pytest.mark.parametrize(
    "identifier",
    """
    merge_stale_rows ADR-016 vault-sync-dev co-op QX-4471 C++ C# .NET -rf 4096 2027-03-31
    anna.b@example.com example.com/a/b https://x.org/a?b=1 +1-555-010-4471 v2.14.3 10.0.2
    #python I/O R&D
    """.split(),
)
def test_identifiers_stay_whole_whatever_punctuation_is_around_them(identifier):
    whole = folded(identifier).removeprefix("+").removeprefix("https://")
    for text in (identifier, f"({identifier}),", f'see "{identifier}"', f"{identifier}."):
        assert whole in terms(text)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Who renamed merge_stale_rows?", ["renam", "merge_stale_rows", "merg", "stale", "row"]),
        ("vault-sync-dev", ["vault-sync-dev", "vault", "sync", "dev"]),
        ("v2.14.3 2027-03-31 10:30", ["v2.14.3", "2027-03-31", "10:30"]),
        ("don't dont cannot and/or it's he'd", []),
        ("not never without no longer", []),
        ("I NO  longer smoke. No, longer", ["smoke", "longer"]),
        ("$1,000 1,000,000", ["$1000", "1000", "1000000"]),
        ("猫 猫が", ["猫", "猫が"]),
        ("iPhone15でLINE", ["iphone15", "iphon", "15", "phone", "で", "line"]),
        ("", []),
        ("... --- !? … 🍕", []),
        ("wait...what word—word", ["wait", "word", "word"]),
    ],
)
def test_terms_are_these(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    "left, right",
    [
        ("v2.14.3", "v2.14.30"),
        ("10.0.2", "10.0.20"),
        ("2027-03-31", "2027-03-30"),
        ("C++", "C#"),
        ("contract", "contrast"),
    ],
)
def test_what_only_looks_alike_shares_no_term(left, right):
    assert not set(terms(left)) & set(terms(right))


@given(st.text())
def test_terms_never_raise_and_are_the_same_each_time(text):
    assert terms(text) == terms(text)
    assert all(terms(text))


@given(st.lists(st.from_regex(r"[a-z]{1,12}", fullmatch=True)))
def test_case_does_not_matter_in_plain_words(found):
    text = " ".join(found)
    assert terms(text) == terms(text.upper()) == terms(text.title())


def test_terms_do_not_depend_on_the_hash_seed():
    code = "import vividmem; print(vividmem.terms('getUserName QX-4471 a.b@c.de not 猫が好き'))"
    command = [sys.executable, "-X", "utf8", "-c", code]
    path = ":".join(sys.path) if sys.platform != "win32" else ";".join(sys.path)
    outputs = {
        subprocess.run(
            command,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


LONG = {
    "one letter": "a" * 20_000,
    "digits": "1" * 20_000,
    "dots": "1." * 10_000,
    "stops": "." * 20_000,
    "dashes": "a-" * 10_000,
    "scheme": "://" + "a" * 20_000,
    "white space": " " * 20_000,
    "marks": "e" + "\u0301" * 19_999,
    "han": "杭州" * 10_000,
    "joiners": "👩\u200d" * 10_000,
    "flags": "🇩🇪" * 10_000,
    "humps": "aB" * 10_000,
    "quotes": '"' * 10_000 + "!" * 10_000,
    "cyrillic": "ая" * 10_000,
    "since": "since the " * 2_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_hostile_long_text_is_read_in_linear_time(text):
    functions = (folded, terms, vividmem.words, vividmem.numbers, vividmem.names, sentences)
    for function in (*functions, token_estimate, lambda text: graphemes_cut(text, 15_001)):
        started = time.process_time()
        function(text)
        assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Lee met J. K. Rowling, e.g. in Rome. Fine.", 2),
        ("Version 2.14.3 is out. Upgrade.", ["Version 2.14.3 is out.", "Upgrade."]),
        ("He said “Go.” Then he left.", ["He said “Go.”", "Then he left."]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("猫が好き。犬も好き。", ["猫が好き。", "犬も好き。"]),
        ("So am I. Bye.", ["So am I.", "Bye."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, expected):
    found = sentences(text)
    assert len(found) == expected if isinstance(expected, int) else found == expected


@given(st.text())
def test_sentences_lose_no_letter(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "character",
    [
        "e\u0301",
        "👩\u200d👩\u200d👧",
        "🇩🇪",
        "❤\ufe0f",
        "👍🏽",
        "กำ",
        "\r\n",
        "क्ष",
        "\u1100\u1161",
        "1\ufe0f\u20e3",
    ],
)
def test_a_cut_never_splits_a_character(character):
    text = "ab" + character + "cd"
    for limit in range(3, 2 + len(character)):
        assert graphemes_cut(text, limit) == "ab"
    assert graphemes_cut(text, 2 + len(character)) == "ab" + character


def test_a_row_of_flags_is_cut_between_flags():
    assert graphemes_cut("🇩🇪🇫🇷🇮🇹", 3) == "🇩🇪"
    assert graphemes_cut("x🇩🇪🇫🇷", 4) == "x🇩🇪"


@given(st.text(), st.integers(-2, 30))
def test_a_cut_is_a_beginning_within_the_limit(text, limit):
    cut = graphemes_cut(text, limit)
    assert text.startswith(cut)
    assert len(cut) <= max(limit, 0)


@pytest.mark.parametrize(
    "text, tokens",  # the most of cl100k, o200k, Claude 2 and DeepSeek
    [
        ("", 0),
        ("Bye for now!", 5),
        ("Let me know how it goes. Stay safe. Talk to you soon!", 15),
        ("    def tokens(text: str) -> list[str]:", 14),
        ("我住在杭州西湖附近，每天早上都会去跑步。", 32),
        ("Марта поставила тёмную тему", 18),
        ("👩‍👩‍👧‍👦 family", 19),
        ("🇩🇪🇫🇷", 12),
        ("ሰላም ልዑል", 17),
    ],
)
def test_the_token_estimate_is_on_the_safe_side(text, tokens):
    assert token_estimate(text) >= tokens


def test_the_token_estimate_of_prose_is_below_twice_the_truth():
    assert token_estimate("Let me know how it goes. Stay safe. Talk to you soon!") <= 2 * 15


@given(st.text(st.characters(exclude_categories=())), st.text())
def test_more_text_never_needs_fewer_tokens(text, more):
    assert token_estimate(text) <= token_estimate(text + " " + more)


def test_word_classes_that_must_not_meet_do_not():
    both = vividmem.STOP_WORDS & vividmem.POLARITY
    assert both == {"cannot"}  # a contraction too
    assert not vividmem.FILLERS & vividmem.GUARDS
    adverbs = "anyway honestly obviously definitely certainly clearly kinda sorta lol haha"
    assert (vividmem.FILLERS - vividmem.STOP_WORDS).issubset(adverbs.split())
    assert 150 <= len(vividmem.IRREGULAR) <= 250


def test_shuffled_calls_do_not_change_what_terms_returns():
    chunks = [left for pair in SHARED for left in pair.split("/")]
    before = [terms(chunk) for chunk in chunks]
    random.Random(0).shuffle(chunks)
    assert sorted(map(terms, chunks)) == sorted(before)
