//! Plans bring the service into a state in which their last call shows something.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wallace_engine::{
    ActionId, Binding, BindingSource, Individual, Learnt, Problem, SearchSettings,
};
use wallace_genes::{Draw, GenePath, GeneSettings, PathStep, TemplateId};
use wallace_problems::rest::{
    Record, RestAction, RestMemory, RestProblem, RestSettings, TableUse, Templates, TestSettings,
};

use crate::support::{openapi, read};

const PLANS: u64 = 4_000;

/// Shops with wares and orders, and rules between wares.
fn problem(is_white_box: bool) -> RestProblem {
    problem_with("", is_white_box)
}

/// The same, where wares are put into orders and changed.
fn problem_with_lines() -> RestProblem {
    let parameter = |name: &str| {
        format!("{{name: {name}, in: path, required: true, schema: {{type: string}}}}")
    };
    let [shop, ware, order] = ["shop", "ware", "order"].map(parameter);
    let done = "responses: {'201': {description: done}}";
    let lines = format!(
        ", '/shops/{{shop}}/orders/{{order}}/wares/{{ware}}': \
         {{post: {{parameters: [{shop}, {order}, {ware}], {done}}}}}, \
         '/shops/{{shop}}/wares/{{ware}}/price': {{put: {{parameters: [{shop}, {ware}], {done}}}}}"
    );
    problem_with(&lines, true)
}

fn problem_with(more: &str, is_white_box: bool) -> RestProblem {
    let name = |name: &str| {
        format!("{{name: {name}, in: path, required: true, schema: {{type: string}}}}")
    };
    let done = "responses: {'201': {description: done}}";
    let body = "requestBody: {content: {application/json: {schema: {type: object, \
                required: [firstWare, secondWare], properties: {firstWare: {type: string}, \
                secondWare: {type: string}}}}}}";
    let shop = name("shop");
    let ware = name("ware");
    let order = name("order");
    let paths = format!(
        "{{'/shops/{{shop}}': {{post: {{parameters: [{shop}], {done}}}, \
           delete: {{parameters: [{shop}], {done}}}, get: {{parameters: [{shop}], {done}}}}}, \
         '/shops/{{shop}}/wares/{{ware}}': {{post: {{parameters: [{shop}, {ware}], {done}}}}}, \
         /policies: {{post: {{{body}, {done}}}}}, \
         '/shops/{{shop}}/orders/{{order}}': {{post: {{parameters: [{shop}, {order}], {done}}}}}{more}}}"
    );
    let description = read("plans", &openapi(&paths, "{}")).unwrap();
    let templates = Arc::new(Templates::new(Arc::new(description)).unwrap());
    let tests = if is_white_box { TestSettings::white_box() } else { TestSettings::default() };
    let settings =
        RestSettings { may_change: true, is_white_box, tests, ..RestSettings::default() };
    RestProblem::new(templates, &settings, &SearchSettings::default()).unwrap()
}

fn named(problem: &RestProblem, name: &str) -> TemplateId {
    problem.template_named(name).unwrap_or_else(|| panic!("there is no {name}"))
}

fn plans(problem: &RestProblem, memory: RestMemory) -> Vec<Individual<RestAction>> {
    let learnt = Learnt { memory, ..Learnt::default() };
    let settings = Arc::new(GeneSettings::default());
    let plan = |number| problem.sample(&learnt, &mut Draw::new(3, number, Arc::clone(&settings)));
    (0..PLANS).map(plan).collect()
}

fn calls(plan: &Individual<RestAction>, id: TemplateId) -> usize {
    plan.actions().iter().filter(|(_, action)| action.template == id).count()
}

/// Where a value of a call comes from in the end.
fn root<'p>(plan: &'p Individual<RestAction>, binding: &'p Binding) -> &'p BindingSource {
    let mut source = &binding.source;
    while let BindingSource::Gene { action, path } = source {
        let bound = plan.bindings().iter().find(|it| it.action == *action && it.path == *path);
        let Some(bound) = bound else { break };
        source = &bound.source;
    }
    source
}

