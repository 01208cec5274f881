"""The neural extra: vectors beside the store, the models, the gate.

What needs a model is skipped where `vividmem-models` is not built; the rest runs with vectors made
up from the letters of a text.
"""

import hashlib
import json
import math
import multiprocessing
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from vividmem import ConfigError, MissingExtraError, VividMem

ROOT = Path(__file__).parents[1]
UTC = {"timezone": "UTC", "store": {"durability": "os"}}
MISSING = "numpy, onnxruntime and tokenizers are not installed: pip install 'vividmem[neural]'"


def test_the_extras_load_nothing_heavy_until_asked():
    heavy = ("numpy", "onnxruntime", "tokenizers", "torch")
    code = (
        f"import vividmem_extras, vividmem_extras.neural, sys; print({heavy} & sys.modules.keys())"
    )
    code = code.replace(str(heavy), str(set(heavy)))
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'extras'}"}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert (told.stdout.strip(), told.stderr) == ("set()", "")


def test_a_missing_package_is_named_with_the_line_that_installs_it():
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from vividmem_extras import neural\n"
        "try: neural.OnnxEmbedder\n"
        "except ImportError as error: print(type(error).__name__, error)"
    )
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'extras'}"}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert told.stdout.startswith("MissingExtraError the neural gate needs")
    assert 'pip install "vividmem[neural]" vividmem-models' in told.stdout


# --- vectors of letters --------------------------------------------------------------------------


@pytest.fixture
def neural():
    for name in ("numpy", "onnxruntime", "tokenizers"):
        pytest.importorskip(name, reason=MISSING)
    from vividmem_extras import neural

    return neural


DIMENSION = 64


def letters(texts):
    """Vectors whose cosine is high where texts share most runs of three letters."""
    rows = []
    for text in texts:
        row = [0.0] * DIMENSION
        for place in range(len(text) - 2):
            code = zlib.crc32(text[place : place + 3].lower().encode())
            row[code % DIMENSION] += 1.0 if code & 256 else -1.0
        rows.append(row)
    return rows


def counted(calls):
    def embed(texts):
        calls.extend(texts)
        return letters(texts)

    return embed


def embedder_of(neural, embed=letters, model="letters", **options):
    return neural.VectorEmbedder(embed, model=model, dimension=DIMENSION, **options)


def caches(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("vectors-"))


def test_vectors_are_kept_beside_the_store_and_made_once(neural, folder):
    calls = []
    for _ in range(2):
        with VividMem(folder, config=UTC, embedder=embedder_of(neural, counted(calls))) as mem:
            if not mem.memories():
                mem.add_self_reflection("The lighthouse keeper")
            assert mem.resonate("lighthous keepers", reinforce=False)
            told = mem.stats()["embedder"]
            assert told == {"model": "letters", "vectors": 1, "waiting": 0}
    assert calls.count("The lighthouse keeper") == 1


def test_a_lost_or_damaged_cache_is_made_anew(neural, folder):
    for damage in (None, b"", b"no header at all", bytes(9000)):
        with VividMem(folder, config=UTC, embedder=embedder_of(neural)) as mem:
            if not mem.memories():
                mem.add_self_reflection("The lighthouse keeper")
            (hit,) = mem.resonate("keeperlighthouse", reinforce=False)
            assert hit.text == "The lighthouse keeper"
        (file,) = [folder / name for name in caches(folder) if name.endswith(".bin")]
        if damage is None:
            file.unlink()
        else:
            file.write_bytes(damage)


def test_rows_that_are_torn_are_made_anew(neural, folder):
    calls = []
    for _ in range(2):
        with VividMem(folder, config=UTC, embedder=embedder_of(neural, counted(calls))) as mem:
            if not mem.memories():
                mem.add_self_reflection("The lighthouse keeper")
            assert mem.resonate("keeperlighthouse", reinforce=False)
        (file,) = [folder / name for name in caches(folder) if name.endswith(".bin")]
        whole = bytearray(file.read_bytes())
        whole[4096 + 30 : 4096 + 60] = bytes(30)
        file.write_bytes(whole)
    assert calls.count("The lighthouse keeper") == 2


