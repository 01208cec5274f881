"""The write gate: what of all that is said is kept, by whom, under which words, at what cost."""

import json
import multiprocessing
import subprocess
import sys

import pytest

from conftest import PATIENCE, ROOT
from looks import found, on_disk, texts
from vividmem import Decision, InvalidMemoryError, VividMem, redacted

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


SEEDED = """
from vividmem import VividMem
mem = VividMem(clock=lambda: 1767603600.0, config={"timezone": "UTC"})
words = "bee hive comb honey queen drone smoke veil frame swarm roof garden sugar jar".split()
words += "lamp boat river stone cloud apple train paper chair clock glass spoon pot bus".split()
for i in range(20):
    said = " ".join(words[(i * i + i * k + k * k) % 28] for k in range(22))
    told = f"Rosa has {said}", f"and Rosa has {said}!"
    print([repr(mem.observe(text).surprise) for text in told])
"""


def test_surprise_does_not_hang_on_the_hash_seed():
    printed = {
        subprocess.run(
            [sys.executable, "-c", SEEDED],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(printed) == 1
    assert "-0.0" not in printed.pop()


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
        "can you note that staging is on 9443 now?",
        "could you keep in mind that Ana is on PTO next week?",
        "btw did I mention we moved to k8s?",
        "can you remember that my flight is at 6?",
        "could you please remember I'm vegan now?",
        "will you remind me that the rent is due on the 3rd?",
        "could you save that the wifi network is called Heron?",
        "can you make a note that the plumber comes on Friday?",
        "please note: prod freezes on Friday, ok?",
        "hey, did I mention that Rosa moved to Ulm?",
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
        "Do you know whether Heidi lives in Graz?",
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
        "Could you save the file?",
        "Can you note what she said?",
        "Did I mention where I live?",
        "Can you remind me what the code is?",
        "Could you record the meeting?",
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


SHORT_OR_PAIRED = [
    ("root pw: Tr0ub4dor&3", "Tr0ub"),
    ("pw for the bastion is Winter2026!", "Winter2026"),
    ("the pw of the NAS in the attic is now Klara1999", "Klara1999"),
    ("the staging pwd is Qwerty!77", "Qwerty"),
    ("pass: gr4fana!", "gr4fana"),
    ("grafana admin pass is gr4fana!", "gr4fana"),
    ("redis requirepass s3cr3tpass99", "s3cr3t"),
    ("creds: qa / letmein99", "letmein"),
    ("creds for stg: admin / Winter2026!", "Winter"),
    ("credentials for sftp: acme / Sup3rS3cret", "Sup3r"),
    ("creds are tester:Blue7fish", "Blue7"),
    ("credentials: root / swordfish", "swordfish"),
    ("login for jenkins: admin / Winter2026!", "Winter"),
    ("login is deploy:hunter22", "hunter"),
    ("the basic auth for staging is qa / letmein99", "letmein"),
    ("username admin, pass Winter2026!", "Winter"),
    ("user: ines, pass: k0ala-tree", "k0ala"),
    ("ssh deploy@bastion with Winter2026!", "Winter"),
    ("you can log in to the demo shop using Lem0n!tree", "Lem0n"),
    ("mysql -u root -pHunter22 ledger", "Hunter"),
    ("mysqldump -h db1 -uapp -ps3cretX1 shop > dump.sql", "s3cretX1"),
    ("sshpass -p 'Ocean88!' ssh root@10.0.0.4", "Ocean88"),
    ("redis-cli -h cache -a Vel0cette ping", "Vel0cette"),
    ("docker login -u ci -p Tango44x registry.corp", "Tango44x"),
    ("PGPASSWORD=opens3same psql -h db-1", "opens3same"),
    ("the job sets MYSQL_PWD=wint3rgreen", "wint3rgreen"),
    ("psql --password Ocean88!", "Ocean88"),
    ("ALTER USER app IDENTIFIED BY 'Fjord2025';", "Fjord"),
    ("CREATE ROLE app WITH PASSWORD 'Fjord2025'", "Fjord"),
    ("passphrase of the GPG key: correct horse battery", "horse"),
    ("passphrase for the deploy key: correct horse", "horse"),
    ("the passphrase of my laptop is velvet otter parade lantern", "otter"),
    ("the vault unseal key 1 is k3Yk3Yk3Yk3Y==", "k3Yk3"),
    ("the unlock code for the vault is k3Yk3Yk3Yk3Y==", "k3Yk3"),
    ("unseal key 3: 9aQx/77bPz+0lTTm2w==", "9aQx"),
    ("2FA backup codes: 8f3k-22lm, 91xz-00ab", "8f3k"),
    ("the TOTP secret is JBSWY3DPEHPK3PXP", "JBSWY"),
    ("recovery code: 7HX2-K9QL-0PZD", "7HX2"),
    ("the encryption key is b64f9Zk2mQ8v1LxT", "b64f9"),
    ("service account secret: 8Q~xYz12AbCdEfGhIjKlMnOp", "8Q~x"),
    ("client_secret is 8Q~xYz12AbCdEfGhIjKlMnOp", "8Q~x"),
    (
        "slack webhook https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "XXXXXXX",
    ),
    (
        "alerts go to https://discord.com/api/webhooks/112233445566778899/aBcD-efGh_IjKlMnOpQrStUv",
        "aBcD",
    ),
    (
        "teams hook: https://corp.webhook.office.com/webhookb2/1f0c2a7e-aa11@bb22/IncomingWebhook/9f8e7d6c5b4a/77aa",
        "9f8e7d",
    ),
    ("sentry dsn https://9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c@o1.ingest.sentry.io/5", "9f8e7d"),
    ("SENTRY_DSN=https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@sentry.corp.example/12", "0a1b2c"),
    ("connection string: Server=db;User Id=sa;Password=P@ssw0rd1;", "P@ssw0rd"),
    (
        "DefaultEndpointsProtocol=https;AccountName=led;AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6==;EndpointSuffix=core",
        "Zm9vYm",
    ),
    (
        "Endpoint=sb://bus.example/;SharedAccessKeyName=Root;SharedAccessKey=Zm9vYmFyYmF6cXV4MTIz=",
        "Zm9vYm",
    ),
    ("redis://:v3lvetfox@cache-1:6379/0 is the queue", "v3lvet"),
    ("amqp://worker:r@bbit77@mq.corp:5672", "bbit77"),
    ("mongodb+srv://app:Kiwi99x@cluster0.example.net/shop", "Kiwi99"),
    ("Authorization: Bearer 9f8e7d6c5b4a3f2e", "9f8e7d"),
    ('curl -H "Authorization: token 4f3e2d1c0b9a8f7e6d5c" api.corp', "4f3e2d"),
    ("curl -H 'X-Api-Key: 4f3e2d1c0b9a' api.corp", "4f3e2d"),
    ("Cookie: sessionid=38afes7a8f0c11aa99;", "38afes"),
    ("the telegram bot is 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", "AAHdq"),
    ("link: https://files.corp/report.pdf?sig=aB3dEf6hIj9kLm2n&se=2026", "aB3dEf"),
    ("https://b.s3.amazonaws.com/k?X-Amz-Signature=0123456789abcdef0123", "0123456789ab"),
    ("vault login hvs.CAESIJ1qXyz8mNopQrStUv", "hvs.CAES"),
    ("grafana: glsa_abcDEF123ghiJKL456mnoPQR", "glsa_abc"),
    ("shopify: shpat_0123456789abcdef0123456789abcdef", "shpat_0"),
    ("digitalocean dop_v1_0123456789abcdef0123456789abcdef", "dop_v1_0"),
    ("stripe hook: whsec_abcdEFGH1234ijkl", "whsec_a"),
    ("my age key: AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQ", "1QYQ"),
    (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOYBF\nab\n-----END PGP PRIVATE KEY BLOCK-----",
        "lQOYBF",
    ),
    (
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\naC\n-----END OPENSSH PRIVATE KEY-----",
        "b3Blbn",
    ),
    (
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAA\n---- END SSH2 PRIVATE KEY ----",
        "P2/56",
    ),
    ("machine api.corp login ines password k0ala-tree", "k0ala"),
    ("wifi: guests / pw Sonne-44", "Sonne"),
    ("the router's admin pw is still admin1234", "admin1234"),
    ("ansible_become_pass: Orchid!9x", "Orchid"),
    ("admin/Winter2026! opens the printer page", "Winter2026"),
    ("Zugangsdaten: admin / Sommer2025!", "Sommer"),
    ("the windows box: Administrator / R3dBrick!", "R3dBrick"),
    ("my netflix pass is m0nkeyMagic", "m0nkey"),
    ("the printer's pw: Kaffee7bohne", "Kaffee7"),
    ("new pw for the camera = tulip!99x", "tulip"),
    ("pass for the guest wifi is sunny5day", "sunny5"),
    ("Pass = Ocean!88z", "Ocean"),
    ("alarm system login: family / R0se!bush", "R0se"),
    ("the staging logins are qa / letmein99", "letmein"),
    ("creds → bo:Pine22tree", "Pine22"),
    ("vpn credentials are ines / Marsh_mallow7", "Marsh"),
    ("user is deploy, password is hunter22", "hunter22"),
    ("my mum's amazon password is Rosi1949", "Rosi1949"),
    ("passphrase = glass-otter-moon-kite", "otter"),
    ('ssh passphrase: "red kite over stone"', "stone"),
    ("export DB_PASS=Tulpe77x", "Tulpe"),
    ("spring.datasource.password=Tulpe77x", "Tulpe"),
    ("postgresql://led:Tul@pe/77@db-1/x", "Tul@"),
    ("mysql://root:Tulpe77@127.0.0.1", "Tulpe"),
    ("jdbc:postgresql://db/x?user=a&password=Tulpe77x", "Tulpe"),
    ("kubectl create secret generic x --from-literal=password=Tulpe77x", "Tulpe"),
    ("curl -u ines:Tulpe77 https://a", "Tulpe"),
    ("mysql -h db -u root -p'Tulpe 77'", "Tulpe"),
    ("export VAULT_TOKEN=hvs.CAESIAbCdEfGhIjKlMnOp", "CAESI"),
    ("x-auth-token: 77aa88bb99cc", "77aa"),
    ('"password": "Tulpe77x"', "Tulpe"),
    ("password=Tulpe77x&user=bo", "Tulpe"),
    ("the wifi key is Tulpe77xBlau", "Tulpe"),
    ("WPA2 key: 99blueBirds!", "blueB"),
    ("the root password of the NAS was reset to Tulpe!77", "Tulpe"),
    ("log in as admin with Tulpe!77x", "Tulpe"),
    ("sudo pw is k4tze", "k4tze"),
    ("my apple id is ines@mail.example, pw Tulpe77!", "Tulpe"),
]


@pytest.mark.parametrize(("text", "hidden"), SHORT_OR_PAIRED)
def test_a_secret_by_a_short_word_in_a_pair_a_command_or_an_address_is_hidden(text, hidden):
    assert hidden not in redacted(text)
    assert "[secret]" in redacted(text)


NO_SECRETS = [
    "the password policy needs 12 characters",
    "pass me the salt",
    "the pass was closed",
    "the pass is closed until 12 May!",
    "the Brenner pass is 1370m high",
    "we took the pass at 7am",
    "my boarding pass: LH1234 seat 12A",
    "the ski pass is 64€ a day",
    "pass --headed to see the browser",
    "the test pass rate is 98%",
    "tests pass on main",
    "pass: 12/14 tests, 2 are flaky",
    "second pass: 3 of 40 left",
    "the first pass of the compiler is O(n^2)",
    "the season pass costs 199.99",
    "pass user_id2 and not the whole user to render",
    "commit 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39 broke main",
    "image sha256:9b2c3d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789abcdef01",
    "creds for stg: see 1Password item 'stg ledgerly'",
    "creds are in Vault under kv/stg2",
    "credentials are rotated by Hamid every 90 days",
    "the credentials: ask Hamid",
    "login is at https://sso.corp.example/a1",
    "login takes 3 seconds",
    "login: Google / GitHub",
    "login is via OAuth2 / SAML2",
    "log in with your Pixel8",
    "log in as qa on staging",
    "sign in with your work account at 9am",
    "ssh deploy@bastion with the ed25519 key",
    "connect to the printer with USB3",
    "password: see Vault",
    "the password: ask Ines",
    "passphrase: see the blue notebook",
    "the passphrase is in the safe at home",
    "the passphrase is very long",
    "the passphrase is stored in 1Password",
    "token expiry is 15 minutes",
    "token: expires after 15 min",
    "the token service runs on port 8200",
    "the secret is in Vault",
    "the secret to fast builds is caching",
    "the API key header is X-Api-Key",
    "API key rotation: monthly",
    "the partition key is tenant_id",
    "primary key is (merchant, key)",
    "the Jira project key is PLAT",
    "license key for IntelliJ is at 1password://team/jetbrains",
    "use `-p 8081:80` for the mock",
    "docker run -p 8080:80 nginx",
    "mkdir -p build/out2",
    "ssh -p 2222 deploy@bastion",
    "mysql -u root -p asks for it",
    "my order number is 4711-88231",
    "order 112-7755331-8812345 has arrived",
    "the ISBN is 978-3-16-148410-0",
    "ticket LED-2071 is done",
    "the tracking number is 1Z999AA10123456784",
    "the IBAN is DE89 3704 0044 0532 0130 00",
    "flight LH1234 leaves at 10:40",
    "the hook is at https://ci.corp.example/hooks/build",
    "our slack is at https://corp.slack.com/archives/C012AB3CD",
    "sentry is at https://sentry.corp.example/12",
    "write to nadia99@mail.example with the photos",
    "see https://git.corp/a@1234 for the diff",
    "git@github.com:corp/orbit.git is the repo",
    "postgres runs at postgres://db-1:5432/ledger",
    "the build id is a1b2c3d4e5f6",
    "session 12 of the course is on Monday",
    "the cookie: 200g butter, 100g sugar",
    "basic auth is off for staging",
    "backup codes are in the drawer",
    "the recovery code expired in 2024",
    "encryption key rotation is monthly",
    "the door code of the gym is on the card",
    "bearer of bad news came 2 times",
    "the username is ines88",
    "the user / admin split is v2.1",
    "admin / root rights need approval",
    "creds expire on 2026-03-02",
    "my passport number is in the folder",
    "Tom passed: 12.5 points",
    "pw stands for prewash on the 2019 machine",
    "she got a pass in maths2 and art1",
    "the login page uses React18 / Vite5",
    "credentials: a PhD and 12 papers",
    "the secret code of the kids is a knock-knock",
    "identified by the red badge2",
    "the trail crosses the pass in 2h30",
    "the pass at Grimsel opens on 1 June",
    "pass on the 2 parcels to Gudrun",
    "she's at the pass: 2 hours to go",
    "my pass is at the office",
    "a login is needed for 3 of them",
    "login: ask Hamid for an invite2",
    "the logins were 4500 last week",
    "creds are fine since Monday",
    "the credentials of the witness are good",
    "backup codes: drawer 3",
    "backup is at 02:30 daily",
    "the backup key ring has 4 keys",
    "unlock the bike with code on my phone",
    "the unlock was at 7:45",
    "recovery is 6 weeks after the op",
    "recovery time was 3h20m",
    "master key is with the caretaker",
    "signing is on 12 May at 10:00",
    "connect with Sabine on Monday 12th",
    "connect the TV with HDMI2.1",
    "log in with the number 3 door",
    "root / branch v2.3 of the repo",
    "admin: Ines since 2024",
    "admin / HR2 sits on floor 2",
    "my cookie: chocolate",
    "cookie: secure and http only since v2",
    "basic plan: 9.99 a month",
    "with password managers 3 of us are happier",
    "docker login works again since 10:30",
    "the mysql -pool setting is off",
    "redis-cli works with v7.2",
    "the passphrase dialog is ugly",
    "passphrase: required",
    "passphrase: see Vault",
    "passphrases are better than passwords",
    "the https://a.example:8443/b page",
    "at http://localhost:3000/@me I see it",
    "https://medium.com/@ines/story-12345",
    "token ring from 1985",
    "the pw in the recipe means prewashed rice2go",
    "the passport is C01X00T47",
    "case number 2026-INC-00412",
    "the product key chain costs 12€",
    "order id ORD_88121_x",
    "uuid 550e8400-e29b-41d4-a716-446655440000 is the device",
]


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_holds_a_word_or_the_form_of_a_secret_stays(text):
    assert redacted(text) == text


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


def test_hearsay_that_is_no_news_to_a_gate_is_skipped(clock):
    with VividMem(clock=clock, gate=Scripted(surprise=0.0)) as mem:
        mem.add_social_impression("user", "The heron caught a fish")
        told = mem.observe("Tam swears that the heron caught a fish")
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


# --- what shares its words but tells something else ----------------------------------------------

# A wish, attempt, order, dream or report, and what happened.
HAPPENED = """
Mira wants to kill Holt. | Mira killed Holt.
I want to pass the B1 exam. | I passed the B1 exam.
I plan to finish unit 6 this week. | I finished unit 6.
I have to write the essay about Split. | I wrote the essay about Split.
I tried to read Der Prozess. | I read Der Prozess.
I hope to get the job in Graz. | I got the job in Graz.
I'm going to sell my car. | I sold my car.
I need to register for the exam. | I registered for the exam.
I intend to quit Duolingo. | I quit Duolingo.
I forgot to do exercise 4. | I did exercise 4.
I would like to repeat unit 5. | I repeated unit 5.
I almost passed the mock exam. | I passed the mock exam.
I will meet the Queen. | I met the Queen.
I promised to kill Holt. | I killed Holt.
I dreamed that I killed Holt. | I killed Holt.
I was asked to guard the gate. | I guarded the gate.
Kaelen is trying to open the vault. | Kaelen opened the vault.
Mira must destroy the ring. | Mira destroyed the ring.
Mira could not find the key. | Mira found the key.
The Ravens threatened to burn the mill. | The Ravens burned the mill.
Orla was supposed to marry Holt. | Orla married Holt.
Tam says that Holt burned the mill. | Holt burned the mill.
Finn believes that Orla stole the ring. | Orla stole the ring.
Finn suspects Orla stole the ring. | Orla stole the ring.
The prophecy says that Mira will slay the dragon. | Mira slew the dragon.
Tam says the Queen is dead. | The Queen is dead.
We are thinking about buying the cottage. | We bought the cottage.
Bela hopes to win the chess tournament. | Bela won the chess tournament.
The board considered closing the Lyon office. | The board closed the Lyon office.
Ruth asked Owen to repair the boiler. | Owen repaired the boiler.
My sister was afraid of failing the driving test. | My sister failed the driving test.
I should call the landlord about the heating. | I called the landlord about the heating.
Rumour has it that the bakery on Elm Street closed. | The bakery on Elm Street closed.
Ivo offered to paint the fence. | Ivo painted the fence.
Dana dreams of running the Oslo marathon. | Dana ran the Oslo marathon.
We might migrate the billing service to Go. | We migrated the billing service to Go.
Holt ordered the guards to close the gate. | The guards closed the gate.
Nobody thought Petra would finish the thesis. | Petra finished the thesis.
I refused to sign the contract. | I signed the contract.
If it rains we cancel the picnic. | We cancel the picnic.
Holt vowed to burn down the chapel. | Holt burned down the chapel.
The committee is expected to approve the budget. | The committee approved the budget.
Mum begged Lena to sell the boat. | Lena sold the boat.
I keep meaning to call the plumber. | I called the plumber.
There is talk that Owen will leave the choir. | Owen left the choir.
We agreed to rename the package. | We renamed the package.
Vera imagines that Paul stole the bike. | Paul stole the bike.
Ivo was told to clean the attic. | Ivo cleaned the attic.
Nora follows Emil. | Emil follows Nora.
The frontend depends on the parser. | The parser depends on the frontend.
Lena lent Paul her bike. | Paul lent Lena her bike.
Paul was the treasurer of the club. | Paul is the treasurer of the club.
"""
# The same words with other roles, another tense, or after the contrary was told.
TURNED = """
Kaelen killed Finn. | Finn killed Kaelen.
Kaelen betrayed Finn. | Finn betrayed Kaelen.
Kaelen forgave Finn. | Finn forgave Kaelen.
Mira kissed Tomas. | Tomas kissed Mira.
Mira owes Finn ten gold. | Finn owes Mira ten gold.
Mira trusts Holt. | Holt trusts Mira.
Mira trusts Finn and Finn hates Orla. | Finn trusts Mira and Orla hates Finn.
Petra beat Bela at chess. | Bela beat Petra at chess.
Team Red invited Team Blue. | Team Blue invited Team Red.
The cat chased the dog. | The dog chased the cat.
Ana taught Ivo the tango. | Ivo taught Ana the tango.
The API calls the worker. | The worker calls the API.
Raj reports to Nina. | Nina reports to Raj.
Orla is older than Finn. | Finn is older than Orla.
Holt follows Mira everywhere. | Mira follows Holt everywhere.
Mira was captain of the guard. | Mira is captain of the guard.
Mira is engaged to Tomas. | Mira married Tomas.
I was a smoker. | I am a smoker.
Bela was the head of sales. | Bela is the head of sales.
The red bridge was closed. | The red bridge is closed.
Orla used to be a nun. | Orla is a nun.
Petra was in love with Ivo. | Petra is in love with Ivo.
Owen had a red car. | Owen has a red car.
Ruth is dating Paul. | Ruth married Paul.
The office was in Linz. | The office is in Linz.
Raj was the lead of the audit. | Raj is the lead of the audit again.
I'm pregnant. | I was pregnant.
Kaelen will be king. | Kaelen is king.
Kaelen has the crown. | Holt has the crown now. | Kaelen has the crown again.
Emma comes along to Tokyo. | Emma can't come to Tokyo. | Emma is coming to Tokyo after all!
Paul joins the dinner. | Paul can't join the dinner. | Paul is joining the dinner after all.
Raj does the deck. | Raj can't do the deck. | Raj is doing the deck after all.
I want the newsletter. | I don't want the newsletter. | I want the newsletter.
The gala takes place. | The gala is off. | The gala takes place after all.
Emma can't come to Tokyo. | Emma is coming to Tokyo after all!
Paul won't join the dinner. | Paul is joining after all!
The parcel hasn't come. | The parcel came after all!
Raj can't do Friday. | Raj can do Friday after all.
Petra lives in Linz. | Petra moved to Graz. | Petra lives in Linz again.
We use Jenkins. | We use GitHub Actions now. | We use Jenkins again.
The bridge is open. | The bridge is closed. | The bridge is open.
I work at Fernhill. | I work at Larkspur now. | I'm back at Fernhill.
Ivo has the car today. | Petra has the car now. | Ivo has the car again.
Dana eats meat. | Dana doesn't eat meat any more. | Dana eats meat again.
The build is green. | The build is red. | The build is green again.
Mum isn't coming on Sunday. | Mum is coming on Sunday after all.
"""
# What says no more than the statement before.
RESTATED = """
I passed the B1 exam. | I passed the B1 exam!
I really passed the B1 exam. | I passed the B1 exam.
Mira killed Holt. | Mira killed Holt!
Kaelen opened the vault in the morning. | Kaelen opened the vault.
We bought the old cottage by the lake. | We bought the cottage by the lake.
I always drink black coffee in the morning. | I drink black coffee in the morning.
My sister works at the bakery on Elm Street. | My sister works at the bakery.
I have two cats. | I have two cats.
We deploy with Docker on every Friday. | We deploy with Docker every Friday.
Bela won the chess tournament in Graz. | Bela won the chess tournament.
Owen said that the boiler is broken. | Owen said the boiler is broken.
Kaelen killed Finn. | Kaelen killed Finn.
Mira is captain of the guard. | Mira is captain of the guard.
Kaelen has the crown. | Kaelen has the crown.
Emma is coming to Tokyo. | Emma is coming to Tokyo!
We use Jenkins. | We use Jenkins.
Lena plays the cello in a quartet. | Lena plays the cello.
"""


def told_in(table):
    return [tuple(line.split(" | ")) for line in table.strip().splitlines()]


@pytest.mark.parametrize("told", told_in(HAPPENED) + told_in(TURNED))
def test_what_happens_or_turns_is_kept_though_its_words_are_known(mem, clock, told):
    for text in told:
        decision = mem.observe(text)
        clock.days(1)
    assert decision.action in ("store", "supersede")
    assert decision.memory.text == told[-1]


@pytest.mark.parametrize("told", told_in(RESTATED))
def test_what_says_no_more_is_not_kept_again(mem, clock, told):
    for text in told:
        decision = mem.observe(text)
        clock.days(1)
    assert decision.action in ("skip", "merge")
    assert texts(mem) == [told[0]]


# --- requests that change what holds -------------------------------------------------------------

ARRANGED = """
Please remove me from all marketing, GDPR article 21.
Please take me off your list.
Please unsubscribe me.
Please delete all my data under GDPR.
Please stop sending me brochures.
Please don't share my data.
Please block my SIM, the phone was stolen.
Please unblock the SIM.
Please put a note on my file: no calls.
Please add my wife Siv to the contract.
Please remove my ex-husband Per from the contract.
Please opt me out of data sharing.
Please pause my subscription until June.
Please reactivate order 7002.
Please ship 7002 to my office, PO Box 118.
Please hold my mail until the 17th.
Please schedule the technician for the 12th.
Please book me on the 9:10 to Oslo.
Please put Emma on the guest list.
Please reserve table 4 for six on Friday.
Please pay Kamil 150 for the weekend.
Please note that I'm away until the 17th.
Please tell Nina the offsite is on the 20th.
Please make the Meyer call Thursday at 4:15.
Please keep Friday free.
Please move my 2 o'clock to 4.
Please put me back on the mailing list.
Please take me off the mailing list.
Please change my delivery date to the 14th.
Please resend the invoice to billing@berg.no
Please reinstate my subscription.
Please close ticket 7782.
Kindly remove my card ending 4421.
Can you switch me to paper invoices?
Could you cancel order 7002?
Can you send it to my neighbour at 9 Elm Grove?
Would you please only write to me, never call?
Can we move our meeting to Thursday at 4?
Could you change my email to ola@berg.no?
Could you please note that I'm deaf, so no phone calls.
Can you update my phone number to 555-0188?
Can you reactivate my account?
Can you please stop calling me?
Could you not call me before ten?
Why do you keep calling me when I asked for mail only?
How come order 7002 was delivered to the wrong house?
Is it possible to change the plan to Pro from May?
Can you book the Santiago for the 5th?
Could you push the Meyer call to Friday?
Can you move the dentist to the 19th at 8?
Would you cancel lunch with Bettina, she's sick?
Can you tell Raj he has the slides?
I'd be grateful if you could cancel order 7002.
I was wondering if you could change my address to 9 Lake Street.
May I ask you to write rather than phone?
How about we do lunch at Luigi's on Friday at noon?
Shall we say Tuesday at ten?
Did you know that Veshra is a vampire?
*I draw my sword and step into the tavern.* "Where is Veshra?"
Why was I charged 49.90 on the 2nd?
Isn't it strange that my parcel has been in Hamburg since Monday?
Can you send the replacement to 14 Brook Lane, Leeds LS1 4AP?
Please leave the parcel with the concierge on Mondays.
Could you add Ruth to the distribution list?
Would you mind moving my appointment to the 3rd of May?
Please waive the late fee for invoice 311.
Can you take Ivo off the on-call rota for June?
Please transfer me to the Vienna office from July.
Could we skip the stand-up on Thursday?
Please renew my library card until 2028.
Can you make sure nobody phones me before noon?
Please replace my old card with the new one ending 9917.
Could you inform Dr. Bauer that I stopped taking the pills?
Why did nobody tell me that the Oslo flight was cancelled?
Did you hear that Owen got engaged?
*Orla nods and locks the gate behind her.* "Shall we go?"
*I hand the letter to Finn* Do you trust him?
Why is my parcel still in Leipzig after 9 days?
Have you heard that the ferry to Split was sold?
Please let Petra know that the rehearsal is at 7.
Please forward my mail to 12 Quay Street.
Please register my daughter Ida for the chess club.
Please switch the newsletter to my work address.
Could you enrol Ben in the swimming course?
Can you extend my loan of the atlas till the 30th?
Would you take Mrs Hahn off the rota on Sunday?
Please charge invoice 88 to my old card.
*Nan wipes the bar and pours an ale.* "What will it be?"
Why is my refund for order 12 still missing?
How come nobody told me the shop moved to Elm Street?
"""
ASKED = """
Can you write a test?
Please fix this function
could you summarise this?
Could you explain the error to me?
Please show me the last 3 commits.
Can you help me with my essay?
Please translate this into German.
Could you check my code?
Can you tell me when the shop opens?
Please write a poem about Anna.
Could you give me Nina's number?
Can you recommend a restaurant in Graz?
Would you draft a reply to Meyer?
Please list my orders.
Can you hear me?
Could you repeat that?
Please run the tests again.
Can you look up the weather in Oslo?
Why is the sky blue?
Why do you like jazz?
How come you know that?
Is it possible to learn Norwegian in a year?
Did you know?
Do you know that song?
Did you see my keys?
Can you tell me who Veshra is?
Could you read the file?
Please proceed.
Can you refactor this class?
Could you find me a flight to Rome?
Why did the build fail?
Have you heard of Split?
Is my sister in Graz?
Could you compare Postgres and MySQL?
Please tell me where I live.
Can you open the door?
Can we talk?
Could you write that in Python?
Would you like some tea?
Can you guess my age?
Can we trust Holt?
Can we place this order without a quote?
Shall we go?
Could you get me a taxi to Graz?
please delete the file
Please review my pull request.
Can you make a table of the prices?
Could you think of a name for my cat?
Please analyse the log.
Can you define entropy?
Would you prefer tea or coffee?
Is it possible to travel in time?
Can we eat this mushroom?
Did you like the film?
Why are cats so cute?
Please summarise chapter 3.
Could you debug this on Python 3.12?
"""


@pytest.mark.parametrize("text", ARRANGED.strip().splitlines())
def test_a_request_or_question_that_tells_a_fact_or_changes_an_arrangement_is_kept(mem, text):
    assert mem.observe(text).memory.text == text


@pytest.mark.parametrize("text", ASKED.strip().splitlines())
def test_an_errand_of_the_moment_and_a_plain_question_are_not_kept(mem, text):
    assert mem.observe(text).reason == "it only asks"


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        ("I live in Oslo.", "Please forward my mail to 12 Quay Street."),
        ("My phone number is 555-0101.", "Please replace my card with the one ending 9917."),
        ("My husband is Per.", "Please add Siv to the contract."),
        ("I have two dogs.", "Could you book the kennel for the 5th?"),
        ("I work at Fernhill.", "Can you send the parcel to my office on Friday?"),
        ("The offsite is in Linz.", "Can you tell Raj he has the slides?"),
    ],
)
def test_what_a_request_mentions_ends_nothing(mem, clock, known, asked):
    old = mem.observe(known).memory
    clock.days(1)
    assert mem.observe(asked).contradicts == ()
    assert mem.recall(old.id).memory.current


