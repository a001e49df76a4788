//! How fast schemas become operations, and operations text: the GraphQL rows of the design's
//! measures.
//!
//! `cargo bench --bench graphql_rates -- [CALLS]`: calls of a whole search, 200,000 without; times
//! are of this thread's CPU, medians of seven rounds.
//! The schemas of Saleor and PetClinic are read from `../shared/data`.

#![allow(clippy::print_stdout, reason = "the bench prints its results")]

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use benches::statistic::median;
use benches::usage::{resident, thread_time};
use wallace_engine::{
    Budget, Evaluation, EvaluationError, Evaluator, Individual, Score, Search, SearchSettings,
    TargetName, TargetScore, Wanted,
};
use wallace_genes::{Draw, Gene, GeneSettings, Knowledge, mutate, sample, site::collect_sites};
use wallace_problems::graphql::{GraphqlAction, GraphqlProblem, Schema, Style, Templates};
use wallace_problems::{
    CallFailure, HttpEvaluator, HttpOutcome, HttpRequest, HttpResponse, Transport,
};

const ROUNDS: usize = 7;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/graphql");
    let (Some(saleor), Some(clinic)) = (
        read(folder.join("saleor-2.11.schema.graphql")),
        read(folder.join("em-PetsClinic.introspection.json")),
    ) else {
        println!("not run: the schemas of Saleor and PetClinic are not in {}", folder.display());
        return;
    };
    loading("Saleor 2.11 from SDL", &saleor);
    loading("20,000 generated types", &generated(10_000));
    let (saleor, clinic) = (templates(&saleor), templates(&clinic));
    text(&saleor);
    equal_sizes(&saleor, &clinic);
    search(&saleor);
}

fn read(path: PathBuf) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn templates(text: &str) -> Arc<Templates> {
    let schema = Schema::from_text(text).expect("the schema can be read");
    Arc::new(Templates::new(Arc::new(schema)).expect("it has operations"))
}

/// Seconds of CPU that this thread used for `work`.
fn cpu<T>(work: impl FnOnce() -> T) -> f64 {
    let before = thread_time();
    black_box(work());
    (thread_time() - before).as_secs_f64()
}

fn rounds(mut seconds: impl FnMut() -> f64) -> f64 {
    median(&(0..ROUNDS).map(|_| seconds()).collect::<Vec<f64>>())
}

fn loading(name: &str, text: &str) {
    let before = resident();
    let kept = templates(text);
    let memory = resident() - before;
    let seconds = rounds(|| cpu(|| templates(text)));
    println!(
        "{name}: {} operations, {:.1} ms, {memory:.1} MB kept",
        kept.operations().len(),
        seconds * 1e3
    );
}

/// Object types that lead to each other, and as many input types.
fn generated(types: usize) -> String {
    let mut text = String::from("interface Node { id: ID! } type Query { node: Node");
    for index in 0..types {
        let _ = write!(text, " get{index}(in: I{index}): T{index}");
    }
    text.push('}');
    for index in 0..types {
        let next = (index * 7 + 1) % types;
        let _ = write!(text, " type T{index} implements Node {{ id: ID! next: [T{next}] }}");
        let _ = write!(text, " input I{index} {{ next: I{next} text: String = \"\" }}");
    }
    text
}

/// Numbers of operations and draws that give operations of about ten fields.
fn of_ten_fields(templates: &Templates) -> Vec<(usize, u64)> {
    let operations = templates.operations();
    let mut found = Vec::new();
    for number in 0..200_000_u64 {
        let place = number as usize % operations.len();
        let size = sampled(templates, place, number).size();
        if (13..=19).contains(&size) {
            found.push((place, number));
        }
        if found.len() == 5_000 {
            break;
        }
    }
    found
}

fn sampled(templates: &Templates, place: usize, number: u64) -> Gene {
    let operation = &templates.operations()[place];
    let mut draw = Draw::new(1, number, settings());
    sample(&operation.spec, operation.id, &Knowledge::default(), &mut draw)
}

fn settings() -> Arc<GeneSettings> {
    static SETTINGS: std::sync::OnceLock<Arc<GeneSettings>> = std::sync::OnceLock::new();
    Arc::clone(SETTINGS.get_or_init(Arc::default))
}

fn text(templates: &Templates) {
    let chosen = of_ten_fields(templates);
    let mut document = String::new();
    let mut bytes = 0;
    let seconds = rounds(|| {
        bytes = 0;
        cpu(|| {
            for (place, number) in &chosen {
                document.clear();
                let operation = &templates.operations()[*place];
                let gene = sampled(templates, *place, *number);
                templates.render_into(operation, &gene, Style::Compact, &mut document);
                bytes += document.len();
            }
        })
    });
    let genes: Vec<(usize, Gene)> = chosen
        .iter()
        .map(|(place, number)| (*place, sampled(templates, *place, *number)))
        .collect();
    let rendering = rounds(|| {
        cpu(|| {
            for (place, gene) in &genes {
                document.clear();
                let operation = &templates.operations()[*place];
                templates.render_into(operation, gene, Style::Compact, &mut document);
            }
        })
    });
    println!(
        "sample and render on Saleor: {:.0}/s, {:.0} bytes each; text alone {:.0} MB/s",
        chosen.len() as f64 / seconds,
        bytes as f64 / chosen.len() as f64,
        bytes as f64 / rendering / 1e6
    );
}

