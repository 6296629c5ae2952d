#!/usr/bin/env python3
"""Judges answers by an exported set: python3 check_truth.py SCENARIO answers.csv [share]
SCENARIO is a folder of the set. An answer is right if it is in the bracket of the truth, widened by `share` of it
(default 1e-9). Exit status: 0 all right, 1 wrong answers, 2 usage, 3 a file that is not valid."""
import csv
import math
import sys
from statistics import median

BRACKETS = {"distance_m": "truth_distance_%s_m", "volume_m3": "truth_volume_%s_m3",
            "depth_m": "truth_depth_%s_m", "intersecting_pairs_count": "truth_pairs_%s"}
UNITS = {1e3: "millimetres", 1e2: "centimetres", 1e6: "micrometres", 1 / 0.0254: "inches"}

def fail(path, line, reason):
    print(f"{path} line {line}: {reason}", file=sys.stderr)
    sys.exit(3)

def read(path):
    """Returns {frame: {column: number}}; empty fields are left out."""
    rows = {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        for row in reader:
            numbers = {}
            for name, text in row.items():
                try:
                    if text and name != "truth_methods":
                        numbers[name] = float(text)
                except (ValueError, TypeError):
                    fail(path, reader.line_num, f"column {name}: {text!r} is no number")
                if not math.isfinite(numbers.get(name, 0)):
                    fail(path, reader.line_num, f"column {name} is not finite")
            if "frame" not in numbers or numbers["frame"] in rows:
                fail(path, reader.line_num, f"frame {row.get('frame')} is missing or there twice")
            rows[numbers.pop("frame")] = numbers
    return rows

def diagnose(name, pairs, right):
    """Names the mistake without which all answers are right. pairs: (answer, lo, hi) of each frame."""
    def holds(undo, some=pairs):
        return len(some) > 2 and sum(right(undo(x), lo, hi) for x, lo, hi in some) >= 0.98 * len(some)
    large = [(x, lo) for x, lo, hi in pairs if lo > 0] or [(1, 1)]
    factor, addend = median(x / lo for x, lo in large), median(x - lo for x, lo in large)
    unit = [u for k, u in UNITS.items() if abs(factor / k ** (3 if name == "volume_m3" else 1) - 1) < 1e-3]
    answers, truth = [p[0] for p in pairs], [p[1:] for p in pairs]
    moved = {"off by one frame (numbered from 1?)": (answers, truth[1:]), "off by one frame": (answers[1:], truth),
             "frames in reverse order": (answers[::-1], truth), "frames in another order": (sorted(answers), sorted(truth))}
    tests = [("the sign is wrong", holds(lambda x: -x)),
             ("negative where the bodies overlap: a signed distance?", holds(lambda x: max(x, 0))),
             (f"all are {factor:.6g} times too large" + (f": {unit[0]}?" if unit else ""),
              factor > 0 and holds(lambda x: x / factor)), ("squared", holds(lambda x: math.sqrt(abs(x)))),
             (f"all are {addend:.6g} too large: a margin?", holds(lambda x: x - addend, [p for p in pairs if p[1] > 0]))]
    tests += [(text, holds(lambda x: x, [(x, *t) for x, t in zip(*lists)])) for text, lists in moved.items()]
    tests += [("the same in every frame: is the pose used?", len(set(answers)) == 1 < len(set(truth))),
              ("few digits: write 17", all(float(f"{x:.8g}") == x for x in answers))]
    return next((text for text, found in tests if found), "no simple mistake; 'proxbench score' tests more")

def main(scenario, path, share="1e-9"):
    truth, answers, wrong = read(scenario + "/truth.csv"), read(path), 0
    for frame in sorted(set(answers) - set(truth)):
        fail(path, "?", f"there is no frame {frame:g}; the frames are 0 to {len(truth) - 1}")
    for name in [n for n in BRACKETS if any(n in a for a in answers.values())]:
        lo, hi = BRACKETS[name] % "lo", BRACKETS[name] % "hi"
        known = [f for f in truth if lo in truth[f]]
        pairs = [(answers[f][name], truth[f][lo], truth[f][hi]) for f in known if name in answers.get(f, {})]
        size = 1e-15 + 1e-12 * max((p[2] for p in pairs), default=0)
        right = lambda x, lo, hi: lo - float(share) * abs(lo) - size <= x <= hi + float(share) * abs(hi) + size
        missing = [f for f in known if name not in answers.get(f, {})]
        bad = [f for f in known if f not in missing and not right(answers[f][name], truth[f][lo], truth[f][hi])]
        print(f"{name}: {len(bad)} of {len(known)} frames wrong, {len(missing)} missing", *missing[:5])
        for f in bad[:5]:
            print(f"  frame {f:.0f}: expected {truth[f][lo]:.10g} to {truth[f][hi]:.10g}, answered {answers[f][name]:.10g}")
        print(f"  diagnosis: {diagnose(name, pairs, right)}\n" if bad else "", end="")
        wrong += len(bad) + len(missing)
    return 1 if wrong else 0

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) in (3, 4) else print(__doc__, file=sys.stderr) or 2)
