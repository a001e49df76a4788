//! An independent judge of requests: JSON Schema, on the description as another parser reads it.

use std::collections::{BTreeMap, HashMap};

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use wallace_genes::spec::Notation;
use wallace_problems::HttpRequest;

/// A description as another parser reads it.
pub(crate) struct Judge {
    root: Value,
    validators: HashMap<String, Validator>,
}

/// What a judge needs to know of a parameter.
struct Declared {
    name: String,
    place: String,
    is_required: bool,
    schema: Value,
    is_plain: bool,
}

impl Judge {
    pub(crate) fn new(text: &str) -> Self {
        let root = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).unwrap()
        } else {
            serde_norway::from_str(&text.replace('\t', "")).unwrap()
        };
        Self { root, validators: HashMap::new() }
    }

    fn resolved<'v>(&'v self, mut value: &'v Value) -> Option<&'v Value> {
        while let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            value = self.root.pointer(reference.strip_prefix('#')?)?;
        }
        Some(value)
    }

    /// What is wrong with a request to this path and verb.
    pub(crate) fn defects(&mut self, path: &str, verb: &str, request: &HttpRequest) -> Vec<String> {
        let base = self.base_path();
        let verb = verb.to_ascii_lowercase();
        let mut defects = Vec::new();
        let declared = self.parameters(path, &verb);
        let sent_path = request.path.path().strip_prefix(&base).expect("the base path comes first");
        let found = path_values(path, sent_path);
        let Some(found) = found else { return vec![format!("{sent_path} is no {path}")] };
        let query = query_values(request.path.query().unwrap_or_default());
        for parameter in declared {
            let text = match parameter.place.as_str() {
                "path" => found.get(&parameter.name).cloned().map(|text| vec![text]),
                "query" => query.get(&parameter.name).cloned(),
                "header" => request
                    .headers
                    .get(parameter.name.as_str())
                    .map(|value| vec![String::from_utf8_lossy(value.as_bytes()).into_owned()]),
                _ => continue,
            };
            let at = format!("{} {}", parameter.place, parameter.name);
            match text {
                None if parameter.is_required && parameter.is_plain => {
                    defects.push(format!("{at} is missing"))
                }
                None => {}
                Some(texts) if parameter.is_plain => {
                    let value = self.typed(&parameter.schema, &texts[0]);
                    defects.extend(self.mismatches(&parameter.schema, &value, &at));
                }
                Some(_) => {}
            }
        }
        defects.extend(self.body_defects(path, &verb, request));
        defects
    }

    fn base_path(&self) -> String {
        let path = match self.root.get("basePath").and_then(Value::as_str) {
            Some(path) => path.to_owned(),
            None => {
                let url = self.root.pointer("/servers/0/url").and_then(Value::as_str).unwrap_or("");
                let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
                let has_host = url.contains("://");
                let start = if has_host { rest.find('/').unwrap_or(rest.len()) } else { 0 };
                rest[start..].to_owned()
            }
        };
        path.trim_end_matches('/').to_owned()
    }

    fn parameters(&self, path: &str, verb: &str) -> Vec<Declared> {
        let item = &self.root["paths"][path];
        let item = self.resolved(item).unwrap();
        let lists = [item[verb].get("parameters"), item.get("parameters")];
        let mut declared: BTreeMap<(String, String), Declared> = BTreeMap::new();
        for parameter in lists.into_iter().flatten().flat_map(|list| list.as_array().unwrap()) {
            let Some(parameter) = self.resolved(parameter) else { continue };
            let text = |name: &str| parameter[name].as_str().unwrap_or_default().to_owned();
            let schema = parameter.get("schema").unwrap_or(parameter);
            let kinds = self.kinds(schema);
            let is_plain = !kinds.is_empty()
                && kinds.iter().all(|kind| {
                    ["string", "integer", "number", "boolean"].contains(&kind.as_str())
                })
                && parameter.get("content").is_none()
                && !["label", "matrix"].contains(&text("style").as_str());
            let key = (text("in"), text("name"));
            declared.entry(key).or_insert(Declared {
                name: text("name"),
                place: text("in"),
                is_required: parameter["required"].as_bool().unwrap_or(false),
                schema: schema.clone(),
                is_plain,
            });
        }
        declared.into_values().collect()
    }

    fn kinds(&self, schema: &Value) -> Vec<String> {
        match self.resolved(schema).and_then(|schema| schema.get("type")) {
            Some(Value::String(kind)) => vec![kind.clone()],
            Some(Value::Array(kinds)) => {
                kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The text as the kind that the schema wants.
    fn typed(&self, schema: &Value, text: &str) -> Value {
        let kinds = self.kinds(schema);
        let is = |kind: &str| kinds.iter().any(|known| known == kind);
        if is("boolean") && (text == "true" || text == "false") {
            return Value::Bool(text == "true");
        }
        if is("integer") || is("number") {
            if let Ok(number) = text.parse::<i64>() {
                return number.into();
            }
            if let Ok(number) = text.parse::<f64>() {
                return json!(number);
            }
        }
        text.into()
    }

    fn body_defects(&mut self, path: &str, verb: &str, request: &HttpRequest) -> Vec<String> {
        let operation = self.resolved(&self.root["paths"][path]).unwrap()[verb].clone();
        let content_type = request.headers.get("content-type");
        let media_type = content_type.map(|value| value.to_str().unwrap().to_owned());
        let Some(media_type) = media_type else {
            let is_required = operation
                .get("requestBody")
                .and_then(|body| self.resolved(body))
                .is_some_and(|body| body["required"] == true)
                || self.swagger_body(&operation).is_some_and(|body| body["required"] == true);
            return if is_required { vec!["the body is missing".to_owned()] } else { Vec::new() };
        };
        if !media_type.contains("json") {
            return Vec::new();
        }
        let schema = match operation.get("requestBody") {
            Some(body) => {
                let content = &self.resolved(body).unwrap()["content"];
                let declared = content.as_object().unwrap().iter();
                let mut declared = declared.filter(|(known, _)| {
                    known.eq_ignore_ascii_case(&media_type) || known.contains('*')
                });
                declared.next().unwrap_or_else(|| panic!("{media_type} is not declared")).1["schema"].clone()
            }
            None => self.swagger_body(&operation).unwrap()["schema"].clone(),
        };
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        self.mismatches(&schema, &body, "body")
    }

    fn swagger_body<'v>(&'v self, operation: &'v Value) -> Option<&'v Value> {
        let parameters = operation["parameters"].as_array()?.iter();
        let mut resolved = parameters.filter_map(|parameter| self.resolved(parameter));
        resolved.find(|parameter| parameter["in"] == "body")
    }

    fn mismatches(&mut self, schema: &Value, value: &Value, at: &str) -> Vec<String> {
        if schema.is_null() {
            return Vec::new();
        }
        let key = schema.to_string();
        if !self.validators.contains_key(&key) {
            let standalone = self.standalone(schema);
            let validator = jsonschema::options()
                .with_draft(jsonschema::Draft::Draft202012)
                .should_validate_formats(true)
                .build(&standalone)
                .unwrap_or_else(|error| panic!("{error} in {key}"));
            self.validators.insert(key.clone(), validator);
        }
        let errors = self.validators[&key].iter_errors(value);
        // Moments are written as the examples of the description write them.
        let is_as_shown = |text: &str| Notation::of(text).is_some();
        let is_moment = |error: &jsonschema::ValidationError<'_>| {
            let instance = error.instance();
            error.to_string().contains("date-time") && instance.as_str().is_some_and(is_as_shown)
        };
        let errors = errors.filter(|error| !is_moment(error));
        errors.map(|error| format!("{at}{}: {error}", error.instance_path())).collect()
    }

    /// The schema with everything it mentions, as JSON Schema has it.
    fn standalone(&self, schema: &Value) -> Value {
        let mut definitions: BTreeMap<String, Value> = BTreeMap::new();
        let mut wanted = Vec::new();
        let mut root = schema.clone();
        self.translate(&mut root, &mut wanted);
        while let Some(pointer) = wanted.pop() {
            if definitions.contains_key(&pointer) {
                continue;
            }
            let mut target = self.root.pointer(&pointer).cloned().unwrap_or(Value::Bool(true));
            self.translate(&mut target, &mut wanted);
            definitions.insert(pointer, target);
        }
        let definitions: Map<String, Value> =
            definitions.into_iter().map(|(pointer, value)| (named(&pointer), value)).collect();
        json!({ "allOf": [root], "$defs": definitions })
    }

    /// Translates one schema in place: flags of OpenAPI into keywords, references into `$defs`.
    fn translate(&self, schema: &mut Value, wanted: &mut Vec<String>) {
        let Value::Object(members) = schema else { return };
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').unwrap_or_default().to_owned();
            *schema = json!({ "$ref": format!("#/$defs/{}", named(&pointer)) });
            wanted.push(pointer);
            return;
        }
        for name in ["exclusiveMinimum", "exclusiveMaximum"] {
            let bound = if name == "exclusiveMinimum" { "minimum" } else { "maximum" };
            if members.get(name) == Some(&Value::Bool(true)) {
                if let Some(bound) = members.remove(bound) {
                    members.insert(name.to_owned(), bound);
                }
            } else if members.get(name) == Some(&Value::Bool(false)) {
                members.remove(name);
            }
        }
        if let Some(Value::Bool(_)) = members.get("required") {
            members.remove("required");
        }
        if members.get("type") == Some(&"file".into()) {
            members.insert("type".to_owned(), "string".into());
        }
        self.drop_read_only(members);
        for name in [
            "discriminator",
            "example",
            "examples",
            "default",
            "xml",
            "externalDocs",
            "in",
            "name",
            "contentMediaType",
            "contentEncoding",
        ] {
            members.remove(name);
        }
        for name in ["items", "additionalProperties", "not"] {
            if let Some(inner) = members.get_mut(name) {
                self.translate(inner, wanted);
            }
        }
        for name in ["allOf", "oneOf", "anyOf", "prefixItems"] {
            for inner in members.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten() {
                self.translate(inner, wanted);
            }
        }
        for (_, inner) in
            members.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
        {
            self.translate(inner, wanted);
        }
        let is_nullable = ["nullable", "x-nullable"]
            .iter()
            .any(|name| members.remove(*name) == Some(true.into()));
        if is_nullable {
            *schema = json!({ "anyOf": [schema.take(), { "type": "null" }] });
        }
    }

    /// What is only received need not be sent.
    fn drop_read_only(&self, members: &mut Map<String, Value>) {
        let properties = members.get("properties").cloned().unwrap_or(Value::Null);
        if let Some(Value::Array(required)) = members.get_mut("required") {
            required.retain(|name| {
                let property = name.as_str().and_then(|name| properties.get(name));
                let property = property.and_then(|property| self.resolved(property));
                property.is_none_or(|property| property["readOnly"] != true)
            });
        }
    }
}

fn named(pointer: &str) -> String {
    pointer.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

/// Values of the placeholders of a path; `None` when the path is another one.
fn path_values(template: &str, path: &str) -> Option<BTreeMap<String, String>> {
    let mut pattern = "^".to_owned();
    let mut names = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        pattern.push_str(&regex::escape(&encoded(before)));
        pattern.push_str("([^/]*)");
        names.push(name.to_owned());
        rest = after;
    }
    pattern.push_str(&regex::escape(&encoded(rest)));
    pattern.push('$');
    let found = regex::Regex::new(&pattern).unwrap().captures(path)?;
    let values = names.into_iter().enumerate();
    Some(values.map(|(index, name)| (name, decoded(&found[index + 1]))).collect())
}

/// What is beyond ASCII as `%XX`.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| {
        if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(byte).collect()
}

fn query_values(query: &str) -> BTreeMap<String, Vec<String>> {
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        values.entry(decoded(name)).or_default().push(decoded(value));
    }
    values
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex: String =
                [rest.next().unwrap(), rest.next().unwrap()].map(char::from).iter().collect();
            bytes.push(u8::from_str_radix(&hex, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}
