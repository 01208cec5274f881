"""The write gate: what of all that is said is kept, by whom, under which words, at what cost."""

import json
import multiprocessing

import pytest

from conftest import PATIENCE
from looks import found, on_disk, texts
from vividmem import Decision, InvalidMemoryError, VividMem

DAY = 86400.0
UTC = {"timezone": "UTC", "store": {"durability": "os"}}


# --- decisions -----------------------------------------------------------------------------------


def test_what_is_new_is_stored_and_the_decision_says_so(mem):
    told = mem.observe("I keep bees on the roof", source="m1", importance=7, emotion="happy")
    assert isinstance(told, Decision)
    assert (told.action, told.reason, told.contradicts) == ("store", "it is new", ())
    assert told.memory == mem.memories()[0]
    assert (told.memory.importance, told.memory.emotion) == (7, "happy")
    assert told.memory.sources == ("m1",)
    assert told.surprise == 1.0 and 0 < told.threshold < 1


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("Rosa keeps bees on the roof", "rosa keeps bees on the roof!"),
        ("I live in Porto", "I live in Porto."),
        ("Nadia repairs violins", "Nadia really repairs violins"),
        ("我住在杭州", "我住在杭州。"),
    ],
)
def test_what_only_restates_is_merged_and_reinforces(mem, clock, text, again):
    mem.observe(text, source="m1")
    clock.days(1)
    told = mem.observe(again, source="m2")
    assert (told.action, told.surprise) == ("merge", 0.0)
    assert (told.memory.text, told.memory.seen) == (text, 2)
    assert told.memory.sources == ("m1", "m2")
    assert "memory 1" in told.reason
    assert texts(mem) == [text]


def test_what_replaces_supersedes_and_shows_the_old_record_as_it_was(mem, clock):
    old = mem.observe("I live in Porto").memory
    clock.days(1)
    told = mem.observe("I moved to Ghent")
    assert (told.action, told.contradicts) == ("supersede", (old,))
    assert f"memory {old.id}" in told.reason
    assert told.contradicts[0].current
    assert not mem.memories()[0].current
    assert mem.memories()[0].superseded_by == told.memory.id


def test_what_says_hardly_more_is_skipped(mem, clock):
    mem.observe("The ferry to the island was cancelled because of the fog in the harbour")
    clock.days(1)
    told = mem.observe("The ferry was cancelled in the fog")
    assert (told.action, told.memory) == ("skip", None)
    assert told.surprise < told.threshold
    assert len(mem.memories()) == 1


def test_options_of_the_caller_are_kept(mem, clock):
    when = clock() - 10 * DAY
    memory = mem.observe("The kiln cracked", when=when, episode="pottery", source="chat:9").memory
    assert (memory.when, memory.episode, memory.sources) == (when, "pottery", ("chat:9",))
    assert memory.learned == clock()


# --- who says it, and of whom --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kind", "entity"),
    [
        ({}, "impression", "user"),
        ({"speaker": "USER"}, "impression", "user"),
        ({"speaker": "human"}, "impression", "user"),
        ({"entity": "Alex"}, "impression", "Alex"),
        ({"speaker": "Pia"}, "impression", "Pia"),
        ({"speaker": "Pia", "entity": "Alex"}, "impression", "Alex"),
        ({"speaker": "assistant"}, "reflection", ""),
        ({"speaker": "assistant", "entity": "Alex"}, "reflection", ""),
        ({"speaker": "AI"}, "reflection", ""),
    ],
)
def test_speaker_and_entity_say_whose_memory_it_is(mem, options, kind, entity):
    memory = mem.observe("I keep a heron in the pond", **options).memory
    assert (memory.kind, memory.entity) == (kind, entity)


@pytest.mark.parametrize(
    ("options", "home_of"),
    [
        ({}, "user"),
        ({"entity": "Alex"}, "Alex"),
        ({"speaker": "Pia"}, "Pia"),
        ({"speaker": "Pia", "entity": "Alex"}, "Pia"),
        ({"speaker": "名前"}, "名前"),
    ],
)
def test_i_is_the_speaker_if_that_is_a_name_else_the_entity_else_the_user(mem, options, home_of):
    mem.observe("I live in Porto", **options)
    assert [m.text for m in mem.facts(home_of)] == ["I live in Porto"]
    others = {"user", "Alex", "Pia", "Ben"} - {home_of}
    assert all(mem.facts(name) == [] for name in others)


@pytest.mark.parametrize(
    ("said", "retold", "options"),
    [
        ("Ben lives in Rome", "Ben lives in Oslo", {}),
        ("I live in Rome", "You moved to Oslo", {}),
        ("I live in Rome", "The user moved to Oslo", {"entity": "user"}),
        ("My favourite tea is sencha", "Your favourite tea is rooibos", {}),
        ("The deploy is on", "The deploy is off", {}),
        ("I work at Fernhill", "You just joined Larkspur, congratulations", {}),
    ],
)
def test_what_the_assistant_says_of_others_ends_nothing(mem, clock, said, retold, options):
    mem.observe(said)
    clock.minutes(1)
    told = mem.observe(retold, speaker="assistant", **options)
    assert told.contradicts == ()
    assert told.memory.kind == "reflection"
    assert told.memory.claims == ()
    assert mem.memories()[0].current
    assert mem.contradictions() == []


def test_what_the_assistant_says_of_itself_is_its_own(mem, clock):
    mem.observe("I live in Rome")
    clock.minutes(1)
    told = mem.observe("I live in Oslo", speaker="assistant")
    assert told.action == "store"
    assert [m.text for m in mem.facts("user")] == ["I live in Rome"]
    assert [m.text for m in mem.facts("")] == ["I live in Oslo"]


