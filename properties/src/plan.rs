//! The schema laid out for generation: for every object its fields, and of each field what it
//! leads to and its tuple, all as numbers into flat lists.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use wallace_problems::graphql::{
    FieldId, OperationKind, Part, Schema, SchemaTuples, Selection, TypeId, TypeKind, Wrapper,
};

use crate::argument::is_callable;
use crate::settings::{GeneratorSettings, Strategy};

/// No object, no tuple.
pub(crate) const NONE: u32 = u32::MAX;

/// A member of a selection, and where it leads.
#[derive(Debug)]
pub(crate) struct PlanField {
    /// How it is asked for, without arguments and what is selected below it. Inside a fragment a
    /// field has an alias that names the type, since fields of one name may differ between the types
    /// of a union.
    pub(crate) selection: Selection,
    /// Selection below it; [`NONE`] for a leaf.
    pub(crate) object: u32,
    /// Number of its tuple; [`NONE`] where it is none.
    pub(crate) tuple: u32,
}

/// All selections that queries can reach; the first is that of the root.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) fields: Vec<PlanField>,
    pub(crate) objects: Vec<Range<u32>>,
}

impl Plan {
    /// Every type is met on the way from the root and laid out once.
    pub(crate) fn new(
        schema: &Schema,
        tuples: &SchemaTuples,
        settings: &GeneratorSettings,
    ) -> Self {
        let root = schema.root(OperationKind::Query).expect("every schema has a query type");
        let mut builder = Builder { schema, tuples, settings, known: HashMap::new(), open: vec![] };
        builder.object(root, false);
        let mut plan = Self { fields: Vec::new(), objects: Vec::new() };
        let mut next = 0;
        while next < builder.open.len() {
            let (id, is_fragment) = builder.open[next];
            next += 1;
            let start = plan.fields.len() as u32;
            plan.fields.extend(builder.members(id, is_fragment));
            plan.objects.push(start..plan.fields.len() as u32);
        }
        plan
    }

    pub(crate) fn field(&self, index: u32) -> &PlanField {
        &self.fields[index as usize]
    }
}

struct Builder<'s> {
    schema: &'s Schema,
    tuples: &'s SchemaTuples,
    settings: &'s GeneratorSettings,
    known: HashMap<(TypeId, bool), u32>,
    /// Selections in the order of their numbers; the second is whether they stand in a fragment.
    open: Vec<(TypeId, bool)>,
}

impl Builder<'_> {
    fn object(&mut self, id: TypeId, is_fragment: bool) -> u32 {
        let next = self.open.len() as u32;
        let number = *self.known.entry((id, is_fragment)).or_insert(next);
        if number == next {
            self.open.push((id, is_fragment));
        }
        number
    }

    fn members(&mut self, id: TypeId, is_fragment: bool) -> Vec<PlanField> {
        let schema = self.schema;
        let definition = schema.definition(id);
        let mut members = Vec::new();
        for field in schema.fields(id) {
            members.extend(self.field(field, is_fragment));
        }
        // The paper knows neither fragments nor `__typename`.
        if self.settings.strategy == Strategy::Paper || is_fragment {
            return members;
        }
        for member in definition.possible_types() {
            let (object, name) = (self.object(*member, true), &schema.definition(*member).name);
            let part = Part::Fragment { on: *member, name: Arc::clone(name) };
            let selection = Selection::new(part, Vec::new());
            members.push(PlanField { selection, object, tuple: NONE });
        }
        if !matches!(definition.kind, TypeKind::Object { .. }) {
            let selection = Selection::typename();
            members.push(PlanField { selection, object: NONE, tuple: NONE });
        }
        members
    }

    /// Nothing when no valid call of the field can be made.
    fn field(&mut self, id: FieldId, is_fragment: bool) -> Option<PlanField> {
        let schema = self.schema;
        let field = schema.field(id);
        let named = field.type_ref.named();
        let is_broken = matches!(schema.definition(named).kind, TypeKind::Broken { .. });
        if is_broken || !is_callable(schema, field, self.settings.strategy) {
            return None;
        }
        let object = if self.is_expanded(id) { self.object(named, false) } else { NONE };
        let selection = Selection::field(Arc::clone(&field.name), Some(id), Vec::new());
        let owner = &schema.definition(id.owner).name;
        let alias = is_fragment.then(|| format!("{owner}_{}", field.name));
        let selection = match alias {
            Some(alias) => selection.renamed(alias),
            None => selection,
        };
        let tuple = self.tuples.position(id).map_or(NONE, |tuple| tuple as u32);
        Some(PlanField { selection, object, tuple })
    }

    /// Whether fields are drawn of what the field returns. The paper does so for some shapes of
    /// types only, and takes all others for leaves.
    fn is_expanded(&self, id: FieldId) -> bool {
        use Wrapper::{List, NonNull};
        let type_ref = &self.schema.field(id).type_ref;
        let definition = self.schema.definition(type_ref.named());
        if self.settings.strategy == Strategy::CoverageDirected {
            return definition.is_composite();
        }
        let is_object = matches!(definition.kind, TypeKind::Object { .. });
        is_object
            && matches!(
                type_ref.wrappers(),
                [] | [NonNull] | [List] | [List, NonNull] | [NonNull, List, NonNull]
            )
    }
}