/// Where the last placeholder of each call of an operation comes from, after the one before it.
fn placed(plan: &Individual<RestAction>, id: TemplateId) -> Vec<(&BindingSource, &BindingSource)> {
    let calls = plan.actions().iter().filter(|(_, action)| action.template == id);
    let bound = |action: ActionId, place: u32| {
        let path = GenePath(vec![PathStep::Field(place)]);
        let mut bindings = plan.bindings().iter();
        let binding = bindings.find(|it| it.action == action && it.path == path)?;
        Some(root(plan, binding))
    };
    calls.filter_map(|(action, _)| Some((bound(*action, 1)?, bound(*action, 2)?))).collect()
}

/// Of the plans that end with a call of `last` and are not made for a check, the share that calls
/// `before` somewhere before.
fn share(plans: &[Individual<RestAction>], last: TemplateId, before: TemplateId) -> f64 {
    let ends = |plan: &&Individual<RestAction>| {
        plan.actions().len() > 1
            && plan.actions().last().is_some_and(|(_, a)| a.template == last)
            && plan.actions().iter().all(|(_, action)| action.check.is_none())
    };
    let all: Vec<_> = plans.iter().filter(ends).collect();
    assert!(all.len() > 50, "{} plans", all.len());
    all.iter().filter(|plan| calls(plan, before) > 0).count() as f64 / all.len() as f64
}

#[test]
fn tables_that_a_call_reads_are_filled_first() {
    let problem = problem(true);
    let (rule, order) =
        (named(&problem, "POST:/policies"), named(&problem, "POST:/shops/{shop}/orders/{order}"));
    let shop = named(&problem, "POST:/shops/{shop}");
    let tables = |read: &[&str], written: &[&str]| {
        let set = |names: &[&str]| names.iter().map(|name| Box::from(*name)).collect();
        TableUse { read: set(read), written: set(written) }
    };
    let told = RestMemory {
        tables: BTreeMap::from([
            (rule, tables(&["shops"], &["policies"])),
            (order, tables(&["shops", "policies", "orders"], &["orders"])),
            (shop, tables(&["shops"], &["shops"])),
        ]),
        ..RestMemory::default()
    };
    let (without, with) = (
        share(&plans(&problem, RestMemory::default()), order, rule),
        share(&plans(&problem, told), order, rule),
    );
    assert!(with > 0.25 && with > without * 3.0, "{without} without, {with} with tables");
}

#[test]
fn what_refusals_speak_of_is_changed_first() {
    let problem = problem(false);
    let (rule, order) =
        (named(&problem, "POST:/policies"), named(&problem, "POST:/shops/{shop}/orders/{order}"));
    let failing = Record { calls: 20, ..Record::default() };
    let record = BTreeMap::from([(order, failing)]);
    let silent = RestMemory { record: record.clone(), ..RestMemory::default() };
    let words = BTreeMap::from([(order, BTreeMap::from([(Box::from("policy"), 7)]))]);
    let told = RestMemory { record, words, ..RestMemory::default() };
    let (without, with) =
        (share(&plans(&problem, silent), order, rule), share(&plans(&problem, told), order, rule));
    assert!(with > 0.3 && with > without * 1.5, "{without} without, {with} with words");
}

/// Plans that end with this call, both of whose values are bound: in how many they come from
/// different sources, and in how many from the same.
fn bound_values(
    problem: &RestProblem,
    call: TemplateId,
    source: impl for<'p> Fn(&'p Individual<RestAction>, &'p Binding) -> &'p BindingSource,
) -> (u64, u64) {
    let (mut different, mut same) = (0, 0);
    for plan in plans(problem, RestMemory::default()) {
        let Some((last, _)) = plan.actions().last().filter(|(_, a)| a.template == call) else {
            continue;
        };
        let sources: Vec<&BindingSource> = plan
            .bindings()
            .iter()
            .filter(|binding| binding.action == *last && binding.path.0.len() > 1)
            .map(|binding| source(&plan, binding))
            .collect();
        if let [one, other] = sources[..] {
            *(if one == other { &mut same } else { &mut different }) += 1;
        }
    }
    (different, same)
}

