//! Parameters.

use std::sync::Arc;

use serde_json::Value;

use super::library::Spot;
use super::operation::{Parameter, ParameterPlace, Style};
use super::read::Reader;
use crate::document::NodeRef;
use crate::rest::schema::SchemaId;

/// Most values in one example.
pub(super) const EXAMPLE_VALUES: usize = 2_000;

/// Headers that say how a message is to be read; they are no parameters, whatever is described.
const NO_PARAMETERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// Body parameters of Swagger 2.0, which stand among the others.
#[derive(Default)]
pub(super) struct SwaggerBody {
    pub(super) body: Option<Spot>,
    pub(super) form: Vec<Spot>,
}

/// A parameter without anything particular.
pub(super) fn simple(name: &str, place: ParameterPlace, schema: SchemaId) -> Parameter {
    let style = default_style(place);
    Parameter {
        name: name.into(),
        place,
        is_required: place == ParameterPlace::Path,
        schema,
        style,
        is_exploded: style == Style::Form,
        allows_reserved: false,
        is_json: false,
        examples: Vec::new(),
    }
}

impl Reader<'_> {
    /// The parameters of an operation: its own, and those of its path that it does not override.
    pub(super) fn parameters(
        &mut self,
        item: Spot,
        operation: Spot,
    ) -> (Vec<Parameter>, SwaggerBody) {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut body = SwaggerBody::default();
        for owner in [operation, item] {
            let Some(list) = self.member(owner, "parameters") else { continue };
            for spot in self.elements(list).collect::<Vec<_>>() {
                let Some(spot) = self.resolve(spot) else { continue };
                let Some(parameter) = self.parameter(spot, &mut body) else { continue };
                let is_same = |known: &Parameter| {
                    known.name == parameter.name && known.place == parameter.place
                };
                if !parameters.iter().any(is_same) {
                    parameters.push(parameter);
                }
            }
        }
        (parameters, body)
    }

    fn parameter(&mut self, spot: Spot, body: &mut SwaggerBody) -> Option<Parameter> {
        let node = self.node(spot);
        let place = match node.get("in").and_then(NodeRef::text).map_or("", |text| &**text) {
            "path" => ParameterPlace::Path,
            "query" => ParameterPlace::Query,
            "header" => ParameterPlace::Header,
            "cookie" => ParameterPlace::Cookie,
            "body" if self.is_swagger() => {
                body.body = body.body.or(Some(spot));
                return None;
            }
            "formData" if self.is_swagger() => {
                body.form.push(spot);
                return None;
            }
            other => {
                self.tell(
                    spot,
                    format!("a parameter in {other:?}, which is no place; it is left out"),
                );
                return None;
            }
        };
        let Some(name) = node.get("name").and_then(NodeRef::text) else {
            self.tell(spot, "a parameter without a name; it is left out");
            return None;
        };
        let is_meta = |known: &str| name.eq_ignore_ascii_case(known);
        if place == ParameterPlace::Header && NO_PARAMETERS.iter().any(|known| is_meta(known)) {
            return None;
        }
        Some(self.described(spot, name, place))
    }

    fn described(&mut self, spot: Spot, name: &Arc<str>, place: ParameterPlace) -> Parameter {
        let node = self.node(spot);
        let content = self.member(spot, "content");
        let media = content.and_then(|content| self.members(content).next());
        let schema = match media {
            Some((_, media)) => self.member(media, "schema"),
            None if self.is_swagger() => Some(spot),
            None => self.member(spot, "schema"),
        };
        let schema = self.schema_or_any(schema);
        let flag = |name: &str| node.get(name).and_then(NodeRef::boolean);
        let style = self.style(spot, place);
        let is_exploded = match node.get("collectionFormat").and_then(NodeRef::text) {
            Some(format) => &**format == "multi",
            None => flag("explode").unwrap_or(style == Style::Form && !self.is_swagger()),
        };
        Parameter {
            name: Arc::clone(name),
            place,
            is_required: place == ParameterPlace::Path || flag("required") == Some(true),
            schema,
            style,
            is_exploded,
            allows_reserved: flag("allowReserved") == Some(true),
            is_json: media.is_some_and(|(media_type, _)| media_type.contains("json")),
            examples: self.examples(spot),
        }
    }

    fn style(&mut self, spot: Spot, place: ParameterPlace) -> Style {
        let node = self.node(spot);
        let text = |name: &str| node.get(name).and_then(NodeRef::text).map(|text| &**text);
        let told = match (text("style"), text("collectionFormat")) {
            (Some(style), _) => named_style(style),
            (None, Some("ssv")) => Some(Style::SpaceDelimited),
            (None, Some("tsv")) => Some(Style::TabDelimited),
            (None, Some("pipes")) => Some(Style::PipeDelimited),
            (None, _) => return default_style(place),
        };
        told.unwrap_or_else(|| {
            self.tell(spot, "a style that is not known; the usual one is taken");
            default_style(place)
        })
    }

    /// Values that are shown for a parameter or body.
    pub(super) fn examples(&mut self, spot: Spot) -> Vec<Value> {
        let node = self.node(spot);
        let single = ["example", "x-example"].into_iter().filter_map(|name| node.get(name));
        let mut examples: Vec<Value> =
            single.filter_map(|example| example.to_json(EXAMPLE_VALUES)).collect();
        if let Some(named) = self.member(spot, "examples") {
            for (_, spot) in self.members(named).take(20).collect::<Vec<_>>() {
                let Some(spot) = self.resolve(spot) else { continue };
                let value = self.node(spot).get("value");
                examples.extend(value.and_then(|value| value.to_json(EXAMPLE_VALUES)));
            }
        }
        examples
    }
}

pub(super) fn named_style(name: &str) -> Option<Style> {
    Some(match name {
        "simple" => Style::Simple,
        "label" => Style::Label,
        "matrix" => Style::Matrix,
        "form" => Style::Form,
        "spaceDelimited" => Style::SpaceDelimited,
        "pipeDelimited" => Style::PipeDelimited,
        "deepObject" => Style::DeepObject,
        _ => return None,
    })
}

fn default_style(place: ParameterPlace) -> Style {
    match place {
        ParameterPlace::Path | ParameterPlace::Header => Style::Simple,
        ParameterPlace::Query | ParameterPlace::Cookie => Style::Form,
    }
}
