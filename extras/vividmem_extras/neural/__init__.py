"""Judging and finding by meaning, with small ONNX models; nothing is fetched at run time.

    from vividmem import VividMem
    from vividmem_extras.neural import NeuralGate, OnnxEmbedder

    embedder = OnnxEmbedder()
    mem = VividMem("./my_agent_memory", embedder=embedder, gate=NeuralGate(embedder))

Needs ``pip install "vividmem[neural]"`` and the distribution ``vividmem-models``, or a folder of
models named by the environment variable VIVIDMEM_MODELS.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vividmem_extras.neural.embedder import OnnxEmbedder, VectorEmbedder
    from vividmem_extras.neural.gate import NeuralGate
    from vividmem_extras.neural.nli import OnnxNli
    from vividmem_extras.neural.surprise import OnnxSurprise

__all__ = ["NeuralGate", "OnnxEmbedder", "OnnxNli", "OnnxSurprise", "VectorEmbedder"]

_HOMES = {
    "NeuralGate": "gate",
    "OnnxEmbedder": "embedder",
    "OnnxNli": "nli",
    "OnnxSurprise": "surprise",
    "VectorEmbedder": "embedder",
}


def __getattr__(name: str) -> Any:
    """Load the module that holds *name*, with numpy and onnxruntime, when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