def test_what_a_request_firmly_sets_replaces_the_old_value(mem, clock):
    mem.observe("My phone number is 555-0101.")
    clock.days(1)
    assert mem.observe("Can you update my phone number to 555-0188?").action == "supersede"
    assert "555-0188" in mem.resonate("what is my phone number?", reinforce=False)[0].text


# --- PINs, passcodes and card numbers ------------------------------------------------------------

PINS = """
The meeting passcode is 881 220
my PIN changed to 9921
my pin number is 4471
conference dial in, pin 7741 then hash
My PIN is 44 71
The Zoom passcode: 881 220 4
PIN: 7741
the PIN of my card is 4471
I changed my PIN to 9921
My card is Visa 4111 1111 1111 1111, CVV 123
The CVV is 482
my pin for the bank app is still 4471
The PIN used to be 1234
Mastercard 5500-0000-0000-0004
debit card 4000056655665556, security code 314
Her new SIM PIN: 0 0 7 1
The tablet's passcode was reset to 556677
my PIN code has been changed to 33-44-55
The alarm PIN is now 90210
Oma's bank card pin no. 8812
The security code is 314
New PIN for the garage: 1 9 8 4
Please use passcode 445 221 for the call
the sim's pin is set to 0000
Amex 3782 822463 10005 cvc 1234
"""
NO_PINS = """
urllib3 is pinned to 1.26.18
Connect the sensor to pin 13 of the board
The PIN letter hasn't arrived yet
I bought a pin for 1200 euros
The door code for the courier is 2580#.
My card ends in 4421.
My loyalty card number is 6301 2233 4455 6677
Order 4111 1111 1111 1112 arrived
I typed my PIN wrong 3 times
My IBAN is DE89 3704 0044 0532 0130 00.
The passcode screen crashes on iOS 17
We bowled 300 with 10 pins in 2019
My locker code is 4096
The visa costs 1160 dollars and takes 14 days
I pinned 2024 photos
My phone number is 0664 555 7788
The pinball score was 120000
Flight LH 1234 at 13:20
"""


