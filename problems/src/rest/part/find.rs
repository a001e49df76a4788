//! Which parts a call has.

use wallace_genes::{Gene, GenePath, GeneSpec, PathStep, SpecId, TemplateId};

use super::Part;
use crate::rest::description::ParameterPlace;
use crate::rest::template::Templates;

/// Most steps to a member that may be left out.
const MOST_STEPS: usize = 6;
/// Most parts of one call.
const MOST_PARTS: usize = 500;

impl Templates {
    /// The parts of a call that may be left out, also those that are.
    pub(super) fn parts(&self, id: TemplateId, gene: &Gene) -> Vec<Part> {
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (self.template(id).spec.spec(), gene)
        else {
            return Vec::new();
        };
        let parameters = &self.operation(id).parameters;
        let all = (0..).zip(parameters.iter().zip(tuple.elements.iter().zip(elements)));
        let optional = all.filter(|(_, (_, (field, _)))| self.graph().is_optional(field.spec));
        let optional = optional.map(|(index, (parameter, (field, part)))| Part {
            is_header: parameter.place == ParameterPlace::Header,
            name: parameter.name.to_string(),
            path: GenePath(vec![PathStep::Field(index)]),
            spec: field.spec,
            is_sent: *part != Gene::Absent && !is_null(part),
        });
        let mut parts: Vec<Part> = optional.collect();
        let place = parameters.len();
        if let (Some(field), Some(body)) = (tuple.elements.get(place), elements.get(place)) {
            let mut path = GenePath(vec![PathStep::Field(place as u32)]);
            self.add_members(field.spec, body, &mut path, &mut parts);
        }
        parts
    }

    /// Adds the members that may be left out of an object, of whichever form it is, and of the
    /// objects in it.
    fn add_members(&self, spec: SpecId, gene: &Gene, path: &mut GenePath, parts: &mut Vec<Part>) {
        match (self.graph().spec(self.present(spec)), gene) {
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                if let Some(branch) = choice.branches.get(value.branch as usize) {
                    path.0.push(PathStep::Branch(value.branch));
                    self.add_members(branch.spec, &value.value, path, parts);
                    path.0.pop();
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) if path.0.len() < MOST_STEPS => {
                for (position, field) in (0..).zip(&object.fields) {
                    let member = value.get(position);
                    path.0.push(PathStep::Field(position));
                    if self.graph().is_optional(field.spec) && parts.len() < MOST_PARTS {
                        let (name, path) = (field.name.to_string(), path.clone());
                        let is_sent = member.is_some_and(|member| !is_null(member));
                        parts.push(Part {
                            is_header: false,
                            name,
                            path,
                            spec: field.spec,
                            is_sent,
                        });
                    }
                    if let Some(member) = member {
                        self.add_members(field.spec, member, path, parts);
                    }
                    path.0.pop();
                }
            }
            _ => {}
        }
    }
}

/// Whether a value says that there is none: whoever misses something misses it still.
pub(super) fn is_null(gene: &Gene) -> bool {
    match gene {
        Gene::Null => true,
        Gene::Choice(choice) => is_null(&choice.value),
        _ => false,
    }
}