def test_vectors_of_another_model_are_never_mixed_and_go(neural, folder):
    with VividMem(folder, config=UTC, embedder=embedder_of(neural)) as mem:
        mem.add_self_reflection("The lighthouse keeper")
        mem.resonate("keeperlighthouse")
    before, calls = caches(folder), []
    other = embedder_of(neural, counted(calls), model="other letters")
    with VividMem(folder, config=UTC, embedder=other) as mem:
        assert mem.resonate("keeperlighthouse", reinforce=False)
    assert "The lighthouse keeper" in calls
    assert caches(folder) and not set(caches(folder)) & set(before)


def test_a_big_store_answers_by_words_at_once_and_catches_up(neural):
    embedder = embedder_of(neural, at_once=2)
    with VividMem(config=UTC, embedder=embedder) as mem:
        for number in range(5):
            mem.add_self_reflection(f"Note {number} of the lighthouse keeper")
        assert mem.resonate("note 0", reinforce=False)[0].text.startswith("Note 0")
        assert mem.stats()["embedder"]["waiting"] == 3
        assert embedder.catch_up() == 0
        assert mem.stats()["embedder"] == {"model": "letters", "vectors": 5, "waiting": 0}


def test_forgetting_takes_the_vector_out_of_the_file(neural, folder):
    with VividMem(folder, config=UTC, embedder=embedder_of(neural)) as mem:
        gone = mem.add_self_reflection("The lighthouse keeper")
        mem.add_self_reflection("Plums in the attic")
        mem.resonate("keeperlighthouse")
        file = next(folder / name for name in caches(folder) if name.endswith(".bin"))
        rows = len(filled(file))
        mem.forget(gone.id)
        assert (rows, len(filled(file))) == (2, 1)
        assert mem.resonate("keeperlighthouse") == []
        assert not any(b"lighthouse" in path.read_bytes() for path in folder.iterdir())


def test_a_row_that_another_process_fills_anew_is_not_taken_for_what_it_held(neural, folder):
    def opened():
        return VividMem(folder, config=UTC, embedder=embedder_of(neural))

    with opened() as one, opened() as other:
        gone = one.add_self_reflection("The lighthouse keeper")
        one.add_self_reflection("Plums in the attic")
        for mem in (one, other):
            assert mem.resonate("keeperlighthouse", reinforce=False)
        other.forget(gone.id)
        other.add_self_reflection("A zebra crossing")
        assert other.resonate("zebracrossing", reinforce=False)
        assert one.resonate("keeperlighthouse", reinforce=False) == []
        (hit,) = one.resonate("zebracrossing", reinforce=False)
        assert hit.text == "A zebra crossing"


def filled(file):
    """The rows of a file of vectors that are not all zero."""
    content, size = file.read_bytes()[4096:], 8 + 8 + 4 + DIMENSION
    return [
        content[i : i + size] for i in range(0, len(content), size) if any(content[i : i + size])
    ]


def write_notes(folder, name, count):
    from vividmem_extras.neural import VectorEmbedder

    embedder = VectorEmbedder(letters, model="letters", dimension=DIMENSION)
    with VividMem(folder, config=UTC, embedder=embedder) as mem:
        for number in range(count):
            mem.add_self_reflection(f"{name} writes note number {number} about the sea")
            mem.resonate(f"{name} {number}")


def test_processes_share_one_file_of_vectors(neural, folder):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_notes, args=(folder, n, 20)) for n in ("Ada", "Bo")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    calls = []
    with VividMem(folder, config=UTC, embedder=embedder_of(neural, counted(calls))) as mem:
        mem.resonate("the sea")
        assert mem.stats()["embedder"] == {"model": "letters", "vectors": 40, "waiting": 0}
        assert len(calls) <= 3  # the question, and what neither had come to