def test_two_people_may_say_the_same_of_themselves(mem):
    for name in ("Pia", "Ben", "user"):
        assert mem.observe("I live in Porto", speaker=name).action == "store"
    assert mem.observe("I moved to Ghent", speaker="Pia").action == "supersede"
    assert [m.text for m in mem.facts("Ben")] == ["I live in Porto"]


# --- what leaves nothing -------------------------------------------------------------------------

SMALL_TALK = """thanks! | ok | Thank you so much | yes please | lol | 👍 | sounds good | bye | hello
Hello there | great, thanks a lot! | hi, how are you? | got it | cool cool | haha | sure | !!!"""


@pytest.mark.parametrize("text", [t.strip() for t in SMALL_TALK.replace("\n", "|").split("|")])
def test_small_talk_is_skipped_whatever_its_surprise(mem, text):
    told = mem.observe(text)
    assert (told.action, told.memory, told.contradicts) == ("skip", None, ())
    assert told.reason == "it is small talk"
    assert mem.memories() == []


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("HEARTBEAT", "user"),
        ("HEARTBEAT_OK", "user"),
        ("heartbeat 17:04", "user"),
        ("You are a helpful assistant that answers in French.", "user"),
        ("<|im_start|>system You are a bot", "user"),
        ("[system] the context was compacted", "user"),
        ("[system: let us pause here]", "user"),
        ("The session was reset", "system"),
        ('{"temperature": 21}', "tool"),
        ("exit code 0", "function"),
    ],
)
def test_text_of_the_system_is_skipped(mem, text, speaker):
    told = mem.observe(text, speaker=speaker)
    assert (told.action, told.memory) == ("skip", None)
    assert "system" in told.reason or "small talk" in told.reason
    assert mem.memories() == []


@pytest.mark.parametrize(
    ("text", "family", "value"),
    [
        ("Remember I'm allergic to peanuts.", "allergy", "peanuts"),
        ("Please remember that I'm allergic to peanuts", "allergy", "peanuts"),
        ("hey, don't forget that I live in Graz", "home", "Graz"),
        ("I moved to Graz last week, can you suggest a gym?", "home", "Graz"),
        ("I'm vegan now, what can I cook tonight?", "diet", "vegan"),
        ("I'm vegan, so could you change the menu", "diet", "vegan"),
        ("What can I cook tonight, now that I'm vegan?", "diet", "vegan"),
        ("Should I take the A train, given that I live in Queens now?", "home", "Queens"),
        ("As a nurse at the clinic, what shoes do you recommend?", "title", "nurse"),
        ("Can you believe it, I got the job at Siemens!", "employer", "Siemens"),
        ("Guess what, I got the job at Siemens!", "employer", "Siemens"),
        ("Please call me Max.", "name", "Max"),
        ("Could you book a table for my husband, who is allergic to fish?", "allergy", "fish"),
    ],
)
def test_what_is_told_beside_a_question_or_request_is_kept(mem, text, family, value):
    told = mem.observe(text)
    assert (told.action, told.memory.text) == ("store", text)
    assert (family, value) in [(claim.family, claim.value) for claim in told.memory.claims]


@pytest.mark.parametrize(
    "text",
    [
        "Had my eyes checked, all fine",
        "Did the dishes and went to bed.",
        "Search has 6 replicas.",
        "List endpoints return 50 items per page",
        "Please use they/them for me from here on.",
        "Remind me to take my pills at 8.",
        "Find me a flight to Rome, I have to be there on the 5th of May.",
        "Remember: the staging password rotates on Fridays",
    ],
)
def test_what_only_looks_like_a_question_or_request_is_kept(mem, text):
    assert mem.observe(text).action == "store"


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember Heidi?",
        "Who is Heidi?",
        "Have I told you about Marco",
        "Did you know that Heidi lives in Graz?",
        "Could you tell me where Theo works?",
        "where do I live",
        "Is Ann home? And who has the key?",
        "I live in Graz, don't I?",
        "My dentist is Dr. Moss, right?",
        "If I moved to Graz, would my rent be lower?",
        "What if my sister lives in Graz, could she vote there?",
        "Which is better, my old phone or the new one?",
        "I was wondering, where does Heidi live?",
        "I have a question, is Heidi home?",
        "Remind me of the codename of my project",
        "Remember what I told you about Heidi",
        "Please summarise this text.",
        "In what city do I live",
        "東京に住んでいますか？",
    ],
)
def test_a_question_teaches_nothing(mem, text):
    told = mem.observe(text)
    assert (told.action, told.reason) == ("skip", "it only asks")
    assert mem.memories() == []


@pytest.mark.parametrize(
    "text",
    [
        "ok thanks, I moved to Ghent",
        "Thanks to Ana I live in Ghent",
        "Hello! I'm Theo and I repair boats",
        "Can you help me? I broke the kiln",
        "The heartbeat of the engine is uneven",
        "The system prompt lives in prompts/main.txt",
    ],
)
def test_what_only_begins_like_noise_is_kept(mem, text):
    assert mem.observe(text).action == "store"
    assert texts(mem) == [text]