#[test]
fn values_of_one_call_name_different_things() {
    let problem = problem(true);
    let rule = named(&problem, "POST:/policies");
    let (different, same) = bound_values(&problem, rule, |_, binding| &binding.source);
    assert!(different > 100 && same > 0 && different > same * 5, "{different} and {same}");
}

#[test]
fn values_of_one_call_come_from_different_things_in_the_end() {
    let problem = problem_with_lines();
    let rule = named(&problem, "POST:/policies");
    let (different, same) = bound_values(&problem, rule, root);
    assert!(different + same > 100 && same > 0 && different > same * 3, "{different} and {same}");
}

#[test]
fn what_was_put_somewhere_is_not_put_there_again() {
    let problem = problem_with_lines();
    let line = named(&problem, "POST:/shops/{shop}/orders/{order}/wares/{ware}");
    let (mut different, mut same) = (0, 0);
    for plan in plans(&problem, RestMemory::default()) {
        if let [one, other] = placed(&plan, line)[..]
            && one.0 == other.0
        {
            *(if one.1 == other.1 { &mut same } else { &mut different }) += 1;
        }
    }
    assert!(same > 0 && different > 100 && different > same * 2, "{different} and {same}");
}

#[test]
fn many_calls_are_about_few_things() {
    let problem = problem_with_lines();
    let line = named(&problem, "POST:/shops/{shop}/orders/{order}/wares/{ware}");
    let (mut about_few, mut others) = (0, 0);
    for plan in plans(&problem, RestMemory::default()) {
        let placed = placed(&plan, line);
        let distinct = |name: fn(&(&BindingSource, &BindingSource)) -> String| {
            placed.iter().map(name).collect::<BTreeSet<_>>().len()
        };
        if placed.len() >= 3 {
            let orders = distinct(|(order, _)| format!("{order:?}"));
            let wares = distinct(|(_, ware)| format!("{ware:?}"));
            *(if orders == 1 && wares == 2 { &mut about_few } else { &mut others }) += 1;
        }
    }
    assert!(about_few > 100 && about_few > others, "{about_few} and {others}");
}

#[test]
fn what_a_test_made_is_deleted_at_its_end() {
    let problem = problem(false);
    let (ware, shop) =
        (named(&problem, "POST:/shops/{shop}/wares/{ware}"), named(&problem, "POST:/shops/{shop}"));
    let delete = named(&problem, "DELETE:/shops/{shop}");
    let plans = plans(&problem, RestMemory::default());
    let made: Vec<_> = plans
        .iter()
        .filter(|plan| calls(plan, ware) == 1 && calls(plan, shop) == 1)
        .filter(|plan| plan.actions()[0].1.template == shop)
        .collect();
    let deleted: Vec<_> = made
        .iter()
        .filter(|plan| plan.actions()[2..].iter().any(|(_, a)| a.template == delete))
        .collect();
    let share = deleted.len() as f64 / made.len().max(1) as f64;
    assert!(made.len() > 50 && (0.2..0.8).contains(&share), "{} and {share}", made.len());
    // It is the very shop that was made, named directly or as other calls name it.
    let mut named = BTreeSet::new();
    for plan in &deleted {
        let place = plan.actions().iter().rposition(|(_, a)| a.template == delete).unwrap();
        let mut action = plan.actions()[place].0;
        while let Some(binding) = plan.bindings().iter().find(|binding| binding.action == action) {
            action = binding.source.action();
        }
        named.insert(action == plan.actions()[0].0);
    }
    assert_eq!(named, BTreeSet::from([true]));
}
