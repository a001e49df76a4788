//! Sampled requests conform to their description; invalid ones break what they should.

use std::sync::Arc;

use wallace_genes::{Draw, GeneSettings, Knowledge, check};
use wallace_problems::rest::{
    Deviation, Direction, Operation, Pool, RestAction, Templates, Violation,
};

use crate::judge::Judge;
use crate::support::{openapi, read, wild};

/// Requests sampled of each description.
const REQUESTS: usize = 2_000;

fn settings() -> Arc<GeneSettings> {
    Arc::new(GeneSettings { input_depth: 8, ..GeneSettings::default() })
}

fn templates(name: &str, text: &str) -> Templates {
    Templates::new(Arc::new(read(name, text).unwrap())).unwrap()
}

#[test]
fn sampled_requests_conform() {
    let mut failures = Vec::new();
    for (name, text) in wild() {
        let templates = templates(&name, &text);
        let mut judge = Judge::new(&text);
        let callable: Vec<_> =
            templates.operations().iter().filter(|o| o.is_callable(&settings())).collect();
        let (mut wrong, mut first) = (0, Vec::new());
        for number in 0..REQUESTS {
            let mut draw = Draw::new(7, number as u64, settings());
            let id = callable[number % callable.len()].id;
            let gene = templates.sample(id, &Knowledge::default(), &Pool::default(), &mut draw);
            check(&templates.template(id).spec, &gene).unwrap();
            let request =
                templates.request(&RestAction::new(id, gene), &templates.description().base_path);
            let operation = templates.operation(id);
            let defects = judge.defects(&operation.path, operation.method.as_str(), &request);
            if !defects.is_empty() {
                wrong += 1;
                first.push(
                    format!("{}: {defects:?}", operation.id).chars().take(300).collect::<String>(),
                );
            }
        }
        let skipped = templates.description().operations.len() - callable.len();
        println!("{name}: {wrong} of {REQUESTS} wrong, {skipped} operations cannot be called");
        failures.extend(first.into_iter().take(5).map(|defect| format!("{name}: {defect}")));
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn invalid_requests_break_exactly_what_they_should() {
    for (name, text) in wild() {
        let templates = templates(&name, &text);
        let mut judge = Judge::new(&text);
        let callable: Vec<_> =
            templates.operations().iter().filter(|o| o.is_callable(&settings())).collect();
        let mut seen = 0;
        for number in 0..REQUESTS {
            let mut draw = Draw::new(8, number as u64, settings());
            let id = callable[number % callable.len()].id;
            let gene = templates.sample(id, &Knowledge::default(), &Pool::default(), &mut draw);
            let Some(violation) = templates.violation(id, &gene, &mut draw.rng) else { continue };
            let operation = templates.operation(id);
            let deviation = Some(Box::new(Deviation::Violation(violation.clone())));
            let action = RestAction { deviation, ..RestAction::new(id, gene) };
            let request = templates.request(&action, &templates.description().base_path);
            let defects = judge.defects(&operation.path, operation.method.as_str(), &request);
            let is_judged = match violation.parameter {
                None => request
                    .headers
                    .get("content-type")
                    .is_none_or(|t| t.to_str().unwrap().contains("json")),
                // What is written in a list or as JSON is judged by nobody else.
                Some(_) => !defects.is_empty(),
            };
            if is_judged {
                let where_ = place(operation, &violation);
                let is_there = |defect: &String| {
                    let at = defect.split(':').next().unwrap_or_default();
                    where_.starts_with(at) || defect.starts_with(&format!("{where_} is missing"))
                };
                let is_exact = !defects.is_empty() && defects.iter().all(is_there);
                assert!(is_exact, "{name} {}: {violation:?}: {defects:?}", operation.id);
                seen += 1;
            }
        }
        assert!(seen > 0, "{name}: nothing was judged");
        println!("{name}: {seen} broken bodies");
    }
}

/// Where a violation is, in the words of the judge.
fn place(operation: &Operation, violation: &Violation) -> String {
    let root = match violation.parameter {
        None if violation.pointer.is_empty() && violation.value.is_empty() => "the body".to_owned(),
        None => "body".to_owned(),
        Some(index) => {
            let parameter = &operation.parameters[usize::from(index)];
            let place = format!("{:?}", parameter.place).to_lowercase();
            format!("{place} {}", parameter.name)
        }
    };
    format!("{root}{}", violation.pointer)
}

#[test]
fn json_bodies_are_sent_as_what_they_are_and_hold_their_values() {
    let ranges = ["application/*+json", "*/*", "application/*"];
    let types = [ranges.as_slice(), &["application/json", "application/problem+json"]].concat();
    for media_type in types {
        let body = format!(
            "requestBody: {{required: true, content: {{'{media_type}': {{schema: {{type: object, \
             required: [zone, at], properties: {{zone: {{type: string}}, at: {{type: array, \
             items: {{type: integer}}}}}}, additionalProperties: {{type: boolean}}}}}}}}}}"
        );
        let paths =
            format!("{{/a: {{post: {{{body}, responses: {{'200': {{description: done}}}}}}}}}}");
        let templates = templates("bodies", &openapi(&paths, "{}"));
        let id = templates.operations()[0].id;
        let sent_as = if ranges.contains(&media_type) { "application/json" } else { media_type };
        for number in 0..200 {
            let mut draw = Draw::new(5, number, settings());
            let gene = templates.sample(id, &Knowledge::default(), &Pool::default(), &mut draw);
            let (_, value) = templates.values(id, &gene).body.unwrap();
            let request = templates.request(&RestAction::new(id, gene), "");
            assert_eq!(request.headers["content-type"], sent_as);
            let sent: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
            assert_eq!(sent, value);
        }
    }
}

#[test]
fn requests_are_reproducible() {
    for (name, text) in wild().into_iter().take(3) {
        let templates = templates(&name, &text);
        let id = templates.operations()[0].id;
        let one = |seed| {
            let mut draw = Draw::new(seed, 1, settings());
            let gene = templates.sample(id, &Knowledge::default(), &Pool::default(), &mut draw);
            let action = RestAction::new(id, gene);
            let request = templates.request(&action, "");
            (request.path.to_string(), request.body)
        };
        assert_eq!(one(3), one(3));
        let _ = Direction::Sent;
    }
}

/// Bodies of calls that send a form with this part.
fn forms(part: &str) -> Vec<String> {
    let body = format!(
        "requestBody: {{required: true, content: {{multipart/form-data: {{schema: {{type: \
         object, required: [file], properties: {{{part}}}}}}}}}}}"
    );
    let paths =
        format!("{{/a: {{post: {{{body}, responses: {{'200': {{description: done}}}}}}}}}}");
    let templates = templates("files", &openapi(&paths, "{}"));
    let id = templates.operations()[0].id;
    let sent = |number| {
        let mut draw = Draw::new(5, number, settings());
        let gene = templates.sample(id, &Knowledge::default(), &Pool::default(), &mut draw);
        let request = templates.request(&RestAction::new(id, gene), "");
        String::from_utf8(request.body.to_vec()).unwrap()
    };
    (0..60).map(sent).collect()
}

#[test]
fn what_a_file_holds_is_sent_as_a_file() {
    let files = [
        "file: {type: string, format: binary}",
        "file: {type: array, minItems: 1, items: {type: string, format: binary}}",
        "file: {type: string, contentMediaType: text/csv}",
        "file: {anyOf: [{type: string, format: binary}, {type: string, format: binary}]}",
    ];
    let texts = ["file: {type: string}", "file: {type: string, contentMediaType: text/plain}"];
    for part in files.iter().chain(&texts) {
        for sent in forms(part) {
            let is_file = sent.contains("name=\"file\"; filename=\"file.");
            assert_eq!(is_file, files.contains(part), "{part}: {sent}");
        }
    }
}

#[test]
fn files_are_of_kinds_that_services_look_into() {
    let kinds = [
        (".gif", "image/gif", "GIF89a\u{1}\0"),
        (".svg", "image/svg+xml", "<svg "),
        (".csv", "text/csv", "id,name\n"),
        (".pdf", "application/pdf", "%PDF-1.4\n"),
        (".txt", "application/octet-stream", ""),
    ];
    let forms = forms("file: {type: string, format: binary}");
    for (ending, media_type, content) in kinds {
        let start =
            format!("filename=\"file{ending}\"\r\nContent-Type: {media_type}\r\n\r\n{content}");
        let count = forms.iter().filter(|sent| sent.contains(&start)).count();
        assert!((4..30).contains(&count), "{ending}: {count} of {}", forms.len());
    }
    let short = self::forms("file: {type: string, format: binary, maxLength: 20}");
    assert!(!short.iter().any(|sent| sent.contains("GIF8")), "longer than the schema allows");
}