def test_the_nearest_are_those_a_plain_comparison_finds(neural):
    np = pytest.importorskip("numpy")
    from vividmem_extras.neural.vectors import Vectors

    chance = np.random.default_rng(3)
    rows = chance.standard_normal((3000, DIMENSION)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors("any", DIMENSION)
    vectors.set({i + 1: (i, row) for i, row in enumerate(rows)})
    vectors.drop(range(1, 1000))
    hits = 0
    for query in rows[1000:1050] + 0.1 * chance.standard_normal((50, DIMENSION)).astype(np.float32):
        query /= np.linalg.norm(query)
        cosines = rows[999:] @ query
        plain = [1000 + int(i) for i in np.argsort(-cosines)[:5]]
        near = vectors.near(query, 5)
        assert next(iter(near)) == plain[0]
        assert near[plain[0]] == pytest.approx(float(cosines.max()), abs=0.01)
        hits += len(set(plain) & near.keys())
    assert hits >= 0.85 * 250


def test_a_passage_is_compared_by_the_mean_of_what_has_a_vector(neural):
    np = pytest.importorskip("numpy")
    from vividmem_extras.neural.vectors import Vectors

    rows = np.random.default_rng(4).standard_normal((4, DIMENSION)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors("any", DIMENSION)
    vectors.set({i + 1: (i, row) for i, row in enumerate(rows[:3])})
    found = vectors.cosines(rows[3], {1: [1], 2: [2, 1, 3, 77], 3: [3, 3, 1], 77: [77, 78]})
    wanted = {1: rows[0], 2: rows[:3].sum(0), 3: rows[2] + rows[2] + rows[0]}
    assert found.keys() == wanted.keys()
    for key, mean in wanted.items():
        assert found[key] == pytest.approx(float(rows[3] @ mean / np.linalg.norm(mean)), abs=0.01)


def test_one_embedder_serves_one_store(neural, tmp_path):
    embedder = embedder_of(neural)
    with VividMem(tmp_path / "a", embedder=embedder), pytest.raises(ConfigError, match="serves"):
        VividMem(tmp_path / "b", embedder=embedder)


@pytest.mark.parametrize("wrong", [[[1.0]], [[float("nan")] * DIMENSION], []])
def test_vectors_of_another_shape_are_refused_by_name(neural, wrong):
    embedder = embedder_of(neural, lambda texts: wrong, model="odd")
    with VividMem(config=UTC, embedder=embedder) as mem:
        mem.add_self_reflection("The lighthouse keeper")
        with pytest.raises(ConfigError, match="model odd must return 1 vectors of 64"):
            mem.resonate("keeper")


# --- the models ----------------------------------------------------------------------------------


@pytest.fixture
def model(neural):
    """Return the file of a model, or skip."""
    from vividmem_extras.neural.models import model_file

    def found(name):
        try:
            return model_file(name)
        except MissingExtraError as error:
            pytest.skip(f"{error}; or python -m vividmem_extras.training embedder")

    return found


@pytest.mark.parametrize("name", ["embedder.onnx", "nli.onnx", "surprise.onnx", "tokenizer.json"])
def test_the_models_are_the_ones_whose_hashes_are_noted(name):
    noted = json.loads((ROOT / "extras/models/hashes.json").read_text("utf-8"))
    file = ROOT / "extras/models/vividmem_models" / name
    if not file.is_file():
        pytest.skip(f"{name} is not here: python -m vividmem_extras.training builds it")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == noted[name]


def test_the_classifier_tells_contradiction_from_what_follows_and_what_does_not(neural, model):
    model("nli.onnx")
    nli = neural.OnnxNli()
    against, beside, follows = nli.judge(
        [
            ("My flat is on the third floor.", "My flat is on the ground floor."),
            ("My flat is on the third floor.", "My sister plays the violin."),
            ("I live in a flat in Oslo.", "My home is in Oslo."),
        ]
    )
    assert against.contradiction > 0.8 > 0.2 > max(beside.contradiction, follows.contradiction)
    assert follows.entailment > 0.5 and sum(beside) == pytest.approx(1)


GOLDEN = [  # and how likely the second contradicts the first, as measured when the model was made
    ("My rent is 900 euros a month.", "Rent went up, it's 1,100 from May on.", 1.0),
    ("My rent is 900 euros a month.", "My sister pays 1,100 for hers.", 0.0),
    ("I have a cat called Miso.", "We buried Miso under the apple tree.", 0.19),
    ("The orders pipeline uses RabbitMQ.", "We ripped RabbitMQ out, Kafka does it now.", 0.99),
    ("The orders pipeline uses RabbitMQ.", "I read that Kafka beats everything for orders.", 0.11),
    ("A man is playing a guitar on a stage.", "A man is sleeping at home.", 1.0),
]


@pytest.mark.parametrize(("first", "second", "likely"), GOLDEN)
def test_the_classifier_says_what_it_said_when_it_was_made(neural, model, first, second, likely):
    model("nli.onnx")
    (verdict,) = neural.OnnxNli().judge([(first, second)])
    assert verdict.contradiction == pytest.approx(likely, abs=0.12)  # processors round differently


def test_what_was_said_later_is_read_as_its_kind_says_and_a_known_statement_is_on_one_side(
    tmp_path,
):
    from vividmem_extras.training.corpora import later
    from vividmem_extras.training.grammar import NOT_AGAINST

    rows = [
        ("u", "My rent is 900.", "Rent went up, 1,100 from May on."),
        ("e", "I have a cat.", "We buried the cat on Sunday."),
        ("t", "My rent is 900.", "My sister pays 1,100."),
        ("k", "My rent is 900.", "Paid my 900 of rent today."),
        *(("t", f"I own {n} hens.", "Hens are fine animals.") for n in range(200)),
    ]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"{k}\ttopic\t{a}\t{b}\t-\t-\n" for k, a, b in rows), "utf-8")
    trained, apart = later(file)
    told = {(pair.first, pair.second): pair.label for pair in (*trained, *apart)}
    assert [told[row[1:]] for row in rows[:4]] == [0, 0, 1, NOT_AGAINST]
    assert told["Paid my 900 of rent today.", "My rent is 900."] == 2
    known = [
        {f"I own {n} hens." for n in range(200)} & {p.first for p in s} for s in (trained, apart)
    ]
    assert not known[0] & known[1] and len(known[0]) + len(known[1]) == 200
    assert 5 < len(known[1]) < 40


