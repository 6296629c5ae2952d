#!/usr/bin/env python3
"""Distances by brute force: python3 score.py SCENARIO answers.csv, with SCENARIO a folder of 'proxbench export'.
Every edge is held against every edge and every triangle, which it may pierce, and every vertex against every triangle."""
import csv, sys, time
import numpy as np

def read_off(path):
    words = open(path).read().split()
    n, m = int(words[1]), int(words[2])
    return np.array(words[4:4 + 3 * n], float).reshape(n, 3), np.array(words[4 + 3 * n:], int).reshape(m, 4)[:, 1:]

def dot(u, v):
    return np.sum(u * v, axis=-1)

def between_edges(p, u, q, v):
    """Smallest squared distance of the segments p + s u and q + t v over all pairs (Ericson 2005, section 5.1.9)."""
    p, u, q, v = p[:, None], u[:, None], q[None], v[None]
    r, a, e, b = p - q, dot(u, u), dot(v, v), dot(u, v)
    c, f, det = dot(u, r), dot(v, r), a * e - b * b
    s = np.clip(np.divide(b * f - c * e, det, out=np.zeros_like(det), where=det > 0), 0, 1)
    t = np.clip((b * s + f) / e, 0, 1)
    s = np.clip((b * t - c) / a, 0, 1)
    return np.min(np.sum((r + s[..., None] * u - t[..., None] * v) ** 2, axis=-1))

def to_triangles(p, u, triangles):
    """Smallest squared distance of the points p from the insides of triangles; 0 if a segment p + s u pierces one."""
    e1, e2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    n, r, u = np.cross(e1, e2), p[:, None] - triangles[:, 0], u[:, None]
    height, slope, n2 = dot(r, n), dot(u, n), dot(n, n)
    s = np.divide(-height, slope, out=np.full_like(height, -1.0), where=slope != 0)
    def inside(x):
        i, j = dot(np.cross(x, e2), n) / n2, dot(np.cross(e1, x), n) / n2
        return (i >= 0) & (j >= 0) & (i + j <= 1)
    pierced = np.any((s >= 0) & (s <= 1) & inside(r + s[..., None] * u))
    return 0.0 if pierced else np.min(np.where(inside(r), height ** 2 / n2, np.inf))

(va, fa), (vb, fb) = (read_off(f"{sys.argv[1]}/{body}.off") for body in "ab")
answers = csv.writer(open(sys.argv[2], "w", newline=""))
answers.writerow(["frame", "distance_m", "time_ns"])
for frame, pose in enumerate(csv.DictReader(open(sys.argv[1] + "/trajectory.csv"))):
    x, y, z, qx, qy, qz, qw = (float(pose[k]) for k in ("x_m", "y_m", "z_m", "qx", "qy", "qz", "qw"))
    begin, q = time.perf_counter_ns(), np.array([qx, qy, qz])
    moved = vb + 2 * np.cross(q, np.cross(q, vb) + qw * vb) + [x, y, z]
    ta, tb = va[fa], moved[fb]
    (pa, ua), (pb, ub) = ((t.reshape(-1, 3), (np.roll(t, -1, axis=1) - t).reshape(-1, 3)) for t in (ta, tb))
    d2 = min(between_edges(pa, ua, pb, ub), to_triangles(pa, ua, tb), to_triangles(pb, ub, ta))
    answers.writerow([frame, f"{np.sqrt(d2):.17g}", time.perf_counter_ns() - begin])
