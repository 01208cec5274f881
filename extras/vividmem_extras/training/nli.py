"""Train the pair classifier on statement pairs of the grammar and on labelled corpora."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from vividmem_extras.training import corpora
from vividmem_extras.training.backbone import PairClassifier, pretrained, weights_folder
from vividmem_extras.training.grammar import C, Grammar, Pair

LONGEST = 96  # tokens of a pair; longer ones are cut
_MEANT = torch.tensor([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]]).bool()  # classes, by label


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How long and how fast is trained."""

    seed: int = 1
    grammar_pairs: int = 84_000
    snli_passes: int = 1
    other_pairs: int | None = None  # of Breaking-NLI and MED; None: all
    later_passes: int = 1  # times that pairs of a known and a later statement are seen
    written_passes: int = 1  # times that pairs written by hand are seen
    together_pairs: int = 0  # of statements that are true together
    frozen: int = 0  # lowest layers that stay as they are
    batch: int = 64
    rate: float = 1e-4
    head_rate: float = 5e-4
    warmup: float = 0.06  # share of the steps over which the rate rises
    minutes: float = 0.0  # stop after so long, the schedule fitted to it; 0: when all is seen


def tokenizer() -> Tokenizer:
    """Return the tokenizer of the backbone, for pairs."""
    made = Tokenizer.from_file(str(weights_folder() / "tokenizer.json"))
    made.enable_truncation(LONGEST)
    made.no_padding()
    return made


def material(
    data: Path | None,
    wordnet: Path | None,
    recipe: Recipe,
    *,
    later: Path | None = None,
    written: Path | None = None,
    together: Path | None = None,
) -> list[Pair]:
    """Return what is trained on, in the order in which it is seen.

    *data* is the folder of labelled corpora, *later* the file of known and later statements,
    *written* that of pairs written by hand, *together* that of statements that are true together.
    """
    pairs = list(Grammar(recipe.seed, wordnet=wordnet).pairs(recipe.grammar_pairs))
    if data is not None:
        train, _ = corpora.snli(data)
        others = corpora.breaking_nli(data) + corpora.med(data)
        random.Random(recipe.seed).shuffle(others)
        pairs += train * recipe.snli_passes + others[: recipe.other_pairs]
    if later is not None:
        pairs += corpora.later(later)[0] * recipe.later_passes
    if written is not None:
        by_hand = corpora.written(written)[0]
        pairs += [_turned(p, n) for n in range(recipe.written_passes) for p in by_hand]
    if together is not None:
        both = corpora.together(together)
        pairs += random.Random(recipe.seed).sample(both, recipe.together_pairs)
    random.Random(recipe.seed).shuffle(pairs)
    return pairs


def _turned(pair: Pair, time: int) -> Pair:
    """Return *pair*, a contradiction turned round each second *time*: it is one both ways."""
    turn = pair.label == C and time % 2
    return pair._replace(first=pair.second, second=pair.first) if turn else pair


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean of minus the logarithm of how likely *logits* make the *labels*."""
    meant = logits.masked_fill(~_MEANT[labels], -torch.inf)
    return (logits.logsumexp(1) - meant.logsumexp(1)).mean()


def batch_of(encodings: Sequence[Encoding]) -> tuple[Tensor, Tensor, Tensor]:
    """Return ids, mask and kinds, padded to the longest."""
    length = max(len(e.ids) for e in encodings)

    def padded(rows: list[list[int]]) -> Tensor:
        return torch.tensor([row + [0] * (length - len(row)) for row in rows])

    parts = (
        [getattr(e, name) for e in encodings] for name in ("ids", "attention_mask", "type_ids")
    )
    ids, mask, kinds = map(padded, parts)
    return ids, mask, kinds


def batches(pairs: Sequence[Pair], tokens: Tokenizer, size: int, seed: int) -> Iterator[
    tuple[tuple[Tensor, Tensor, Tensor], Tensor]
]:  # fmt: skip
    """Yield batches of pairs of about one length, in an order drawn by *seed*."""
    window = size * 64
    chance = random.Random(seed)
    for start in range(0, len(pairs), window):
        part = pairs[start : start + window]
        encoded = tokens.encode_batch([(p.first, p.second) for p in part])
        order = sorted(range(len(part)), key=lambda i: len(encoded[i].ids))
        groups = [order[i : i + size] for i in range(0, len(order), size)]
        chance.shuffle(groups)
        for group in groups:
            labels = torch.tensor([part[i].label for i in group])
            yield batch_of([encoded[i] for i in group]), labels


def train(
    pairs: Sequence[Pair], recipe: Recipe, *, say: bool = True, start: Path | None = None
) -> PairClassifier:
    """Return the classifier trained once over *pairs*; the word vectors stay as they are.

    *start* holds the weights of one that is to be trained on.
    """
    torch.manual_seed(recipe.seed)
    model = PairClassifier(pretrained())
    if start is not None:
        model.load_state_dict(torch.load(start, weights_only=True))
    fixed = (model.backbone.words, model.backbone.places)
    for part in (*fixed, *model.backbone.layers[: recipe.frozen]):
        part.requires_grad_(False)
    body = [p for p in model.backbone.parameters() if p.requires_grad]
    head = [*model.inner.parameters(), *model.outer.parameters()]
    groups: list[dict[str, Any]] = [
        {"params": body, "lr": recipe.rate},
        {"params": head, "lr": recipe.head_rate},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    rates = [group["lr"] for group in groups]
    whole, began, mean = -(-len(pairs) // recipe.batch), time.monotonic(), 0.0
    model.train()
    for step, (inputs, labels) in enumerate(
        batches(pairs, tokenizer(), recipe.batch, recipe.seed), 1
    ):
        spent = (time.monotonic() - began) / 60
        done = max(step / whole, spent / recipe.minutes if recipe.minutes else 0.0)
        if done > 1 and recipe.minutes:
            break
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * max(
                0.0, min(done / recipe.warmup, (1 - done) / (1 - recipe.warmup))
            )
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(*inputs)
        loss = loss_of(logits.float(), labels)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        mean += 0.02 * (loss.item() - mean)
        if say and step % 100 == 0:
            print(f"step {step}/{whole}, loss {mean:.3f}, {spent:.1f} min", flush=True)
    model.eval()
    return model