STANDING = """
please ask before deleting files
please only contact me by email
please don't call me before 10
please use my work email for invoices
please update my address to 9 Birch Rd, Salem
please cancel my subscription
please leave packages with the neighbor, Mrs. Kim
please be informed that our office is closed in August
I want you to write tests first
I need you to keep commits small
can you use tabs please?
Could you always show diffs instead of whole files?
could you call me Max from now on?
can you please stop adding comments to the code?
please don't mention my dad, it upsets me
how do I tell my boss I'm pregnant?
Did I tell you Rob got the job at Shell?
can you believe Dan cheated on me?
what should I get my mum for her 70th on May 3?
How do I tell my mum that I'm quitting medicine
please run the linter before committing
please send receipts to my private address
can you stop using emojis?
could you keep answers short please
please change my phone number to 555 0192
please deliver on weekdays only
please avoid jargon
I'd like you to answer in Finnish
would you please speak more slowly?
please note that Ana is on leave in July
did I mention Anna is moving to Lyon?
can you believe my landlord raised the rent to 1200?
how can I explain to Tom that I'm leaving the band?
what can I cook for my son who is allergic to eggs?
please ring the bell twice
please refer to me as they
can you write commit messages in lower case?
please make sure tests pass before you push
how do I break it to my kids that we're divorcing?
have I told you that I got engaged?
please don't use semicolons
can you answer in bullet points?
should I tell my dad that I failed the exam?
did I mention we sold the car?
"""
ERRANDS = """
please summarise this text
please fix the failing test
can you book a flight to Oslo
write me a poem
you know we use tabs, right?
please translate this into Spanish
can you check the logs?
please run the tests
could you explain how decorators work?
please send me the report
what should I get my mum?
how do I tell my boss?
did I tell you where I live?
can you believe it?
how do I tell if an egg is bad?
can you use the other file?
please help me with my essay
I want you to write a poem
I need you to fix this
please open the door
please add a test for this function
can you stop the timer?
please don't stop
could you call me a taxi?
please delete that file
can you show me the diff?
how do I explain recursion?
please update the README
please cancel the timer
Did I tell you my name?
please use this template
should I tell him?
could you check when the next train leaves?
"""


@pytest.mark.parametrize("text", STANDING.strip().splitlines())
def test_what_is_wished_for_good_or_told_within_a_question_is_kept(mem, text):
    assert mem.observe(text).action == "store"
    assert texts(mem) == [text]


@pytest.mark.parametrize("text", ERRANDS.strip().splitlines())
def test_an_errand_is_skipped(mem, text):
    assert mem.observe(text).reason == "it only asks"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("im Jonna, 31, from Tampere", "what is my name?"),
        ("im Jonna, 31, from Tampere", "how old am I?"),
        ("im Jonna, 31, from Tampere", "where am I from?"),
        ("I'm Marcus, 44, divorced, two kids", "how old am I?"),
        ("I'm Marcus, 44, divorced, two kids", "how many kids do I have?"),
        ("Hi, Kate here, 28, nurse", "what's my name?"),
        ("Hi, Kate here, 28, nurse", "what do I do for a living?"),
        ("Hello! This is Raj, 51, retired, from Pune", "where am I from?"),
        ("I have two kids, Max (6) and Ella (3)", "what are my children's names?"),
    ],
)
def test_an_introduction_answers_for_each_of_its_parts(mem, text, question):
    for other in ("my sister is 28", "Tom is a baker", "my boss is from Rome", "I like jazz"):
        mem.observe(other)
    mem.observe(text)
    assert mem.resonate(question, reinforce=False)[0].text == text


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("I'm waiting for the invoice", "got the invoice"),
        ("the invoice is missing", "invoice is there"),
        ("I lost the blue umbrella", "the blue umbrella came back"),
        ("I'm blocked on the API keys", "got the API keys"),
    ],
)
def test_another_verb_or_state_is_no_repetition(mem, clock, known, text):
    mem.observe(known)
    clock.minutes(3)
    assert mem.observe(text).action != "skip"


@pytest.mark.parametrize("speaker", ["user", "assistant", "Pia"])
@pytest.mark.parametrize("form", ["{}", "Here is what I know:\n{}", "{}\n"])
def test_the_block_fed_back_in_teaches_and_reinforces_nothing(mem, clock, speaker, form):
    mem.add_fact("Alex", "home town", "Porto")
    for text in ("I work at Fernhill", "My favourite tea is sencha"):
        mem.observe(text, entity="Alex")
        clock.minutes(1)
    block = mem.get_context_block("Alex", "what does Alex drink?")
    assert "Porto" in block and "sencha" in block
    before = mem.export()["memories"]
    told = mem.observe(form.format(block), entity="Alex", speaker=speaker)
    changed = [m for m in mem.export()["memories"] if m not in before]
    assert all("Porto" not in m["text"] and "sencha" not in m["text"] for m in changed)
    assert mem.export()["memories"][: len(before)] == before
    if "know" not in form:
        assert (told.action, told.reason) == ("skip", "it is only what memory had said")


def test_a_block_without_its_fence_or_its_end_teaches_nothing_either(mem):
    mem.observe("I live in Porto")
    block = str(mem.get_context_block("user", "where do I live?"))
    for damaged in (
        block.replace("<memory>", "").replace("</memory>", ""),
        block.replace("</memory>", ""),
    ):
        assert mem.observe(damaged).action == "skip"
    assert texts(mem) == ["I live in Porto"]


def test_what_is_said_around_a_block_counts(mem, clock):
    mem.observe("I live in Porto")
    clock.days(1)
    block = mem.get_context_block("user", "where do I live?")
    told = mem.observe(f"{block}\nI moved to Ghent")
    assert (told.action, told.memory.text) == ("supersede", "I moved to Ghent")


# --- secrets -------------------------------------------------------------------------------------

