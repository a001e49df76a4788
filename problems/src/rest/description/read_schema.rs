//! Schemas.

use std::sync::Arc;

use serde_json::{Number, Value};

use super::library::Spot;
use super::read::{Format, Reader};
use super::read_parameter::EXAMPLE_VALUES;
use crate::document::{Node, NodeRef};
use crate::rest::schema::{
    Additional, Bounds, Discriminator, Kind, Kinds, Lengths, Schema, SchemaId, Schemas, Xml,
};

/// Most values of an enumeration that are kept.
const MOST_VALUES: usize = 10_000;

impl Reader<'_> {
    /// The schema at a spot. It gets its number at once and is read later, so that schemas may
    /// mention each other.
    pub(super) fn schema(&mut self, spot: Spot) -> SchemaId {
        let has_own_keywords = self.format == Format::OpenApi31
            && self.node(spot).members().any(|(name, _)| !REFERENCE_ONLY.contains(&&**name));
        let spot = if has_own_keywords {
            spot
        } else {
            let name =
                self.node(spot).get("$ref").and_then(NodeRef::text).and_then(|it| component(it));
            let Some(spot) = self.resolve(spot) else { return Schemas::ANY };
            if let Some(name) = name {
                self.components.entry(spot).or_insert(name);
            }
            spot
        };
        match self.node(spot).value() {
            Node::Boolean(true) => return Schemas::ANY,
            Node::Boolean(false) => return Schemas::NEVER,
            Node::Object(_) => {}
            _ => {
                self.tell(spot, "a schema that is no object; any value is taken for it");
                return Schemas::ANY;
            }
        }
        if let Some(known) = self.known.get(&spot) {
            return *known;
        }
        let id = self.schemas.reserve();
        self.known.insert(spot, id);
        self.pending.push((spot, id));
        id
    }

    /// Reads the schemas that were met, and those that they mention.
    pub(super) fn read_pending(&mut self) {
        while let Some((spot, id)) = self.pending.pop() {
            let schema = self.read_schema(spot);
            self.schemas.fill(id, schema);
        }
    }

    fn read_schema(&mut self, spot: Spot) -> Schema {
        let node = self.node(spot);
        let text = |name: &str| node.get(name).and_then(NodeRef::text).cloned();
        let flag = |name: &str| node.get(name).and_then(NodeRef::boolean) == Some(true);
        let json = |name: &str| node.get(name).and_then(|value| value.to_json(EXAMPLE_VALUES));
        let mut schema = Schema {
            name: text("title"),
            component: self.components.get(&spot).cloned(),
            kinds: self.kinds(spot),
            values: values(node),
            format: text("format").or_else(|| is_file(node).then(|| "binary".into())),
            pattern: text("pattern"),
            lengths: lengths(node),
            bounds: bounds(node),
            has_unique_items: flag("uniqueItems"),
            required: texts(node, "required"),
            is_read_only: flag("readOnly"),
            is_write_only: flag("writeOnly"),
            default: json("default"),
            examples: ["example", "x-example"].into_iter().filter_map(json).collect(),
            xml: xml(node),
            ..Schema::default()
        };
        if let Some(examples) = node.get("examples").filter(|examples| !examples.is_object()) {
            let examples = examples.elements().take(20);
            schema.examples.extend(examples.filter_map(|value| value.to_json(EXAMPLE_VALUES)));
        }
        self.read_lists(spot, &mut schema);
        self.read_members(spot, &mut schema);
        self.read_combinations(spot, &mut schema);
        self.add_null(node, &mut schema);
        schema
    }

    fn kinds(&mut self, spot: Spot) -> Kinds {
        let Some(told) = self.member(spot, "type") else { return Kinds::default() };
        let node = self.node(told);
        let names: Vec<&Arc<str>> = match node.text() {
            Some(name) => vec![name],
            None => node.elements().filter_map(NodeRef::text).collect(),
        };
        let mut kinds = Kinds::default();
        for name in names {
            match Kind::named(name) {
                Some(kind) => kinds = kinds.with(kind),
                // Swagger 2.0 calls uploads so; their contents are text.
                None if &**name == "file" => kinds = kinds.with(Kind::Text),
                None => self.tell(told, format!("{name:?} is no type; any value is taken for it")),
            }
        }
        kinds
    }

    fn read_lists(&mut self, spot: Spot, schema: &mut Schema) {
        let prefix = self.member(spot, "prefixItems");
        let items = self.member(spot, "items");
        let is_tuple = items.is_some_and(|items| matches!(self.node(items).value(), Node::List(_)));
        let first = if is_tuple { items } else { prefix };
        for spot in first.into_iter().flat_map(|first| self.elements(first)).collect::<Vec<_>>() {
            let item = self.schema(spot);
            schema.first_items.push(item);
        }
        if !is_tuple {
            schema.items = items.map(|items| self.schema(items));
        }
    }

    fn read_members(&mut self, spot: Spot, schema: &mut Schema) {
        if let Some(properties) = self.member(spot, "properties") {
            for (name, spot) in self.members(properties).collect::<Vec<_>>() {
                let property = self.schema(spot);
                schema.properties.push((Arc::clone(name), property));
                // Said of the member itself, as version 3 of JSON Schema did.
                let is_required = self.node(spot).get("required").and_then(NodeRef::boolean);
                if is_required == Some(true)
                    && !self.is_swagger()
                    && !schema.required.contains(name)
                {
                    self.tell(spot, "`required: true` inside a property; it is taken for required");
                    schema.required.push(Arc::clone(name));
                }
            }
        }
        schema.names = self.member(spot, "propertyNames").map(|names| self.schema(names));
        if let Some(additional) = self.member(spot, "additionalProperties") {
            schema.additional = match self.node(additional).value() {
                Node::Boolean(true) => Additional::Allowed,
                Node::Boolean(false) => Additional::Denied,
                _ => Additional::Schema(self.schema(additional)),
            };
        }
    }

    fn read_combinations(&mut self, spot: Spot, schema: &mut Schema) {
        schema.all_of = self.schemas_at(spot, "allOf");
        schema.one_of = self.schemas_at(spot, "oneOf");
        schema.any_of = self.schemas_at(spot, "anyOf");
        schema.not = self.member(spot, "not").map(|not| self.schema(not));
        if self.format == Format::OpenApi31
            && let Some(reference) = self.node(spot).get("$ref").and_then(NodeRef::text)
        {
            match self.library.target(spot, reference) {
                Ok(target) => {
                    let target = self.schema(target);
                    schema.all_of.push(target);
                }
                Err(problem) => self.tell(spot, format!("{problem}; it is left out")),
            }
        }
        schema.discriminator = self.discriminator(spot);
    }

    fn schemas_at(&mut self, spot: Spot, name: &str) -> Vec<SchemaId> {
        let list = self.member(spot, name);
        let spots: Vec<Spot> = list.into_iter().flat_map(|list| self.elements(list)).collect();
        spots.into_iter().map(|spot| self.schema(spot)).collect()
    }

    /// The discriminator of OpenAPI 3. Without a mapping, alternatives go by the last part of
    /// their reference.
    fn discriminator(&mut self, spot: Spot) -> Option<Discriminator> {
        let told = self.member(spot, "discriminator")?;
        let property = self.node(told).get("propertyName").and_then(NodeRef::text)?.clone();
        let mut mapping = Vec::new();
        let explicit = self.member(told, "mapping");
        for (value, target) in
            explicit.into_iter().flat_map(|all| self.members(all)).collect::<Vec<_>>()
        {
            let Some(reference) = self.node(target).text() else { continue };
            let by_name = format!("#/components/schemas/{reference}");
            let found = self.library.target(spot, reference);
            let found =
                if reference.contains('/') { found } else { self.library.target(spot, &by_name) };
            if let Ok(found) = found {
                let alternative = self.schema(found);
                mapping.push((Arc::clone(value), alternative));
            }
        }
        let lists = ["oneOf", "anyOf"].map(|name| self.member(spot, name));
        for list in lists.into_iter().flatten() {
            for alternative in self.elements(list).collect::<Vec<_>>() {
                let Some(reference) = self.node(alternative).get("$ref").and_then(NodeRef::text)
                else {
                    continue;
                };
                let id = self.schema(alternative);
                if !mapping.iter().any(|(_, known)| *known == id) {
                    let name = reference.rsplit('/').next().unwrap_or(reference);
                    mapping.push((name.into(), id));
                }
            }
        }
        Some(Discriminator { property, mapping })
    }

    /// `nullable` of OpenAPI 3.0, and the extension of the same meaning for Swagger 2.0.
    fn add_null(&mut self, node: NodeRef<'_>, schema: &mut Schema) {
        let is_nullable = ["nullable", "x-nullable"]
            .into_iter()
            .any(|name| node.get(name).and_then(NodeRef::boolean) == Some(true));
        if !is_nullable {
            return;
        }
        if schema.kinds.is_told() {
            schema.kinds = schema.kinds.with(Kind::Null);
        }
        if let Some(values) = &mut schema.values
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
        if schema.one_of.is_empty() && schema.any_of.is_empty() && schema.all_of.is_empty() {
            return;
        }
        // Null beside a reference: an alternative of its own.
        let null = Schema { kinds: Kinds::default().with(Kind::Null), ..Schema::default() };
        let rest = std::mem::take(schema);
        let (read_only, write_only) = (rest.is_read_only, rest.is_write_only);
        let alternatives = vec![self.schemas.add(rest), self.schemas.add(null)];
        *schema = Schema {
            any_of: alternatives,
            is_read_only: read_only,
            is_write_only: write_only,
            ..Schema::default()
        };
    }
}

