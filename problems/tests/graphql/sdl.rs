//! The schema model, read from schema definition language.

use std::sync::Arc;

use wallace_problems::graphql::{OperationKind, Schema, SchemaError, Templates, TypeKind};

use crate::support::{dumps, introspect, print_sdl, sdl_file, summary};

/// Everything that both sources can say, and what is hard to read.
const WHOLE: &str = r##"
    # A comment, "not a text
    schema @link { query: QueryRoot, mutation: Changes subscription: typeFeed }
    directive @tag(name: String! = "x") repeatable on | OBJECT | FIELD_DEFINITION | SCALAR
    directive @link on SCHEMA
    "Reads, with \"quotes\" and \u00e9."
    type QueryRoot {
        """
        Finds a user.
          Indented, \""" quoted.
        """
        user(
            "Which one." id: ID!
            deep: [ [ [ Int ! ] ! ] ] ! = [[[1], [-2 3]]]
            with: Filter = { text: "a, b" not: { role: nullable } }
            ratio: Float = 1.50e3
            role: Role = trueish
        ): User
        old: Int @deprecated(reason: "use new")
        older: [User!]! @tag(name: "a") @tag(name: "b") @deprecated
        on: input
    }
    type Changes { add(user: NewUser!, type: String = """block "text" """): User! }
    type typeFeed { users: User }
    interface Thing { id: ID! }
    interface Named implements Thing { id: ID! name(first: Int = 10): String! }
    type User implements Named & Thing @tag(name: "u") {
        id: ID!  name(first: Int = 10): String!  role: Role  found: Found type: type enum: Int
    }
    type Bot implements & Thing { id: ID! }
    union Found = | User | Bot
    type type { input: Int }
    type input { type: Date }
    enum Role { ADMIN  GUEST @deprecated  "May be null." nullable trueish falseswipe type _name_x }
    input Filter { text: String!  not: Filter  role: Role! = GUEST }
    input NewUser { name: String! }
    "Days." scalar Date @specifiedBy(url: "https://date.example")
    extend type QueryRoot @tag(name: "more") { more(all: Boolean = false): [Found] }
    extend interface Thing { extra: String }
    extend type User { extra: String }
    extend type Bot { extra: String }
    extend interface Named { extra: String }
    extend union Found = input
    extend enum Role { MORE }
    extend input NewUser { role: Role = MORE }
    extend scalar Date @tag(name: "d")
"##;

