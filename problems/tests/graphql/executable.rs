//! Documents of clients: what can be read, and what is valid, beside an independent implementation.

use std::collections::BTreeMap;
use std::path::Path;

use wallace_genes::Rng;
use wallace_problems::graphql::executable::ExecutableDocument;
use wallace_problems::graphql::{Schema, Style};

use super::support::Validator;

const SDL: &str = "
    type Query {
      pet(id: ID!, size: Float): Pet any: [Any!] find(by: By, all: [[Int!]]): [Pet!]! count(of: Kind = DOG): Int!
      need(n: Int!): Int later(n: Int! = 3): Int any_json(json: Json): Json node(id: ID): Node
      mark(on: Boolean!, text: String): Dog
    }
    type Mutation { name(id: ID!, to: String!): Dog }
    type Subscription { told: Dog also: Dog }
    interface Node { id: ID! }
    interface Pet implements Node { id: ID! name(upper: Boolean = false): String friend: Pet }
    type Dog implements Pet & Node { id: ID! name(upper: Boolean = false): String friend: Pet barks: Boolean! age: Int }
    type Cat implements Pet & Node { id: ID! name(upper: Boolean = false): String friend: Pet lives: Int! age: String }
    type Stone { id: ID! weight: Float! }
    union Any = Dog | Stone
    enum Kind { DOG CAT }
    input By { name: String! = \"x\" kind: Kind sizes: [Float!] not: By must: Int! }
    scalar Json";

/// What is valid, a rule a line.
const VALID: &[&str] = &[
    "{ pet(id: 1) { name } }",
    "query A { count } query B { count } mutation C { name(id: \"a\", to: \"b\") { id } }",
    "subscription { told { id } }",
    "{ pet(id: \"a\", size: 1) { __typename ... on Dog { barks } ...{ name } ... @include(if: true) { id } } }",
    "query ($id: ID!) { pet(id: $id) { ...F } } fragment F on Pet { id friend { ...G } } fragment G on Pet { name }",
    "{ any { ... on Dog { id } ... on Stone { id } ... on Pet { name } } }",
    "{ find(by: {must: 1, kind: CAT, sizes: [1, 2.5], not: {must: 2}}) { id } }",
    "{ find(by: {must: 1, sizes: 3}, all: 4) { id } }",
    "{ find(all: [[1], [2]]) { id } }",
    "query ($n: Int) { later(n: $n) }",
    "query ($n: Int = 4) { need(n: $n) }",
    "query ($n: Int!) { later(n: $n) find(by: {must: $n}) { id } }",
    "query ($x: Json, $i: Int) { any_json(json: {a: [1, $i, \"t\", X], b: $x}) other: any_json(json: $x) }",
    "{ __schema { types { name fields(includeDeprecated: true) { name type { ...T } } } } __type(name: \"Dog\") { kind } } \
     fragment T on __Type { ofType { name } }",
    "{ mark(on: true) { id @skip(if: false) @include(if: true) } }",
    "query Q($on: Boolean!, $t: String) { mark(on: $on, text: $t) { id @include(if: $on) } }",
    "{ pet(id: 1) { ... on Dog { age } ... on Cat { lives } name name n: name n: name } }",
    "{ pet(id: 1) { ... on Dog { name(upper: true) } ... on Cat { name(upper: false) } } }",
    "{ count(of: null) }",
    "query ($b: Float, $c: [ [ Int ! ] ] !) { x: find(by: {must: 1, sizes: $b}, all: $c) { id } }",
    "{a:count,b:count(of:DOG)#end\n}",
    "{ mark(on: true, text: \"\"\"block \\\"\"\" \"quoted\" \"\"\") { id } }",
    "query query { on: count } fragment fragment on Dog { id } query on { pet(id: 1) { ...fragment } }",
];

/// What is not, a rule a line.
const INVALID: &[&str] = &[
    "",
    "{",
    "{ }",
    "{ count } }",
    "query () { count }",
    "query ($a Int) { count }",
    "{ pet(id: 01) { id } }",
    "{ pet(id: 1.) { id } }",
    "{ pet(id: \"a) { id } }",
    "{ pet(id: \"\\x\") { id } }",
    "{ pet() { id } }",
    "{ ... on { id } }",
    "fragment on on Dog { id } { count }",
    "query ($a: Int = $b, $b: Int) { need(n: $a) x: need(n: $b) }",
    "type A { b: Int }",
    "{ count } { count }",
    "{ count } query A { count }",
    "query A { count } query A { count }",
    "fragment F on Dog { id }",
    "{ none }",
    "{ pet(id: 1) { barks } }",
    "{ any { id } }",
    "{ count { id } }",
    "{ pet(id: 1) }",
    "{ any_json { id } }",
    "{ pet(id: 1, none: 2) { id } }",
    "{ pet(id: 1, id: 2) { id } }",
    "{ pet { id } }",
    "{ pet(id: null) { id } }",
    "{ pet(id: 1.5) { id } }",
    "{ pet(id: true) { id } }",
    "{ pet(id: X) { id } }",
    "{ pet(id: [1]) { id } }",
    "{ pet(id: {a: 1}) { id } }",
    "{ need(n: 2147483648) }",
    "{ need(n: 1.0) }",
    "{ need(n: \"1\") }",
    "{ count(of: BIRD) }",
    "{ count(of: \"DOG\") }",
    "{ mark(on: 1) { id } }",
    "{ mark(on: true, text: 1) { id } }",
    "{ pet(id: 1, size: 1e999) { id } }",
    "{ find(by: {}) { id } }",
    "{ find(by: {must: null}) { id } }",
    "{ find(by: {must: 1, name: null}) { id } }",
    "{ find(by: {must: 1, none: 1}) { id } }",
    "{ find(by: {must: 1, not: {kind: 1}}) { id } }",
    "{ find(by: 1) { id } }",
    "{ find(all: [[1], [null]]) { id } }",
    "{ find(all: [[\"1\"]]) { id } }",
    "{ pet(id: $id) { id } }",
    "query ($id: ID!) { count }",
    "query ($id: ID!, $id: ID!) { pet(id: $id) { id } }",
    "query ($id: None) { pet(id: $id) { id } }",
    "query ($id: Dog) { pet(id: $id) { id } }",
    "query ($id: ID) { pet(id: $id) { id } }",
    "query ($id: [ID!]!) { pet(id: $id) { id } }",
    "query ($id: String!) { pet(id: $id) { id } }",
    "query ($n: Int = \"a\") { later(n: $n) }",
    "query ($n: Int! = null) { later(n: $n) }",
    "query ($a: [[Int]]) { find(all: $a) { id } }",
    "query ($k: Kind) { find(by: {must: $k}) { id } }",
    "{ pet(id: 1) { ...F } }",
    "{ count } fragment F on Dog { id }",
    "{ pet(id: 1) { ...F } } fragment F on None { id }",
    "{ pet(id: 1) { ...F } } fragment F on Kind { id }",
    "{ pet(id: 1) { ... on None { id } } }",
    "{ pet(id: 1) { ... on By { id } } }",
    "{ pet(id: 1) { ... on Stone { id } } }",
    "{ mark(on: true) { ... on Cat { id } } }",
    "{ pet(id: 1) { ...F } } fragment F on Stone { id }",
    "{ pet(id: 1) { ...F } } fragment F on Pet { ...F }",
    "{ pet(id: 1) { ...F } } fragment F on Pet { friend { ...G } } fragment G on Pet { ...F }",
    "{ pet(id: 1) { ...F } } fragment F on Pet { id } fragment F on Pet { id }",
    "{ pet(id: 1) { ...F } } fragment F on Pet { name(upper: $no) }",
    "{ count @none }",
    "{ count @deprecated }",
    "query @skip(if: true) { count }",
    "{ count @skip }",
    "{ count @skip(if: 1) }",
    "{ count @skip(if: true, also: 1) }",
    "{ count @skip(if: true) @skip(if: true) }",
    "query ($b: Boolean) { count @skip(if: $b) }",
    "{ x: count x: need(n: 1) }",
    "{ x: need(n: 1) x: need(n: 2) }",
    "{ need(n: 1) need(n: 1) x: later x: later(n: 3) }",
    "{ pet(id: 1) { ... on Dog { age } ... on Cat { age } } }",
    "{ pet(id: 1) { ... on Dog { x: barks } ... on Cat { x: lives } } }",
    "{ pet(id: 1) { friend { x: id } friend { x: name } } }",
    "{ pet(id: 1) { friend { ...F } ...G } } fragment F on Pet { x: id } fragment G on Pet { friend { x: name } }",
    "{ pet(id: 1) { ... on Dog { n: friend { x: id } } ... on Cat { n: friend { x: name } } } }",
    "subscription { told { id } also { id } }",
    "subscription { __typename }",
    "subscription { told @skip(if: false) { id } }",
    "mutation { __schema { types { name } } }",
    "{ pet(id: 1) { __schema { types { name } } } }",
    "{ __typename { id } }",
    "{ __typename(a: 1) }",
    "{ __schema { types { none } } }",
    "{ __schema }",
    "{ __type { name } }",
];

/// Why a document is not valid, if it is not.
fn judged(schema: &Schema, text: &str) -> Result<(), String> {
    let document = ExecutableDocument::parse(text).map_err(|invalid| invalid.to_string())?;
    let problems: Vec<String> = document.problems(schema).iter().map(ToString::to_string).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

#[test]
fn the_rules_of_the_specification_are_kept() {
    let schema = Schema::from_sdl(SDL).unwrap();
    let validator = Validator::new(&schema).unwrap();
    let mut wrong = Vec::new();
    for (texts, is_valid) in [(VALID, true), (INVALID, false)] {
        for text in texts {
            let verdicts = (judged(&schema, text), validator.judged(text));
            if (verdicts.0.is_ok(), verdicts.1.is_ok()) != (is_valid, is_valid) {
                wrong.push(format!("{text}\nours: {:?}\ntheirs: {:?}", verdicts.0, verdicts.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{} documents\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Where judges differ, and why this one says what it says.
#[test]
fn input_fields_stand_once() {
    let schema = Schema::from_sdl(SDL).unwrap();
    let twice = "{ find(by: {must: 1, must: 2}) { id } }";
    assert!(judged(&schema, twice).unwrap_err().contains("`By` gets `must` twice"));
    assert_eq!(Validator::new(&schema).unwrap().judged(twice), Ok(()));
}

#[test]
fn directives_of_the_schema_stand_where_it_says() {
    let sdl = "directive @own(level: Int) repeatable on FIELD directive @once on QUERY type Query { a(n: Int): Int }";
    let schema = Schema::from_sdl(sdl).unwrap();
    for (text, is_valid) in [
        ("{ a @own @own(level: 1) }", true),
        ("query @once { a }", true),
        ("query ($n: Int) { a @own(level: $n) }", true),
        ("query @own { a }", false),
        ("query @once @once { a }", false),
        ("{ a @own(level: $n) }", false),
        ("{ a @other }", false),
    ] {
        assert_eq!(judged(&schema, text).is_ok(), is_valid, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let schema = Schema::from_sdl(SDL).unwrap();
    for (text, expected) in [
        ("{\n  pet(id: 1) {\n    none\n  }\n}", "line 3, column 5: `Pet` has no field `none`"),
        ("{ count", "line 1, column 3: expected a field, found the end of the document"),
        ("{ need }", "line 1, column 3: `Query.need` needs `n`"),
        (
            "query ($id: ID) { pet(id: $id) { id } }",
            "line 1, column 19: `$id` is `ID` and `id` takes `ID!`",
        ),
        (
            "{ x: need(n: 1)\n x: later }",
            "line 2, column 2: `x` is `later` here and `need` elsewhere",
        ),
    ] {
        assert_eq!(judged(&schema, text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn hostile_documents_are_refused_in_time() {
    let schema = Schema::from_sdl(SDL).unwrap();
    for text in [
        "{pet(id:1)".repeat(100_000),
        "{a(b:".repeat(100_000),
        format!("{{a(b:{}", "[".repeat(100_000)),
        format!("query($a:{}", "[".repeat(100_000)),
        "{pet(id:1){...A}}".to_owned()
            + &(0..3000)
                .map(|n| format!("fragment F{n} on Pet{{...F{}}}", n + 1))
                .collect::<String>(),
    ] {
        assert!(judged(&schema, &text).is_err());
    }
    // Fragments that double what they stand for.
    let doubled: String = (0..60)
        .map(|n| {
            format!("fragment F{n} on Pet{{a:friend{{...F{m}}} b:friend{{...F{m}}}}}", m = n + 1)
        })
        .collect();
    let text = format!("{{pet(id:1){{...F0}}}}{doubled}fragment F60 on Pet{{id}}");
    assert_eq!(judged(&schema, &text), Ok(()));
}

#[test]
fn a_printed_document_reads_back_as_the_same() {
    let schema = Schema::from_sdl(SDL).unwrap();
    for text in VALID {
        let document = ExecutableDocument::parse(text).unwrap();
        for style in [Style::Compact, Style::Pretty] {
            let printed = document.text(style);
            assert_eq!(judged(&schema, &printed), Ok(()), "{printed}");
            let again = ExecutableDocument::parse(&printed).unwrap().text(style);
            assert_eq!(again, printed);
        }
    }
    let text = "query Q($a:Int=1,$b:[ID!]!)@x{p:pet(id:$b,by:{a:[1 2],c:\"\\n\"})@skip(if:true){...F ...on Dog{id}}}\
                fragment F on Pet{id}";
    assert_eq!(
        ExecutableDocument::parse(text).unwrap().text(Style::Pretty),
        "query Q($a: Int = 1, $b: [ID!]!) @x {\n  p: pet(id: $b, by: {a: [1, 2], c: \"\\n\"}) @skip(if: true) {\n    \
         ...F\n    ... on Dog {\n      id\n    }\n  }\n}\n\nfragment F on Pet {\n  id\n}"
    );
}

/// A text in one of many ways damaged: a word less, twice, in another's place, or of another line.
fn damaged(words: &[&str], rng: &mut Rng) -> String {
    let mut words: Vec<&str> = words.to_vec();
    let (one, other) = (rng.below(words.len()), rng.below(words.len()));
    match rng.below(4) {
        0 => drop(words.remove(one)),
        1 => words.insert(one, words[other]),
        2 => words.swap(one, other),
        _ => words[one] = words[other],
    }
    words.concat()
}

/// A document in pieces: names, numbers, texts, marks and what stands between.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '.' if rest.starts_with("...") => 3,
            first if is_name(first) => rest.find(|it| !is_name(it)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        words.push(&rest[..length]);
        rest = &rest[length..];
    }
    words
}

/// Documents of production, and thousands that were made of them by small damages, get the same
/// verdict from both.
#[test]
fn production_documents_are_judged_as_by_another() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let Ok(sdl) = std::fs::read_to_string(data.join("graphql/saleor-2.11.schema.graphql")) else {
        eprintln!("skipped: production documents not found at {}", data.display());
        return;
    };
    let schema = Schema::from_sdl(&sdl).unwrap();
    let validator = Validator::new(&schema).unwrap();
    let mut rng = Rng::new(7, 0);
    let (mut verdicts, mut differences) = (BTreeMap::new(), Vec::new());
    for kind in ["queries", "mutations"] {
        let path = data.join(format!("autographql/saleor-prod-{kind}.ndjson"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let entry: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = entry["query"].as_str().unwrap();
            // A comma behind three dots is nothing to us, as the specification says, and wrong to
            // the other.
            let plain = text.replace(',', " ");
            let words = words(&plain);
            for round in 0..DAMAGES + 1 {
                let text = if round == 0 { text.to_owned() } else { damaged(&words, &mut rng) };
                let (ours, theirs) = (judged(&schema, &text), validator.judged(&text));
                *verdicts.entry((round > 0, ours.is_ok(), theirs.is_ok())).or_insert(0) += 1;
                if ours.is_ok() != theirs.is_ok() {
                    differences.push(format!("{text}\nours: {ours:?}\ntheirs: {theirs:?}"));
                }
            }
        }
    }
    println!("(damaged, valid for us, valid for the other): number\n{verdicts:?}");
    assert_eq!(verdicts.get(&(false, true, true)), Some(&568));
    assert!(
        differences.is_empty(),
        "{} differ, such as\n{}",
        differences.len(),
        differences[..differences.len().min(3)].join("\n\n")
    );
}

/// Damages made of each document.
const DAMAGES: usize = 8;
