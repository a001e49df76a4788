//! Targets that a response earns, besides those of the driver (docs/reference/graphql.md#targets).
//!
//! | target | score |
//! |---|---|
//! | `gql:ok:<op>` | 1 data and no errors; 0.5 data and errors; 0.3 errors only; 0.1 no GraphQL answer |
//! | `gql:errors:<op>` | 1 with errors; 0.5 otherwise |
//! | `http:<status>:<op>` | 1 |
//! | `http:<failure>:<op>` | 1 where there is no response |
//! | `gql:error:<op>@<last statement>` | 1 for each statement that errors come from |
//!
//! Without a driver these are what the search climbs, together with:
//!
//! | target | score |
//! |---|---|
//! | `gql:error:<op>:<code>:<path>` | 1; the class of the message where there is no code |
//! | `gql:field:<T.f>` | 0.5 null, 1 a value |
//! | `gql:null:<T.f>` | 1 null |
//! | `gql:list:<T.f>:<0, 1, many>` | 1 |
//! | `gql:member:<U>:<T>` | 1 an object of this type where the schema says interface or union |
//! | `gql:enum:<E.V>`, `gql:in:enum:<E.V>` | 1 received; sent with success |
//! | `gql:arg:<coordinate>:<omitted, null, value>` | 1 sent |
//! | `gql:arg:<coordinate>:<omitted, null, value>:ok` | 1 sent with success |
//! | `gql:nested-null:<op>` | 1 `data` is null by an error |
//!
//! `<op>` is the schema coordinate.

use wallace_engine::{Score, TargetName};
use wallace_genes::{Gene, GeneSpec};

use super::answer::{Answer, Seen, Sight};
use super::response::ResponseData;
use super::schema::{Schema, TypeKind};
use super::site::visit_sites;
use super::template::{OperationTemplate, Templates};
use crate::http::HttpOutcome;
use crate::target::{answer as shown, success};
use crate::telling::normalised;

type Reach<'a> = &'a mut dyn FnMut(TargetName, Score);

/// The names of one operation's targets, made once.
#[derive(Debug)]
pub(crate) struct OperationTargets {
    coordinate: Box<str>,
    ok: TargetName,
    errors: TargetName,
    status_200: TargetName,
}

impl OperationTargets {
    pub(crate) fn new(coordinate: &str) -> Self {
        Self {
            coordinate: coordinate.into(),
            ok: success(format!("gql:ok:{coordinate}")),
            errors: shown(format!("gql:errors:{coordinate}")),
            status_200: shown(format!("http:200:{coordinate}")),
        }
    }

    pub(crate) fn reach(&self, outcome: &HttpOutcome, answer: Option<&Answer>, reach: Reach<'_>) {
        let operation = &self.coordinate;
        let Some(answer) = answer else {
            if let Err(failure) = &outcome.response {
                let failure = failure.as_str();
                reach(shown(format!("http:{failure}:{operation}")), Score::COVERED);
            }
            return;
        };
        match answer.status {
            200 => reach(self.status_200.clone(), Score::COVERED),
            status => reach(shown(format!("http:{status}:{operation}")), Score::COVERED),
        }
        let has_data = answer.has_data();
        let has_errors = answer.response.as_ref().is_ok_and(|response| !response.errors.is_empty());
        let ok = match (has_data, has_errors) {
            (true, false) => 1.0,
            (true, true) => 0.5,
            (false, true) => 0.3,
            (false, false) => 0.1,
        };
        reach(self.ok.clone(), Score::new(ok));
        reach(self.errors.clone(), Score::new(if has_errors { 1.0 } else { 0.5 }));
        if let (true, Some(statement)) = (has_errors, &outcome.last_statement) {
            reach(shown(format!("gql:error:{operation}@{statement}")), Score::COVERED);
        }
    }
}

/// The further targets of a run without a driver.
pub(crate) fn reach_response(templates: &Templates, call: &Seen<'_>, reach: Reach<'_>) {
    errors(call.operation, call.answer, reach);
    values(templates.schema(), call, reach);
    arguments(templates, call, reach);
}

fn errors(operation: &OperationTemplate, answer: &Answer, reach: Reach<'_>) {
    let Ok(response) = &answer.response else { return };
    let coordinate = &operation.coordinate;
    for error in &response.errors {
        let class =
            if error.code.is_empty() { normalised(&error.message) } else { error.code.clone() };
        let name = format!("gql:error:{coordinate}:{class}:{}", error.path);
        reach(shown(name), Score::COVERED);
    }
    if response.data == ResponseData::Null
        && response.errors.iter().any(|error| !error.path.is_empty())
    {
        reach(shown(format!("gql:nested-null:{coordinate}")), Score::COVERED);
    }
}

fn values(schema: &Schema, call: &Seen<'_>, reach: Reach<'_>) {
    call.walk(schema, &mut |field, sight| {
        let coordinate = || schema.coordinate(field);
        match sight {
            Sight::Null => {
                reach(shown(format!("gql:field:{}", coordinate())), Score::new(0.5));
                reach(shown(format!("gql:null:{}", coordinate())), Score::COVERED);
            }
            Sight::List(length) => {
                let size = match length {
                    0 => "0",
                    1 => "1",
                    _ => "many",
                };
                reach(shown(format!("gql:list:{}:{size}", coordinate())), Score::COVERED);
            }
            Sight::Leaf(named, value) => {
                reach(shown(format!("gql:field:{}", coordinate())), Score::COVERED);
                let definition = schema.definition(named);
                if let (TypeKind::Enum { .. }, Some(name)) = (&definition.kind, value.as_str()) {
                    reach(shown(format!("gql:enum:{}.{name}", definition.name)), Score::COVERED);
                }
            }
            Sight::Object(known, _) => {
                reach(shown(format!("gql:field:{}", coordinate())), Score::COVERED);
                let declared = schema.returned(field);
                if let Some(known) = known.filter(|known| *known != declared) {
                    let (of, is) =
                        (&schema.definition(declared).name, &schema.definition(known).name);
                    reach(shown(format!("gql:member:{of}:{is}")), Score::COVERED);
                }
            }
            Sight::Asked | Sight::Breach(_) => {}
        }
    });
}

fn arguments(templates: &Templates, call: &Seen<'_>, reach: Reach<'_>) {
    let (graph, is_success) = (templates.graph(), call.gave());
    visit_sites(templates, call.operation, &call.action.gene, &mut |site| {
        if let (GeneSpec::Enum(names), Gene::Enum(index), true) =
            (graph.spec(site.spec), site.gene, is_success)
        {
            let name = names.name(*index).unwrap_or_default();
            reach(shown(format!("gql:in:enum:{}:{name}", site.coordinate)), Score::COVERED);
        }
        if site.is_whole {
            let state = match site.gene {
                Gene::Absent => "omitted",
                Gene::Null => "null",
                _ => "value",
            };
            let name = format!("gql:arg:{}:{state}", site.coordinate);
            if is_success {
                reach(shown(format!("{name}:ok")), Score::COVERED);
            }
            reach(shown(name), Score::COVERED);
        }
    });
}
