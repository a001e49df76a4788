//! Forms: one call, written and sent in different ways.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Map, Value};
use sha2::Digest;
use wallace_genes::{Gene, GenePath, GeneSettings, GeneSpec, TemplateId, simplest};

use super::action::{Form, GraphqlAction, Overload, Rule, Violation};
use super::render::{Layout, Style, UNKNOWN_ENUM, request_body};
use super::schema::{OperationKind, TypeKind};
use super::site::visit_sites;
use super::template::{OperationTemplate, Templates};
use crate::http::HttpRequest;

/// Prefix of every response name in [`Form::Aliases`].
pub(crate) const ALIAS: &str = "wa_";

/// Second name of the root field in [`Form::Twice`].
const AGAIN: &str = "wallaceAgain";

/// Name of the other root field in [`Form::Beside`].
const BESIDE: &str = "wallaceBeside";

/// What a document names that nothing declares.
const UNKNOWN: &str = "wallaceUnknown";

/// The document of an action, and its variables.
pub(crate) fn document(
    templates: &Templates,
    operation: &OperationTemplate,
    action: &GraphqlAction,
    style: Style,
) -> (String, Map<String, Value>) {
    let layout = Layout::of(action.form);
    match action.form {
        Form::Violation(violation) => {
            let gene = violated(templates, operation, &action.gene, violation);
            let (text, variables) = templates.render_as(operation, &gene, style, layout);
            (disturbed(text, operation, violation.rule), variables)
        }
        Form::Overload(Overload::Aliases(count)) => {
            let (text, _) = templates.render_as(operation, &action.gene, Style::Compact, layout);
            (repeated(&text, count), Map::new())
        }
        Form::Overload(Overload::Directives(count)) => {
            let (mut text, _) = templates.render_as(operation, &action.gene, style, layout);
            text.pop();
            text.push_str(&" __typename@include(if:true)".repeat(usize::from(count)));
            text.push('}');
            (text, Map::new())
        }
        Form::Twice => {
            let (text, variables) = templates.render_as(operation, &action.gene, style, layout);
            (doubled(&text), variables)
        }
        Form::Beside(other) => {
            let (text, variables) = templates.render_as(operation, &action.gene, style, layout);
            (with_beside(templates, &text, other), variables)
        }
        Form::Introspection => ("{__schema{queryType{name}}}".to_owned(), Map::new()),
        _ => templates.render_as(operation, &action.gene, style, layout),
    }
}

/// The document of a query with the root field of another query, selecting as little as possible.
/// What is no query has no place there and is left out.
fn with_beside(templates: &Templates, document: &str, other: TemplateId) -> String {
    let other = templates.operation(other).filter(|other| other.kind == OperationKind::Query);
    let (Some(other), Some(end)) = (other, document.rfind('}')) else {
        return document.to_owned();
    };
    let gene = simplest(&other.spec, &GeneSettings::default());
    let field = templates.render(other, &gene, Style::Compact);
    let field = field.split_once('{').map_or("", |(_, field)| field).trim_end_matches(' ');
    let field = field.strip_suffix('}').unwrap_or(field);
    format!("{} {BESIDE}:{field}}}", &document[..end])
}

/// The root field of `kind{field...}` so many times, each under a name of its own.
fn repeated(document: &str, count: u16) -> String {
    let (Some(start), Some(end)) = (document.find('{'), document.rfind('}')) else {
        return document.to_owned();
    };
    let field = &document[start + 1..end];
    let mut text = document[..=start].to_owned();
    for number in 1..=count {
        text.push_str(&format!("r{number}:{field} "));
    }
    text.push('}');
    text
}

/// The root field of `kind{field...}` a second time, under another name.
fn doubled(document: &str) -> String {
    let (Some(start), Some(end)) = (document.find('{'), document.rfind('}')) else {
        return document.to_owned();
    };
    let field = &document[start + 1..end];
    format!("{}{field} {AGAIN}:{}}}", &document[..=start], field.trim())
}