/// The name of the schema that a reference leads to, where it has one of its own there.
fn component(reference: &str) -> Option<Arc<str>> {
    let (place, name) = reference.rsplit_once('/')?;
    let is_own = ["schemas", "definitions", "$defs"].contains(&place.rsplit('/').next()?);
    (is_own && !name.is_empty()).then(|| name.into())
}

/// Members beside a reference that say nothing of values.
const REFERENCE_ONLY: [&str; 4] = ["$ref", "description", "summary", "title"];

fn values(node: NodeRef<'_>) -> Option<Vec<Value>> {
    let json = |value: NodeRef<'_>| value.to_json(EXAMPLE_VALUES);
    if let Some(value) = node.get("const") {
        return Some(vec![json(value)?]);
    }
    let listed = node.get("enum").filter(|listed| matches!(listed.value(), Node::List(_)))?;
    let values: Vec<Value> = listed.elements().take(MOST_VALUES).filter_map(json).collect();
    (!values.is_empty()).then_some(values)
}

/// Whether a text is what a file holds: Swagger 2.0 has a type for that, and JSON Schema since 2019-09 a
/// media type. OpenAPI 3.0 has a format.
fn is_file(node: NodeRef<'_>) -> bool {
    let text = |name: &str| node.get(name).and_then(NodeRef::text);
    let is_of_file =
        |media_type: &Arc<str>| !media_type.contains("json") && !media_type.contains("text/plain");
    text("type").is_some_and(|kind| &**kind == "file")
        || text("contentMediaType").is_some_and(is_of_file) && node.get("contentEncoding").is_none()
}

