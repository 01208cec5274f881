"""Forgotten words are in no file, nor in anything that was made from them; traps 58 and 59.

Every sequence runs on a folder in plain text and on an encrypted one, whose lines are opened with
its keys and searched as well.
"""

import json
import re

import pytest

from looks import PASSWORD, files_of, texts
from vividmem import VividMemError, WrongKeyError

WORD = "quagga"

pytestmark = pytest.mark.parametrize(
    "password", [None, PASSWORD], indirect=True, ids=["plain", "encrypted"]
)


def places(folder, word=WORD):
    """The files that hold *word*, and those named so."""
    held = {path.name: data.lower() for path, data in files_of(folder).items()}
    return sorted(name for name, data in held.items() if word in name or word.encode() in data)


class Echo:
    """A model that repeats in every answer all it was shown, of whatever memory."""

    def __init__(self):
        self.asked = []

    def __call__(self, prompt):
        text = str(prompt)
        data = text[text.index("<data>") :]
        rows = re.findall(r"^(\d+) \| (?:(?:group|pair) (\d+) \| )?.*$", data, re.MULTILINE)
        everything = " ".join(sorted(set(re.findall(r"[^\W\d_]{4,}", data))))[:1500]
        self.asked.append(prompt.job)
        if prompt.job == "brief":
            return json.dumps({"brief": everything})
        if prompt.job == "rescore":
            told = {"importance": 6, "emotion": "joyful", "why": everything}
            return json.dumps([{"id": int(row), **told} for row, _ in rows])
        groups = {}
        for row, group in rows:
            groups.setdefault(group, []).append(int(row))
        key = "gist" if prompt.job == "consolidate" else "insight"
        return json.dumps([{"ids": ids, key: everything} for ids in groups.values()])


BARN = "Ana feeds the {} in the old barn on {} with oats and hay"
CHAIN = [
    "The {} sleeps beside the cobalt furnace",
    "A cobalt furnace needs a patient potter",
    "The patient potter sells maps in Lisbon",
]


def thought_over(mem):
    """Memories about Ana and the agent's own, and all that a model makes of them."""
    for day in ("Monday", "Tuesday", "Friday"):
        animal = WORD if day == "Tuesday" else "zebra"
        mem.add_social_impression("Ana", BARN.format(animal, day), "happy", 7, source=day)
    for number, text in enumerate(CHAIN):
        mem.add_self_reflection(text.format(WORD), "calm", 6, source=f"chain {number}")
    model = Echo()
    for _ in range(2):
        for _ in range(6):
            mem.reflection.bump_session()
        mem.reflection.run(model)
        mem.resonate(f"the {WORD} in the barn")
    assert {*model.asked} == {"brief", "rescore", "consolidate", "dream"}
    kinds = {m.kind for m in mem.memories() if WORD in m.text}
    assert {"brief", "gist", "dream", "impression"} <= kinds
    assert any(WORD in m.why_importance for m in mem.memories() if WORD not in m.text)


def by_forget(mem):
    for memory in mem.memories():
        if WORD in memory.text and memory.kind in ("impression", "reflection"):
            mem.forget(memory.id)


def by_retract(mem):
    mem.retract("Tuesday")
    mem.retract("chain 0")


def by_forget_and_entity(mem):
    mem.forget_entity("ana")
    by_forget(mem)


@pytest.mark.parametrize("way", [by_forget, by_retract, by_forget_and_entity])
@pytest.mark.parametrize("compacted", [False, True])
def test_what_a_model_made_of_it_goes_with_it(opened, folder, way, compacted):
    """Briefs, gists, dreams and rationales, even those of other memories."""
    mem = opened()
    thought_over(mem)
    if compacted:
        mem.save()
    assert places(folder)
    way(mem)
    assert places(folder) == []
    assert not any(WORD in str(memory) for memory in mem.memories())
    assert WORD not in mem.get_context_block("Ana", f"the {WORD}?").replace(f"{WORD}?", "")
    assert CHAIN[2] in texts(mem)
    assert ("zebra" in " ".join(texts(mem))) is (way is not by_forget_and_entity)
    mem.save()
    mem.close()
    again = opened()
    assert places(folder) == []
    again.reflection.run(Echo())
    assert places(folder) == []


def test_a_rationale_that_tells_of_what_is_left_stays(opened):
    mem = opened()
    for text in ("the zebra eats grass", "the zebra drinks water", "the gnu runs"):
        mem.add_self_reflection(text)
    entry = {"id": 1, "importance": 6, "why": "the zebra matters"}
    mem.reflection.apply_rescore(json.dumps([entry]))
    mem.forget(2)
    assert mem.memories()[0].why_importance == "the zebra matters"


def test_a_reason_that_the_caller_gave_is_not_taken_from_another_memory(opened):
    mem = opened()
    mem.add_self_reflection("the zebra eats grass", why_importance=f"said beside the {WORD}")
    gone = mem.add_self_reflection(f"the {WORD} sleeps")
    mem.forget(gone.id)
    assert mem.memories()[0].why_importance == f"said beside the {WORD}"


