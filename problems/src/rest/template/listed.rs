//! Listed values in a call, and how many others there are.

use wallace_genes::{Gene, GenePath, GeneSpec, PathStep, SpecId, TemplateId};

use super::Templates;

/// Deepest values that are looked at.
const MOST_STEPS: usize = 6;

impl Templates {
    /// The listed values of a call, each with the number of values that its list holds.
    pub(crate) fn listed_values(&self, id: TemplateId, gene: &Gene) -> Vec<(GenePath, u32)> {
        let mut found = Vec::new();
        self.collect_listed(self.template(id).spec.id(), gene, &mut Vec::new(), &mut found);
        found
    }

    fn collect_listed(
        &self,
        id: SpecId,
        gene: &Gene,
        path: &mut Vec<PathStep>,
        found: &mut Vec<(GenePath, u32)>,
    ) {
        if path.len() > MOST_STEPS {
            return;
        }
        let mut below = |step: PathStep, spec: SpecId, part: &Gene| {
            path.push(step);
            self.collect_listed(spec, part, path, found);
            path.pop();
        };
        match (self.graph().spec(self.present(id)), gene) {
            (GeneSpec::Enum(listed), Gene::Enum(_)) => {
                found.push((GenePath(path.clone()), listed.values.len() as u32));
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                for (index, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
                    below(PathStep::Field(index as u32), field.spec, part);
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                for (position, part) in &value.fields {
                    if let Some(field) = object.fields.get(*position as usize) {
                        below(PathStep::Field(*position), field.spec, part);
                    }
                }
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                if let Some(branch) = choice.branches.get(value.branch as usize) {
                    below(PathStep::Branch(value.branch), branch.spec, &value.value);
                }
            }
            _ => {}
        }
    }
}