fn texts(node: NodeRef<'_>, name: &str) -> Vec<Arc<str>> {
    let list = node.get(name).into_iter().flat_map(NodeRef::elements);
    list.filter_map(|element| element.text().cloned()).collect()
}

fn lengths(node: NodeRef<'_>) -> Lengths {
    let count = |name: &str| {
        let number = node.get(name).and_then(NodeRef::number)?;
        number
            .as_u64()
            .or_else(|| number.as_f64().filter(|number| *number >= 0.0).map(|n| n as u64))
    };
    Lengths {
        text: (count("minLength"), count("maxLength")),
        items: (count("minItems"), count("maxItems")),
        members: (count("minProperties"), count("maxProperties")),
    }
}

/// Exclusive bounds are flags until OpenAPI 3.0 and numbers from 3.1 on; both are read everywhere.
fn bounds(node: NodeRef<'_>) -> Bounds {
    let number =
        |name: &str| -> Option<Number> { node.get(name).and_then(NodeRef::number).cloned() };
    let is_exclusive = |name: &str| node.get(name).and_then(NodeRef::boolean) == Some(true);
    let mut bounds = Bounds {
        minimum: number("minimum"),
        maximum: number("maximum"),
        above: number("exclusiveMinimum"),
        below: number("exclusiveMaximum"),
        multiples: number("multipleOf").into_iter().collect(),
    };
    if is_exclusive("exclusiveMinimum") {
        bounds.above = bounds.minimum.take();
    }
    if is_exclusive("exclusiveMaximum") {
        bounds.below = bounds.maximum.take();
    }
    bounds
}

fn xml(node: NodeRef<'_>) -> Xml {
    let Some(xml) = node.get("xml") else { return Xml::default() };
    let flag = |name: &str| xml.get(name).and_then(NodeRef::boolean) == Some(true);
    Xml {
        name: xml.get("name").and_then(NodeRef::text).cloned(),
        is_attribute: flag("attribute"),
        is_wrapped: flag("wrapped"),
    }
}
