//! Our statistics against SciPy and statsmodels on random samples.
//!
//! Needs Python with both packages; `WALLACE_PYTHON` names the interpreter. Runs with
//! `RUN_SLOW_TESTS`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use wallace_campaign::statistic::{
    friedman, holm, mann_whitney, mann_whitney_asymptotic, mann_whitney_exact,
};
use wallace_genes::Rng;

const SAMPLES: u64 = 1_000;
const TOLERANCE: f64 = 1e-9;

/// What Python answers to each case, one line each.
fn reference(cases: &[Value]) -> Vec<Vec<f64>> {
    let python = std::env::var("WALLACE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference.py");
    let mut child = Command::new(&python)
        .args(["-W", "ignore", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{python} with SciPy and statsmodels is needed: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    let writer = std::thread::spawn(move || writeln!(stdin, "{}", lines.join("\n")).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Vec<f64>> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(answers.len(), cases.len(), "{python} lacks SciPy or statsmodels, or failed");
    answers
}

fn check(kind: &str, cases: &[(Value, Vec<f64>)]) {
    let asked: Vec<Value> =
        cases.iter().map(|(data, _)| json!({ "kind": kind, "data": data })).collect();
    for ((data, ours), theirs) in cases.iter().zip(reference(&asked)) {
        let is_near = |(ours, theirs): (&f64, &f64)| (ours - theirs).abs() <= TOLERANCE;
        assert!(
            ours.len() == theirs.len() && ours.iter().zip(&theirs).all(is_near),
            "{kind} of {data}: ours {ours:?}, reference {theirs:?}"
        );
    }
}

/// Values without ties: distinct by construction.
fn distinct(rng: &mut Rng, count: usize) -> Vec<f64> {
    (0..count).map(|_| rng.gaussian() * 10.0).collect()
}

/// Values with many ties, as counts of covered branches are.
fn tied(rng: &mut Rng, count: usize) -> Vec<f64> {
    let spread = rng.between(1, 12);
    (0..count).map(|_| rng.between(0, spread) as f64).collect()
}

fn size(rng: &mut Rng) -> usize {
    1 + rng.below(25)
}

#[test]
fn statistics_equal_their_references() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        println!("skipped: set RUN_SLOW_TESTS to compare with SciPy and statsmodels");
        return;
    }
    let (mut exact, mut asymptotic, mut auto) = (Vec::new(), Vec::new(), Vec::new());
    let (mut friedmans, mut holms) = (Vec::new(), Vec::new());
    for seed in 0..SAMPLES {
        let rng = &mut Rng::new(7, seed);
        let (m, n) = (size(rng), size(rng));
        let (one, other) = (distinct(rng, m), distinct(rng, n));
        let test = mann_whitney_exact(&one, &other).unwrap();
        exact.push((json!([one, other]), vec![test.u1, test.p]));
        let (one, other) = (tied(rng, m), tied(rng, n));
        let has_spread = one.iter().chain(&other).any(|value| *value != one[0]);
        let test = mann_whitney_asymptotic(&one, &other).unwrap();
        if has_spread {
            asymptotic.push((json!([one, other]), vec![test.u1, test.p]));
            let test = mann_whitney(&one, &other).unwrap();
            auto.push((json!([one, other]), vec![test.u1, test.p]));
        }
        let (blocks, k) = (1 + rng.below(20), 3 + rng.below(5));
        let blocks: Vec<Vec<f64>> = (0..blocks).map(|_| tied(rng, k)).collect();
        if let Some(test) = friedman(&blocks) {
            friedmans.push((json!(blocks), vec![test.chi_square, test.p]));
        }
        let probabilities: Vec<f64> = (0..1 + rng.below(20)).map(|_| rng.unit().powi(3)).collect();
        let adjusted = holm(&probabilities);
        holms.push((json!(probabilities), adjusted));
    }
    assert!(asymptotic.len() > 900 && friedmans.len() > 900);
    check("exact", &exact);
    check("asymptotic", &asymptotic);
    check("auto", &auto);
    check("friedman", &friedmans);
    check("holm", &holms);
}