@pytest.mark.parametrize("text", PINS.strip().splitlines())
def test_no_digit_of_a_pin_or_card_number_is_kept(mem, text):
    kept = mem.observe(text).memory.text
    assert "[secret]" in kept
    assert not any(map(str.isdigit, kept))


@pytest.mark.parametrize("text", NO_PINS.strip().splitlines())
def test_a_number_that_is_no_pin_is_kept_as_it_is(mem, text):
    assert mem.observe(text).memory.text == text


# --- what others are said to say -----------------------------------------------------------------

HEARSAY = """
Mira lives in Thornwood. | "Mira lives in Dorrow," Tam lied.
Mira lives in Thornwood. | Tam: Mira lives in Dorrow
Mira lives in Thornwood. | Tam says that Mira lives in Dorrow.
Mira lives in Thornwood. | According to Tam, Mira lives in Dorrow.
Mira lives in Thornwood. | A forged letter says Mira lives in Dorrow.
Mira lives in Thornwood. | Tam said, "Mira lives in Dorrow."
The gate is closed. | "The gate is open!" shouted Tam, but nobody believed him.
Mira is alive. | Mira faked her death. The town thinks Mira died in the fire.
Mira is alive. | "Mira is dead," said Veshra, though she knew better.
Mira is alive. | Veshra falsely told Finn that Mira is dead.
Mira is alive. | Finn believes Mira is dead.
Mira is alive. | Everyone in town believes that Mira died in the fire.
Mira is alive. | Mira played dead until the wolves were gone.
Mira is alive. | "I thought Mira was dead," said Finn.
Mira is alive. | "Mira will be dead by morning," growled the troll.
Mira is alive. | Finn nearly died of laughter when Mira fell in the mud.
Mira is alive. | "If Mira dies, you die," Kaelen told the healer.
Mira's brother is Finn. | "Mira's brother is Tomas," said Obbo, who was drunk.
Dorrin works at the forge. | "Dorrin works for the Ravens," whispered Tam, and it was a lie.
The captain of the guard is Baron Holt. | "The captain of the guard is Finn," Tam said with a grin.
The Sunstone is in the crypt. | "The Sunstone is in the river," lied Veshra.
The Sunstone is in the crypt. | Veshra lied: "The Sunstone is in the river."
The Sunstone is in the crypt. | Veshra told them the Sunstone was in the river, but that was a lie.
Kaelen is a ranger. | "Kaelen is a thief!" the merchant yelled.
Mira lives at the abbey. | “Mira lives in the palace,” Veshra lied smoothly.
Mira lives at the abbey. | Veshra: "Mira lives in the palace now." (a lie)
Mira lives at the abbey. | *Veshra lies to the guard* "Mira lives in the palace."
Queen Isolde is alive. | "The Queen is dead," Tam lied.
Mira's father is Baron Holt. | "Mira's father is King Aldric," the witch claimed.
Mira is married to Tomas. | "Mira is married to Finn!" joked Obbo.
The gem is in the crypt. | *Veshra smiles.* "The gem? It is in the river, my dear." *She is lying.*
Mira is 19 years old. | "I am 25," Mira lied to the guard.
Mira has the map. | "Finn has the map," Mira lied.
Kaelen is a half-elf. | Obbo insisted that Kaelen was human.
The heir is Mira. | "The heir is Finn," lied the chancellor.
Mira is the heir. | "Finn is the heir," lied the chancellor.
Petra works at the library. | Owen claims that Petra works at the casino.
Bela drives a Skoda. | Ruth swears that Bela drives a Porsche.
Ivo is married to Dana. | Rumour has it that Ivo is married to Lena.
The bridge is safe. | The old ferryman says the bridge is unsafe.
Ruth's dog is called Pip. | Owen thinks that Ruth's dog is called Rex.
Dana is 34 years old. | Some people say Dana is 44 years old.
I live in Leeds. | Tam told everyone that I live in York.
The vault is locked. | Holt shouted: "The vault is unlocked!"
Petra lives in Graz. | "Petra lives in Linz now," Bela guessed.
The captain is honest. | The pirates say the captain is a liar.
Orla is a nun. | Holt dreamed that Orla is a queen.
Mira's sword is in the chest. | Finn assumed that Mira's sword is in the stable.
The mill is empty. | Obbo reckons the mill is full of rats.
Lena is 30. | Paul bets that Lena is 40.
Veshra lives in the tower. | "Veshra lives in the swamp, everybody knows that," the miller grumbled.
Our dog is called Bruno. | The neighbour thinks our dog is called Bubi.
Petra works at the bank. | A gossip says Petra works at the circus.
The bridge is open. | Holt: The bridge is closed, turn back.
Finn is Orla's son. | It is rumoured that Finn is the king's son.
"""
TOLD_BY_ONES_OWN = """
I live in Ghent. | My doctor says I should rest. I moved to Bruges.
Ana lives in Bruges. | Ana says she moved to Ghent.
Ana works at Fernhill. | "I work at Larkspur now," said Ana.
My sister lives in Bruges. | My sister told me she moved to Ghent.
Mum lives in Split. | Mum says she moved to Zadar.
Our rent is 900 euros. | The landlord says our rent is 950 euros now.
The offsite is on the 20th. | Nina says the offsite is on the 21st now.
My dentist appointment is on Monday at 9. | The dentist says my appointment is on Tuesday at 10 now.
My brother works at Siemens. | My brother texted that he works at Bosch now.
I live in Porto. | I told Ana that I moved to Ghent.
The port is 8433. | The docs say the port is 8443.
Dad lives in Oslo. | My mother says dad moved to Bergen.
I work at Fernhill. | I said that I work at Larkspur now.
My cat is called Max. | The vet says my cat is called Moritz.
Ben's phone number is 555-0101. | Ben: my phone number is 555-0188 now
My aunt lives in Turin. | My aunt wrote that she moved to Milan.
I weigh 80 kilos. | The doctor says I weigh 85 kilos.
The launch is on May 3. | Raj told us the launch is on May 9 now.
Lena lives in Ulm. | Lena told me that she lives in Bonn now.
"""


