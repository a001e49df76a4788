//! Bodies of requests and responses, and links.

use std::sync::Arc;

use super::library::Spot;
use super::operation::{
    BodyContent, Encoding, Link, LinkSource, ParameterPlace, Response, ResponseContent, Statuses,
};
use super::read::Reader;
use super::read_parameter::{EXAMPLE_VALUES, SwaggerBody, named_style};
use crate::document::NodeRef;
use crate::rest::schema::{Additional, Kind, Kinds, Schema};

impl Reader<'_> {
    /// What the body may be, and whether there must be one.
    pub(super) fn bodies(
        &mut self,
        root: Spot,
        operation: Spot,
        swagger: &SwaggerBody,
    ) -> (Vec<BodyContent>, bool) {
        if self.is_swagger() {
            return self.swagger_bodies(root, operation, swagger);
        }
        let Some(spot) = self.member(operation, "requestBody") else { return (Vec::new(), false) };
        let Some(spot) = self.resolve(spot) else { return (Vec::new(), false) };
        let is_required = self.node(spot).get("required").and_then(NodeRef::boolean);
        let Some(content) = self.member(spot, "content") else { return (Vec::new(), false) };
        let mut bodies = Vec::new();
        for (media_type, spot) in self.members(content).collect::<Vec<_>>() {
            let Some(spot) = self.resolve(spot) else { continue };
            let schema = self.member(spot, "schema");
            bodies.push(BodyContent {
                media_type: lower(media_type),
                schema: self.schema_or_any(schema),
                encodings: self.encodings(spot),
                examples: self.examples(spot),
            });
        }
        (bodies, is_required == Some(true))
    }

    fn encodings(&mut self, media: Spot) -> Vec<(Arc<str>, Encoding)> {
        let encodings = self.member(media, "encoding");
        let encodings = encodings.into_iter().flat_map(|all| self.members(all));
        let encoding = |(name, spot): (&Arc<str>, Spot)| {
            let node = self.node(spot);
            let text = |name: &str| node.get(name).and_then(NodeRef::text);
            let encoding = Encoding {
                content_type: text("contentType").map(lower),
                style: text("style").and_then(|style| named_style(style)),
                is_exploded: node.get("explode").and_then(NodeRef::boolean),
            };
            (Arc::clone(name), encoding)
        };
        encodings.map(encoding).collect()
    }

    fn swagger_bodies(
        &mut self,
        root: Spot,
        operation: Spot,
        swagger: &SwaggerBody,
    ) -> (Vec<BodyContent>, bool) {
        let mut media_types = self.media_types(root, operation, "consumes");
        let is_form = |media_type: &str| {
            media_type.contains("form-urlencoded") || media_type.contains("multipart")
        };
        let (schema, is_required, examples) = if let Some(body) = swagger.body {
            media_types.retain(|media_type| !is_form(media_type));
            let is_required = self.node(body).get("required").and_then(NodeRef::boolean);
            let schema = self.member(body, "schema");
            (self.schema_or_any(schema), is_required == Some(true), self.examples(body))
        } else if swagger.form.is_empty() {
            return (Vec::new(), false);
        } else {
            let has_file = swagger.form.iter().any(|spot| self.is_file(*spot));
            media_types.retain(|media_type| {
                is_form(media_type) && (!has_file || media_type.contains("multipart"))
            });
            if media_types.is_empty() {
                let usual = if has_file {
                    "multipart/form-data"
                } else {
                    "application/x-www-form-urlencoded"
                };
                media_types.push(usual.into());
            }
            let (form, is_required) = self.form(&swagger.form);
            (self.schemas.add(form), is_required, Vec::new())
        };
        if media_types.is_empty() {
            media_types.push("application/json".into());
        }
        let bodies = media_types.into_iter().map(|media_type| BodyContent {
            media_type,
            schema,
            encodings: Vec::new(),
            examples: examples.clone(),
        });
        (bodies.collect(), is_required)
    }

    fn is_file(&self, spot: Spot) -> bool {
        self.node(spot).get("type").and_then(NodeRef::text).is_some_and(|kind| &**kind == "file")
    }

    /// The form that parameters in `formData` make up.
    fn form(&mut self, parameters: &[Spot]) -> (Schema, bool) {
        let kinds = Kinds::default().with(Kind::Object);
        let mut form = Schema { kinds, additional: Additional::Denied, ..Schema::default() };
        for spot in parameters {
            let node = self.node(*spot);
            let Some(name) = node.get("name").and_then(NodeRef::text) else {
                self.tell(*spot, "a parameter without a name; it is left out");
                continue;
            };
            if form.properties.iter().any(|(known, _)| known == name) {
                continue;
            }
            let schema = self.schema(*spot);
            form.properties.push((Arc::clone(name), schema));
            if node.get("required").and_then(NodeRef::boolean) == Some(true) {
                form.required.push(Arc::clone(name));
            }
        }
        let is_required = !form.required.is_empty();
        (form, is_required)
    }

    /// `consumes` or `produces` of Swagger 2.0.
    fn media_types(&self, root: Spot, operation: Spot, name: &str) -> Vec<Arc<str>> {
        let list = self.member(operation, name).or_else(|| self.member(root, name));
        let list = list.into_iter().flat_map(|list| self.elements(list));
        list.filter_map(|spot| self.node(spot).text().map(lower)).collect()
    }

    pub(super) fn response(&mut self, root: Spot, spot: Spot, statuses: Statuses) -> Response {
        let mut contents = Vec::new();
        if self.is_swagger() {
            if let Some(schema) = self.member(spot, "schema") {
                let schema = Some(self.schema(schema));
                let mut media_types = self.media_types(root, root, "produces");
                if media_types.is_empty() {
                    media_types.push("*/*".into());
                }
                contents.extend(
                    media_types
                        .into_iter()
                        .map(|media_type| ResponseContent { media_type, schema }),
                );
            }
        } else if let Some(content) = self.member(spot, "content") {
            for (media_type, media) in self.members(content).collect::<Vec<_>>() {
                let schema = self.member(media, "schema").map(|schema| self.schema(schema));
                contents.push(ResponseContent { media_type: lower(media_type), schema });
            }
        }
        let (headers, links) = (self.headers(spot), self.links(spot));
        let text = self.member(spot, "description").and_then(|spot| self.node(spot).text());
        let is_stream = text.is_some_and(|text| text.contains("(streaming responses)"));
        Response { statuses, contents, headers, links, is_stream }
    }

    fn headers(&mut self, spot: Spot) -> Vec<(Arc<str>, bool)> {
        let Some(headers) = self.member(spot, "headers") else { return Vec::new() };
        let mut read = Vec::new();
        for (name, spot) in self.members(headers).collect::<Vec<_>>() {
            let Some(spot) = self.resolve(spot) else { continue };
            let is_required = self.node(spot).get("required").and_then(NodeRef::boolean);
            read.push((lower(name), is_required == Some(true)));
        }
        read
    }

    fn links(&mut self, spot: Spot) -> Vec<Link> {
        let Some(links) = self.member(spot, "links") else { return Vec::new() };
        let mut read = Vec::new();
        for (_, spot) in self.members(links).collect::<Vec<_>>() {
            let Some(spot) = self.resolve(spot) else { continue };
            let node = self.node(spot);
            let text = |name: &str| node.get(name).and_then(NodeRef::text);
            let target = text("operationId").cloned().or_else(|| linked(text("operationRef")?));
            let Some(target) = target else {
                self.tell(spot, "a link to no operation; it is left out");
                continue;
            };
            let parameters = node.get("parameters").into_iter().flat_map(NodeRef::members);
            let parameters = parameters
                .filter_map(|(name, value)| Some((Arc::clone(name), link_source(value)?)));
            read.push(Link { target, parameters: parameters.collect() });
        }
        read
    }
}

