//! What follows from how texts are used.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::uri::PathAndQuery;
use wallace_engine::{Evaluated, Individual, Learnt, Problem, SearchSettings};
use wallace_genes::{Draw, Gene, GeneSettings, ObjectGene, Specialisation, TemplateId};

use super::GraphqlProblem;
use crate::evaluator::HttpProblem;
use crate::graphql::Schema;
use crate::graphql::action::{Form, GraphqlAction, Rule, Violation};
use crate::graphql::render::Style;
use crate::graphql::template::Templates;
use crate::http::{HttpOutcome, HttpResponse, TextUse};

/// `type Query { title(sex: String, title: String): String }`.
fn problem() -> GraphqlProblem {
    let argument =
        |name: &str| format!(r#"{{"name":"{name}","type":{{"kind":"SCALAR","name":"String"}}}}"#);
    let answer = format!(
        r#"{{"__schema":{{"queryType":{{"name":"Query"}},"types":[
            {{"kind":"SCALAR","name":"String"}},
            {{"kind":"OBJECT","name":"Query","interfaces":[],"fields":[{{"name":"title",
              "args":[{},{}],"type":{{"kind":"SCALAR","name":"String"}}}}]}}]}}}}"#,
        argument("sex"),
        argument("title")
    );
    let schema = Schema::from_introspection(answer.as_bytes()).unwrap();
    let templates = Arc::new(Templates::new(Arc::new(schema)).unwrap());
    let path = PathAndQuery::from_static("/graphql");
    GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap()
}

fn constant(text: &str) -> Specialisation {
    Specialisation::Constant(text.into())
}

