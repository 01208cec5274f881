"""Models to ONNX files: exported, made of whole numbers of one byte, checked by their hashes."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import torch
from torch import nn

from vividmem_extras.training.backbone import (
    PairClassifier,
    SentenceEncoder,
    pretrained,
    weights_folder,
)

_OPSET = 17


def export_embedder(folder: Path) -> Path:
    """Write `embedder.onnx` and `tokenizer.json` to *folder*; return the model's path."""
    whole = folder / "embedder.float.onnx"
    _traced(
        SentenceEncoder(pretrained()).eval(), ("input_ids", "attention_mask"), "sentence", whole
    )
    path = quantized(whole, folder / "embedder.onnx")
    shutil.copyfile(weights_folder() / "tokenizer.json", folder / "tokenizer.json")
    return path


def export_nli(model: PairClassifier, folder: Path) -> Path:
    """Write `nli.onnx` to *folder* and return its path."""
    whole = folder / "nli.float.onnx"
    names = ("input_ids", "attention_mask", "token_type_ids")
    _traced(model.eval(), names, "logits", whole)
    return quantized(whole, folder / "nli.onnx", spared=("/outer/", "/inner/"))


def quantized(whole: Path, path: Path, spared: tuple[str, ...] = ()) -> Path:
    """Write the model *whole* to *path* with weights of one byte, a scale per channel.

    Layers whose names hold one of *spared* stay as they are. *whole* is removed.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    names = [node.name for node in onnx.load(str(whole)).graph.node]
    left = [name for name in names if any(part in name for part in spared)]
    quantize_dynamic(
        whole,
        path,
        per_channel=True,
        reduce_range=False,
        weight_type=QuantType.QInt8,
        nodes_to_exclude=left,
        extra_options={"MatMulConstBOnly": True},
    )
    whole.unlink()
    return path


def _traced(model: nn.Module, inputs: tuple[str, ...], output: str, path: Path) -> None:
    ids = torch.randint(1000, 20_000, (2, 12))
    kinds = torch.zeros_like(ids)
    kinds[:, 6:] = 1
    given = (ids, torch.ones_like(ids), kinds)[: len(inputs)]
    axes = {name: {0: "batch", 1: "length"} for name in inputs} | {output: {0: "batch"}}
    with warnings.catch_warnings():  # the tracing exporter needs no further package
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            model,
            given,
            str(path),
            input_names=list(inputs),
            output_names=[output],
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