/// The document with something that nothing declares.
fn disturbed(text: String, operation: &OperationTemplate, rule: Rule) -> String {
    let name = &*operation.name;
    // The root field stands first in the document, after the brace.
    let Some(after) = text.find('{').map(|brace| brace + 1 + name.len()) else { return text };
    let (head, tail) = text.split_at(after);
    let (arguments, rest) = split_arguments(tail);
    match rule {
        Rule::UnknownArgument if arguments.is_empty() => format!("{head}({UNKNOWN}:1){rest}"),
        Rule::UnknownArgument => format!("{head}({UNKNOWN}:1,{}{rest}", &arguments[1..]),
        Rule::UnknownDirective => format!("{head}{arguments}@{UNKNOWN}{rest}"),
        Rule::UndefinedVariable => format!("{head}{arguments}@include(if:${UNKNOWN}){rest}"),
        Rule::UnknownField => format!("{} {UNKNOWN}}}", &text[..text.len() - 1]),
        Rule::UnknownFragment => format!("{} ...{UNKNOWN}}}", &text[..text.len() - 1]),
        Rule::MissingSelection => format!("{head}{arguments}}}"),
        Rule::UnknownEnum | Rule::WrongKind | Rule::MissingArgument | Rule::NullArgument => text,
    }
}

/// The arguments that a text begins with, parentheses included, and what follows them.
fn split_arguments(text: &str) -> (&str, &str) {
    if !text.starts_with('(') {
        return ("", text);
    }
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b'(' if !is_string => depth += 1,
            b')' if !is_string => {
                depth -= 1;
                if depth == 0 {
                    return text.split_at(index + 1);
                }
            }
            _ => {}
        }
    }
    ("", text)
}

/// The places where a rule can be violated by another value, as addresses of genes.
pub(crate) fn violable(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    rule: Rule,
) -> Vec<GenePath> {
    let schema = templates.schema();
    let graph = operation.spec.graph();
    let arguments = &schema.field(operation.field).arguments;
    let mut found = Vec::new();
    visit_sites(templates, operation, gene, &mut |site| {
        let is_present = !matches!(site.gene, Gene::Absent | Gene::Null);
        let own = || {
            arguments.get(site.path.0.first().and_then(|step| match step {
                wallace_genes::PathStep::Field(index) => Some(*index as usize),
                _ => None,
            })?)
        };
        let is_own = site.path.0.len() == 1;
        let fits = match rule {
            // An argument that is left out may get a value too.
            Rule::UnknownEnum => {
                matches!(graph.spec(site.spec), GeneSpec::Enum(_)) && (is_present || is_own)
            }
            Rule::WrongKind => {
                let scalar = own().map(|input| schema.definition(input.type_ref.named()));
                let is_built_in = scalar.is_some_and(|scalar| {
                    matches!(&*scalar.name, "Int" | "Float" | "Boolean" | "String")
                        || matches!(scalar.kind, TypeKind::Enum { .. })
                });
                is_own && is_built_in && is_present && !matches!(site.gene, Gene::Array(_))
            }
            Rule::MissingArgument => is_own && own().is_some_and(|input| input.is_required()),
            Rule::NullArgument => is_own && own().is_some_and(|input| input.type_ref.is_non_null()),
            _ => false,
        };
        if fits {
            found.push(site.path.clone());
        }
    });
    found
}

fn violated(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    violation: Violation,
) -> Gene {
    let mut gene = gene.clone();
    let places = violable(templates, operation, &gene, violation.rule);
    let Some(path) = places.get(usize::from(violation.site) % places.len().max(1)) else {
        return gene;
    };
    if let Some(place) = path.find_mut(&mut gene) {
        *place = match violation.rule {
            Rule::UnknownEnum => Gene::Enum(UNKNOWN_ENUM),
            Rule::MissingArgument => Gene::Absent,
            Rule::NullArgument => Gene::Null,
            _ => match place {
                Gene::String(_) => Gene::Integer(7),
                _ => Gene::text("wallace"),
            },
        };
    }
    gene
}

/// The request of an action.
pub(crate) fn request(
    (document, variables): (String, Map<String, Value>),
    form: Form,
    path: &PathAndQuery,
    mut headers: HeaderMap,
) -> HttpRequest {
    let post = |headers: HeaderMap, body: String| HttpRequest {
        method: Method::POST,
        path: path.clone(),
        headers,
        body: Bytes::from(body),
    };
    let body = |document: &str| {
        if variables.is_empty() {
            return request_body(document);
        }
        let mut body = request_body(document);
        body.pop();
        let variables = Value::Object(variables.clone());
        format!("{body},\"variables\":{variables}}}")
    };
    match form {
        Form::Get => {
            headers.remove(CONTENT_TYPE);
            let query = format!("query={}", percent_encoded(&document));
            let joint = if path.query().is_some() { '&' } else { '?' };
            let target = format!("{path}{joint}{query}");
            // Documents are encoded, so every target is one; long ones are refused by the client.
            let path = PathAndQuery::try_from(target).unwrap_or_else(|_| path.clone());
            HttpRequest { method: Method::GET, path, headers, body: Bytes::new() }
        }
        Form::Legacy => {
            headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
            post(headers, body(&document))
        }
        Form::FormEncoded => {
            let media = "application/x-www-form-urlencoded";
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
            post(headers, format!("query={}", percent_encoded(&document)))
        }
        Form::PlainText => {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
            post(headers, body(&document))
        }
        Form::Overload(Overload::Batch(count)) => {
            let one = body(&document);
            post(headers, format!("[{}]", vec![one; usize::from(count)].join(",")))
        }
        Form::Batched => {
            let one = body(&document);
            post(headers, format!("[{one},{one}]"))
        }
        Form::Persisted => {
            let mut text = body(&document);
            text.pop();
            post(headers, format!("{text},{}}}", kept_under(&document)))
        }
        Form::PersistedHash => post(headers, format!("{{{}}}", kept_under(&document))),
        _ => post(headers, body(&document)),
    }
}

