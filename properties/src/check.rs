//! Sending queries and judging the answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::{HeaderValue, Method};
use serde_json::Value;
use wallace_genes::Rng;
use wallace_problems::graphql::{FieldId, Schema, Selection, TupleCoverage, TypeId, request_body};
use wallace_problems::{Call, HttpRequest, Transport};

use crate::answer::{Answer, ids};
use crate::failure::{Failure, Outcome};
use crate::generator::Generator;
use crate::property::{self, Broken, lookups};
use crate::query::Query;
use crate::relation::{Facts, InverseRelation, looked_up, probes};
use crate::settings::{CheckSettings, UserOracle};
use crate::shrink::{shrink, size, text};
use crate::white_box::{WhiteBox, marked};

/// Sizes that queries go through, again and again.
const SIZES: usize = 200;
/// Identifiers of one type that are probed, at most.
const IDS_PROBED: usize = 5;

/// A check of one service.
pub struct Check<'c> {
    schema: &'c Arc<Schema>,
    settings: &'c CheckSettings,
    transport: &'c mut dyn Transport,
    oracles: &'c [UserOracle],
    generator: Generator,
    facts: Facts,
    /// Type and identifier of all objects seen.
    known: BTreeSet<(TypeId, String)>,
    outcome: Outcome,
    found: BTreeSet<(String, String)>,
}

impl std::fmt::Debug for Check<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Check").field("outcome", &self.outcome).finish_non_exhaustive()
    }
}

impl<'c> Check<'c> {
    /// A check of the service behind `transport`, by the paper's properties, those of relations,
    /// and these oracles.
    pub fn new(
        schema: &'c Arc<Schema>,
        settings: &'c CheckSettings,
        transport: &'c mut dyn Transport,
        oracles: &'c [UserOracle],
    ) -> Self {
        let generator = Generator::new(schema, settings.generator.clone());
        Self {
            schema,
            settings,
            transport,
            oracles,
            generator,
            facts: Facts::default(),
            known: BTreeSet::new(),
            outcome: Outcome::default(),
            found: BTreeSet::new(),
        }
    }

    /// Sends saved failures, recorded queries, what a white box suggests, random queries, and
    /// queries about relations; judges all, and makes small what fails.
    #[must_use]
    pub fn run(mut self, white_box: Option<&mut WhiteBox>) -> Outcome {
        self.replay_saved();
        self.compare_recorded();
        if let Some(white_box) = white_box {
            self.look_inside(white_box);
        }
        self.send_random();
        if self.settings.follows_relations {
            self.follow_relations();
        }
        self.outcome
    }

    fn replay_saved(&mut self) {
        for failure in &self.settings.saved {
            let answer = self.send_document(&failure.shrunk, None);
            self.outcome.queries += 1;
            let broken = property::paper(self.schema, &[], &answer);
            let same = broken.into_iter().find(|(oracle, _)| *oracle == failure.oracle);
            if let Some((oracle, fault)) = same {
                self.found.insert((oracle, fault.context));
                self.outcome.failures.push(Failure { queries: 0, ..failure.clone() });
            }
        }
    }

    fn compare_recorded(&mut self) {
        for recorded in &self.settings.recorded {
            let answer = self.send_document(&recorded.document, recorded.variables.as_ref());
            self.outcome.queries += 1;
            let Some((oracle, fault)) = property::compare(&recorded.answer, &answer) else {
                continue;
            };
            if self.found.insert((oracle.clone(), fault.context.clone())) {
                self.outcome.failures.push(Failure {
                    oracle,
                    code: fault.code,
                    context: fault.context,
                    queries: self.outcome.queries,
                    original: recorded.document.clone(),
                    shrunk: recorded.document.clone(),
                    size: recorded.document.split(|it: char| !it.is_alphanumeric()).count(),
                    replays: 0,
                });
            }
        }
    }

    /// Asks with marked texts, and then with the texts that they were compared with.
    fn look_inside(&mut self, white_box: &mut WhiteBox) {
        let mut learnt = BTreeSet::new();
        for query in marked(self.schema) {
            let text = text(&query);
            let constants = white_box.constants(|| {
                self.send_document(&text, None);
            });
            self.outcome.queries += 1;
            learnt.extend(constants.unwrap_or_default());
        }
        for constant in learnt {
            self.generator.learn_id(&constant);
            self.look_up(&constant);
        }
    }