def test_of_pairs_written_by_hand_those_with_one_first_statement_are_on_one_side(tmp_path):
    from vividmem_extras.training.corpora import written

    labels = ("contradiction", "neutral", "entailment")
    rows = [(label, f"I own {n} hens.", f"{label} {n}") for n in range(300) for label in labels]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    trained, apart = written(file)
    assert {(labels[p.label], p.first, p.second) for p in (*trained, *apart)} == set(rows)
    assert not {p.first for p in trained} & {p.first for p in apart}
    assert 45 < len(apart) < 180


def test_what_is_only_known_not_to_contradict_may_be_neutral_or_follow():
    torch = pytest.importorskip("torch", reason="training needs torch")
    from vividmem_extras.training.grammar import NOT_AGAINST, E
    from vividmem_extras.training.nli import loss_of

    shares = torch.tensor([[0.2, 0.5, 0.3]])
    loss = {label: loss_of(shares.log(), torch.tensor([label])).item() for label in (0, 1, 2, 3)}
    assert math.exp(-loss[NOT_AGAINST]) == pytest.approx(0.8)
    assert math.exp(-loss[E]) == pytest.approx(0.3)


def test_the_weights_of_the_gate_are_fitted_on_what_is_new_and_on_what_is_not(neural):
    pytest.importorskip("numpy", reason=MISSING)
    from vividmem_extras.training.weigh import couples

    found = couples(ROOT / "extras" / "reader" / "exams", ROOT / "extras" / "reader" / "pairs.tsv")
    kept_apart = (ROOT / "extras" / "reader" / "exams" / "f.jsonl").read_text("utf-8")
    assert not any(json.dumps(couple.said, ensure_ascii=False) in kept_apart for couple in found)
    new = [couple for couple in found if couple.new]
    assert 1_000 < len(new) < len(found) / 2
    assert {(c.known, c.said) for c in new}.isdisjoint(
        (c.known, c.said) for c in found if not c.new
    )


