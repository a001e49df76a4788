//! How the examples of a description write points in time: many services take their own way only.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_genes::spec::{Notation, is_of_format};

use crate::rest::description::Description;

/// Fewest examples that tell it.
const FEWEST: usize = 2;

/// The usual notation of the examples, where most of them are not as RFC 3339 asks.
pub(super) fn notation(description: &Description) -> Option<Notation> {
    let operations = || description.operations.iter();
    let of_schemas = description.schemas.all().iter();
    let of_schemas = of_schemas.flat_map(|schema| schema.examples.iter().chain(&schema.default));
    let of_parameters = operations().flat_map(|it| &it.parameters).flat_map(|it| &it.examples);
    let of_bodies = operations().flat_map(|it| &it.bodies).flat_map(|it| &it.examples);
    let (mut others, mut usual) = (BTreeMap::<Notation, usize>::new(), 0);
    let mut open: Vec<&Value> = of_schemas.chain(of_parameters).chain(of_bodies).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => match Notation::of(text) {
                Some(_) if is_of_format("date-time", text) == Some(true) => usual += 1,
                Some(notation) => *others.entry(notation).or_default() += 1,
                None => {}
            },
            Value::Array(elements) => open.extend(elements),
            Value::Object(members) => open.extend(members.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let count: usize = others.values().sum();
    let most = others.into_iter().max_by_key(|(_, count)| *count);
    most.filter(|_| count >= FEWEST && count > usual).map(|(notation, _)| notation)
}

#[cfg(test)]
mod tests {
    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use crate::rest::memory::RestMemory;
    use crate::rest::problem::support::{named, problem};

    /// The moments that calls send, where the description shows these.
    fn sent(shown: [&str; 2]) -> Vec<String> {
        let of = |name: &str, shown: &str| {
            format!("{name}: {{type: string, format: date-time, example: '{shown}'}}")
        };
        let problem = problem(
            &format!(
                "{{/jobs: {{post: {{requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, \
                 required: [due, from], properties: {{{}, {}}}}}}}}}}}}}}}}}",
                of("due", shown[0]),
                of("from", shown[1])
            ),
            0,
        );
        let (id, learnt) = (named(&problem, "POST:/jobs"), Learnt::<RestMemory>::default());
        let texts = (0..40).flat_map(|number| {
            let mut draw = Draw::new(3, number, std::sync::Arc::default());
            let gene = problem.planner(&learnt, &mut draw).any_values(id);
            let (_, body) = problem.templates().values(id, &gene).body.expect("there is one");
            let members = ["due", "from"].map(|name| body[name].as_str().map(str::to_owned));
            members.into_iter().flatten().collect::<Vec<_>>()
        });
        texts.collect()
    }

    #[test]
    fn moments_are_written_as_the_examples_are() {
        let own = sent(["2018-07-17T17:00:00.000+0200", "2018-07-18T09:30:00.000+0200"]);
        assert!(!own.is_empty() && own.iter().all(|it| it.contains(".000+0")), "{own:?}");
        let usual = sent(["2018-07-17T17:00:00Z", "2018-07-18T09:30:00.000+0200"]);
        assert!(usual.iter().any(|it| !it.contains("+0000")), "{usual:?}");
    }
}
