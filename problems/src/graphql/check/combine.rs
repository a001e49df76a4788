//! Checks on combinations: arguments of few values, each with each, on the longest page.
//!
//! Faults that need two or three values at once are not met by chance where each argument is drawn
//! alone (Kuhn, Wallace and Gallo, "Software fault interactions and implications for software
//! testing", 2004), and what is slow is slow on the longest page.

use wallace_engine::Individual;
use wallace_genes::{Gene, GenePath, GeneSpec, PathStep, SpecId, TemplateId, simplest};

use super::build::{Build, put, test_of};
use super::fact::ArgumentFacts;
use crate::graphql::action::GraphqlAction;
use crate::graphql::site::visit_sites;

/// Combinations in one test.
pub(super) const TOGETHER: usize = 5;
/// Steps between combinations, of which the first that fits is taken: early ones differ in all
/// values, and all come before one comes again.
const STEPS: [usize; 4] = [7_919, 6_101, 4_099, 1];

/// The arguments of a call that have few values, with those values.
type Closed = Vec<(GenePath, Vec<Gene>)>;

impl Build<'_, '_> {
    /// A query with its next combinations.
    pub(super) fn combine(&mut self, template: TemplateId) -> Option<Individual<GraphqlAction>> {
        if ArgumentFacts::of(&self.scope.templates, template).closed < 2 {
            return None;
        }
        let mut action = self.simple(template);
        let closed = self.closed(&mut action);
        self.lengthen(&mut action);
        let count: usize = closed.iter().map(|(_, values)| values.len()).product();
        let step = *STEPS.iter().find(|step| greatest_divisor(**step, count) == 1)?;
        let first = self.tries(template) * TOGETHER;
        let combination = |number: usize| {
            let mut rest = (number * step) % count;
            let mut action = action.clone();
            for (path, values) in &closed {
                put(&mut action.gene, path, values[rest % values.len()].clone());
                rest /= values.len();
            }
            action
        };
        test_of((first..first + TOGETHER.min(count)).map(combination))
    }

    /// The enums and truth values among the arguments, and in input objects, which are put there.
    fn closed(&self, action: &mut GraphqlAction) -> Closed {
        let operation = self.scope.operation(action.template);
        let graph = operation.spec.graph();
        let mut closed = Vec::new();
        let mut objects: Vec<(GenePath, SpecId)> = Vec::new();
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            if site.path.0.len() != 1 || !site.is_whole {
                return;
            }
            closed.extend(values_of(graph.spec(site.spec)).map(|it| (site.path.clone(), it)));
            let GeneSpec::Object(object) = graph.spec(site.spec) else { return };
            for (position, field) in object.fields.iter().enumerate() {
                let spec = self.scope.templates.present(field.spec);
                let mut path = site.path.clone();
                path.0.push(PathStep::Field(position as u32));
                closed.extend(values_of(graph.spec(spec)).map(|values| (path, values)));
            }
            if matches!(site.gene, Gene::Absent | Gene::Null) {
                objects.push((site.path.clone(), site.spec));
            }
        });
        for (path, spec) in objects {
            let is_used = closed.iter().any(|(at, _)| at.0.starts_with(&path.0));
            if is_used {
                let object = simplest(&operation.spec.at(spec), &self.draw.settings);
                put(&mut action.gene, &path, object);
            }
        }
        closed
    }

    /// Asks for the longest page that was given.
    fn lengthen(&self, action: &mut GraphqlAction) {
        let Some((path, coordinate)) = self.page_size(action) else { return };
        let taken = self.learnt.memory.extremes.taken(&coordinate);
        if let Some(size) = taken.and_then(|size| i32::try_from(size).ok()) {
            put(&mut action.gene, &path, Gene::Integer(size));
        }
    }
}

/// The values of an argument that has few.
fn values_of(spec: &GeneSpec) -> Option<Vec<Gene>> {
    match spec {
        GeneSpec::Enum(names) => Some((0..names.values.len() as u32).map(Gene::Enum).collect()),
        GeneSpec::Boolean => Some(vec![Gene::Boolean(true), Gene::Boolean(false)]),
        _ => None,
    }
}

fn greatest_divisor(one: usize, other: usize) -> usize {
    if other == 0 { one } else { greatest_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use wallace_engine::{Learnt, SearchSettings};
    use wallace_genes::{Draw, GeneSettings};

    use super::*;
    use crate::graphql::action::Check;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::problem::GraphqlProblem;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;

    #[test]
    fn all_combinations_come_on_the_longest_page_before_one_comes_again() {
        let sdl = "enum Sort { A B C } enum Kind { X Y } type Stone { id: ID! }
            type Query { all(sort: Sort! = A, filter: Filter, first: Int! = 5, after: String): Stone
                one(sort: Sort): Stone }
            input Filter { kind: Kind, isOpen: Boolean, name: String }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let path = http::uri::PathAndQuery::from_static("/");
        let settings = SearchSettings::default();
        let problem = GraphqlProblem::new(Arc::new(templates), path, &settings).unwrap();
        let [all, one] = problem.templates().operations() else { panic!() };
        let mut learnt = Learnt::<GraphqlMemory>::default();
        let mut gene = simplest(&all.spec, &GeneSettings::default());
        put(&mut gene, &GenePath(vec![PathStep::Field(2)]), Gene::Integer(50));
        learnt.memory.extremes.note_call(problem.templates(), all, &gene);
        let mut documents = BTreeSet::new();
        for tries in 0..3 {
            learnt.memory.checks.insert(super::super::key(Check::Combine, all.id), tries);
            let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
            let check = Check::Combine;
            let mut build =
                Build { scope: &problem.scope, learnt: &learnt, draw: &mut draw, check };
            assert!(build.combine(one.id).is_none());
            let test = build.combine(all.id).unwrap();
            assert_eq!(test.actions().len(), TOGETHER);
            documents
                .extend(test.actions().iter().map(|it| problem.document(&it.1, Style::Compact).0));
        }
        assert_eq!(documents.len(), 12, "{documents:#?}");
        let is_long = |text: &String| text.contains("first:50") && !text.contains("name:");
        assert!(documents.iter().all(is_long), "{documents:#?}");
    }
}