def test_verdicts_stand_in_the_order_of_their_pairs_whatever_their_lengths(neural, model):
    model("nli.onnx")
    nli = neural.OnnxNli()
    longer = " In spring we planted beans, peas and two rows of kale behind the old shed."
    said = ("I have never lived in Norway.", "My sister plays the violin.")
    pairs = [("I live in a flat in Oslo." + longer * (n % 3), said[n % 7 % 2]) for n in range(34)]
    against = [verdict.contradiction > 0.5 for verdict in nli.judge(pairs)]
    assert against == [second == said[0] for _, second in pairs]
    assert nli.judge([]) == []


def test_labels_in_another_order_are_read_as_they_are_given(neural, model):
    model("nli.onnx")
    pair = [("My flat is on the third floor.", "My flat is on the ground floor.")]
    plain = neural.OnnxNli().judge(pair)[0]
    turned = neural.OnnxNli(labels=("entailment", "neutral", "contradiction")).judge(pair)[0]
    assert turned == pytest.approx(plain[::-1])
    with pytest.raises(ConfigError, match="labels"):
        neural.OnnxNli(labels=("yes", "no", "perhaps"))


def test_a_model_that_is_not_there_is_named(neural, tmp_path):
    with pytest.raises(ConfigError, match="no model at"):
        neural.OnnxNli(tmp_path / "nli.onnx")
    (tmp_path / "nli.onnx").write_bytes(b"not a model")
    with pytest.raises(ConfigError, match="no ONNX model"):
        neural.OnnxNli(tmp_path)


def test_synonyms_are_found_and_nonsense_is_not(neural, model):
    model("embedder.onnx")
    with VividMem(config=UTC, embedder=neural.OnnxEmbedder()) as mem:
        mem.add_self_reflection("My car is in the workshop")
        mem.add_self_reflection("I baked bread with my aunt on Sunday")
        (hit,) = mem.resonate("where is my automobile?")
        assert hit.text == "My car is in the workshop" and hit.why.meaning > 0.5
        assert mem.resonate("aubergine recipes") == []


# --- surprise ------------------------------------------------------------------------------------


def test_the_step_is_the_one_its_formula_says(neural, model):
    np = pytest.importorskip("numpy")
    model("surprise.onnx")
    memory = neural.OnnxSurprise(dimension=16, hidden=32, rate=0.02, momentum=0.5, decay=0.01)
    rows = np.random.default_rng(1).standard_normal((3, 16)).astype(np.float32) / 4
    w1 = np.random.default_rng(0).standard_normal((16, 32)).astype(np.float32)
    w2, s1, s2 = np.zeros((32, 16)), np.zeros((16, 32)), np.zeros((32, 16))
    for _ in range(5):
        h = np.tanh(rows @ w1)
        gap = h @ w2 - rows
        told = memory.absorb(rows)
        assert told == pytest.approx((gap * gap).sum(1).tolist(), rel=1e-4)
        d_out = 2 * gap / 3
        d_in = d_out @ w2.T * (1 - h * h)
        s1, s2 = 0.5 * s1 - 0.02 * rows.T @ d_in, 0.5 * s2 - 0.02 * h.T @ d_out
        w1, w2 = 0.99 * w1 + s1, 0.99 * w2 + s2


