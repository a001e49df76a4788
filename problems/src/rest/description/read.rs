//! From documents to a description.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use http::Method;

use super::keep::note_parts;
use super::library::{Library, Spot};
use super::operation::{Operation, ParameterPlace, SecurityScheme};
use super::{Description, DescriptionError, Diagnostic, ReadSettings};
use crate::document::NodeRef;
use crate::rest::schema::{SchemaId, Schemas};

/// The formats as far as they differ for reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Format {
    Swagger2,
    OpenApi30,
    /// 3.1 and later: schemas are JSON Schema.
    OpenApi31,
}

/// What is known while a description is read.
pub(super) struct Reader<'l> {
    pub(super) library: &'l Library,
    pub(super) format: Format,
    pub(super) schemas: Schemas,
    pub(super) known: HashMap<Spot, SchemaId>,
    /// Names of schemas that references lead to.
    pub(super) components: HashMap<Spot, Arc<str>>,
    pub(super) pending: Vec<(Spot, SchemaId)>,
    pub(super) diagnostics: Vec<Diagnostic>,
    most_diagnostics: usize,
}

const METHODS: [(&str, Method); 8] = [
    ("get", Method::GET),
    ("post", Method::POST),
    ("put", Method::PUT),
    ("patch", Method::PATCH),
    ("delete", Method::DELETE),
    ("options", Method::OPTIONS),
    ("head", Method::HEAD),
    ("trace", Method::TRACE),
];

/// Where OpenAPI 3.2 has other methods, which are not sent: few clients and servers know them.
const OTHER_METHODS: [&str; 2] = ["query", "additionalOperations"];

pub(super) fn read(
    library: &Library,
    settings: &ReadSettings,
) -> Result<Description, DescriptionError> {
    let root = library.root();
    let location = library.location(root).to_string();
    let node = library.node(root);
    let version = |name: &str| {
        let version = node.get(name)?;
        Some(version.text().map_or_else(
            || version.number().map(ToString::to_string).unwrap_or_default(),
            |text| text.to_string(),
        ))
    };
    let (version, format) = match (version("openapi"), version("swagger")) {
        (Some(version), _) if version.starts_with("3.0") => (version, Format::OpenApi30),
        (Some(version), _) if version.starts_with('3') => (version, Format::OpenApi31),
        (_, Some(version)) => (version, Format::Swagger2),
        // What calls itself by another number is read as the nearest one that is known.
        (Some(version), None) => (version, Format::OpenApi31),
        (None, None) => return Err(DescriptionError::NotADescription { location }),
    };
    let mut reader = Reader {
        library,
        format,
        schemas: Schemas::default(),
        known: HashMap::new(),
        components: HashMap::new(),
        pending: Vec::new(),
        diagnostics: Vec::new(),
        most_diagnostics: settings.diagnostics,
    };
    let mut operations = reader.operations(root, settings.operations);
    reader.read_pending();
    note_parts(&reader.schemas, &mut operations);
    if operations.is_empty() {
        let diagnostics = reader.diagnostics;
        return Err(DescriptionError::NoOperation { location, diagnostics });
    }
    Ok(Description {
        title: text_at(node, &["info", "title"]).unwrap_or_default(),
        format: version,
        is_guessed: is_guessed(node),
        base_path: base_path(node, format),
        operations,
        security_schemes: security_schemes(node, format),
        schemas: reader.schemas,
        diagnostics: reader.diagnostics,
        other_paths: Vec::new(),
    })
}