SECRETS = [
    ("the database password is Blue-hunter2, use it", ["Blue-hunter2"], "database"),
    ("deploy key sk-test-abc123def456 for staging", ["sk-test-abc123def456"], "staging"),
    ("my PIN is 4711809 and the door is green", ["4711809"], "door"),
    ("The API token: ghp_abcdefghijklmnop1234567890 expires in May", ["ghp_abcde"], "expires"),
    ("Authorization: Bearer abcdef1234567890abcdef", ["abcdef1234567890"], "authorization"),
    ("aws key AKIAIOSFODNN7EXAMPLE for the bucket", ["AKIAIOSFODNN7"], "bucket"),
    ("the wifi password at the cabin is Summer2024!", ["Summer2024"], "cabin"),
    ("password: hunter2", ["hunter2"], "password"),
    ("my password is hunter", ["hunter"], "password"),
    ("client_secret=abcd1234efgh5678 goes into the vault", ["abcd1234efgh5678"], "vault"),
    ("postgres://admin:S3cretPw@db.example.org/app is the url", ["S3cretPw"], "url"),
    ("my passphrase is 'correct horse battery staple' ok", ["horse", "staple"], "passphrase"),
    ("I changed the password to Tr0ub4dor&3 yesterday", ["Tr0ub4dor"], "changed"),
    ("The slack token is xoxb-12345678-abcdefgh, channel ops", ["xoxb-123"], "channel"),
    ("JWT eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0In0.abc-def is for staging", ["eyJzdWIi"], "staging"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY----- opens the gate",
     ["MIIEabc"], "gate"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfi in the vault", ["wJalr"], "vault"),
    ('{"api_key": "abcdEFGH1234", "host": "lighthouse"}', ["abcdEFGH"], "lighthouse"),
    ("Stripe gave us sk_live_abcdefghijklmnop for the shop", ["sk_live_abc"], "shop"),
    ("GitLab: glpat-abcdefghijklmnopqrst for the mirror", ["glpat-abc"], "mirror"),
    ("npm_abcdefghijklmnopqrstuvwx0123 is for the lighthouse", ["npm_abc"], "lighthouse"),
    ("The router of the cabin, pw: hunter2!x", ["hunter2!x"], "cabin"),
    ("Authorization: Basic YWRtaW46aHVudGVyMg== reaches the router", ["YWRtaW46"], "router"),
    ("the router takes admin:hunter2!x@db.local", ["hunter2!x"], "router"),
    ("curl -u admin:hunter2x https://router.local", ["hunter2x"], "router"),
    ("the router has user=admin pass=hunter2x", ["hunter2x"], "router"),
    ("My Wi-Fi password's hunter2!x at the cabin", ["hunter2!x"], "cabin"),
    ("Use hunter2!x as the password at the cabin", ["hunter2!x"], "cabin"),
    ("The cabin: login admin / password hunter2!x", ["hunter2!x"], "cabin"),
    ("The cabin has the PIN 40961", ["40961"], "cabin"),
    ("Mein Passwort ist hunter2!x in der Almhütte", ["hunter2!x"], "Almhütte"),
    ("в хижине пароль: hunter2!x", ["hunter2!x"], "хижине"),
    ("小屋的密码是hunter2!x", ["hunter2!x"], "小屋"),
    ("The recovery phrase: apple banana cherry dog elephant fig grape horse ice juice kite lemon;"
     " the wallet is blue", ["elephant", "lemon"], "wallet"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hidden", "kept"), SECRETS)
def test_a_secret_is_nowhere_on_disk_nor_in_the_index(opened, folder, text, hidden, kept):
    mem = opened()
    told = mem.observe(text)
    assert "[secret]" in told.memory.text
    for word in hidden:
        assert word not in on_disk(folder)
        assert word not in told.memory.text
        assert found(mem, word) == []
    assert found(mem, kept) == [told.memory.text]
    mem.save()
    mem.close()
    assert not any(word in on_disk(folder) for word in hidden)


@pytest.mark.parametrize(
    "text",
    [
        "the key is under the mat",
        "My secret is that I like trains",
        "the token economy is growing",
        "I forgot my password yesterday",
        "the password is wrong",
        "the password is expired and must be renewed",
        "Heidi is the key person here",
        "see https://example.org/a:b for the recipe",
        "The password reset page is slow since version 2.14",
        "the password policy asks for 12 characters",
        "we hash every password with PBKDF2-SHA256",
        "the password's gone",
        "pass: 12/14 tests, the others are flaky",
        "three of us pass 100% of the course",
        "docker run -u 1000:1000 keeps the files mine",
        "Nadia reads mailto:nadia99@mail.example and Contact:nadia1@mail.example",
        "use Python3 as the main language",
        "use port 8443 as the default",
        "the seed phrase of the talk is: trust your users",
        "the PIN 12:30 appointment is on Monday",
        "mein Passwort ist weg",
        "ich habe das Passwort vergessen",
        "my passport is valid until 2031",
        "I passed 3 exams in 2024",
        "the monkey is called Keyla",
        "the hf_transfer package makes downloads quicker",
        "pypi-server and npm_config_cache are set",
    ],
)
def test_what_only_speaks_of_secrets_stays(mem, text):
    assert mem.observe(text).memory.text == text


def test_the_setting_lets_secrets_through(clock):
    with VividMem(clock=clock, config={"beliefs": {"secrets": 0}}) as mem:
        assert "hunter2" in mem.observe("the password is Blue-hunter2, use it").memory.text


# --- threshold and counts ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["The {} heron stands in the pond", "The ferry was cancelled"])
def test_the_threshold_moves_within_its_bounds(mem, clock, text):
    limits = mem.config.gate
    seen = set()
    for number in range(60):
        mem.observe(text.format(f"w{number} x{number}"))
        clock.minutes(1)
        seen.add(mem.stats()["gate"]["threshold"])
    assert len(seen) > 1
    assert all(limits.lowest <= threshold <= limits.highest for threshold in seen)


def test_threshold_and_counts_are_saved(opened):
    mem = opened()
    for text in ("I live in Porto", "I moved to Ghent", "thanks!", "I moved to Ghent."):
        mem.observe(text)
    gate = mem.stats()["gate"]
    assert gate["decisions"] == {"merge": 1, "skip": 1, "store": 1, "supersede": 1}
    mem.close()
    assert opened().stats()["gate"] == gate


def test_a_decision_tells_the_threshold_it_was_made_with(mem):
    first = mem.observe("The kiln cracked")
    second = mem.observe("A heron landed on the pond")
    assert first.threshold == mem.config.gate.threshold
    assert second.threshold != first.threshold


def test_no_write_asks_a_model(clock):
    def refuse(prompt):
        raise AssertionError(prompt)

    with VividMem(clock=clock, llm_fn=refuse) as mem:
        for text in ("I live in Porto", "I moved to Ghent", "I moved to Ghent", "The house burnt"):
            mem.observe(text)
        assert mem.stats()["gate"]["write_tokens"] == 0


# --- another gate --------------------------------------------------------------------------------


class Scripted:
    """A gate that says what it is told to and notes what it was asked."""

    def __init__(self, surprise=1.0, contradicts=0.0):
        self.answers = surprise, contradicts
        self.asked = []

    def surprise(self, text, known):
        self.asked.append((text, list(known)))
        return self.answers[0]

    def contradicts(self, newer, older):
        self.asked.append((newer, older))
        return self.answers[1]


def test_a_gate_is_asked_for_surprise_beside_what_is_near(clock):
    gate = Scripted()
    with VividMem(clock=clock, gate=gate) as mem:
        mem.observe("A heron landed on the pond")
        mem.observe("The heron caught a fish")
    assert gate.asked[0] == ("A heron landed on the pond", [])
    assert ("The heron caught a fish", ["A heron landed on the pond"]) in gate.asked


def test_a_gate_that_is_not_surprised_skips(clock):
    with VividMem(clock=clock, gate=Scripted(surprise=0.0)) as mem:
        mem.add_social_impression("user", "A heron landed on the pond")
        told = mem.observe("The heron caught a fish")
        assert (told.action, told.surprise) == ("skip", 0.0)


def test_what_a_gate_holds_for_a_contradiction_supersedes(clock):
    with VividMem(clock=clock, gate=Scripted(contradicts=0.9)) as mem:
        old = mem.observe("The heron sleeps in the reeds").memory
        clock.days(1)
        told = mem.observe("The heron never comes to the reeds at night")
        assert (told.action, told.contradicts) == ("supersede", (old,))
        assert mem.retract("nothing").forgotten == ()


class Weighing(Scripted):
    """A gate that also says how likely each older text is replaced."""

    def replaced(self, newer, chances):
        self.asked.append((newer, dict(chances)))
        return dict.fromkeys(chances, self.chance)


@pytest.mark.parametrize(("chance", "action"), [(0.9, "supersede"), (0.1, "store")])
def test_a_gate_may_weigh_what_is_replaced(clock, chance, action):
    gate = Weighing()
    gate.chance = chance
    with VividMem(clock=clock, gate=gate) as mem:
        mem.observe("My dentist is Dr. Moss")
        clock.days(1)
        told = mem.observe("Dr. Haas is my new dentist")
        assert told.action == action
    (by_words,) = [one for one in gate.asked if isinstance(one[1], dict)]
    assert by_words[1].keys() == {"My dentist is Dr. Moss"} and by_words[1].popitem()[1] > 0.5


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (None, {}),
        (b"bytes", {}),
        (5, {}),
        ("", {}),
        ("   ", {}),
        ("\x00\x01", {}),
        ("x" * 20_001, {}),
        ("fine", {"entity": 5}),
        ("fine", {"entity": " x "}),
        ("fine", {"entity": "a\nb"}),
        ("fine", {"speaker": ""}),
        ("fine", {"speaker": None}),
        ("fine", {"speaker": "x" * 10_000}),
        ("fine", {"importance": float("nan")}),
        ("fine", {"importance": -5}),
        ("fine", {"importance": 1e9}),
        ("fine", {"importance": "high"}),
        ("fine", {"emotion": 3}),
        ("fine", {"when": "yesterday"}),
        ("fine", {"when": float("inf")}),
        ("fine", {"source": 7}),
        ("fine", {"episode": 7}),
    ],
)
def test_bad_input_is_refused_before_anything_changes(opened, folder, text, options):
    mem = opened()
    mem.observe("I live in Porto")
    before, files = mem.export(), on_disk(folder)
    with pytest.raises(InvalidMemoryError):
        mem.observe(text, **options)
    assert mem.export() == before
    assert on_disk(folder) == files


# --- batches, copies, processes ------------------------------------------------------------------


def test_a_batch_of_observations_is_whole_or_absent(opened):
    mem = opened()
    mem.observe("I live in Porto")
    before = mem.export()
    with pytest.raises(KeyboardInterrupt), mem.batch():
        mem.observe("I moved to Ghent")
        assert found(mem, "where do I live?") == ["I moved to Ghent"]
        raise KeyboardInterrupt
    assert mem.export()["memories"] == before["memories"]
    assert found(mem, "where do I live?") == ["I live in Porto"]
    with mem.batch():
        mem.observe("I moved to Ghent")
        mem.observe("I moved to Lyon")
    assert found(opened(), "where do I live?") == ["I moved to Lyon"]


def test_claims_survive_export_import_and_reopening(opened, clock):
    mem = opened()
    for text in ("I live in Porto", "I moved to Ghent", "My sister works at Fernhill"):
        mem.observe(text, source=text[-5:])
        clock.days(1)
    mem.save()
    again = opened()
    assert again.memories() == mem.memories()
    with VividMem(clock=clock) as copy:
        copy.import_(json.loads(json.dumps(mem.export())))
        assert copy.memories() == mem.memories()
        assert copy.import_(mem.export()) == []
        assert found(copy, "where do I live?") == ["I moved to Ghent"]
        assert copy.observe("I moved to Lyon").action == "supersede"
        copy.retract("Ghent")
        assert [m.text for m in copy.facts("user")] == ["I moved to Lyon"]


def observe_some(folder, name):
    with VividMem(folder, config=UTC) as mem:
        for number in range(10):
            mem.observe(f"I moved to house {number} of the street of {name}", speaker=name)
            mem.observe("thanks!", speaker=name)


def test_processes_that_observe_lose_nothing_and_count_everything(folder):
    names = ["Ana", "Ben", "Pia", "Theo"]
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=observe_some, args=(folder, name)) for name in names]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
        assert worker.exitcode == 0
    with VividMem(folder, config=UTC) as mem:
        kept = mem.memories(limit=1000)
        assert len({m.text for m in kept}) == len(kept) == 40
        decisions = mem.stats()["gate"]["decisions"]
        assert decisions["skip"] == 40
        assert sum(decisions.values()) == 80