def test_what_was_absorbed_surprises_less_than_what_was_not(neural, model):
    np = pytest.importorskip("numpy")
    model("surprise.onnx")
    rows = np.random.default_rng(2).standard_normal((40, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    memory = neural.OnnxSurprise(dimension=64, hidden=256)
    first = [memory.absorb(row[None])[0] for row in rows[:20]]
    for row in rows[:20]:
        memory.absorb(row[None])
    assert max(memory.loss(rows[:20])) < min(memory.loss(rows[20:]))
    assert min(first) > 0.3


def test_the_state_of_surprise_is_kept_and_goes_with_what_is_forgotten(neural, model, folder):
    model("surprise.onnx")

    def gate_of(embedder):
        return neural.NeuralGate(embedder, nli=False)

    embedder = embedder_of(neural)
    with VividMem(folder, config=UTC, embedder=embedder, gate=gate_of(embedder)) as mem:
        for number in range(40):
            mem.observe(f"Plan {number * 7}: paint wall {number} of the old lighthouse")
        states = list(folder.glob("surprise-*"))
        assert len(states) == 1
        mem.forget(mem.memories()[0].id)
        assert list(folder.glob("surprise-*")) == []
        assert mem.observe("The sea froze over").action == "store"


# --- the gate ------------------------------------------------------------------------------------


@pytest.fixture
def gated(neural, model, clock):
    model("embedder.onnx"), model("nli.onnx"), model("surprise.onnx")
    embedder = neural.OnnxEmbedder()
    gate = neural.NeuralGate(embedder)
    with VividMem(clock=clock, config=UTC, embedder=embedder, gate=gate) as memory:
        yield memory


def test_the_neural_gate_keeps_what_the_words_alone_keep(gated, clock):
    for text in (
        "I live in Oslo",
        "My rent is 900 euros",
        "The heating is broken",
        "Ada has twins",
    ):
        assert gated.observe(text).action == "store"
        clock.minutes(5)
    assert gated.observe("My rent is 1,100 euros").action == "supersede"
    assert gated.observe("thanks!").action == "skip"
    assert gated.stats()["gate"]["write_tokens"] == 0


def test_texts_far_apart_in_meaning_are_never_compared(gated, neural):
    gated.observe("The heating is broken")
    assert gated.observe("The lighthouse keeper painted nothing at all").contradicts == ()


def test_contradictions_no_frame_reads_are_found(neural, model):
    model("embedder.onnx"), model("nli.onnx"), model("surprise.onnx")
    embedder = neural.OnnxEmbedder()
    gate = neural.NeuralGate(embedder, contradiction=0.6)
    older = "Marta shares her place with two roommates."
    assert gate.contradicts("Marta lives all by herself in her place.", older) >= 0.5
    assert gate.contradicts("Marta painted her place in green.", older) < 0.5
    assert gate.contradicts("The lighthouse is open on Sundays.", older) == 0.0  # never compared
    assert gate.contradicts("I live in Oslo", "I live in Porto") == 0.0  # frames decide


def test_without_the_classifier_only_words_contradict(neural, model):
    model("embedder.onnx"), model("surprise.onnx")
    gate = neural.NeuralGate(neural.OnnxEmbedder(), nli=False)
    older = "Marta shares her place with two roommates."
    assert gate.contradicts("Marta lives all by herself in her place.", older) == 0.0
    assert gate.contradicts("The choir does not sing", "The choir sings") == 1.0


def test_what_words_would_end_stays_in_doubt_when_the_classifier_sees_no_contradiction(
    neural, model
):
    model("embedder.onnx"), model("nli.onnx"), model("surprise.onnx")
    gate = neural.NeuralGate(neural.OnnxEmbedder())
    older = "I live in Oslo."
    assert gate.replaced("I drink tea in the morning.", {older: 0.8})[older] == 0.5
    assert gate.replaced("I drink tea in the morning.", {older: 0.6})[older] < 0.3


def test_of_many_rivals_only_the_four_likeliest_are_compared(neural, model):
    model("embedder.onnx"), model("nli.onnx"), model("surprise.onnx")
    embedder = neural.OnnxEmbedder()
    rivals = {f"I have lived in street number {number}.": 0.4 for number in range(9)}
    seen = neural.NeuralGate(embedder).replaced("I live in Oslo now.", rivals)
    assert sum(seen[text] != 0.4 for text in rivals) == 4