/// The cost of an operation follows its size and not that of the schema.
fn equal_sizes(saleor: &Templates, clinic: &Templates) {
    let (large, small) = (of_ten_fields(saleor), of_ten_fields(clinic));
    let count = large.len().min(small.len());
    let (large, small) = (&large[..count], &small[..count]);
    let nodes = |templates: &Templates, chosen: &[(usize, u64)]| -> f64 {
        let sizes = chosen.iter().map(|(place, number)| sampled(templates, *place, *number).size());
        sizes.sum::<usize>() as f64
    };
    let work = |templates: &Templates, chosen: &[(usize, u64)]| {
        cpu(|| {
            for (place, number) in chosen {
                let operation = &templates.operations()[*place];
                let gene = sampled(templates, *place, *number);
                let mut child = gene.clone();
                let mut draw = Draw::new(2, *number, settings());
                let mut weights = Vec::new();
                collect_sites(&operation.spec, &child, &mut weights);
                let site = draw.rng.below(weights.len().max(1));
                let knowledge = Knowledge::default();
                mutate(&operation.spec, operation.id, &mut child, &[site], &knowledge, &mut draw);
                black_box(child);
            }
        })
    };
    let ratio = rounds(|| {
        let (one, other) = (work(saleor, large), work(clinic, small));
        (one / nodes(saleor, large)) / (other / nodes(clinic, small))
    });
    println!(
        "sample, clone, mutate, {count} operations of equal size: Saleor costs {ratio:.2} times PetClinic"
    );
}

fn search(templates: &Arc<Templates>) {
    let calls = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(200_000_u64);
    let path = http::uri::PathAndQuery::from_static("/graphql");
    let search = SearchSettings::default();
    let problem = GraphqlProblem::new(Arc::clone(templates), path, &search)
        .expect("operations can be called");
    let problem = Arc::new(problem);
    let whole = |calls: u64, evaluator: &mut dyn Evaluator<GraphqlAction>| {
        let seconds = cpu(|| {
            let budget = Budget::calls(calls);
            let mut search = Search::new(&*problem, SearchSettings::default(), budget);
            while search.end().is_none()
                && let Some(proposal) = search.propose()
            {
                let result = evaluator.evaluate(&proposal.individual, &Wanted::Everything);
                search.commit(proposal, result).expect("it is the oldest");
            }
        });
        calls as f64 / seconds
    };
    let mut mocked = HttpEvaluator::new(Arc::clone(&problem), Box::new(Mock), None);
    println!(
        "whole MIO on Saleor, a mocked server behind the evaluator: {:.0} calls/s",
        whole(calls, &mut mocked)
    );
    let names = templates.operations().iter();
    let names = names.map(|operation| TargetName::new(operation.coordinate.to_string())).collect();
    let mut printed =
        Printed { templates: Arc::clone(templates), names, text: String::new(), bytes: 0 };
    let rate = whole(calls / 10, &mut printed);
    // It grows what it searches for: the better the search, the longer the texts.
    println!(
        "whole MIO on Saleor, the text as fitness: {rate:.0} calls/s of {:.0} bytes",
        printed.bytes as f64 / (calls / 10) as f64
    );
}

/// Judges a call by the length of its text, which is never enough.
struct Printed {
    templates: Arc<Templates>,
    names: Vec<TargetName>,
    text: String,
    bytes: usize,
}

impl Evaluator<GraphqlAction> for Printed {
    fn evaluate(
        &mut self,
        test: &Individual<GraphqlAction>,
        _wanted: &Wanted,
    ) -> Result<Evaluation<GraphqlAction>, EvaluationError> {
        let (mut scores, mut outcomes) = (Vec::new(), Vec::new());
        for (id, action) in test.actions() {
            let place = action.template.0 as usize;
            let operation = &self.templates.operations()[place];
            self.text.clear();
            self.templates.render_into(operation, &action.gene, Style::Compact, &mut self.text);
            self.bytes += self.text.len();
            let length = self.text.len() as f64;
            let score = Score::new((length / (1.0 + length)).min(0.999_999));
            scores.push(TargetScore { name: self.names[place].clone(), score, action: Some(*id) });
            outcomes.push(HttpOutcome::new(Err(CallFailure::Closed)));
        }
        Ok(Evaluation::new(scores, outcomes))
    }
}

/// A server that always says the same.
struct Mock;

impl Transport for Mock {
    fn send(&mut self, _request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let body = r#"{"data":{},"errors":[{"message":"not now","path":["any"]}]}"#.to_owned();
        let content_type = "application/json".to_owned();
        Ok(HttpResponse { status: 200, content_type, body, ..HttpResponse::default() })
    }
}
