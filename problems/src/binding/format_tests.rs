//! What an earlier call made is named by later ones, whatever the format of its name.

use std::sync::Arc;

use serde_json::{Value, json};
use wallace_engine::{Binding, BindingSource, Individual, Learnt, Problem, SearchSettings};
use wallace_genes::{Draw, GenePath, GeneSettings, Knowledge, PathStep, TemplateId};

use super::filled;
use crate::evaluator::HttpProblem;
use crate::http::{HttpOutcome, HttpResponse};
use crate::rest::{
    Description, Location, Pool, ReadSettings, RestAction, RestProblem, RestSettings, Templates,
};

/// Schemas of names, and one of each that is not likely to be sampled.
fn names() -> Vec<(&'static str, Value)> {
    vec![
        ("{type: string}", json!("thing-7")),
        ("{type: string, format: uuid}", json!("3f2a8c1e-5b7d-4e9f-a0b1-c2d3e4f5a6b7")),
        ("{type: string, format: date}", json!("2031-08-30")),
        ("{type: string, format: date-time}", json!("2031-08-30T11:22:33.456Z")),
        ("{type: string, format: time}", json!("11:22:33Z")),
        ("{type: string, format: ipv4}", json!("10.11.12.13")),
        ("{type: string, format: ipv6}", json!("2001:db8::7")),
        ("{type: string, format: email}", json!("someone@example.net")),
        ("{type: string, format: uri}", json!("http://localhost/things/7")),
        ("{type: string, format: byte}", json!("c29tZSB0aGluZw==")),
        ("{type: string, format: hostname}", json!("seven.example.net")),
        ("{type: string, pattern: '^[A-Z]{3}-[0-9]+$'}", json!("XYZ-777")),
        (
            "{type: string, format: uuid, maxLength: 36}",
            json!("3f2a8c1e-5b7d-4e9f-a0b1-c2d3e4f5a6b7"),
        ),
        ("{type: string, enum: [north, south, east, west]}", json!("west")),
        ("{enum: [1, 22, 333]}", json!(333)),
        ("{type: integer}", json!(70_717)),
        ("{type: integer, format: int64}", json!(5_000_000_007_i64)),
        ("{type: integer, multipleOf: 5}", json!(70_715)),
        ("{type: number, multipleOf: 0.25}", json!(77.25)),
        (
            "{type: string, format: uuid, example: 11111111-2222-3333-4444-555555555555}",
            json!("3f2a8c1e-5b7d-4e9f-a0b1-c2d3e4f5a6b7"),
        ),
        (
            "{oneOf: [{type: integer}, {type: string, format: uuid}]}",
            json!("3f2a8c1e-5b7d-4e9f-a0b1-c2d3e4f5a6b7"),
        ),
    ]
}

fn problem(schema: &str) -> RestProblem {
    let paths = format!(
        "{{/things: {{post: {{responses: {{'201': {{description: made}}}}}}}}, \
          '/things/{{id}}': {{get: {{parameters: [{{name: id, in: path, required: true, \
          schema: {schema}}}], responses: {{'200': {{description: read}}}}}}}}}}"
    );
    let text = format!("openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths: {paths}\n");
    let refuse = |url: &str| -> Result<String, String> { panic!("{url} was fetched") };
    let (location, read) = (Location::Text("names".to_owned()), ReadSettings::default());
    let description = Description::from_text(&text, location, &read, &refuse).unwrap();
    let templates = Arc::new(Templates::new(Arc::new(description)).unwrap());
    let settings = RestSettings { may_change: true, ..RestSettings::default() };
    RestProblem::new(templates, &settings, &SearchSettings::default()).unwrap()
}

fn made(id: &Value) -> HttpOutcome {
    HttpOutcome::new(Ok(HttpResponse {
        status: 201,
        content_type: "application/json".to_owned(),
        headers: Vec::new(),
        body: json!({ "count": 1, "id": id }).to_string(),
        ..HttpResponse::default()
    }))
}

/// The end of the path that the call at a place goes to, and the outcomes with what it was filled
/// with.
fn last_segment(
    problem: &RestProblem,
    test: &Individual<RestAction>,
    place: usize,
    outcomes: &mut [HttpOutcome],
) -> String {
    let (sent, all) = filled(problem, test, place, outcomes).expect("the creation went well");
    let request = problem.request(&sent);
    if let Some(outcome) = outcomes.get_mut(place) {
        outcome.filled = all;
    }
    percent(request.path.path().rsplit('/').next().unwrap_or_default())
}

fn percent(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_created_name_of_every_format_reaches_the_path_of_a_later_call() {
    let settings = Arc::new(GeneSettings::default());
    for (schema, id) in names() {
        let problem = problem(schema);
        let (post, get) = (TemplateId(0), TemplateId(1));
        let wanted = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        for is_created in [false, true] {
            let mut draw = Draw::new(5, u64::from(is_created), Arc::clone(&settings));
            let mut call = |template| {
                let (knowledge, pool) = (Knowledge::default(), Pool::default());
                let gene = problem.templates().sample(template, &knowledge, &pool, &mut draw);
                RestAction::new(template, gene)
            };
            let mut test = Individual::new([call(post), call(get), call(get)]);
            let ids: Vec<_> = test.actions().iter().map(|(id, _)| *id).collect();
            let path = GenePath(vec![PathStep::Field(0)]);
            let source = match is_created {
                true => BindingSource::Created { action: ids[0] },
                false => BindingSource::Response { action: ids[0], pointer: "/id".to_owned() },
            };
            test.bind(Binding { source, action: ids[1], path: path.clone() });
            let source = BindingSource::Gene { action: ids[1], path: path.clone() };
            test.bind(Binding { source, action: ids[2], path });
            let mut outcomes = [made(&id), made(&id)];
            for place in [1, 2] {
                let sent = last_segment(&problem, &test, place, &mut outcomes);
                assert_eq!(sent, wanted, "{schema}, created: {is_created}, call {place}");
            }
        }
    }
}

#[test]
fn plans_name_what_they_made_whatever_the_format() {
    let settings = Arc::new(GeneSettings::default());
    for (schema, id) in names() {
        let problem = problem(schema);
        let learnt = Learnt::default();
        let wanted = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let mut reached = 0;
        for number in 0..400 {
            let plan = problem.sample(&learnt, &mut Draw::new(3, number, Arc::clone(&settings)));
            let is_usual =
                |action: &RestAction| action.deviation.is_none() && action.check.is_none();
            let Some(place) = plan.actions().iter().position(|(_, a)| a.template == TemplateId(1))
            else {
                continue;
            };
            let before = &plan.actions()[..place];
            if before.is_empty() || !plan.actions().iter().all(|(_, action)| is_usual(action)) {
                continue;
            }
            let mut outcomes: Vec<_> = before.iter().map(|_| made(&id)).collect();
            reached += usize::from(last_segment(&problem, &plan, place, &mut outcomes) == wanted);
        }
        assert!(reached > 20, "{schema}: {reached} of 400 plans name what was made");
    }
}