@pytest.mark.parametrize(("known", "said"), told_in(HEARSAY))
def test_what_somebody_is_said_to_say_ends_nothing_and_is_kept(mem, clock, known, said):
    old = mem.observe(known).memory
    clock.days(1)
    told = mem.observe(said)
    assert (told.memory.text, told.contradicts) == (said, ())
    assert mem.recall(old.id).memory.current


@pytest.mark.parametrize(("known", "said"), told_in(TOLD_BY_ONES_OWN))
def test_what_those_say_who_have_a_say_in_it_is_taken(mem, clock, known, said):
    old = mem.observe(known).memory
    clock.days(1)
    told = mem.observe(said)
    assert (told.action, told.contradicts) == ("supersede", (old,))
    assert told.memory.text == said


def test_a_report_is_less_than_certain_and_may_be_revised_by_a_statement(mem, clock):
    report = mem.observe("Tam says that Mira lives in Dorrow.").memory
    assert mem.recall(report.id).certainty == "likely"
    clock.days(1)
    mem.observe("Mira lives in Thornwood.")
    hits = mem.resonate("Where does Mira live?", reinforce=False)
    assert (hits[0].text, hits[0].certainty) == ("Mira lives in Thornwood.", "certain")
    assert mem.observe("Petra says that she lives in Graz.").memory.confidence == 1.0


