//! How many of the faults reported on products of strangers are some: runs that are kept below
//! `$PRODUCTS/runs/PRODUCT-...` are held against `benches/judged.tsv`, where a person judged them.
//!
//! `PRODUCTS=... cargo bench -p benches --bench judged`

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wallace_suite::{
    record::{FaultRecord, RECORD_FILE, RunRecord},
    report::severity,
};

/// What was judged: product, code, operation, context, verdict, and why; parted by tabs.
const JUDGED: &str = include_str!("../judged.tsv");

/// One judgement.
struct Judged<'a> {
    product: &'a str,
    code: u16,
    operation: &'a str,
    context: &'a str,
    verdict: &'a str,
}

impl<'a> Judged<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let mut parts = line.split('\t');
        let (product, code) = (parts.next()?, parts.next()?.parse().ok()?);
        let (operation, context, verdict) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { product, code, operation, context, verdict })
    }

    /// Whether a report is what was judged, at any of the operations where it showed itself.
    fn is_of(&self, product: &str, fault: &FaultRecord) -> bool {
        self.product == product
            && self.code == fault.fault.code
            && fault.sites().any(|(operation, context)| {
                fits(self.operation, operation) && fits(self.context, context)
            })
    }
}

/// Whether a text is the one that was judged; what ends in `*` only has to begin so.
fn fits(judged: &str, text: &str) -> bool {
    judged.strip_suffix('*').map_or(judged == text, |begin| text.starts_with(begin))
}

fn main() {
    let judged: Vec<Judged<'_>> = JUDGED.lines().filter_map(Judged::of).collect();
    let Some(products) = std::env::var_os("PRODUCTS").map(PathBuf::from) else {
        println!(
            "no products: set PRODUCTS to the folder whose runs/PRODUCT-... hold results of \
             `wallace fuzz`; {} judgements are known",
            judged.len()
        );
        return;
    };
    let runs = runs(&products.join("runs"));
    if runs.is_empty() {
        println!("no runs below {}: nothing is compared", products.join("runs").display());
    }
    println!("| run | reports | medium, high | true | arguable | false | not judged | precision |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut open = Vec::new();
    for (name, record) in &runs {
        let product = name.split('-').next().unwrap_or_default();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut serious: BTreeMap<&str, usize> = BTreeMap::new();
        for fault in &record.faults {
            let known = judged.iter().find(|known| known.is_of(product, fault));
            let verdict = known.map_or("", |known| known.verdict);
            *counts.entry(verdict).or_default() += 1;
            if ["medium", "high"].contains(&severity(fault.fault.code).as_str()) {
                *serious.entry(verdict).or_default() += 1;
            }
            if verdict.is_empty() {
                let (code, operation, context) = fault.key();
                open.push(format!("{product}\t{code}\t{operation}\t{context}"));
            }
        }
        let count = |verdict| counts.get(verdict).copied().unwrap_or(0);
        let of_judged = |verdict| serious.get(verdict).copied().unwrap_or(0) as f64;
        let all = of_judged("true") + of_judged("arguable") + of_judged("false");
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            record.faults.len(),
            serious.values().sum::<usize>(),
            count("true"),
            count("arguable"),
            count("false"),
            count(""),
            if all > 0.0 { format!("{:.3}", of_judged("true") / all) } else { "-".to_owned() },
        );
    }
    open.sort();
    open.dedup();
    println!("\nNot judged yet, {} in all:", open.len());
    open.iter().for_each(|line| println!("{line}"));
}

/// The records of runs, by the name of their folder.
fn runs(folder: &Path) -> BTreeMap<String, RunRecord> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let read = |folder: &Path| {
        let text = std::fs::read_to_string(folder.join("out").join(RECORD_FILE)).ok()?;
        RunRecord::from_json(&text).ok()
    };
    let runs = entries.filter_map(|entry| {
        Some((entry.file_name().to_string_lossy().into_owned(), read(&entry.path())?))
    });
    runs.collect()
}
