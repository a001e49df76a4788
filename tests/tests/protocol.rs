//! docs/reference/driver-protocol.md is true: what it says is read is read, and nothing else.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};

use syn::{Fields, Item, ItemStruct};

/// The names of messages in the protocol, and of the types of the code that read or write them.
const TYPES: [(&str, &str); 41] = [
    ("ControllerInfoDto", "ControllerInfo"),
    ("SutInfoDto", "InfoSut"),
    ("RestProblemDto", "RestProblem"),
    ("GraphQLProblemDto", "GraphQlProblem"),
    ("UnitsInfoDto", "UnitsInfo"),
    ("BootTimeInfoDto", "BootTimeInfo"),
    ("SutRunDto", "RunSut"),
    ("ActionDto", "NewAction"),
    ("TestResultsDto", "TestResultsAnswer"),
    ("TargetInfoDto", "TargetInfo"),
    ("AdditionalInfoDto", "AdditionalInfo"),
    ("StringSpecializationInfoDto", "Specialisation"),
    ("ExtraHeuristicsDto", "ExtraHeuristics"),
    ("ExtraHeuristicEntryDto", "Heuristic"),
    ("SqlExecutionsDto", "SqlExecutions"),
    ("SqlExecutionLogDto", "SqlStatementDto"),
    ("MongoFailedQuery", "MongoQueryDto"),
    ("RedisFailedCommand", "RedisCommandDto"),
    ("DatabaseCommandDto", "DatabaseCommand"),
    ("InsertionDto", "InsertionDto"),
    ("InsertionEntryDto", "InsertionEntryDto"),
    ("InsertionResultsDto", "InsertionResultsDto"),
    ("QueryResultDto", "QueryResultDto"),
    ("DataRowDto", "QueryRowDto"),
    ("MongoDatabaseCommandDto", "MongoCommandDto"),
    ("MongoInsertionDto", "MongoInsertionDto"),
    ("MongoInsertionResultsDto", "MongoResultsDto"),
    ("RedisDatabaseCommandsDto", "RedisCommandsDto"),
    ("RedisInsertionDto", "RedisInsertionDto"),
    ("RedisInsertionResultsDto", "RedisResultsDto"),
    ("DbInfoDto", "SqlSchemaDto"),
    ("TableDto", "TableDto"),
    ("TableIdDto", "TableIdDto"),
    ("CheckDto", "CheckDto"),
    ("ForeignKeyDto", "ForeignKeyDto"),
    ("ColumnDto", "ColumnDto"),
    ("EnumeratedTypeDto", "EnumeratedTypeDto"),
    ("ExtraConstraintsDto", "ConstraintDto"),
    ("ElementConstraintsDto", "ElementConstraintsDto"),
    ("AuthenticationDto", "AuthenticationEntry"),
    ("CookieLoginDto", "CookieLoginDto"),
];

/// The same for those that say how a user logs in.
const LOGINS: [(&str, &str); 8] = [
    ("JsonTokenPostLoginDto", "JsonTokenPostLoginDto"),
    ("FixedHeader", "FixedHeader"),
    ("LoginEndpoint", "LoginDto"),
    ("HeaderDto", "HeaderDto"),
    ("PayloadUsernamePassword", "UserPasswordDto"),
    ("TokenHandling", "TokenDto"),
    ("CreateUsers", "CreateUsersDto"),
    ("Generator", "GeneratorDto"),
];

/// Parts of another message that the page tells as members of theirs: the envelope of two lists.
const ENVELOPES: [&str; 2] = ["MongoExecutions", "RedisExecutions"];

/// Types that are no message of their own: the wrapper of all answers, one target told at the start,
/// and an object without members.
const OTHERS: [&str; 3] = ["Wrapper", "BootTarget", "Empty"];

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Every type of the wire with the names of its fields, older ones included.
fn types() -> BTreeMap<String, BTreeSet<String>> {
    let folder = format!("{}/../sut-driver/src/wire", env!("CARGO_MANIFEST_DIR"));
    let mut types = BTreeMap::new();
    let mut flat = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("lenient.rs") {
            continue;
        }
        let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
        for item in file.items {
            if let Item::Struct(item) = item {
                let (names, inner) = fields(&item);
                flat.extend(inner.into_iter().map(|inner| (item.ident.to_string(), inner)));
                types.insert(item.ident.to_string(), names);
            }
        }
    }
    for (outer, inner) in flat {
        let inner = types.get(&inner).cloned().unwrap_or_default();
        types.get_mut(&outer).unwrap().extend(inner);
    }
    types
}

