"""The step of the associative memory as an ONNX graph, with its gradients written out."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def export_surprise(folder: Path) -> Path:
    """Write `surprise.onnx` to *folder* and return its path.

    M(k) = tanh(k W1) W2 is to give back v. Of the mean loss |M(k) - v|^2 over the rows:
    dM = 2 (M - v) / rows, dW2 = h' dM, dW1 = k' (dM W2' * (1 - h^2)).
    """
    import onnx
    from onnx import TensorProto, helper

    steps = (
        ("MatMul", "key w1", "in"), ("Tanh", "in", "h"), ("MatMul", "h w2", "out"),
        ("Sub", "out value", "gap"), ("Mul", "gap gap", "square"),
        ("ReduceSum", "square last", "loss"),
        ("Shape", "loss", "shape"), ("Cast", "shape", "rows"), ("Div", "two rows", "share"),
        ("Mul", "gap share", "d_out"), ("Transpose", "h", "h_t"), ("MatMul", "h_t d_out", "d_w2"),
        ("Transpose", "w2", "w2_t"), ("MatMul", "d_out w2_t", "d_h"), ("Mul", "h h", "h_square"),
        ("Sub", "one h_square", "slope"), ("Mul", "d_h slope", "d_in"),
        ("Transpose", "key", "key_t"), ("MatMul", "key_t d_in", "d_w1"),
        ("Sub", "one decay", "kept"),
        *(
            (operation, inputs.replace("#", number), output.replace("#", number))
            for number in "12"
            for operation, inputs, output in (
                ("Mul", "s# momentum", "carried_#"), ("Mul", "d_w# rate", "step_#"),
                ("Sub", "carried_# step_#", "new_s#"), ("Mul", "w# kept", "left_#"),
                ("Add", "left_# new_s#", "new_w#"),
            )
        ),
    )  # fmt: skip
    extra = {"ReduceSum": {"keepdims": 0}, "Cast": {"to": TensorProto.FLOAT}}
    nodes = [helper.make_node(operation, inputs.split(), [output], **extra.get(operation, {}))
             for operation, inputs, output in steps]  # fmt: skip
    constants = [
        helper.make_tensor("one", TensorProto.FLOAT, [], [1.0]),
        helper.make_tensor("two", TensorProto.FLOAT, [], [2.0]),
        helper.make_tensor("last", TensorProto.INT64, [1], [1]),
    ]
    shapes = {"w1": "dh", "w2": "hd", "s1": "dh", "s2": "hd", "key": "bd", "value": "bd"}
    given = [_tensor(helper, name, list(shape)) for name, shape in shapes.items()]
    given += [_tensor(helper, name, []) for name in ("rate", "momentum", "decay")]
    told = [_tensor(helper, "loss", ["b"])]
    told += [
        _tensor(helper, f"new_{name}", list(shapes[name])) for name in ("w1", "w2", "s1", "s2")
    ]
    graph = helper.make_graph(nodes, "step", given, told, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    path = folder / "surprise.onnx"
    onnx.save(model, str(path))
    return path


def _tensor(helper: Any, name: str, shape: list[str]) -> Any:
    return helper.make_tensor_value_info(name, 1, shape)