@pytest.mark.parametrize("professional", [False, True])
def test_a_block_without_its_fence_teaches_nothing_whatever_its_sections(clock, professional):
    mem = VividMem(clock=clock, professional=professional)
    mem.add_fact("Ana", "role", "tester")
    mem.tasks.start("Fix the importer")
    mem.add_social_impression("Ana", "I live in Rome", "happy")
    mem.add_social_impression("Ana", "I live in Lyon", "happy")
    mem.add_self_reflection("The importer reads rows", "sad")
    mem.reflection.apply_brief({"brief": "Ana tests the importer."}, "Ana")
    mem.mood.update(["happy"] * 3)
    block = mem.get_context_block("Ana", "where does Ana live?")
    heads = [line for line in block.splitlines() if line.startswith("[")]
    assert {"[Brief]", "[About Ana]", "[Open tasks]", "[Open contradictions]"} <= set(heads)
    bare = block.removeprefix("<memory>\n").removesuffix("\n</memory>")
    before = mem.memories()
    told = mem.observe(bare, entity="Ana")
    assert (told.action, told.memory) == ("skip", None)
    assert mem.memories() == before
    assert mem.observe(f"{bare}\nI keep bees", entity="Ana").memory.text == "I keep bees"


@pytest.mark.parametrize(
    "text", ["[Mood board]\n- cork tiles", "[todo]\n- buy milk", "[Facts!]\n- a"]
)
def test_a_list_with_a_heading_of_its_own_is_kept_as_it_is(mem, text):
    assert mem.observe(text).memory.text == text


