//! Wider selections: calls that look at every plain field in reach.

use wallace_genes::{Gene, GeneSettings, GeneSpec, SpecId};

use super::action::{Form, GraphqlAction};
use super::link::{enter, take};
use super::problem::GraphqlProblem;
use super::schema::TypeKind;
use super::scope::argument_name;
use super::site::visit_sites;
use super::template::{SelectionMember, Templates};
use wallace_genes::GenePath;

/// Most fields that are selected besides those that are.
const MOST_FIELDS: usize = 30;

/// Most objects on the way from the answer to a field.
const DEPTH: usize = 3;

impl GraphqlProblem {
    /// The call with every field selected that is a scalar or an enum and needs no argument: those
    /// of the object that is returned, and of objects below it, each type once on a way. `None`
    /// where nothing is added.
    #[must_use]
    pub fn widened(&self, action: &GraphqlAction) -> Option<GraphqlAction> {
        let operation = self.scope.templates.operation(action.template)?;
        if !operation.has_selection || action.form != Form::Literals || action.check.is_some() {
            return None;
        }
        let mut wide = action.clone();
        let mut widening =
            Widening { templates: &self.scope.templates, room: MOST_FIELDS, way: Vec::new() };
        widening.below(operation.spec.id(), &mut wide.gene);
        (wide.gene != action.gene).then_some(wide)
    }

    /// The arguments of a call that hold one value: what each is called, and its address.
    #[must_use]
    pub fn named_arguments(&self, action: &GraphqlAction) -> Vec<(String, GenePath)> {
        let mut named = Vec::new();
        let Some(operation) = self.scope.templates.operation(action.template) else { return named };
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            let is_value = matches!(
                site.gene,
                Gene::String(_) | Gene::Integer(_) | Gene::Long(_) | Gene::Boolean(_)
            );
            if is_value && site.is_whole {
                named.push((argument_name(site.coordinate).to_owned(), site.path.clone()));
            }
        });
        named
    }
}

/// A call while fields are added to it.
struct Widening<'a> {
    templates: &'a Templates,
    room: usize,
    /// The selections on the way here; none is entered twice.
    way: Vec<SpecId>,
}

impl Widening<'_> {
    /// Adds fields to the selection of a field: its own scalars first, then what lies below.
    fn below(&mut self, spec: SpecId, gene: &mut Gene) {
        let Some((selection, gene)) = enter(self.templates, spec, gene) else { return };
        if self.way.contains(&selection) || self.way.len() > DEPTH {
            return;
        }
        let fields = self.fields(selection);
        for (position, _) in fields.iter().filter(|(_, is_leaf)| *is_leaf) {
            if self.room == 0 {
                return;
            }
            self.select(selection, gene, *position);
        }
        self.way.push(selection);
        for (position, _) in fields.iter().filter(|(_, is_leaf)| !*is_leaf) {
            let is_there = matches!(gene, Gene::Object(object) if object.get(*position).is_some());
            if self.room == 0 || (self.way.len() > DEPTH && !is_there) {
                break;
            }
            // An object of a type on the way is left as it is: it would be the same again.
            if !is_there && self.is_on_way(selection, *position) {
                continue;
            }
            if let Some((below, part)) = self.select(selection, gene, *position) {
                self.below(below, part);
            }
        }
        self.way.pop();
    }

    fn select<'g>(
        &mut self,
        selection: SpecId,
        gene: &'g mut Gene,
        position: u32,
    ) -> Option<(SpecId, &'g mut Gene)> {
        let is_new = matches!(gene, Gene::Object(object) if object.get(position).is_none());
        let taken = take(self.templates, selection, gene, position, &GeneSettings::default());
        if is_new && taken.is_some() {
            self.room -= 1;
        }
        taken
    }

    fn is_on_way(&self, selection: SpecId, position: u32) -> bool {
        let GeneSpec::Object(object) = self.templates.graph().spec(selection) else {
            return false;
        };
        let Some(field) = object.fields.get(position as usize) else { return false };
        let below = self.templates.selection_of(field.spec);
        below.is_some_and(|below| self.way.contains(&below))
    }

    /// Positions of the fields that need no argument, and whether each is a scalar or an enum.
    fn fields(&self, selection: SpecId) -> Vec<(u32, bool)> {
        let schema = self.templates.schema();
        let members = self.templates.members(selection).iter().enumerate();
        let fields = members.filter_map(|(position, member)| {
            let SelectionMember::Field(id) = member else { return None };
            let is_free = !schema.field(*id).needs_arguments();
            let kind = &schema.definition(schema.returned(*id)).kind;
            let is_leaf = matches!(kind, TypeKind::Scalar { .. } | TypeKind::Enum { .. });
            let is_object = matches!(kind, TypeKind::Object { .. } | TypeKind::Interface { .. });
            (is_free && (is_leaf || is_object)).then_some((position as u32, is_leaf))
        });
        fields.collect()
    }
}