# --- the object decides ---------------------------------------------------------------------------


def takes_its_place(mem, clock, known, said, question):
    """Whether what is *said* nine days after what was *known* answers *question* first."""
    mem.observe(known)
    clock.days(9)
    mem.observe(said)
    return found(mem, question)[:1] == [said]


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
    assert takes_its_place(mem, clock, "I live in Oslo.", said, "where do I live?")


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
    assert takes_its_place(mem, clock, "I'm on apixaban.", said, "what medication do I take?")


OF_WORKING_DAYS = """
I left Nordvik at five, traffic was terrible. | I left Nordvik late again.
I joined Anna for lunch.
I left Nordvik at noon to pick up the kids.
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


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(
            "I'm working with Brightpoint on the offer.",
            marks=pytest.mark.xfail(
                reason="it stays, in doubt; the later one is shown", strict=True
            ),
        ),
        "For this scene my name is Roland.", "For this chapter my name is Roland.",
        "for the play my name is Roland", "In our campaign my name is Roland.",
        "For our show I'm called Roland.",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_change_is_none(mem, clock, said):
    mem.observe("My name is Daniel.")
    assert stays(mem, clock, "I work at Nordvik.", said, "where do I work?")
    assert mem.resonate("what's my name?")[0].text == "My name is Daniel."


@pytest.mark.parametrize("said", listed(ENDS_OF_JOBS))
def test_who_leaves_for_good_works_there_no_more(mem, clock, said):
    assert takes_its_place(mem, clock, "I work at Nordvik.", said, "where do I work?")


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
    assert takes_its_place(mem, clock, known, said, question)


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
    assert takes_its_place(mem, clock, known, said, question)


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
        "In this story my name is Roland.",
        "For the campaign I'm called Roland.", "In the game I'm Roland.",
    ],
)  # fmt: skip
def test_a_name_for_a_scene_is_not_ones_own(mem, clock, said):
    assert stays(mem, clock, "My name is Daniel.", said, "what's my name?")


def test_a_cat_named_so_is_not_its_owner(mem):
    told = mem.observe("I have a cat named Nib").memory
    assert "name" not in {claim.family for claim in told.claims}