# --- the object decides ---------------------------------------------------------------------------


def stays(mem, clock, known, said, question):
    """Whether what is *known* stays current, and answers *question* first, after what is *said*."""
    mem.observe(known)
    clock.days(9)
    told = mem.observe(said)
    clock.days(1)
    return not told.contradicts and found(mem, question)[:1] == [known]


MOVED_THINGS = """
I moved my appointment to Bergen. | We moved the wedding to Rome. | they moved my flight to Munich
I shifted the workshop to Porto. | They relocated my cat to a shelter in Graz.
We moved grandma's piano to Lyon. | The band moved its concert to Dublin.
I transferred the money to Zurich. | We rent a van in Leeds every summer.
I bought my brother a bike in Utrecht. | I bought a painting in Vienna. | No ads by post.
"""
MOVES_OF_MINE = """
I moved to Bergen. | We moved house to Bergen. | I moved all my stuff to Bergen, it is lovely.
We moved the whole family to Bergen. | I rent a small flat in Bergen now. | I settled in Bergen.
I moved in with my girlfriend in Bergen. | We bought a house in Bergen.
"""


def listed(rows):
    """The entries of *rows*, which stand in lines, split by bars."""
    return [entry.strip() for line in rows.strip().splitlines() for entry in line.split(" | ")]


@pytest.mark.parametrize("said", listed(MOVED_THINGS))
def test_where_a_thing_is_moved_is_nobodys_home(mem, clock, said):
    assert stays(mem, clock, "I live in Oslo.", said, "where do I live?")


@pytest.mark.parametrize("said", listed(MOVES_OF_MINE))
def test_who_moves_with_all_that_is_theirs_lives_there(mem, clock, said):
    mem.observe("I live in Oslo.")
    clock.days(9)
    mem.observe(said)
    assert found(mem, "where do I live?")[:1] == [said]


NO_MEDICINES = """
I'm on the Basic plan. | I'm on a Mac. | I'm on parental leave. | I'm on my way to the shop.
I'm on Instagram | I'm on my second coffee. | I'm on the waiting list. | We're on the 10:40 ferry.
I'm on a roll! | I'm on duty till six. | I'm on a zero-hours contract. | I'm on page 200.
my exam is on june 18 | Mum's 80th is on the 3rd of May | my flight is on 12 August
"""
MEDICINES = """
I'm on dabigatran now. | They've put me on Xarelto instead. | I'm on a low dose of bisoprolol.
I'm on antibiotics for a chest infection. | I'm on 40 mg of Prozac. | I'm on Eliquis for my heart.
I'm on the pill. | I'm on levetiracetam now instead.
"""


@pytest.mark.parametrize("said", listed(NO_MEDICINES))
def test_what_one_is_on_is_no_medicine_unless_it_looks_like_one(mem, clock, said):
    assert stays(mem, clock, "I'm on ramipril 5 mg", said, "what medication do I take?")


@pytest.mark.parametrize("said", listed(MEDICINES))
def test_a_medicine_one_is_on_takes_the_place_of_the_other(mem, clock, said):
    mem.observe("I'm on apixaban.")
    clock.days(9)
    mem.observe(said)
    assert found(mem, "what medication do I take?")[:1] == [said]


