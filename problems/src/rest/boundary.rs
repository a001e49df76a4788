//! Boundary values: the first calls of a run try each documented bound and each listed value once
//! (docs/reference/rest.md#boundary-values), in an otherwise valid call.

use wallace_engine::Individual;
use wallace_genes::{Gene, GenePath, GeneSettings, GeneSpec, PathStep, SpecId, TemplateId};

use super::action::RestAction;
use super::plan::Planner;
use super::template::Templates;

/// Most boundary values of one operation.
const MOST_OF_ONE: usize = 12;
/// Most boundary values of a run: what is left of a budget is for the search.
const MOST: usize = 300;
/// Longest text that is made to reach its bound.
const LONGEST: u32 = 2_000;
/// Most listed values of one position.
const MOST_LISTED: u32 = 6;

/// A value at a bound, and where it goes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Boundary {
    template: TemplateId,
    path: GenePath,
    value: Gene,
}

/// The boundary values of all operations that are called.
pub(super) fn boundaries(templates: &Templates, callable: &[TemplateId]) -> Vec<Boundary> {
    let mut found = Vec::new();
    for template in callable {
        let mut here = Vec::new();
        let root = templates.template(*template).spec.id();
        collect(templates, root, &mut Vec::new(), &mut here);
        here.truncate(MOST_OF_ONE);
        let boundaries =
            here.into_iter().map(|(path, value)| Boundary { template: *template, path, value });
        found.extend(boundaries);
        if found.len() >= MOST {
            found.truncate(MOST);
            break;
        }
    }
    found
}

fn collect(
    templates: &Templates,
    id: SpecId,
    path: &mut Vec<PathStep>,
    found: &mut Vec<(GenePath, Gene)>,
) {
    let id = templates.present(id);
    match templates.graph().spec(id) {
        GeneSpec::Tuple(tuple) if path.is_empty() => {
            for (index, field) in tuple.elements.iter().enumerate() {
                path.push(PathStep::Field(index as u32));
                collect(templates, field.spec, path, found);
                path.pop();
            }
        }
        // The first media type, and the members of the object in it.
        GeneSpec::Choice(choice) if path.len() == 1 => {
            if let Some(first) = choice.branches.first() {
                path.push(PathStep::Branch(0));
                collect(templates, first.spec, path, found);
                path.pop();
            }
        }
        GeneSpec::Object(object) if path.len() == 2 => {
            for (index, field) in object.fields.iter().enumerate() {
                path.push(PathStep::Field(index as u32));
                collect(templates, field.spec, path, found);
                path.pop();
            }
        }
        spec => {
            let values = values(spec);
            found.extend(values.into_iter().map(|value| (GenePath(path.clone()), value)));
        }
    }
}

/// The bounds of a leaf that are documented, not those of its machine type.
fn values(spec: &GeneSpec) -> Vec<Gene> {
    let told = |bounds: [Option<Gene>; 2]| bounds.into_iter().flatten().collect();
    match spec {
        GeneSpec::Integer(range) => told([
            (range.min != i32::MIN).then_some(Gene::Integer(range.min)),
            (range.max != i32::MAX).then_some(Gene::Integer(range.max)),
        ]),
        GeneSpec::Long(range) => told([
            (range.min > i64::MIN / 2).then_some(Gene::Long(range.min)),
            (range.max < i64::MAX / 2).then_some(Gene::Long(range.max)),
        ]),
        GeneSpec::Float(range) => told([
            (range.min > -1e300).then(|| Gene::float(range.min)),
            (range.max < 1e300).then(|| Gene::float(range.max)),
        ]),
        GeneSpec::Decimal(range) => {
            [range.min(), range.max()].map(|bound| Gene::Decimal(Box::new(bound))).to_vec()
        }
        GeneSpec::Boolean => vec![Gene::Boolean(false), Gene::Boolean(true)],
        GeneSpec::Enum(listed) => {
            (0..(listed.values.len() as u32).min(MOST_LISTED)).map(Gene::Enum).collect()
        }
        GeneSpec::String(text) => {
            let of = |length: u32| Gene::text("a".repeat(length as usize));
            told([
                (text.min > 0).then(|| of(text.min)),
                (text.max <= LONGEST).then(|| of(text.max)),
            ])
        }
        _ => Vec::new(),
    }
}

impl Planner<'_> {
    /// The test of a boundary value: everything that the call needs before it, and all that it may
    /// hold in it.
    pub(super) fn at_boundary(&mut self, boundary: &Boundary) -> Option<Individual<RestAction>> {
        let mut plan = self.plan(boundary.template);
        let mut calls = plan.actions().iter();
        let place = calls.rposition(|(_, call)| call.template == boundary.template)?;
        let usual = (*self.draw.settings).clone();
        let full = GeneSettings { absent: 0.0, null: 0.0, taint_start: 0.0, ..usual };
        let mut gene = self.with_settings(full, |planner| planner.sample(boundary.template));
        if let Some(value) = boundary.path.find_mut(&mut gene) {
            *value = boundary.value.clone();
        }
        plan.action_mut(place).gene = gene;
        plan.repair_bindings();
        Some(plan)
    }
}
