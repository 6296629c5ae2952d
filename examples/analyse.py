#!/usr/bin/env python3
"""A run in pandas: python3 analyse.py results/bench SCENARIO QUANTITY FRAME [picture.png]
Prints the Pareto front of error and time, and what every variant answers in one frame; draws both."""
import sys
import pandas
import matplotlib.pyplot as plot

run, scenario, quantity, frame = *sys.argv[1:4], int(sys.argv[4])
error, unit = {"distance": ("distance_error_size", "_m"), "volume": ("volume_error_rel", "_m3"), "depth": ("depth_error_rel", "_m")}[quantity]
cells = pandas.read_csv(f"{run}/cells.csv").query("scenario == @scenario and not variant.str.contains('@')")
cells = cells.dropna(subset=["time_p99_ns", error + "_mean"]).sort_values(["time_p99_ns", error + "_mean"])
front = cells[cells[error + "_mean"] < cells[error + "_mean"].cummin().shift(fill_value=float("inf"))]
print(front[["variant", "time_p99_ns", error + "_mean", error + "_max", "status"]].to_string(index=False))

frames = {c.variant: pandas.read_csv(f"{run}/{scenario}/{c.file}.csv", index_col="frame") for c in cells.itertuples()}
columns = [quantity + unit, f"truth_{quantity}_lo{unit}", f"truth_{quantity}_hi{unit}", error, "time_median_ns"]
print(pandas.DataFrame({name: f.loc[frame, columns] for name, f in frames.items()}).T.to_string())

figure, (left, right) = plot.subplots(1, 2, figsize=(11, 4), layout="constrained")
for rows, look in (cells, "o"), (front, "-"):
    left.loglog(rows.time_p99_ns / 1e3, rows[error + "_mean"].clip(lower=1e-9), look)
left.set(xlabel="time of a frame, 99th percentile (us)", ylabel=f"mean error of the {quantity}", title=scenario)
for name, f in frames.items():
    right.plot(f.index, f[quantity + unit], label=name)
right.set(xlabel="frame", ylabel=quantity + unit)
right.legend(fontsize="small")
plot.savefig(sys.argv[5] if len(sys.argv) > 5 else "analyse.png")
