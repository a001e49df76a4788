//! The schema laid out for generation: for every object its fields, and of each field what it
//! leads to, its tuple and its arguments, all as numbers into flat lists.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use wallace_problems::graphql::{
    FieldId, OperationKind, Schema, SchemaTuples, TypeId, TypeKind, Wrapper,
};

use crate::argument::{ArgumentPlan, argument_plan};
use crate::settings::{GeneratorSettings, Strategy};

/// No object, no tuple.
pub(crate) const NONE: u32 = u32::MAX;

/// A member of a selection, and where it leads.
#[derive(Debug)]
pub(crate) struct PlanField {
    /// The field of the schema; nothing for fragments and `__typename`.
    pub(crate) field: Option<FieldId>,
    /// The type of a fragment.
    pub(crate) on: Option<TypeId>,
    /// As it stands in the text: a name; `... on T`; or, inside a fragment, an alias that names the
    /// type and a name, since fields of one name may differ between the types of a union.
    pub(crate) text: Arc<str>,
    /// Selection below it; [`NONE`] for a leaf.
    pub(crate) object: u32,
    /// Number of its tuple; [`NONE`] where it is none.
    pub(crate) tuple: u32,
    /// Which of its arguments get values, and how.
    pub(crate) arguments: Box<[ArgumentPlan]>,
    /// Names of all its arguments.
    pub(crate) argument_names: Box<[Arc<str>]>,
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
            let (object, text) = (self.object(*member, true), &schema.definition(*member).name);
            let text = format!("... on {text}").into();
            members.push(plain(Some(*member), text, object));
        }
        if !matches!(definition.kind, TypeKind::Object { .. }) {
            members.push(plain(None, "__typename".into(), NONE));
        }
        members
    }

    /// Nothing when no valid call of the field can be made.
    fn field(&mut self, id: FieldId, is_fragment: bool) -> Option<PlanField> {
        let schema = self.schema;
        let field = schema.field(id);
        let named = field.type_ref.named();
        let is_usable = !matches!(schema.definition(named).kind, TypeKind::Broken { .. });
        let arguments = argument_plan(schema, field, self.settings)?;
        let object = if self.is_expanded(id) { self.object(named, false) } else { NONE };
        let (name, owner) = (&field.name, &schema.definition(id.owner).name);
        let text =
            if is_fragment { format!("{owner}_{name}: {name}").into() } else { Arc::clone(name) };
        let tuple = self.tuples.position(id).map_or(NONE, |tuple| tuple as u32);
        let names = field.arguments.iter().map(|argument| Arc::clone(&argument.name));
        let argument_names = names.collect();
        let (field, on) = (Some(id), None);
        is_usable.then_some(PlanField { field, on, text, object, tuple, arguments, argument_names })
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

fn plain(on: Option<TypeId>, text: Arc<str>, object: u32) -> PlanField {
    let (arguments, argument_names) = (Box::default(), Box::default());
    PlanField { field: None, on, text, object, tuple: NONE, arguments, argument_names }
}