def test_a_brief_asked_for_before_and_answered_after_the_forgetting_is_not_kept(opened, folder):
    mem, other = opened(), opened()
    mem.add_social_impression("Ana", f"Ana feeds the {WORD}")
    mem.add_social_impression("Ana", "Ana sings in a choir")
    asked = mem.reflection.prepare_brief("Ana")
    other.forget(1)
    report = mem.reflection.apply_brief(Echo()(asked), "Ana")
    assert report.problems
    assert places(folder) == []


def test_what_belongs_to_a_forgotten_project_task_or_action_goes_with_it(opened, folder):
    mem = opened()
    mem.tasks.use_project(f"{WORD} house", f"a shed for the {WORD}")
    task = mem.tasks.start(f"roof of the {WORD} shed")
    mem.tasks.start(f"beams for the {WORD}", parent=task.id)
    mem.tasks.log(f"nailed the {WORD} roof in the rain", "failure", task=task.id)
    logged = mem.tasks.log(f"screwed the {WORD} roof", "success", task=task.id)
    assert WORD in logged.solution.text
    mem.tasks.track(f"{WORD}.plan", f"drawing of the {WORD} shed")
    mem.tasks.track("bill", needs=[f"{WORD}.plan"])
    mem.tasks.complete(task.id, f"the {WORD} is dry")
    mem.forget(mem.tasks.project.id)
    assert places(folder) == []
    assert mem.tasks.project is None
    assert mem.memories() == []


def test_a_solution_goes_with_the_failure_it_tells_of(opened, folder):
    mem = opened()
    task = mem.tasks.start("mend the fence")
    failed = mem.tasks.log(f"asked the {WORD} to hold the post", "failure", task=task.id)
    solution = mem.tasks.log("dug the post in", "success", task=task.id).solution
    assert WORD in solution.text
    receipt = mem.forget(failed.action.id)
    assert solution.id in receipt.derived
    assert places(folder) == []
    assert "dug the post in" in texts(mem)


def test_photographs_notes_feelings_and_counts_keep_no_word(opened, folder):
    mem = opened()
    mem.chemistry.enabled = True
    told = "Production is down since Quagga Lane lost power, said Quagga Smith, in Quagga"
    stirring = mem.add_social_impression("Quagga Smith", told, f"{WORD}ish", 9, episode=WORD)
    assert WORD in str(stirring.photograph).lower()
    mem.annotate(stirring.id, f"the {WORD} was to blame")
    mem.mood.update([f"{WORD}ish"])
    mem.observe(f"My {WORD} is called Rex", entity="Quagga Smith")
    mem.observe(f"My {WORD} is called Rex!", entity="Quagga Smith")
    mem.feedback(stirring.id, True)
    mem.resonate("production power")
    mem.recall(stirring.id)
    assert places(folder)
    mem.forget_entity("quagga smith")
    assert places(folder) == []
    mem.close()
    assert places(folder) == []


def test_copies_of_a_damaged_folder_go_with_the_first_erasure_after_the_repair(opened, folder):
    mem = opened()
    mem.add_self_reflection("the zebra eats grass")
    gone = mem.add_self_reflection(f"the {WORD} sleeps")
    mem.save()
    mem.close()
    text = (folder / "memory.json").read_bytes()
    spot = text.rindex(b'",1,') + 20
    (folder / "memory.json").write_bytes(text[:spot] + b"\xff" + text[spot + 1 :])
    mem = opened()
    assert mem.repair()
    assert [path for path in folder.iterdir() if "corrupt" in path.name]
    mem.forget(gone.id)
    assert places(folder) == []
    assert not [path for path in folder.iterdir() if "corrupt" in path.name]


# --- traps of another library


def test_a_wrong_password_never_opens_empty_nor_overwrites(opened, folder, password):
    """Trap 58."""
    mem = opened()
    for number in range(10):
        mem.add_self_reflection(f"errand {number}")
    mem.close()
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for wrong in ("wrong", "" if password else "another"):
        with pytest.raises(WrongKeyError):
            opened(password=wrong)
    if password:
        (folder / "memory.key").rename(folder.parent / "memory.key")
        with pytest.raises(VividMemError, match=r"memory\.key"):
            opened()
        (folder.parent / "memory.key").rename(folder / "memory.key")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert len(opened().memories()) == 10


def test_an_encrypted_folder_says_nothing_in_names_or_files_beside_it(opened, folder, password):
    """Trap 59: no log in plain text, no folder named after a project."""
    if password is None:
        pytest.skip("only what is encrypted hides its words")
    mem = opened()
    mem.tasks.use_project("Honeycomb")
    mem.add_fact("Rosalinde", "hometown", "Turku")
    mem.mood.update(["furious"])
    mem.get_context_block("Rosalinde", "Turku")
    mem.save()
    mem.forget_entity("Rosalinde")
    names = [str(path.relative_to(folder.parent)) for path in folder.parent.rglob("*")]
    files = [path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()]
    held = " ".join(names).encode() + b"".join(files)
    for word in ("Honeycomb", "Rosalinde", "Turku", "furious"):
        assert word.encode() not in held