OF_WORKING_DAYS = """
I left Nordvik at five, traffic was terrible. | I left Nordvik late again.
I joined Anna for lunch.
I left Nordvik at noon to pick up the kids. | I'm working with Brightpoint on the offer.
I'm with Brightpoint on the phone. | I talked with Larkspur about prices.
I left Nordvik early today to see the dentist. | I joined Pia for a walk.
"""
ENDS_OF_JOBS = """
I left Nordvik last month. | I left Nordvik for Brightpoint. | I've left Nordvik. | I quit Nordvik.
I joined Brightpoint. | I left Nordvik in May. | I left Nordvik after ten years.
"""


@pytest.mark.parametrize("said", listed(OF_WORKING_DAYS))
def test_who_leaves_for_the_day_or_works_with_somebody_keeps_the_job(mem, clock, said):
    assert stays(mem, clock, "I work at Nordvik.", said, "where do I work?")


@pytest.mark.parametrize("said", listed(ENDS_OF_JOBS))
def test_who_leaves_for_good_works_there_no_more(mem, clock, said):
    mem.observe("I work at Nordvik.")
    clock.days(9)
    mem.observe(said)
    assert found(mem, "where do I work?")[:1] == [said]


@pytest.mark.parametrize(
    ("known", "said", "question"),
    [
        ("Vera is my assistant.", "Vera is off on Friday, Jonas covers for her.", "my assistant"),
        ("Vera is my assistant.", "Vera is off sick, so Jonas takes the calls.", "my assistant"),
        ("My tutor is Dr Holm.", "Dr Holm is away, so Dr Berg takes the class.", "my tutor"),
        ("My manager is Paula.", "Paula is away till Monday, Karim stands in for her.", "my boss"),
        ("Ines is our cleaner.", "Ines is out this week, her cousin fills in.", "our cleaner"),
    ],
)
def test_who_is_away_for_a_time_is_still_who_he_is(mem, clock, known, said, question):
    assert stays(mem, clock, known, said, f"who is {question}?")


def test_another_in_the_role_of_the_one_before_takes_it(mem, clock):
    for said in ("Ines is our cleaner.", "Marta is our cleaner now."):
        mem.observe(said)
        clock.days(9)
    assert found(mem, "who is our cleaner?")[:1] == ["Marta is our cleaner now."]


@pytest.mark.parametrize("said", ["I've been a customer since 2016.", "We've met since 1998."])
def test_a_year_since_when_something_is_so_is_no_version(mem, clock, said):
    assert stays(mem, clock, "We are on version 4.2.", said, "which version are we on?")


@pytest.mark.parametrize("kin", ["mum", "mom", "mother", "dad", "father", "gran", "sister"])
@pytest.mark.parametrize("said", ["my {} fell yesterday", "{} called", "my {} hates the cold"])
def test_news_of_a_relation_hides_nothing_that_is_known_of_her(mem, clock, kin, said):
    known = f"my {kin} lives in Leeds"
    assert stays(mem, clock, known, said.format(kin), f"where does my {kin} live?")


# --- whose it is ----------------------------------------------------------------------------------


OF_OTHERS = """
my husband is Tim > Anna's husband left her > who is my husband?
my husband is Tim > Ben's wife left him > who is my husband?
my husband is Tim > had lunch with Anna and her new husband Piet > who is my husband?
my wife is Ruth > met Petra's new girlfriend Dana > who is my wife?
my wife is Lena > Tom's girlfriend dumped him > who is my wife?
my dentist is Dr Lund > Oskar's dentist, Dr Roy, retired > who is my dentist?
I live in Bristol > Maureen moved in with me > where do I live?
I live in Bristol > Rob moved back in with us > where do I live?
I live in Cork > Pia moved in across the hall > where do I live?
I'm Daniel > She called me Derek, that's my dad's name. > what's my name?
I'm Daniel > He calls me Dan the Man. > what's my name?
I work at a garden centre > my sister started work again > where do I work?
I work at a garden centre > Dunja is back at work, but days now > where do I work?
I'm lactose intolerant > Mila doesn't eat anything green > what can't I eat?
I'm vegan > My nephew eats meat again > what is my diet?
"""
OF_MINE = """
my husband is Tim > Tim left me > who is my husband?
my husband is Tim > my husband left me last week > who is my husband?
I live in Bristol > I moved in with Maureen in Leeds > where do I live?
I'm Daniel > call me Dan > what should you call me?
I work at a garden centre > I started at Tesco > where do I work?
I work at a bakery > I work at a school now > where do I work?
"""
STORIES = """
Queen Isolde gave birth to a son. > do I have children?
Princess Ada married a smith. > am I married?
The king lives in a castle by the sea. > where do I live?
The knight is 40 years old. > how old am I?
Mira works at the mill. > where do I work?
The queen is allergic to roses. > what am I allergic to?
"""


def rows(text):
    """The rows of *text*, split at > into their cells."""
    return [tuple(cell.strip() for cell in row.split(" > ")) for row in text.strip().splitlines()]


@pytest.mark.parametrize(("known", "said", "question"), rows(OF_OTHERS))
def test_what_is_told_of_another_is_not_mine(mem, clock, known, said, question):
    assert stays(mem, clock, known, said, question)


@pytest.mark.parametrize(("known", "said", "question"), rows(OF_MINE))
def test_what_another_does_to_me_or_i_myself_is_mine(mem, clock, known, said, question):
    mem.observe(known)
    clock.days(9)
    mem.observe(said)
    assert found(mem, question)[:1] == [said]


@pytest.mark.parametrize(("said", "question"), rows(STORIES))
def test_a_story_tells_nothing_certain_of_who_hears_it(mem, said, question):
    mem.observe(said)
    assert not any(hit.certainty == "certain" for hit in mem.resonate(question, reinforce=False))