/// The text as a value of a query string.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

/// The member by which services are asked for documents that they keep (the protocol of automatic
/// persisted queries, version 1).
fn kept_under(document: &str) -> String {
    let hash = sha2::Sha256::digest(document.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(r#""extensions":{{"persistedQuery":{{"version":1,"sha256Hash":"{hash}"}}}}"#)
}

/// The answer as the plain form would have given it, and what it holds a second time: a value of
/// the root field, or a whole answer.
pub(crate) fn plain(mut body: Value, form: Form) -> (Value, Option<Value>) {
    match (form, &mut body) {
        (Form::Aliases, _) => (without_aliases(body), None),
        (Form::Twice, Value::Object(top)) => {
            let data = top.get_mut("data").and_then(Value::as_object_mut);
            let again = data.and_then(|data| data.remove(AGAIN));
            (body, again)
        }
        (Form::Beside(_), Value::Object(top)) => {
            if let Some(data) = top.get_mut("data").and_then(Value::as_object_mut) {
                data.remove(BESIDE);
            }
            (body, None)
        }
        (Form::Batched, Value::Array(answers)) if answers.len() == 2 => {
            let again = answers.pop();
            (answers.pop().unwrap_or_default(), again)
        }
        _ => (body, None),
    }
}

fn without_aliases(value: Value) -> Value {
    match value {
        Value::Array(elements) => elements.into_iter().map(without_aliases).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| {
                let key = key.strip_prefix(ALIAS).map_or_else(|| key.clone(), str::to_owned);
                (key, without_aliases(value))
            });
            Value::Object(fields.collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_end_at_their_own_parenthesis() {
        assert_eq!(
            split_arguments(r#"(a:")\"(",b:{c:[1]}){d(e:1)}"#),
            (r#"(a:")\"(",b:{c:[1]})"#, "{d(e:1)}")
        );
        assert_eq!(split_arguments("{d(e:1)}"), ("", "{d(e:1)}"));
    }

    #[test]
    fn aliases_are_taken_off_again() {
        let body = json!({"data": {"wa_user": [{"wa_id": 1, "__typename": "User"}]}});
        let plain_body = json!({"data": {"user": [{"id": 1, "__typename": "User"}]}});
        assert_eq!(plain(body, Form::Aliases), (plain_body, None));
    }

    #[test]
    fn what_is_asked_twice_is_answered_twice() {
        assert_eq!(
            doubled("query{user(id:1){id}}"),
            "query{user(id:1){id} wallaceAgain:user(id:1){id}}"
        );
        let body = json!({"data": {"user": 1, "wallaceAgain": 2}});
        assert_eq!(plain(body, Form::Twice), (json!({"data": {"user": 1}}), Some(json!(2))));
        let batch = json!([{"data": {"user": 1}}, {"data": {"user": 2}}]);
        let (one, other) = (json!({"data": {"user": 1}}), json!({"data": {"user": 2}}));
        assert_eq!(plain(batch, Form::Batched), (one.clone(), Some(other)));
        assert_eq!(plain(one.clone(), Form::Batched), (one, None));
        let beside = json!({"data": {"user": 1, "wallaceBeside": 2}});
        let form = Form::Beside(TemplateId(0));
        assert_eq!(plain(beside, form), (json!({"data": {"user": 1}}), None));
    }

    #[test]
    fn documents_are_kept_under_the_hash_of_their_text() {
        // The example of the protocol's description.
        let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";
        assert!(kept_under("{__typename}").contains(hash), "{}", kept_under("{__typename}"));
    }
}