/// Verb and path of a reference such as `#/paths/~1users~1{id}/get`.
fn linked(reference: &str) -> Option<Arc<str>> {
    let (_, rest) = reference.split_once("#/paths/")?;
    let (path, verb) = rest.rsplit_once('/')?;
    let path = path.replace("~1", "/").replace("~0", "~");
    Some(format!("{}:{path}", verb.to_ascii_uppercase()).into())
}

/// A runtime expression, or a value as it stands.
fn link_source(value: NodeRef<'_>) -> Option<LinkSource> {
    let constant = || value.to_json(EXAMPLE_VALUES).map(LinkSource::Constant);
    let Some(text) = value.text().filter(|text| text.starts_with('$')) else { return constant() };
    let (kind, rest) = text.split_once(['.', '#']).unwrap_or((text, ""));
    let (part, name) = rest.split_once(['.', '#']).unwrap_or((rest, ""));
    Some(match (kind, part) {
        ("$response", "body") => LinkSource::ResponseBody(name.to_owned()),
        ("$response", "header") => LinkSource::ResponseHeader(name.to_ascii_lowercase()),
        ("$request", "body") => LinkSource::RequestBody(name.to_owned()),
        ("$request", "path") => LinkSource::RequestParameter(ParameterPlace::Path, name.to_owned()),
        ("$request", "query") => {
            LinkSource::RequestParameter(ParameterPlace::Query, name.to_owned())
        }
        ("$request", "header") => {
            LinkSource::RequestParameter(ParameterPlace::Header, name.to_owned())
        }
        _ => return None,
    })
}

fn lower(text: &Arc<str>) -> Arc<str> {
    text.to_ascii_lowercase().into()
}
