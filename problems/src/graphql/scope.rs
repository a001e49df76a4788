//! What a problem is about: the operations, how they feed each other, and who calls them.

use std::collections::HashMap;
use std::sync::Arc;

use wallace_genes::{Gene, GenePath, TemplateId};

use super::action::GraphqlAction;
use super::hint::ScalarExamples;
use super::link::{ArgumentSource, Effect, Links, Purpose};
use super::scalar::is_custom;
use super::schema::{InputValue, OperationKind, Schema, TypeId, TypeKind};
use super::site::visit_sites;
use super::template::{OperationTemplate, Templates};
use crate::rest::TestSettings;
use crate::word::words;

/// Last words of names of what identifies a thing and is chosen by whoever makes it.
const NATURAL: [&str; 3] = ["slug", "key", "handle"];

/// The operations, how they feed each other, and who calls them; the same for all of a run.
pub(crate) struct Scope {
    pub(crate) templates: Arc<Templates>,
    pub(crate) links: Links,
    /// Operations that are called, in ascending order.
    pub(crate) callable: Vec<TemplateId>,
    /// Name of the type of each argument and input field, by coordinate.
    pub(crate) argument_types: HashMap<String, Arc<str>>,
    /// Names of the custom scalars.
    pub(crate) custom_scalars: Vec<Box<str>>,
    /// Values that custom scalars take.
    pub(crate) scalars: ScalarExamples,
    /// Number of users that calls are made by.
    pub(crate) users: u16,
    /// Whose schema this is; everybody's where it was not told to a user.
    pub(crate) schema_of: Option<u16>,
    pub(crate) max_size: usize,
    pub(crate) is_black_box: bool,
    /// How tests are made, as far as both families share it.
    pub(crate) tests: TestSettings,
}

/// An argument that a value seen earlier may fill.
pub(crate) struct Need {
    pub(crate) path: GenePath,
    pub(crate) source: ArgumentSource,
    /// Whether it may be left out.
    pub(crate) is_optional: bool,
    /// Whether it names a thing that is there: only an answer tells such a value.
    pub(crate) is_given: bool,
    /// Whether it is the id of what the call makes, without a driver: nothing has it yet.
    pub(crate) is_of_made: bool,
}

/// What an argument identifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Address of the argument.
    pub(crate) path: GenePath,
    /// `Type.field` of what it identifies.
    pub(crate) key: String,
}

impl Scope {
    pub(crate) fn new(
        templates: Arc<Templates>,
        callable: Vec<TemplateId>,
        max_size: usize,
    ) -> Self {
        Self {
            links: Links::new(&templates),
            callable,
            argument_types: argument_types(templates.schema()),
            custom_scalars: custom_scalars(templates.schema()),
            scalars: ScalarExamples::new(),
            users: 0,
            schema_of: None,
            max_size,
            is_black_box: false,
            tests: TestSettings::default(),
            templates,
        }
    }

    pub(crate) fn schema(&self) -> &Schema {
        self.templates.schema()
    }

    pub(crate) fn operation(&self, id: TemplateId) -> &OperationTemplate {
        &self.templates.operations()[id.0 as usize]
    }

    pub(crate) fn is_callable(&self, id: TemplateId) -> bool {
        self.callable.binary_search(&id).is_ok()
    }

    pub(crate) fn is_query(&self, id: TemplateId) -> bool {
        self.operation(id).kind == OperationKind::Query
    }

    /// The type that an operation returns.
    pub(crate) fn returned(&self, id: TemplateId) -> TypeId {
        self.schema().returned(self.operation(id).field)
    }

