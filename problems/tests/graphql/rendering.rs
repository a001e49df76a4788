//! Documents as written by hand: each is read into a gene, which must render to the same text.

use wallace_genes::{Gene, simplest};
use wallace_problems::graphql::Style;

use crate::support::{
    Validator, lower, operation, rendered_again, sampled, schema_with, templates, wire_type,
};

const ZOO: &str = r#"
    schema { query: QueryRoot mutation: Changes }
    type QueryRoot {
        version: String!
        animal(id: ID!, first: Int, tags: [[String!]]): Animal
        pets(filter: Filter, sort: Sort = NAME): [Pet!]!
        person: Person
        measure(value: Float!, big: Long): Float
    }
    type Changes { version(to: String!): Boolean  remove(id: ID!): Animal }
    scalar Long
    enum Sort { NAME AGE }
    input Filter { name: String  ages: [Int!]  and: [Filter!]  sort: Sort }
    interface Animal { id: ID!  name: String }
    type Dog implements Animal {
        id: ID!  name: String  age: Int!  bark(times: Int): String  owner: Person  size: Int
    }
    type Cat implements Animal {
        id: ID!  name: String  age: String  bark(times: Int): String  owner: Person  size: Int
    }
    type Fish implements Animal { id: ID!  name: String }
    union Pet = Dog | Cat | Stone
    type Stone { weight: Float }
    type Person { name: String  friend(close: Boolean): Person  pet: Pet  spouse: Person }
"#;

/// The document in both styles must be what its gene renders to, and valid.
#[track_caller]
fn check(document: &str) {
    let templates = templates(ZOO);
    assert_eq!(rendered_again(&templates, document, Style::Compact), document);
    let pretty = rendered_again(&templates, document, Style::Pretty);
    assert_eq!(rendered_again(&templates, &pretty, Style::Compact), document);
    let validator = Validator::new(templates.schema()).unwrap();
    validator.accept(document);
    validator.accept(&pretty);
}

#[test]
fn a_scalar_operation_has_neither_arguments_nor_selection() {
    check("query{version}");
}