impl<'l> Reader<'l> {
    pub(super) fn node(&self, spot: Spot) -> NodeRef<'l> {
        self.library.node(spot)
    }

    pub(super) fn member(&self, spot: Spot, name: &str) -> Option<Spot> {
        let node = self.node(spot).get(name)?;
        Some(Spot { file: spot.file, node: node.id() })
    }

    pub(super) fn elements(&self, spot: Spot) -> impl Iterator<Item = Spot> + use<'l> {
        self.node(spot).elements().map(move |node| Spot { file: spot.file, node: node.id() })
    }

    pub(super) fn members(
        &self,
        spot: Spot,
    ) -> impl Iterator<Item = (&'l Arc<str>, Spot)> + use<'l> {
        let members = self.node(spot).members();
        members.map(move |(name, node)| (name, Spot { file: spot.file, node: node.id() }))
    }

    pub(super) fn tell(&mut self, spot: Spot, problem: impl Into<String>) {
        if self.diagnostics.len() < self.most_diagnostics {
            let file = self.library.location(spot).to_string();
            let (line, problem) = (self.node(spot).line(), problem.into());
            self.diagnostics.push(Diagnostic { file, line, problem });
        }
    }

    /// The value that a reference leads to; told and `None` when it leads nowhere.
    pub(super) fn resolve(&mut self, spot: Spot) -> Option<Spot> {
        match self.library.resolved(spot) {
            Ok(resolved) => Some(resolved),
            Err(problem) => {
                self.tell(spot, format!("{problem}; it is left out"));
                None
            }
        }
    }

    fn operations(&mut self, root: Spot, most: usize) -> Vec<Operation> {
        let mut operations: Vec<Operation> = Vec::new();
        let mut ids = HashSet::new();
        let Some(paths) = self.member(root, "paths") else {
            self.tell(root, "there are no paths");
            return operations;
        };
        let mut bare = Vec::new();
        for (path, item) in self.members(paths) {
            if path.starts_with("x-") {
                continue;
            }
            let Some(item) = self.resolve(item) else { continue };
            if !path.starts_with('/') {
                bare.push((item, path.clone()));
            }
            let path: Arc<str> = format!("/{}", path.trim_start_matches('/')).into();
            for name in OTHER_METHODS {
                if let Some(spot) = self.member(item, name) {
                    self.tell(spot, format!("what {name:?} describes is not called"));
                }
            }
            for (name, method) in METHODS {
                let Some(spot) = self.member(item, name) else { continue };
                if operations.len() == most {
                    self.tell(spot, format!("only the first {most} operations are used"));
                    return operations;
                }
                let operation = self.operation(root, item, spot, &path, method);
                operations
                    .extend(operation.filter(|operation| ids.insert(Arc::clone(&operation.id))));
            }
        }
        if let [(first, path), others @ ..] = &bare[..] {
            let more = if others.is_empty() {
                String::new()
            } else {
                format!(" and {} more", others.len())
            };
            let told = format!(
                "paths that do not begin with a slash, which is put before them: {path:?}{more}"
            );
            self.tell(*first, told);
        }
        operations
    }
}

fn text_at(node: NodeRef<'_>, path: &[&str]) -> Option<String> {
    let found = path.iter().try_fold(node, |node, name| node.get(name))?;
    found.text().map(|text| text.to_string())
}

fn is_guessed(root: NodeRef<'_>) -> bool {
    let mark = root.get("info").and_then(|info| info.get("x-wallace-guessed"));
    mark.and_then(NodeRef::boolean) == Some(true)
}

/// Path of the first server, its variables replaced by their defaults.
fn base_path(root: NodeRef<'_>, format: Format) -> String {
    if format == Format::Swagger2 {
        return trimmed(&text_at(root, &["basePath"]).unwrap_or_default());
    }
    let server = root.get("servers").and_then(|servers| servers.elements().next());
    let Some(server) = server else { return String::new() };
    let mut url = text_at(server, &["url"]).unwrap_or_default();
    let variables = server.get("variables").into_iter().flat_map(NodeRef::members);
    for (name, variable) in variables {
        let default = text_at(variable, &["default"]).unwrap_or_default();
        url = url.replace(&format!("{{{name}}}"), &default);
    }
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |start| &rest[start..]),
        None => &url,
    };
    trimmed(path)
}

fn trimmed(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    if path.is_empty() { String::new() } else { format!("/{path}") }
}

fn security_schemes(root: NodeRef<'_>, format: Format) -> BTreeMap<String, SecurityScheme> {
    let schemes = match format {
        Format::Swagger2 => root.get("securityDefinitions"),
        _ => root.get("components").and_then(|components| components.get("securitySchemes")),
    };
    let schemes = schemes.into_iter().flat_map(NodeRef::members);
    schemes.map(|(name, scheme)| (name.to_string(), security_scheme(scheme))).collect()
}

fn security_scheme(scheme: NodeRef<'_>) -> SecurityScheme {
    let text = |name: &str| text_at(scheme, &[name]).unwrap_or_default();
    match text("type").as_str() {
        "http" => SecurityScheme::Http(text("scheme").to_ascii_lowercase()),
        "basic" => SecurityScheme::Http("basic".to_owned()),
        "apiKey" => {
            let place = match text("in").as_str() {
                "query" => ParameterPlace::Query,
                "cookie" => ParameterPlace::Cookie,
                _ => ParameterPlace::Header,
            };
            SecurityScheme::ApiKey(place, text("name"))
        }
        other => SecurityScheme::Other(other.to_owned()),
    }
}
