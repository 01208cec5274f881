"""Whether one statement contradicts another, by a small classifier of pairs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from vividmem import ConfigError
from vividmem_extras.neural.models import inputs_of, model_file, session, tokenizer

import numpy as np  # isort: skip  # after models, which says what is missing

LABELS = ("contradiction", "neutral", "entailment")


class Verdict(NamedTuple):
    """How likely the second statement contradicts, does not concern or follows from the first."""

    contradiction: float
    neutral: float
    entailment: float


class OnnxNli:
    """Judges pairs with the classifier of `vividmem-models`, or any other of this kind.

    *path* is an .onnx file, or a folder with `nli.onnx`, with `tokenizer.json` beside it. The model
    takes BERT's inputs, of any or of one fixed length, and returns three logits in the order of
    *labels*; where none is given, the one in `config.json` beside the file holds, else the one of
    our own model.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        labels: Sequence[str] | None = None,
        longest: int = 96,
        threads: int = 1,
    ) -> None:
        file = model_file("nli.onnx", path)
        self._session = session(file, threads)
        fixed = self._session.get_inputs()[0].shape[1]
        longest = fixed if isinstance(fixed, int) else longest
        self._tokens = tokenizer(file.with_name("tokenizer.json"), longest)
        config = file.with_name("config.json")
        if labels is None and config.is_file():
            named = json.loads(config.read_text("utf-8")).get("id2label", {})
            labels = [named[key].lower() for key in sorted(named, key=int)] or None
        labels = LABELS if labels is None else tuple(label.lower() for label in labels)
        if sorted(labels) != sorted(LABELS):
            raise ConfigError(f"labels are {', '.join(labels)}: {', '.join(LABELS)} in some order")
        self._order = [labels.index(label) for label in LABELS]

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """Return a verdict for each pair (first, second)."""
        encodings = self._tokens.encode_batch(list(pairs))
        by_length = sorted(range(len(pairs)), key=lambda i: len(encodings[i].ids))
        shares = np.zeros((len(pairs), len(LABELS)))
        for start in range(0, len(pairs), 16):
            group = by_length[start : start + 16]  # of about one length, so little is padded
            inputs = inputs_of(self._session, [encodings[i] for i in group])
            logits = np.asarray(self._session.run(None, inputs)[0], np.float64)[:, self._order]
            shares[group] = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        return [Verdict(*row) for row in shares.tolist()]
