//! Tests of the coverage of schemas.

use std::sync::Arc;

use super::*;
use crate::graphql::action::{Form, GraphqlAction, Overload};
use crate::graphql::template::Templates;
use crate::http::{HttpOutcome, HttpResponse};
use wallace_genes::{Draw, Gene, GeneSettings, Knowledge, ObjectGene, sample};

const SDL: &str = "type Query { users(role: Role, first: Int): [Node!] }
    interface Node { id: ID! } enum Role { ADMIN GUEST }
    type User implements Node { id: ID! name: String role: Role } type Bot implements Node { id: ID! }";

fn templates() -> Templates {
    Templates::new(Arc::new(Schema::from_sdl(SDL).unwrap())).unwrap()
}

fn outcome(body: &str) -> HttpOutcome {
    let body = body.to_owned();
    HttpOutcome::new(Ok(HttpResponse { status: 200, body, ..HttpResponse::default() }))
}

/// `users(role: GUEST) { id ... on User { name role } __typename }`.
fn action() -> GraphqlAction {
    let object = |fields: &[(u32, Gene)]| Gene::Object(ObjectGene { fields: fields.to_vec() });
    let user = object(&[(0, Gene::Constant), (1, Gene::Constant)]);
    let node = object(&[(0, Gene::Constant), (1, user), (2, Gene::Constant)]);
    let gene = Gene::Tuple(vec![Gene::Enum(1), Gene::Absent, node]);
    GraphqlAction::new(wallace_genes::TemplateId(0), gene)
}

fn field<'a>(coverage: &'a SchemaCoverage, owner: &str, name: &str) -> &'a FieldCoverage {
    let owner = coverage.types.iter().find(|it| it.name == owner).unwrap();
    owner.fields.iter().find(|it| it.name == name).unwrap()
}

#[test]
fn a_call_counts_where_it_selects_and_where_values_come() {
    let templates = templates();
    let (operation, action) = (&templates.operations()[0], action());
    let document = templates.render(operation, &action.gene, crate::graphql::Style::Compact);
    let names = ["id", " on User{name role}"];
    assert!(names.iter().all(|name| document.contains(name)), "{document}");
    let mut coverage = SchemaCoverage::new(templates.schema());
    let body = r#"{"data":{"users":[
        {"__typename":"User","id":"1","name":"","role":"ADMIN"},
        {"__typename":"User","id":"2","name":null,"role":null},
        {"__typename":"Bot","id":"3"}]},
        "errors":[{"message":"m","path":["users",1,"role"]}]}"#;
    coverage.record(&templates, &action, &outcome(body));
    let counts = |owner: &str, name: &str| {
        let it = field(&coverage, owner, name);
        (it.queried, it.non_null, it.null, it.empty, it.error)
    };
    assert_eq!(counts("Query", "users"), (1, 4, 0, 0, 0));
    assert_eq!(counts("User", "name"), (1, 1, 1, 1, 0));
    assert_eq!(counts("User", "role"), (1, 1, 1, 0, 1));
    assert_eq!(counts("User", "id"), (1, 2, 0, 0, 0));
    assert_eq!(counts("Bot", "id"), (1, 1, 0, 0, 0));
    let arguments = &field(&coverage, "Query", "users").arguments;
    assert_eq!((arguments[0].value, arguments[0].accepted), (1, 0));
    assert_eq!((arguments[1].omitted, arguments[1].value), (1, 0));
    let of = |name: &str| coverage.types.iter().find(|it| it.name == name).unwrap();
    let roles: Vec<(u64, u64)> =
        of("Role").values.iter().map(|it| (it.sent, it.received)).collect();
    assert_eq!(roles, [(0, 1), (1, 0)]);
    let members: u64 = of("Node").members.iter().map(|it| it.received).sum();
    assert_eq!(members, 3);
}

#[test]
fn coverage_outlives_a_checkpoint_and_adds_up() {
    let templates = templates();
    let mut coverage = SchemaCoverage::new(templates.schema());
    let body = r#"{"data":{"users":[]}}"#;
    coverage.record(&templates, &action(), &outcome(body));
    let kept = serde_json::to_string(&coverage).unwrap();
    let mut coverage: SchemaCoverage = serde_json::from_str(&kept).unwrap();
    coverage.record(&templates, &action(), &outcome(body));
    let users = field(&coverage, "Query", "users");
    assert_eq!((users.queried, users.empty, users.arguments[0].accepted), (2, 2, 2));
    let totals = coverage.totals();
    let of = |name: &str| {
        let it = totals.iter().find(|it| it.name == name).unwrap();
        (it.covered, it.total)
    };
    assert_eq!(of("fields selected"), (4, 6));
    assert_eq!(of("fields with a value"), (1, 6));
    assert_eq!(of("enum values sent"), (1, 2));
    assert_eq!(of("possible types received"), (0, 2));
    assert!(coverage.to_json().contains("\"totals\""));
}

#[test]
fn what_is_wrong_on_purpose_uses_nothing() {
    let templates = templates();
    let mut coverage = SchemaCoverage::new(templates.schema());
    let oversized = action().written(Form::Overload(Overload::Aliases(100)));
    coverage.record(&templates, &oversized, &outcome(r#"{"data":{"r1":[]}}"#));
    assert!(coverage.totals().iter().all(|total| total.covered == 0));
}

#[test]
fn any_answer_can_be_counted() {
    let templates = templates();
    let operation = &templates.operations()[0];
    let mut coverage = SchemaCoverage::new(templates.schema());
    let bodies = [
        "",
        "[]",
        "{}",
        r#"{"data":7}"#,
        r#"{"data":{"users":7}}"#,
        r#"{"data":{"users":[[7]]}}"#,
        r#"{"errors":[{"path":["users",0,0,"x"]}]}"#,
        r#"{"data":{"users":[{"role":"X"}]}}"#,
    ];
    for number in 0..50 {
        let mut draw = Draw::new(1, number, Arc::new(GeneSettings::default()));
        let gene = sample(&operation.spec, operation.id, &Knowledge::default(), &mut draw);
        for body in bodies {
            coverage.record(
                &templates,
                &GraphqlAction::new(operation.id, gene.clone()),
                &outcome(body),
            );
        }
    }
    assert_eq!(field(&coverage, "Query", "users").queried, 400);
}
