//! Operations.

use std::sync::Arc;

use http::Method;

use super::keep::{keeps_rest, resets};
use super::library::Spot;
use super::operation::{Operation, Parameter, ParameterPlace, Statuses};
use super::read::{Format, Reader};
use crate::document::NodeRef;
use crate::rest::schema::Schemas;

impl Reader<'_> {
    /// One operation; `None` when it cannot be called.
    pub(super) fn operation(
        &mut self,
        root: Spot,
        item: Spot,
        spot: Spot,
        path: &Arc<str>,
        method: Method,
    ) -> Option<Operation> {
        let node = self.node(spot);
        if !node.is_object() {
            self.tell(spot, "an operation that is no object; it is left out");
            return None;
        }
        let (parameters, body) = self.parameters(item, spot);
        let parameters = self.with_path_parameters(parameters, path, spot)?;
        let (bodies, is_body_required) = self.bodies(root, spot, &body);
        // What GET and HEAD carry means nothing.
        let takes_body = !matches!(method, Method::GET | Method::HEAD | Method::TRACE);
        let text = |name: &str| node.get(name).and_then(NodeRef::text).cloned();
        let tags = node.get("tags").into_iter().flat_map(NodeRef::elements);
        let told = [text("summary"), text("description")];
        let says = |is_so: fn(&str) -> bool| told.iter().flatten().any(|text| is_so(text));
        Some(Operation {
            keeps_rest: says(keeps_rest),
            resets: method == Method::DELETE && says(resets),
            id: format!("{method}:{path}").into(),
            operation_id: text("operationId"),
            method,
            path: Arc::clone(path),
            tags: tags.filter_map(|tag| tag.text().cloned()).collect(),
            is_deprecated: node.get("deprecated").and_then(NodeRef::boolean) == Some(true),
            parameters,
            bodies: if takes_body { bodies } else { Vec::new() },
            is_body_required: is_body_required && takes_body,
            responses: self.responses(root, spot),
            security: self.security(root, spot),
            line: node.line(),
        })
    }

    /// The parameters in order of place, with those of the path that are not described.
    fn with_path_parameters(
        &mut self,
        mut parameters: Vec<Parameter>,
        path: &str,
        spot: Spot,
    ) -> Option<Vec<Parameter>> {
        let names = placeholders(path);
        let Some(names) = names else {
            self.tell(
                spot,
                format!(
                    "the path {path:?} has a brace without its partner; the operation is left out"
                ),
            );
            return None;
        };
        let is_in_path = |name: &str| names.contains(&name);
        for parameter in &mut parameters {
            if parameter.place == ParameterPlace::Path && !is_in_path(&parameter.name) {
                self.tell(
                    spot,
                    format!(
                        "the path {path:?} has no {:?}; the parameter is left out",
                        parameter.name
                    ),
                );
            }
        }
        parameters.retain(|p| p.place != ParameterPlace::Path || is_in_path(&p.name));
        for name in names {
            let mut known = parameters.iter();
            if !known.any(|p| p.place == ParameterPlace::Path && &*p.name == name) {
                self.tell(spot, format!("the parameter {name:?} of the path is not described; any text is taken for it"));
                let text = self.text_schema();
                parameters.push(super::read_parameter::simple(name, ParameterPlace::Path, text));
            }
        }
        parameters.sort_by_key(|parameter| parameter.place);
        Some(parameters)
    }

    fn security(&self, root: Spot, spot: Spot) -> Vec<Vec<Arc<str>>> {
        let own = self.member(spot, "security").or_else(|| self.member(root, "security"));
        let alternatives = own.into_iter().flat_map(|own| self.elements(own));
        alternatives
            .map(|spot| self.members(spot).map(|(name, _)| Arc::clone(name)).collect())
            .collect()
    }

    fn responses(&mut self, root: Spot, spot: Spot) -> Vec<super::Response> {
        let mut responses = Vec::new();
        let Some(all) = self.member(spot, "responses") else { return responses };
        for (status, spot) in self.members(all).collect::<Vec<_>>() {
            if status.starts_with("x-") {
                continue;
            }
            let Some(statuses) = statuses(status) else {
                self.tell(spot, format!("{status:?} is no status; the response is left out"));
                continue;
            };
            let Some(spot) = self.resolve(spot) else { continue };
            responses.push(self.response(root, spot, statuses));
        }
        responses
    }

    /// A schema that is any text of a path.
    fn text_schema(&mut self) -> crate::rest::schema::SchemaId {
        let kinds = crate::rest::schema::Kinds::default().with(crate::rest::schema::Kind::Text);
        self.schemas.add(crate::rest::schema::Schema { kinds, ..Default::default() })
    }

    /// The schema at a spot, or any value where there is none.
    pub(super) fn schema_or_any(&mut self, spot: Option<Spot>) -> crate::rest::schema::SchemaId {
        spot.map_or(Schemas::ANY, |spot| self.schema(spot))
    }

    pub(super) fn is_swagger(&self) -> bool {
        self.format == Format::Swagger2
    }
}

/// Names in braces; `None` when braces do not match.
pub(crate) fn placeholders(path: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut rest = path;
    while let Some(start) = rest.find(['{', '}']) {
        let after = rest[start..].strip_prefix('{')?;
        let end = after.find(['{', '}'])?;
        let name = &after[..end];
        rest = after[end..].strip_prefix('}')?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

fn statuses(text: &str) -> Option<Statuses> {
    if text.eq_ignore_ascii_case("default") {
        return Some(Statuses::Default);
    }
    if let Some(class) = text.strip_suffix("XX").or_else(|| text.strip_suffix("xx")) {
        return class.parse().ok().filter(|class| (1..=5).contains(class)).map(Statuses::Class);
    }
    text.parse().ok().filter(|status| (100..600).contains(status)).map(Statuses::Exactly)
}
