"""Computes the tables of a campaign report again from runs.csv, and counts the numbers that agree."""
import csv
import sys

import numpy
from scipy.stats import friedmanchisquare, mannwhitneyu
from statsmodels.stats.multitest import multipletests

folder, baseline = sys.argv[1:]


def read(name):
    with open(f"{folder}/{name}", newline="") as file:
        return list(csv.DictReader(file))


runs = read("runs.csv")
checked = 0


def equal(ours, theirs, what):
    global checked
    assert abs(float(ours) - float(theirs)) <= 1e-9, f"{what}: report {ours}, recomputed {theirs}"
    checked += 1


def values(measure, system, configuration):
    return [float(run[measure]) for run in runs if (run["system"], run["configuration"]) == (system, configuration)]


for cell in read("cells.csv"):
    key = (cell["measure"], cell["system"], cell["configuration"])
    sample = values(*key)
    expected = {
        "runs": len(sample), "mean": numpy.mean(sample), "median": numpy.median(sample), "least": min(sample),
        "greatest": max(sample), "lower_quartile": numpy.quantile(sample, 0.25), "upper_quartile": numpy.quantile(sample, 0.75),
    }
    for name, value in expected.items():
        equal(cell[name], value, (key, name))

pairs = read("comparison.csv")
for pair in pairs:
    key = (pair["measure"], pair["system"], pair["configuration"])
    ours, theirs = values(*key), values(key[0], key[1], baseline)
    ties = len(set(ours + theirs)) < len(ours + theirs)
    test = mannwhitneyu(ours, theirs, alternative="two-sided", method="auto" if not ties else "asymptotic")
    u, p = test.statistic, test.pvalue
    if len(set(ours + theirs)) == 1:
        p = 1.0
    equal(pair["u"], u, (key, "u"))
    equal(pair["p"], p, (key, "p"))
    equal(pair["a12"], u / (len(ours) * len(theirs)), (key, "a12"))

for measure, configuration in {(pair["measure"], pair["configuration"]) for pair in pairs}:
    family = [pair for pair in pairs if (pair["measure"], pair["configuration"]) == (measure, configuration)]
    corrected = multipletests([float(pair["p"]) for pair in family], method="holm")[1]
    for pair, expected in zip(family, corrected):
        equal(pair["p_holm"], expected, (measure, configuration, "holm"))

rankings = read("ranking.csv")
for measure in {row["measure"] for row in rankings}:
    rows = [row for row in rankings if row["measure"] == measure]
    systems = sorted({run["system"] for run in runs})
    columns = [[numpy.mean(values(measure, system, row["configuration"])) for system in systems] for row in rows]
    test = friedmanchisquare(*columns)
    for row in rows:
        equal(row["chi_square"], test.statistic, (measure, "friedman"))
        equal(row["p"], test.pvalue, (measure, "friedman p"))

print(checked)
