//! Arguments of a call, one by one: where each value stands, and under which schema coordinate.

use wallace_genes::{Gene, GenePath, GeneSpec, PathStep, SpecGraph, SpecId};

use super::scope::argument_name;
use super::template::{OperationTemplate, SelectionMember, Templates};

/// An argument or input field of a call.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    /// Its schema coordinate: `Query.user(id:)`, `UserInput.name`. Elements of a list have that of
    /// the list.
    pub(crate) coordinate: &'a str,
    /// Address of its gene.
    pub(crate) path: &'a GenePath,
    /// Its values, without what makes them optional.
    pub(crate) spec: SpecId,
    /// Whether it is the value of the argument itself, and not an element of its list.
    pub(crate) is_whole: bool,
    /// Whether it may be left out.
    pub(crate) is_optional: bool,
    /// Name of the argument or input field whose object holds it; empty for an argument itself.
    pub(crate) holder: &'a str,
    /// Its gene; [`Gene::Absent`] where it is left out.
    pub(crate) gene: &'a Gene,
}

/// Calls `visit` with every argument and input field of a call, those that are left out included,
/// and with the elements of lists.
pub(crate) fn visit_sites(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    visit: &mut dyn FnMut(&Site<'_>),
) {
    let mut sites =
        Sites { templates, graph: operation.spec.graph(), visit, path: GenePath::default() };
    sites.call(&operation.field_coordinate, operation.spec.id(), gene);
}

struct Sites<'a> {
    templates: &'a Templates,
    graph: &'a SpecGraph,
    visit: &'a mut dyn FnMut(&Site<'_>),
    path: GenePath,
}

impl Sites<'_> {
    /// Arguments of a field, and those of the fields selected below it.
    fn call(&mut self, coordinate: &str, spec: SpecId, gene: &Gene) {
        let spec = self.templates.present(spec);
        match (self.graph.spec(spec), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                let arguments = tuple.elements.len() - usize::from(tuple.has_selection);
                for (position, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
                    self.path.0.push(PathStep::Field(position as u32));
                    if position < arguments {
                        let argument = format!("{coordinate}({}:)", field.name);
                        self.value(&argument, field.spec, part, true, "");
                    } else {
                        self.call(coordinate, field.spec, part);
                    }
                    self.path.0.pop();
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                for (position, part) in &value.fields {
                    let Some(field) = object.fields.get(*position as usize) else { continue };
                    let member = self.templates.members(spec).get(*position as usize);
                    let below = match member {
                        Some(SelectionMember::Field(id)) if !matches!(part, Gene::Constant) => {
                            self.templates.schema().coordinate(*id)
                        }
                        Some(SelectionMember::Fragment(_)) => String::new(),
                        _ => continue,
                    };
                    self.path.0.push(PathStep::Field(*position));
                    self.call(&below, field.spec, part);
                    self.path.0.pop();
                }
            }
            _ => {}
        }
    }

    fn value(&mut self, coordinate: &str, spec: SpecId, gene: &Gene, is_whole: bool, holder: &str) {
        let is_optional = is_whole && self.graph.is_optional(spec);
        let spec = self.templates.present(spec);
        let path = &self.path;
        (self.visit)(&Site { coordinate, path, spec, is_whole, is_optional, holder, gene });
        match (self.graph.spec(spec), gene) {
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                for (index, part) in elements.iter().enumerate() {
                    self.path.0.push(PathStep::Element(index as u32));
                    self.value(coordinate, array.element, part, false, holder);
                    self.path.0.pop();
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                let is_one_of = self.templates.is_one_of(spec);
                let holder = argument_name(coordinate);
                for (position, field) in object.fields.iter().enumerate() {
                    self.path.0.push(PathStep::Field(position as u32));
                    match value.get(position as u32) {
                        Some(part) if is_one_of => {
                            self.branch(&object.type_name, field.spec, part, holder);
                        }
                        part => {
                            let below = format!("{}.{}", object.type_name, field.name);
                            self.value(
                                &below,
                                field.spec,
                                part.unwrap_or(&Gene::Absent),
                                true,
                                holder,
                            );
                        }
                    }
                    self.path.0.pop();
                }
            }
            _ => {}
        }
    }

    /// The one field that an input object of `oneOf` is given as.
    fn branch(&mut self, type_name: &str, spec: SpecId, gene: &Gene, holder: &str) {
        let (GeneSpec::Choice(choice), Gene::Choice(value)) = (self.graph.spec(spec), gene) else {
            return;
        };
        if let Some(branch) = choice.branches.get(value.branch as usize) {
            self.path.0.push(PathStep::Branch(value.branch));
            let below = format!("{type_name}.{}", branch.name);
            self.value(&below, branch.spec, &value.value, true, holder);
            self.path.0.pop();
        }
    }
}