fn read(text: &str) -> Schema {
    Schema::from_sdl(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn assert_same(one: &Schema, other: &Schema) {
    let (one, other) = (summary(one), summary(other));
    let only_one: Vec<_> = one.difference(&other).collect();
    let only_other: Vec<_> = other.difference(&one).collect();
    assert!(one == other, "{only_one:#?}\n{only_other:#?}");
    assert!(one.len() > 5);
}

#[test]
fn the_model_is_that_of_an_independent_reader() {
    let schema = read(WHOLE);
    assert_eq!(schema.warnings(), []);
    // What the validator does not allow or drops from introspection is tested below.
    let validated = WHOLE.replace("@link", "").replace("directive  on SCHEMA", "");
    let answer = introspect(&validated).to_string();
    let other = Schema::from_introspection(answer.as_bytes()).unwrap();
    let blank = |mut lines: std::collections::BTreeSet<String>| {
        // The introspection query does not ask where scalars are specified.
        lines.retain(|line| !line.starts_with("Date: "));
        lines
    };
    let (one, other) = (blank(summary(&schema)), blank(summary(&other)));
    let differing: Vec<_> = one.symmetric_difference(&other).collect();
    assert!(differing.is_empty(), "{differing:#?}");
    assert!(one.len() > 30);
}

#[test]
fn what_introspection_seldom_tells_is_in_the_model() {
    let schema = read(
        r#"type Query {
            a(old: Int = 1 @deprecated(reason: "not used") new: Int @deprecated): Date @auth @cost(n: 2)
        }
        scalar Date @specifiedBy(url: "https://date.example")
        input One @oneOf { a: Int @deprecated(reason: null) @hidden  b: String }
        enum Role { A @beta }
        input Two { a: Int } extend input Two @oneOf"#,
    );
    let kind = |name: &str| &schema.definition(schema.type_named(name).unwrap()).kind;
    let arguments = &schema.field(schema.field_at("Query.a").unwrap()).arguments;
    assert_eq!(arguments[0].deprecation.as_deref(), Some("not used"));
    assert_eq!(arguments[1].deprecation.as_deref(), Some("No longer supported"));
    let TypeKind::InputObject { fields, is_one_of: true } = kind("One") else { panic!("one of") };
    assert_eq!(fields[0].deprecation.as_deref(), Some("No longer supported"));
    assert!(matches!(kind("Two"), TypeKind::InputObject { is_one_of: true, .. }));
    let expected = TypeKind::Scalar { specified_by: Some("https://date.example".into()) };
    assert_eq!(*kind("Date"), expected);

    let directives = |coordinate: &str| schema.directives_at(coordinate).join(" ");
    assert_eq!(directives("Query.a"), "auth cost");
    assert_eq!(directives("One.a"), "hidden");
    assert_eq!(directives("Role.A"), "beta");
    assert_eq!((directives("One"), directives("Date")), (String::new(), String::new()));
}

#[test]
fn a_described_schema_and_the_usual_roots_are_understood() {
    let roots = |text: &str| {
        let schema = read(text);
        OperationKind::ALL.map(|kind| {
            schema.root(kind).map(|id| schema.definition(id).name.to_string()).unwrap_or_default()
        })
    };
    let types = "type Query { a: Int } type Mutation { b: Int } type Sub { c: Int }";
    assert_eq!(roots(types), ["Query", "Mutation", ""]);
    assert_eq!(
        roots(&format!("\"\"\"A\nservice.\"\"\" schema {{ query: Query }} {types}")),
        ["Query", "", ""]
    );
    let extended = format!("{types} extend schema @link(url: \"u\") {{ subscription: Sub }}");
    assert_eq!(roots(&extended), ["Query", "Mutation", "Sub"]);
    let extended = format!("schema {{ query: Sub }} {types} extend schema {{ mutation: Query }}");
    assert_eq!(roots(&extended), ["Sub", "Query", ""]);
}

#[test]
fn a_subgraph_that_only_extends_is_usable() {
    let schema = read("extend type Query { me: User } type User @key(fields: \"id\") { id: ID! }");
    assert!(Templates::new(Arc::new(schema)).is_ok());
}

#[test]
fn what_is_broken_in_types_is_a_warning_with_its_place() {
    let schema = read(
        "type Query {\n  a: Nix\n  b(c: [Nope!]): Int\n  a: Int\n}\n\
         type Query { c: Int }\n\
         extend enum Query { X }\n\
         extend type More { d: Int }\n\
         union Found = Query | Other\n\
         type Empty {}\n  input I { e: Query }",
    );
    let warnings: Vec<String> = schema.warnings().iter().map(ToString::to_string).collect();
    for expected in [
        "Query (line 1, column 6): defined twice; the first definition counts",
        "Query (line 1, column 6): an extension of another kind of type is ignored",
        "More (line 8, column 13): only extensions of it are there; they count as its definition",
        "Query.a (line 2, column 3): the type `Nix` cannot be used: it is not defined",
        "Query.b(c:) (line 3, column 5): the type `Nope` cannot be used: it is not defined",
        "Query (line 1, column 6): `a` is there twice; the first counts",
        "Found (line 9, column 7): the type `Other` cannot be used: it is not defined",
        "I.e (line 11, column 13): the type `Query` cannot be given as a value",
        "Empty (line 10, column 6): it has no fields",
    ] {
        assert!(warnings.iter().any(|it| it == expected), "{expected}\n{warnings:#?}");
    }
    let templates = Templates::new(Arc::new(schema)).unwrap();
    let names: Vec<_> = templates.operations().iter().map(|it| &*it.coordinate).collect();
    assert_eq!(names, ["Query.b"]);
}

#[track_caller]
fn problems(text: &str) -> Vec<String> {
    match Schema::from_sdl(text) {
        Err(SchemaError::Syntax { problems }) => problems.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn every_definition_that_cannot_be_read_is_told() {
    let found = problems(
        "type Query { a: Int! }\n\
         type A { a Int }\n\
         enum E { true }\n\
         type B { b: [Int }\n\
         type C { c: Int\n\
         type D {\n  \"no end\n  d: Int; }\n\
         interface { e: Int }\n\
         \"\\x\" scalar S",
    );
    let starts = [
        "line 2, column 12:",
        "line 3, column 10:",
        "line 4, column 13:",
        "line 5, column 13:",
        "line 7, column 3: a text without",
        "line 8, column 9: unexpected character ';'",
        "line 9, column 11:",
        "line 10, column 1: the escape `\\x` has no meaning",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (problem, start) in found.iter().zip(starts) {
        assert!(problem.starts_with(start), "{start}\n{found:#?}");
    }
    let expected = "line 3, column 10: unexpected `true`: expected enum value definition";
    assert_eq!(found[1], expected);
    assert!(found[3].contains("the definition ends after `Int`"), "{found:#?}");
}

#[test]
fn long_lists_of_problems_are_cut() {
    let found = problems(&"type A { a }\n".repeat(1_000));
    assert_eq!(found.len(), 100);
    assert!(problems(&"a".repeat(100_000))[0].len() < 200);
    let error = Schema::from_sdl(&"type A { a }\n".repeat(7)).unwrap_err().to_string();
    assert!(error.ends_with("; and 2 more problems"), "{error}");
}

#[test]
fn text_of_another_kind_says_where_it_begins_to_be_wrong() {
    for text in ["", " # only a comment\n"] {
        assert_eq!(problems(text), ["line 1, column 1: there is no definition"]);
    }
    for text in
        ["query { a }", "<!doctype html>", "type", "extend", "\"text\"", "}", "schema", "\u{0}"]
    {
        assert!(problems(text)[0].starts_with("line 1, column "), "{text}");
    }
    assert!(problems("schema { mutation: M } type M { a: Int }")[0].contains("query"));
    assert!(problems("schema { query: A query: A } type A { a: Int }")[0].contains("multiple"));
    assert_eq!(Schema::from_sdl("scalar A").unwrap_err(), SchemaError::NoQueryType);
    let broken = Schema::from_sdl("schema { query: A } scalar A").unwrap_err();
    assert!(matches!(broken, SchemaError::BrokenRoot { .. }), "{broken}");
}

#[test]
fn nesting_of_any_depth_is_an_error_at_most() {
    for depth in [10, 60, 70, 1_000, 300_000] {
        let lists = |open: &str, close: &str| (open.repeat(depth), close.repeat(depth));
        let (open, close) = lists("[", "]");
        let (brace, end) = lists("{a: ", "}");
        let texts = [
            format!("type Query {{ a: {open}Int{close} }}"),
            format!("type Query {{ a(b: I = {open}1{close}): Int }} scalar I"),
            format!("type Query {{ a(b: I = {brace}1{end}): Int }} scalar I"),
            format!("type Query @a(b: {open}1{close}) {{ a: Int }}"),
        ];
        for text in texts {
            match Schema::from_sdl(&text) {
                Ok(schema) => assert!(depth < 64 && Templates::new(Arc::new(schema)).is_ok()),
                Err(error) => {
                    assert!(depth > 60, "{error}");
                    assert!(error.to_string().contains("more than 64 brackets"), "{error}");
                }
            }
        }
        for part in ["(", "{", "type A {", "a!", "\"\"", "\"\"\"", "@", "!", "]", "type A a(", "= "]
        {
            assert!(Schema::from_sdl(&part.repeat(depth)).is_err(), "{part}");
        }
    }
}

#[test]
fn the_kind_of_a_schema_file_is_seen_from_its_text() {
    let sdl = "type Query { a: Int b: String c: Float d: Boolean e: ID f: [Int] }";
    let answer = introspect(sdl);
    let texts = [
        sdl.to_owned(),
        format!("\u{feff}# comment\n{sdl}"),
        answer.to_string(),
        answer["data"].to_string(),
        format!("\u{feff}\n {answer}"),
    ];
    for text in texts {
        assert_same(&Schema::from_text(&text).unwrap(), &read(sdl));
    }
    let wrong = |text: &str| Schema::from_text(text).unwrap_err();
    assert!(matches!(wrong("[1]"), SchemaError::NotIntrospection { .. }));
    assert!(matches!(wrong("{ a }"), SchemaError::NotJson { .. }));
    assert!(matches!(wrong("<html>"), SchemaError::Syntax { .. }));
}

#[test]
fn files_of_real_services_give_the_model_of_their_introspection() {
    let dumps = dumps();
    for name in ["saleor-2.11", "gitlab-12.6.3-karlsson"] {
        let Some(text) = sdl_file(name) else { return };
        let dump = dumps.iter().find(|dump| dump.name == name).unwrap();
        let other = Schema::from_introspection(&dump.text).unwrap();
        let schema = Schema::from_text(&text).unwrap();
        assert_eq!(schema.warnings(), []);
        assert_same(&schema, &other);
        let deprecated = summary(&schema).iter().filter(|line| line.ends_with("\")")).count();
        assert!(deprecated >= 2, "{name}: {deprecated}");
        let operations = |schema| Templates::new(Arc::new(schema)).unwrap().operations().len();
        assert_eq!(operations(schema), operations(other));
    }
}

#[test]
fn the_toy_service_is_read() {
    let Some(text) = sdl_file("karlsson-toy") else { return };
    let schema = read(&text);
    assert_eq!(schema.warnings(), []);
    assert!(schema.field_at("QueryRoot.projects").is_some());
    assert_eq!(summary(&schema).len(), 3 + 4 + 5 + 4 + 1);
    assert_eq!(Templates::new(Arc::new(schema)).unwrap().operations().len(), 1);
}

#[test]
fn every_printed_schema_of_a_real_service_reads_back() {
    for dump in dumps() {
        let schema = Schema::from_introspection(&dump.text).unwrap();
        let printed = print_sdl(&schema);
        let again = read(&printed);
        assert_eq!(print_sdl(&again), printed, "{}", dump.name);
    }
}

/// Whoever says so gets what can be read, and is told of the rest.
#[test]
fn what_cannot_be_read_is_left_out_on_request() {
    let text =
        "type Query { a: Int b: User }\ntype User { id ID! }\n\ninput = 7\nenum Role { A B }";
    let Err(SchemaError::Syntax { problems }) = Schema::from_sdl(text) else { panic!("an error") };
    let lines: Vec<u32> = problems.iter().map(|problem| problem.position.line).collect();
    assert_eq!(lines, [2, 4], "{problems:?}");
    let schema = Schema::from_broken_text(text).unwrap();
    let warnings: Vec<String> = schema.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].contains("(line 2, column"), "{warnings:?}");
    assert!(warnings[1].contains("(line 4, column"), "{warnings:?}");
    assert!(warnings[2].starts_with("Query.b (line 1,"), "{warnings:?}");
    assert!(schema.type_named("Role").is_some());
    let templates = Templates::new(std::sync::Arc::new(schema)).unwrap();
    assert_eq!(templates.operations().len(), 1);
    assert!(Schema::from_broken_text("?! ?!").is_err());
    assert!(Schema::from_broken_text("type User { id: ID }").is_err());
}

#[test]
fn declared_directives_are_in_the_model() {
    let text = "directive @tag(name: String) repeatable on FIELD | FIELD_DEFINITION\n\
                directive @once on QUERY\ntype Query { a: Int }";
    let schema = Schema::from_sdl(text).unwrap();
    let shown = |schema: &Schema| -> Vec<(String, bool, String)> {
        let directives = schema.directives().iter();
        directives
            .map(|it| (it.name.to_string(), it.is_repeatable, it.locations.join(" ")))
            .collect()
    };
    let expected = [
        ("tag".to_owned(), true, "FIELD FIELD_DEFINITION".to_owned()),
        ("once".to_owned(), false, "QUERY".to_owned()),
    ];
    assert_eq!(shown(&schema), expected);
    let answer = r#"{"__schema":{"queryType":{"name":"Query"},"directives":[
        {"name":"tag","isRepeatable":true,"locations":["FIELD","FIELD_DEFINITION"]},
        {"name":"once","locations":["QUERY"]},7,{"name":"not a name"}],
        "types":[{"kind":"OBJECT","name":"Query","fields":[
            {"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}"#;
    assert_eq!(shown(&Schema::from_introspection(answer.as_bytes()).unwrap()), expected);
}
