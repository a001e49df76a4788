"""Reads samples as JSON lines, answers with the statistics of SciPy and statsmodels."""
import json
import sys

from scipy.stats import friedmanchisquare, mannwhitneyu
from statsmodels.stats.multitest import multipletests

for line in sys.stdin:
    case = json.loads(line)
    kind, data = case["kind"], case["data"]
    if kind == "holm":
        answer = list(multipletests(data, method="holm")[1])
    elif kind == "friedman":
        result = friedmanchisquare(*zip(*data))
        answer = [result.statistic, result.pvalue]
    else:
        result = mannwhitneyu(data[0], data[1], alternative="two-sided", method=kind, use_continuity=True)
        answer = [result.statistic, result.pvalue]
    print(json.dumps([float(value) for value in answer]))