#[test]
fn each_constant_is_followed_up_in_the_test_that_showed_it() {
    let problem = problem();
    let tainted = "_EM_5_XYZ_";
    let gene = Gene::Tuple(vec![Gene::text("male"), Gene::text(tainted)]);
    let individual = Individual::new([GraphqlAction::new(TemplateId(0), gene)]);
    let use_of =
        |text: &str| TextUse { tainted: tainted.to_lowercase(), specialisation: constant(text) };
    let response = HttpResponse { status: 200, ..HttpResponse::default() };
    let text_uses = vec![use_of("mr"), use_of("sir")];
    let outcome = HttpOutcome { text_uses, ..HttpOutcome::new(Ok(response)) };
    let test = evaluated(&problem, individual, outcome);
    let mut learnt = Learnt::default();
    problem.learn(&test, &mut learnt);
    let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
    let follow_ups = problem.follow_ups(&test, &learnt, &mut draw);
    let genes: BTreeSet<String> = follow_ups
        .iter()
        .map(|follow_up| {
            let action = &follow_up.actions()[0].1;
            problem.templates().render(
                &problem.templates().operations()[0],
                &action.gene,
                Style::Compact,
            )
        })
        .collect();
    let expected =
        ["mr", "sir"].map(|title| format!(r#"query{{title(sex:"male",title:"{title}")}}"#));
    assert_eq!(genes, BTreeSet::from(expected.map(|text| text.replace(", ", ","))));
}

/// The test as the engine would hold it, by running it through a search of one evaluation.
fn evaluated(
    problem: &GraphqlProblem,
    individual: Individual<GraphqlAction>,
    outcome: HttpOutcome,
) -> Evaluated<GraphqlAction> {
    use wallace_engine::{Budget, Evaluation, Search, SearchEvent, search::Proposal};
    let mut seen = None;
    let mut observer = |event: &SearchEvent<'_, GraphqlAction>| {
        if let SearchEvent::Evaluated { test, .. } = event {
            seen = Some((*test).clone());
        }
    };
    let mut search = Search::new(problem, SearchSettings::default(), Budget::evaluations(1));
    search.observe(&mut observer);
    let proposal = search.propose().unwrap();
    let proposal = Proposal { individual, ..proposal };
    search.commit(proposal, Ok(Evaluation::new(Vec::new(), vec![outcome]))).unwrap();
    drop(search);
    seen.expect("the evaluation was told")
}

#[test]
fn what_deletes_things_has_makers_where_some_make_them_by_name() {
    let sdl = "type Query { users: [User] } type User { id: ID! } type Note { id: ID! }
        type Mutation { createUser(name: String): User updateUser(id: ID!): User
                        deleteUser(id: ID!): User deleteNote(id: ID!): Note }";
    let templates = Arc::new(Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap());
    let path = PathAndQuery::from_static("/graphql");
    let problem = GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap();
    let makers = |name: &str| {
        let place = problem.templates().operations().iter().position(|it| &*it.name == name);
        let id = TemplateId(u32::try_from(place.unwrap()).unwrap());
        let action = GraphqlAction::new(id, Gene::Tuple(Vec::new()));
        HttpProblem::makers(&problem, &action)
            .map(|makers| makers.into_iter().map(str::to_owned).collect::<Vec<_>>())
    };
    assert_eq!(makers("deleteUser"), Some(vec!["Mutation.createUser".to_owned()]));
    assert_eq!((makers("deleteNote"), makers("updateUser")), (None, None));
}

#[test]
fn a_deletion_that_names_nothing_is_about_any() {
    let sdl =
        "type Query { users: [User] } type User { id: ID! } input Which { id: ID email: String }
        type Mutation { deleteUser(where: Which!): User resetClock: User }";
    let templates = Arc::new(Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap());
    let path = PathAndQuery::from_static("/graphql");
    let problem = GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap();
    let touch = |which: Vec<(u32, Gene)>| {
        let place =
            problem.templates().operations().iter().position(|it| &*it.name == "deleteUser");
        let id = TemplateId(u32::try_from(place.unwrap()).unwrap());
        let which = Gene::Object(ObjectGene { fields: which });
        let selection = Gene::Object(ObjectGene { fields: vec![(0, Gene::Constant)] });
        let action = GraphqlAction::new(id, Gene::Tuple(vec![which, selection]));
        let request = HttpProblem::request(&problem, &action);
        HttpProblem::touch(&problem, &action, &request).unwrap()
    };
    let any = touch(Vec::new());
    assert!(any.is_about_any && any.all_of.iter().any(|word| word == "user"));
    assert!(!touch(vec![(0, Gene::text("u-1"))]).is_about_any);
}

#[test]
fn an_operation_of_a_namespace_is_about_what_that_names() {
    let sdl = "type Query { a: Int } type Done { ok: Boolean }
        type UserMutation { update(id: Int!, newPassword: String!): Done }
        type Mutation { users: UserMutation }";
    let templates = Arc::new(Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap());
    let path = PathAndQuery::from_static("/graphql");
    let problem = GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap();
    let operations = problem.templates().operations();
    let users = operations.iter().find(|it| &*it.coordinate == "Mutation.users.update").unwrap();
    let settings = Arc::new(GeneSettings { absent: 0.0, null: 0.0, ..GeneSettings::default() });
    let mut touches = (1..20).filter_map(|seed| {
        let mut draw = Draw::new(seed, 0, Arc::clone(&settings));
        let gene = wallace_genes::sample(&users.spec, users.id, &Default::default(), &mut draw);
        let action = GraphqlAction::new(users.id, gene);
        HttpProblem::touch(&problem, &action, &HttpProblem::request(&problem, &action))
    });
    let touch = touches.find(|touch| !touch.ids.is_empty()).unwrap();
    assert!(touch.kinds.iter().any(|word| word == "user") && touch.sets_credentials);
    assert!(!touch.passwords.is_empty() && !touch.is_deletion);
}

#[test]
fn what_is_wrong_on_purpose_is_not_bred() {
    let problem = problem();
    let call = GraphqlAction::new(TemplateId(0), Gene::Tuple(vec![Gene::Absent, Gene::Absent]));
    let had_enough = |form: Form| {
        let test = Individual::new([call.clone(), call.clone().written(form)]);
        problem.has_had_enough(&test, &Learnt::default())
    };
    assert!(had_enough(Form::Violation(Violation { rule: Rule::UnknownField, site: 0 })));
    assert!(!had_enough(Form::Aliases));
}
