"""What rewritten code calls: scores of targets, distances and uses of tainted texts."""