@pytest.mark.parametrize(
    ("said", "question", "value"),
    [
        ("We have a son, Leo.", "who is my son?", "Leo"),
        ("I have a new dentist. Dr Okafor.", "who is my dentist?", "Dr Okafor"),
        ("I work in a library.", "where do I work?", "library"),
        ("The new flat is in Cork.", "where do I live?", "Cork"),
        ("The doctor says I'm allergic to nuts", "what am I allergic to?", "nuts"),
    ],
)
def test_a_name_behind_its_noun_and_a_place_by_its_kind_are_read(mem, said, question, value):
    told = mem.observe(said).memory
    assert value in [claim.value for claim in told.claims if not claim.subject]
    assert found(mem, question) == [said]


# --- what may be a value --------------------------------------------------------------------------

NO_VALUES = """
I'm on losartan 50 mg > the party is on the 12th > what medication do I take?
I'm on losartan 50 mg > My interview is on 3 March > what medication do I take?
I'm on losartan 50 mg > I had a headache > what medication do I take?
I'm on rosuvastatin 10 mg > I had a headache > what medication do I take?
I drive a Skoda > Drove Ellie to Leeds > what car do I drive?
I drive a Skoda > I drive Maureen to church on Sundays > what car do I drive?
I drive a Skoda > I drove Grandpa home > what car do I drive?
I come from Cork > a new driver, Maureen, came from Swindon > where am I from?
My mother lives in Hull. > Mum passed away last night. Linda was with her. > where does my mum live?
My dentist is Dr Lee. > I saw the dentist. Paula drove me. > who is my dentist?
Maureen is 58 > Maureen's retiring in July, her last shift is the 17th. > how old is Maureen?
Emil is 6 > Emil's birthday party is the 9th > how old is Emil?
Greta is 71 > Greta's appointment is at 10 > how old is Greta?
"""
VALUES = """
I drive a Kia > I drive a Polestar to work now > what car do I drive?
Emil is 6 > Emil is 7 now > how old is Emil?
I'm on losartan 50 mg > I'm on zyxal 20 mg > what medication do I take?
"""


@pytest.mark.parametrize(("known", "said", "question"), rows(NO_VALUES))
def test_times_and_persons_fill_no_slot_of_things(mem, clock, known, said, question):
    assert stays(mem, clock, known, said, question)


@pytest.mark.parametrize(("known", "said", "question"), rows(VALUES))
def test_what_fits_a_slot_fills_it_though_no_list_knows_it(mem, clock, known, said, question):
    mem.observe(known)
    clock.days(9)
    mem.observe(said)
    assert found(mem, question)[:1] == [said]


def test_a_sentence_in_small_letters_ends_at_its_stop(mem):
    told = mem.observe("i'm 31. i live in Leeds").memory
    assert {("age", "31"), ("home", "Leeds")} <= {(c.family, c.value) for c in told.claims}


# --- documents, players and characters ------------------------------------------------------------

DOCUMENTS = [
    "Here's the README:\n# Kestrel\nPayments API for Fernhill.\n- Requires Python 3.11 and Docker",
    "# Osprey\nMerchant dashboard",
    "name: kestrel\nversion: 1.2.0\nauthor: Ravi",
    '{"name": "osprey", "version": "2.4.0", "private": true}',
    '{\n  "name": "kestrel",\n  "version": "1.4.2",\n  "license": "MIT"\n}',
    "My package.json:\n```\nname: Falcon\n```",
    'Traceback (most recent call last):\n  File "post.py", line 88, in post\nLockTimeout: Anna',
    "## 1.4.0\n- Salary export is 30% faster\n- My Drinks order flow",
    "this is Kestrel, our payments API",
]


@pytest.mark.parametrize("said", DOCUMENTS)
def test_a_document_tells_nothing_of_who_pastes_it(mem, clock, said):
    assert stays(mem, clock, "I'm Dana", said, "what's my name?")
    own = [c for m in mem.memories()[1:] for c in m.claims if not c.subject and c.value]
    assert not [c for c in own if c.family in ("name", "salary", "children", "phone_number")]


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("About me:\n- I live in Leeds\n- my bank is Citi", "which bank do I use?"),
        ("# About me\nI live in Leeds\nMy bank is Citi", "where do I live?"),
        ("Here's what I know: my dentist is Dr Lee", "who is my dentist?"),
        ("```\nboom()\n```\nmy phone number is 555 0101 by the way", "what's my phone number?"),
    ],
)
def test_what_a_list_or_a_note_beside_code_tells_of_me_is_mine(mem, said, question):
    mem.observe(said)
    hit = mem.resonate(question, reinforce=False)[0]
    assert (hit.text, hit.why.slot) != (said, "")


OUT_OF_CHARACTER = [
    "((OOC: I moved to York last weekend))", "(OOC: I moved to York last weekend)",
    "OOC: I moved to York last weekend", "[OOC: I moved to York last weekend]",
    "// ooc I moved to York last weekend", "*I bow* ((I moved to York irl, posting is slow))",
    "My character lives in York.", "In this scene I live in York.",
]  # fmt: skip


@pytest.mark.parametrize("said", OUT_OF_CHARACTER)
def test_the_player_and_the_character_live_apart(mem, clock, said):
    known = "I am Sir Roland, I live in Castle Grey."
    assert stays(mem, clock, known, said, "where do I live?")
    assert said in texts(mem)


@pytest.mark.parametrize(
    "said",
    [
        "For this scene my name is Roland.", "In this story my name is Roland.",
        "For the campaign I'm called Roland.", "In the game I'm Roland.",
    ],
)  # fmt: skip
def test_a_name_for_a_scene_is_not_ones_own(mem, clock, said):
    assert stays(mem, clock, "My name is Daniel.", said, "what's my name?")


def test_a_cat_named_so_is_not_its_owner(mem):
    told = mem.observe("I have a cat named Nib").memory
    assert "name" not in {claim.family for claim in told.claims}