    /// Name of the argument at a coordinate, and of its scalar.
    pub(crate) fn scalar_at<'a>(&'a self, coordinate: &'a str) -> (&'a str, &'a str) {
        let scalar = self.argument_types.get(coordinate);
        (argument_name(coordinate), scalar.map_or("String", |scalar| scalar))
    }

    /// The arguments of a call that values seen earlier may fill.
    pub(crate) fn needs(&self, action: &GraphqlAction) -> Vec<Need> {
        let mut needs = Vec::new();
        if self.links.is_empty() {
            return needs;
        }
        let operation = self.operation(action.template);
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            let is_leaf = matches!(
                site.gene,
                Gene::String(_) | Gene::Integer(_) | Gene::Long(_) | Gene::Float(_)
            );
            let source =
                is_leaf.then(|| self.links.source_of(site, &operation.full_name)).flatten();
            needs.extend(source.map(|source| {
                let is_of_made = self.is_of_made(&source, site.coordinate, operation.id);
                let is_given = !is_of_made && self.is_given(&source, site.coordinate);
                let is_of_made = is_of_made && self.is_black_box;
                let (path, is_optional) = (site.path.clone(), site.is_optional);
                Need { path, source, is_optional, is_given, is_of_made }
            }));
        });
        needs
    }

    /// Whether a value names a thing that is there, and is not one that the caller chooses: a slug, a
    /// key, or the id of what the call makes.
    fn is_given(&self, source: &ArgumentSource, coordinate: &str) -> bool {
        let name = words(argument_name(coordinate));
        let is_natural = name.last().is_some_and(|last| NATURAL.contains(&&**last));
        source.purpose == Purpose::Id && source.kind().is_some() && !is_natural
    }

    /// Whether a value is the id of what a call makes.
    fn is_of_made(&self, source: &ArgumentSource, coordinate: &str, consumer: TemplateId) -> bool {
        let key = source.kind().filter(|_| source.purpose == Purpose::Id);
        let made = self.links.resource(consumer).map(|id| &self.schema().definition(id).name);
        self.links.effect(consumer) == Effect::Create
            && words(argument_name(coordinate)).len() == 1
            && made.is_some_and(|made| key.and_then(|key| key.split('.').next()) == Some(&**made))
    }

    /// What the arguments of a call identify.
    pub(crate) fn identities(&self, action: &GraphqlAction) -> Vec<Identity> {
        let needs = self.needs(action).into_iter();
        let ids = needs.filter(|need| need.source.purpose == Purpose::Id);
        let identities = ids.filter_map(|need| {
            let key = need.source.kind()?.to_owned();
            Some(Identity { path: need.path, key })
        });
        identities.collect()
    }

    /// The type that an operation takes something of another type out of, or changes it in: what
    /// holds the thing that is needed.
    pub(crate) fn holder(&self, consumer: TemplateId, need: &Need) -> Option<TypeId> {
        let is_change = matches!(self.links.effect(consumer), Effect::Update | Effect::Delete);
        let holder = self.links.resource(consumer).filter(|_| is_change)?;
        let own = format!("{}.", self.schema().definition(holder).name);
        let key = need.source.keys.first()?;
        (need.source.purpose == Purpose::Id && !key.starts_with(&own)).then_some(holder)
    }
}

/// Name of the argument or input field at a coordinate.
pub(crate) fn argument_name(coordinate: &str) -> &str {
    coordinate.rsplit(['.', '(']).next().unwrap_or_default().trim_end_matches(":)")
}

fn custom_scalars(schema: &Schema) -> Vec<Box<str>> {
    let scalars = schema.types().filter(|(_, it)| matches!(it.kind, TypeKind::Scalar { .. }));
    scalars.map(|(_, it)| Box::from(&*it.name)).filter(|name| is_custom(name)).collect()
}

/// Name of the type of each argument and input field, by coordinate.
fn argument_types(schema: &Schema) -> HashMap<String, Arc<str>> {
    let mut types = HashMap::new();
    let name = |input: &InputValue| Arc::clone(&schema.definition(input.type_ref.named()).name);
    for (id, definition) in schema.types() {
        for field in schema.fields(id) {
            for argument in &schema.field(field).arguments {
                let coordinate = format!("{}({}:)", schema.coordinate(field), argument.name);
                types.insert(coordinate, name(argument));
            }
        }
        if let TypeKind::InputObject { fields, .. } = &definition.kind {
            for field in fields {
                types.insert(format!("{}.{}", definition.name, field.name), name(field));
            }
        }
    }
    types
}
