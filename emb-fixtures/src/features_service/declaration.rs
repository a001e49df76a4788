//! The operations with their descriptions.

use serde_json::{Value, json};

use super::face::{self, Features};
use super::status::STATUSES;
use super::{licence, store};
use crate::amendment::Amendments;
use crate::database::Database;
use crate::resource::{Handler, Operation, router};
use crate::switch::Switches;
use crate::system::System;

/// An instance with these switches on.
pub(crate) fn system(switches: Switches) -> System {
    let database = Database::new(&[store::SCHEMA, licence::SCHEMA], "");
    let state = database.clone();
    let statuses = Amendments::new(switches.clone(), STATUSES);
    let features = Features { database, switches };
    let router = router("Features", &operations(), &schemas(), features, &statuses);
    System::on_database(router, state)
}

fn schemas() -> Value {
    let feature = json!({ "name": { "type": "string" }, "description": { "type": "string" } });
    let constraint = json!({
        "id": { "type": "integer", "format": "int64" }, "type": { "type": "string" },
        "sourceFeature": { "type": "string" }, "otherFeature": { "type": "string" },
    });
    let list = |name: &str| json!({ "type": "array", "items": { "$ref": format!("#/components/schemas/{name}") } });
    let names = json!({ "type": "array", "items": { "type": "string" } });
    let product = json!({
        "name": { "type": "string" }, "features": list("Feature"),
        "constraints": list("Constraint"), "configurations": names,
    });
    json!({
        "Names": names,
        "Feature": { "type": "object", "properties": feature, "required": ["name", "description"] },
        "Features": list("Feature"),
        "Constraint": {
            "type": "object", "properties": constraint,
            "required": ["id", "type", "sourceFeature", "otherFeature"],
        },
        "Product": {
            "type": "object", "properties": product,
            "required": ["name", "features", "constraints", "configurations"],
        },
        "Description": {
            "type": "object", "properties": { "description": { "type": "string" } },
            "required": ["description"],
        },
        "NewConstraint": {
            "type": "object",
            "properties": { "sourceFeature": { "type": "string" }, "otherFeature": { "type": "string" } },
            "required": ["sourceFeature", "otherFeature"],
        },
        "Licence": {
            "type": "object",
            "properties": { "kind": { "type": "string" }, "isPerpetual": { "type": "boolean" } },
            "required": ["kind", "isPerpetual"],
        },
        "Id": { "type": "integer", "format": "int64" },
    })
}

type Answers = &'static [(u16, &'static str)];

const READ: [(u16, &str); 1] = [(404, "Error")];

fn operation(
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    answers: Answers,
    run: Handler<Features>,
) -> Operation<Features> {
    Operation { method, path, summary, query: &[], body: None, answers, run }
}

const GONE: Answers = &[(204, ""), READ[0]];
const CREATED: Answers = &[(201, "Names"), (400, "Error"), READ[0], (409, "Error")];
const CHANGED: Answers = &[(204, ""), (400, "Error"), READ[0]];
const CONSTRAINED: Answers = &[(201, "Id"), (400, "Error"), READ[0], (409, "Error")];

fn operations() -> Vec<Operation<Features>> {
    let mut operations = product_operations();
    operations.extend(feature_operations());
    operations.extend(configuration_operations());
    operations
}

fn product_operations() -> Vec<Operation<Features>> {
    let product = "/products/{product}";
    let licence = "/products/{product}/licences/{holder}";
    let licensed: Answers = &[(200, "Licence"), READ[0]];
    vec![
        operation("GET", licence, "a licence of a product", licensed, face::licence),
        operation("GET", "/products", "names of the products", &[(200, "Names")], face::products),
        operation("POST", product, "add a product", CREATED, face::add_product),
        operation("GET", product, "one product", &[(200, "Product"), READ[0]], face::read_product),
        operation("DELETE", product, "remove a product", GONE, face::delete_product),
    ]
}

fn feature_operations() -> Vec<Operation<Features>> {
    let all = "/products/{product}/features";
    let one = "/products/{product}/features/{feature}";
    let requires = "/products/{product}/constraints/requires";
    let excludes = "/products/{product}/constraints/excludes";
    let constraint = "/products/{product}/constraints/{id}";
    vec![
        operation(
            "GET",
            all,
            "features of a product",
            &[(200, "Features"), READ[0]],
            face::features,
        ),
        operation("POST", one, "add a feature", CREATED, face::add_feature)
            .with_body("Description"),
        operation("PUT", one, "describe a feature", CHANGED, face::describe_feature)
            .with_body("Description"),
        operation("DELETE", one, "remove a feature", GONE, face::delete_feature),
        operation("POST", requires, "one requires another", CONSTRAINED, face::add_requires)
            .with_body("NewConstraint"),
        operation("POST", excludes, "one excludes another", CONSTRAINED, face::add_excludes)
            .with_body("NewConstraint"),
        operation("DELETE", constraint, "remove a constraint", CHANGED, face::delete_constraint),
    ]
}

fn configuration_operations() -> Vec<Operation<Features>> {
    let all = "/products/{product}/configurations";
    let one = "/products/{product}/configurations/{configuration}";
    let active = "/products/{product}/configurations/{configuration}/features";
    let feature = "/products/{product}/configurations/{configuration}/features/{feature}";
    let names: Answers = &[(200, "Names"), READ[0]];
    vec![
        operation("GET", all, "names of the configurations", names, face::configurations),
        operation("POST", one, "add a configuration", CREATED, face::add_configuration),
        operation("GET", one, "its active features", names, face::read_configuration),
        operation("DELETE", one, "remove a configuration", GONE, face::delete_configuration),
        operation("GET", active, "its active features", names, face::active),
        operation("POST", feature, "activate a feature", CREATED, face::activate),
        operation(
            "DELETE",
            feature,
            "deactivate a feature",
            &[(204, ""), READ[0], (409, "Error")],
            face::deactivate,
        ),
    ]
}