/// The names of the fields of a type, and the types that are part of it without a name.
fn fields(item: &ItemStruct) -> (BTreeSet<String>, Vec<String>) {
    let Fields::Named(fields) = &item.fields else { return Default::default() };
    let (mut names, mut flat) = (BTreeSet::new(), Vec::new());
    let is_camel = item.attrs.iter().any(|it| attribute(it, "rename_all").is_some());
    for field in &fields.named {
        let told = |key: &str| field.attrs.iter().find_map(|it| attribute(it, key));
        if told("flatten").is_some() {
            if let syn::Type::Path(path) = &field.ty {
                flat.push(path.path.segments.last().unwrap().ident.to_string());
            }
            continue;
        }
        let own = field.ident.as_ref().unwrap().to_string();
        let own = if is_camel { camel(&own) } else { own };
        names.insert(told("rename").unwrap_or(own));
        names.extend(told("alias"));
    }
    (names, flat)
}

/// The text of `key = "text"` in a `serde` attribute, or nothing where the key stands alone.
fn attribute(attribute: &syn::Attribute, key: &str) -> Option<String> {
    if !attribute.path().is_ident("serde") {
        return None;
    }
    let mut found = None;
    let _ = attribute.parse_nested_meta(|meta| {
        let text = match meta.value() {
            Ok(value) => value.parse::<syn::LitStr>()?.value(),
            Err(_) => String::new(),
        };
        if meta.path.is_ident(key) {
            found = Some(text);
        }
        Ok(())
    });
    found
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

/// The rows of each section of the page: names, and what is said of them.
fn page() -> BTreeMap<String, Vec<(BTreeSet<String>, String)>> {
    let mut page: BTreeMap<String, Vec<_>> = BTreeMap::new();
    let mut section = String::new();
    for line in read("docs/reference/driver-protocol.md").lines() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut section);
        }
        let Some(row) = line.strip_prefix("| `") else { continue };
        let (names, said) = row.split_once(" | ").unwrap();
        let names = names.split('`').filter(|it| it.contains(char::is_alphabetic));
        let names = names.map(str::to_owned).collect();
        page.entry(section.clone()).or_default().push((names, said.to_owned()));
    }
    page
}

#[test]
fn every_field_is_used_as_the_page_says() {
    let (types, page) = (types(), page());
    let messages: Vec<(&str, &str)> = TYPES.into_iter().chain(LOGINS).collect();
    for (section, name) in &messages {
        let rows = page.get(*section).unwrap_or_else(|| panic!("no section {section}"));
        let is_used = |said: &str| said.starts_with("read:") || said.starts_with("sent:");
        for (names, said) in rows {
            assert!(is_used(said) || said.starts_with("not read: "), "{section} {names:?}: {said}");
        }
        let used = rows.iter().filter(|(_, said)| is_used(said));
        let used: BTreeSet<String> = used.flat_map(|(names, _)| names.clone()).collect();
        let code = types.get(*name).unwrap_or_else(|| panic!("no type {name}"));
        assert_eq!(used, *code, "{section} of the page, {name} of the code");
    }
    let told: BTreeSet<&str> = messages.iter().map(|(_, name)| *name).collect();
    for name in types.keys() {
        let is_known = ENVELOPES.iter().chain(&OTHERS).any(|it| it == name);
        assert!(is_known || told.contains(&**name), "{name} is on no section of the page");
    }
}

#[test]
fn every_endpoint_and_parameter_is_used_as_the_page_says() {
    let (page, channel) = (page(), read("sut-driver/src/client/channel.rs"));
    let client = channel.clone() + &read("sut-driver/src/client/remote/listing.rs");
    for (names, said) in &page["Endpoints"] {
        let (_, path) = names.iter().next().unwrap().split_once(' ').unwrap();
        let is_called = channel.contains(&format!("=> \"{path}\","));
        assert_eq!(is_called, said.starts_with("called: "), "{path}: {said}");
        assert!(is_called || said.starts_with("not called: "), "{path}: {said}");
    }
    let calls = channel.lines().filter(|line| line.contains("Self::") && line.contains("=> \""));
    let calls = calls.count();
    let called = page["Endpoints"].iter().filter(|(_, said)| said.starts_with("called: ")).count();
    assert_eq!(calls, called, "every call is on the page");
    for (names, said) in &page["Query parameters"] {
        let name = names.iter().next().unwrap();
        assert_eq!(client.contains(&format!("{name}=")), said.starts_with("sent: "), "{name}");
    }
}