#[test]
fn a_query_and_a_mutation_may_have_one_name() {
    check(r#"mutation{version(to:"2")}"#);
}

#[test]
fn arguments_that_are_left_out_are_not_printed() {
    check(r#"query{animal(id:"7"){name}}"#);
    check("query{pets{... on Stone{weight}}}");
    check(r#"query{animal(id:"7",first:null){name}}"#);
}

#[test]
fn values_of_every_kind() {
    check(r#"query{animal(id:"",first:-3,tags:[["a","b"],[],null]){id}}"#);
    check(r#"query{pets(filter:{name:"x",ages:[1,2],sort:AGE},sort:NAME){__typename}}"#);
    check("query{pets(filter:{and:[{},{and:[{name:null}]}]}){__typename}}");
    check("query{measure(value:1.5,big:-9223372036854775808)}");
}

#[test]
fn floats_keep_their_value_and_stay_floats() {
    for number in ["0.0", "-0.0", "1.0", "0.1", "1e300", "5e-324", "-1.7976931348623157e308"] {
        check(&format!("query{{measure(value:{number})}}"));
    }
}

#[test]
fn texts_are_escaped() {
    check(r#"query{animal(id:"\"\\\n\u0000 {}$ é 😀"){id}}"#);
}

#[test]
fn tuples_nest() {
    check("query{person{friend{friend(close:true){name}} spouse{spouse{name}}}}");
}

#[test]
fn an_interface_prints_common_fields_plainly_and_further_ones_in_fragments() {
    check(r#"query{animal(id:"7"){id name ... on Dog{age owner{name}} __typename}}"#);
}

#[test]
fn a_union_prints_fragments_only() {
    check("query{pets{... on Dog{id name} ... on Stone{weight __typename} __typename}}");
}

#[test]
fn fields_that_cannot_be_merged_get_an_alias() {
    // Int! and String.
    check("query{pets{... on Dog{age} ... on Cat{f1:age}}}");
    // Different arguments, different selections; a second number in the same selection.
    check("query{pets{... on Dog{bark(times:1)} ... on Cat{f1:bark}}}");
    check("query{pets{... on Dog{age owner{name}} ... on Cat{f1:age f2:owner{__typename}}}}");
    check(r#"query{animal(id:"7"){name ... on Dog{age} ... on Cat{f1:age}}}"#);
}

#[test]
fn fields_that_can_be_merged_keep_their_names() {
    check("query{pets{... on Dog{name size} ... on Cat{name size}}}");
    check("query{pets{... on Dog{owner{name}} ... on Cat{owner{name}}}}");
}

#[test]
fn aliases_below_merged_fields_are_numbered_anew() {
    let owner = "owner{pet{... on Dog{age} ... on Cat{f1:age}}}";
    check(&format!("query{{pets{{... on Dog{{{owner}}} ... on Cat{{{owner}}}}}}}"));
    let other = "owner{pet{... on Cat{age}}}";
    let (dog, cat) = (format!("... on Dog{{{owner}}}"), format!("... on Cat{{f1:{other}}}"));
    check(&format!("query{{pets{{{dog} {cat}}}}}"));
}

#[test]
fn an_alias_is_no_field_of_the_schema() {
    let taken = ZOO.replace("type Stone {", "type Stone { f1: Int f_22: Int");
    let templates = templates(&taken);
    let document = "query{pets{... on Dog{age} ... on Cat{x:age}}}";
    let expected = "query{pets{... on Dog{age} ... on Cat{f__1:age}}}";
    assert_eq!(rendered_again(&templates, document, Style::Compact), expected);
}

#[test]
fn the_pretty_style_puts_every_field_on_a_line() {
    let document = r#"query{animal(id:"7",first:1){id ... on Dog{age bark(times:2)}}}"#;
    let pretty = rendered_again(&templates(ZOO), document, Style::Pretty);
    let expected = "\
query {
  animal(id: \"7\", first: 1) {
    id
    ... on Dog {
      age
      bark(times: 2)
    }
  }
}";
    assert_eq!(pretty, expected);
    let aliased = "query{pets{... on Dog{age} ... on Cat{f1:age}}}";
    let pretty = rendered_again(&templates(ZOO), aliased, Style::Pretty);
    assert!(pretty.contains("      f1: age\n"), "{pretty}");
    let input = "query{pets(filter:{ages:[1,2],sort:AGE}){__typename}}";
    let pretty = rendered_again(&templates(ZOO), input, Style::Pretty);
    assert!(pretty.contains("(filter: {ages: [1, 2], sort: AGE})"), "{pretty}");
}

#[test]
fn a_one_of_input_is_given_as_exactly_one_of_its_fields() {
    let sdl = "type Query { find(by: By!): Int }
               input By { id: ID  name: String  not: By  any: [By!] }";
    let schema = schema_with(sdl, |answer| wire_type(answer, "By")["isOneOf"] = true.into());
    let templates = wallace_problems::graphql::Templates::new(schema.into()).unwrap();
    for document in [
        r#"query{find(by:{id:"1"})}"#,
        r#"query{find(by:{not:{name:"n"}})}"#,
        r#"query{find(by:{any:[{id:"1"},{name:"n"}]})}"#,
    ] {
        assert_eq!(rendered_again(&templates, document, Style::Compact), document);
    }
    let find = operation(&templates, "Query.find");
    for number in 0..300 {
        let document = templates.render(find, &sampled(find, number), Style::Compact);
        assert!(!document.contains(":null"), "{document}");
        let (_, again) = lower(&templates, &document);
        wallace_genes::check(&find.spec, &again).unwrap();
    }
}

#[test]
fn the_simplest_call_of_every_operation_is_short_and_valid() {
    let templates = templates(ZOO);
    let validator = Validator::new(templates.schema()).unwrap();
    let documents: Vec<String> = templates
        .operations()
        .iter()
        .map(|operation| {
            let gene = simplest(&operation.spec, &wallace_genes::GeneSettings::default());
            templates.render(operation, &gene, Style::Compact)
        })
        .collect();
    documents.iter().for_each(|document| validator.accept(document));
    let expected = [
        "query{version}",
        r#"query{animal(id:""){id}}"#,
        "query{pets{__typename}}",
        "query{person{name}}",
        "query{measure(value:0.0)}",
        r#"mutation{version(to:"")}"#,
        r#"mutation{remove(id:""){id}}"#,
    ];
    assert_eq!(documents, expected);
}

#[test]
fn sampled_genes_render_to_what_reads_back_as_the_same_gene() {
    let templates = templates(ZOO);
    let validator = Validator::new(templates.schema()).unwrap();
    let mut aliased = 0;
    for operation in templates.operations() {
        for number in 0..500 {
            let mut gene = sampled(operation, number);
            let document = templates.render(operation, &gene, Style::Compact);
            validator.accept(&document);
            drop_left_out_elements(&mut gene);
            assert_eq!(lower(&templates, &document).1, gene, "{document}");
            aliased += usize::from(document.contains("f1:"));
        }
    }
    assert!(aliased > 10, "only {aliased} documents needed an alias");
}

/// Elements that a list leaves out are not printed, so they cannot be read back.
fn drop_left_out_elements(gene: &mut Gene) {
    match gene {
        Gene::Array(elements) => {
            elements.retain(|element| *element != Gene::Absent);
            elements.iter_mut().for_each(drop_left_out_elements);
        }
        Gene::Tuple(elements) => elements.iter_mut().for_each(drop_left_out_elements),
        Gene::Object(object) => {
            object.fields.iter_mut().for_each(|(_, part)| drop_left_out_elements(part));
        }
        Gene::Choice(choice) => drop_left_out_elements(&mut choice.value),
        _ => {}
    }
}

#[test]
fn a_gene_of_another_operation_prints_what_fits_and_does_not_panic() {
    let templates = templates(ZOO);
    for operation in templates.operations() {
        for other in templates.operations() {
            for number in 0..20 {
                let _ = templates.render(operation, &sampled(other, number), Style::Pretty);
            }
        }
        let _ = templates.render(operation, &Gene::CycleObject, Style::Compact);
    }
}
