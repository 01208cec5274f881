"""Where the models lie and how they are opened."""

from __future__ import annotations

import functools
import hashlib
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from vividmem import ConfigError, MissingExtraError

ADVICE = 'pip install "vividmem[neural]" vividmem-models'

try:
    import numpy as np
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as faults
    from tokenizers import Tokenizer
except ImportError as error:
    raise MissingExtraError("the neural gate", ADVICE) from error
if not hasattr(np, "bitwise_count"):
    raise MissingExtraError(f"the neural gate (numpy 2, this is {np.__version__})", ADVICE)


def model_file(name: str, given: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of the model called *name*: *given*, or where the models are installed."""
    if given is not None:
        path = Path(given).expanduser()
        path = path / name if path.is_dir() else path
        if not path.is_file():
            raise ConfigError(f"there is no model at {path}: give an .onnx file or its folder")
        return path
    for folder in _folders():
        if (folder / name).is_file():
            return folder / name
    raise MissingExtraError(f"the model {name}", "pip install vividmem-models")


def _folders() -> list[Path]:
    named = os.environ.get("VIVIDMEM_MODELS")
    found = [Path(named).expanduser()] if named else []
    installed = find_spec("vividmem_models")
    if installed is not None and installed.origin is not None:
        found.append(Path(installed.origin).parent)
    return [*found, Path(__file__).parents[2] / "models" / "vividmem_models"]


_UNREADABLE = (
    faults.Fail,
    faults.InvalidArgument,
    faults.InvalidGraph,
    faults.InvalidProtobuf,
    faults.NotImplemented,
    RuntimeError,
)


@functools.lru_cache(maxsize=16)
def session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """Return the model at *path*, opened once for all who use it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _UNREADABLE as error:
        raise ConfigError(f"{path} is no ONNX model that can be run here: {error}") from error


@functools.lru_cache(maxsize=16)
def digest(path: Path) -> str:
    """Return the SHA-256 of the file at *path*, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.lru_cache(maxsize=16)
def tokenizer(path: Path, longest: int) -> Tokenizer:
    """Return the tokenizer in the file *path*, which cuts texts at *longest* tokens."""
    if not path.is_file():
        raise ConfigError(f"there is no tokenizer at {path}: it lies beside its model")
    made = Tokenizer.from_file(str(path))
    made.enable_truncation(longest)
    made.no_padding()
    return made


def inputs_of(model: onnxruntime.InferenceSession, encodings: list[Any]) -> dict[str, Any]:
    """Return the arrays *model* asks for by name, padded to the longest or to its fixed length."""
    shape = model.get_inputs()[0].shape
    longest = max(len(e.ids) for e in encodings)
    length = shape[1] if isinstance(shape[1], int) else longest
    columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
    found: dict[str, Any] = {}
    for wanted in model.get_inputs():
        if wanted.name not in columns:
            raise ConfigError(f"a model asks for {wanted.name!r}: known are {', '.join(columns)}")
        rows: Any = np.zeros((len(encodings), length), np.int64)
        for row, encoding in zip(rows, encodings, strict=True):
            values = getattr(encoding, columns[wanted.name])[:length]
            row[: len(values)] = values
        found[wanted.name] = rows.astype(np.int32 if "int32" in wanted.type else np.int64)
    return found