    /// Sends a query for each field that looks up an object by its identifier.
    fn look_up(&mut self, id: &str) {
        for lookup in lookups(self.schema) {
            self.ask(&[looked_up(self.schema, lookup, id, Vec::new())]);
        }
    }

    fn send_random(&mut self) {
        let mut rng = Rng::new(self.settings.seed, 0);
        let mut query = Query::default();
        let mut coverage = TupleCoverage::new(self.generator.tuples());
        for number in 0..self.settings.queries {
            self.generator.generate(&mut query, number % SIZES, &mut rng);
            self.generator.cover(&query, &mut coverage);
            self.generator.learn_coverage(&query);
            let document = self.generator.document(&query);
            self.ask(&document.selections);
        }
        self.outcome.covered = coverage.covered();
        self.outcome.tuples = self.generator.tuples().len();
    }

    fn follow_relations(&mut self) {
        let ids: BTreeSet<String> = self.known.iter().map(|(_, id)| id.clone()).collect();
        for id in ids.iter().take(IDS_PROBED) {
            self.look_up(id);
        }
        for relation in InverseRelation::all(self.schema) {
            let mut last = Vec::new();
            for id in ids.iter().take(IDS_PROBED) {
                for query in probes(self.schema, relation, id) {
                    self.ask(&query);
                    last = query;
                }
            }
            if let Some(broken) = self.facts.broken(self.schema, relation) {
                self.report(broken, &last, false);
            }
        }
    }

    /// Sends a query, judges the answer, and learns from it.
    fn ask(&mut self, query: &[Selection]) {
        let answer = self.send(query);
        self.outcome.queries += 1;
        for broken in self.judge(query, &answer) {
            self.report(broken, query, true);
        }
        let Some(data) = answer.data() else { return };
        self.facts.learn(self.schema, query, data);
        for (owner, id) in ids(self.schema, query, data) {
            self.generator.learn_id(&id);
            self.known.insert((owner, id));
        }
    }

    fn judge(&self, query: &[Selection], answer: &Answer) -> Vec<Broken> {
        let mut broken = property::paper(self.schema, query, answer);
        if self.settings.follows_relations {
            let is_known = |field: FieldId, id: &str| {
                self.known.contains(&(self.schema.returned(field), id.to_owned()))
            };
            broken.extend(property::echo(self.schema, query, answer, &is_known));
        }
        let operation = query.first().and_then(Selection::id);
        let operation = operation.map_or_else(String::new, |field| self.schema.coordinate(field));
        for UserOracle { name, oracle } in self.oracles {
            let call = Call::new(&operation, &answer.request, &answer.outcome);
            let faults = oracle.judge(&call);
            broken.extend(faults.into_iter().map(|fault| (name.clone(), fault)));
        }
        broken
    }

    /// Adds a failure that is not known yet, made small where one query shows it.
    fn report(&mut self, (oracle, fault): Broken, query: &[Selection], can_shrink: bool) {
        if !self.found.insert((oracle.clone(), fault.context.clone())) {
            return;
        }
        let queries = self.outcome.queries;
        let most = if can_shrink { self.settings.most_replays } else { 0 };
        let schema = self.schema;
        let is_required = |field: Option<FieldId>, name: &str| {
            let arguments = field.into_iter().flat_map(|field| &schema.field(field).arguments);
            arguments.into_iter().any(|it| *it.name == *name && it.is_required())
        };
        let (small, replays) = shrink(query, most, &is_required, &mut |candidate| {
            let answer = self.send(candidate);
            let judged = self.judge(candidate, &answer);
            judged.iter().any(|(name, it)| *name == oracle && it.context == fault.context)
        });
        self.outcome.failures.push(Failure {
            oracle,
            code: fault.code,
            context: fault.context,
            queries,
            original: text(query),
            shrunk: text(&small),
            size: size(&small),
            replays,
        });
    }

    fn send(&mut self, query: &[Selection]) -> Answer {
        self.send_document(&text(query), None)
    }

    fn send_document(&mut self, document: &str, variables: Option<&Value>) -> Answer {
        let body = match variables {
            None => request_body(document),
            Some(variables) => {
                serde_json::json!({ "query": document, "variables": variables }).to_string()
            }
        };
        let mut headers = self.settings.headers.clone();
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        headers.insert("accept", HeaderValue::from_static("application/json"));
        let path = self.settings.path.clone();
        let request = HttpRequest { method: Method::POST, path, headers, body: body.into() };
        let response = self.transport.send(&request);
        Answer::new(request, response)
    }
}
