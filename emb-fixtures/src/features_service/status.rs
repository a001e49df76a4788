//! What statuses can become.

use super::face;
use crate::amendment::{Amendment, amendments, joined};
use crate::switch::Switch;

pub(super) const STATUSES: &[Amendment<u16>] = amendments! {
    "/products" {
        "unknown-path-as-400": "no such path" => 400,
        "other-method-as-404": "no such method" => 404,
    }
    "GET /products" { "products-none-as-404": "nothing" => 404, }
    "POST /products/{product}" {
        "product-empty-name-as-422": "the name is empty" => 422,
        "product-long-name-as-413": "the name is too long" => 413,
        "product-duplicate-as-400": "there is such a product" => 400,
    }
    "GET /products/{product}" { "product-missing-as-400": "there is no such product" => 400, }
    "DELETE /products/{product}" {
        "product-delete-missing-as-409": "there is no such product" => 409,
        "product-delete-as-200": "204" => 200,
    }
    "GET /products/{product}/licences/{holder}" {
        "licence-missing-as-204": "there is no such licence" => 204,
    }
    "GET /products/{product}/features" {
        "features-none-as-404": "nothing" => 404,
        "features-of-missing-as-204": "there is no such product" => 204,
    }
    "POST /products/{product}/features/{feature}" {
        "feature-no-json-as-415": "the body is not JSON" => 415,
        "feature-no-description-as-422": "description is missing" => 422,
        "feature-of-missing-as-409": "there is no such product" => 409,
        "feature-empty-name-accepted": "the name is empty" => 204,
        "feature-long-name-as-413": "the name is too long" => 413,
        "feature-status-200": "201" => 200,
    }
    "PUT /products/{product}/features/{feature}" {
        "feature-update-no-json-as-415": "the body is not JSON" => 415,
        "feature-update-no-description-accepted": "description is missing" => 204,
        "feature-update-of-missing-as-400": "there is no such product" => 400,
        "feature-update-missing-accepted": "there is no such feature" => 204,
        "feature-update-empty-as-422": "the description is empty" => 422,
        "feature-update-status-200": "204" => 200,
    }
    "DELETE /products/{product}/features/{feature}" {
        "feature-delete-of-missing-as-400": "there is no such product" => 400,
        "feature-delete-missing-as-204": "there is no such feature" => 204,
        "feature-delete-status-200": "204" => 200,
    }
    "POST /products/{product}/constraints/requires" {
        "requires-no-json-as-415": "the body is not JSON" => 415,
        "requires-no-source-as-404": "sourceFeature is missing" => 404,
        "requires-no-other-as-404": "otherFeature is missing" => 404,
        "requires-of-missing-as-400": "there is no such product" => 400,
        "requires-missing-feature-as-400": "there is no such feature" => 400,
        "requires-itself-as-409": "a feature has no constraints with itself" => 409,
        "requires-again-accepted": "there is such a constraint" => 204,
        "requires-excluded-as-400": "a constraint excludes one of the features" => 400,
        "requires-inactive-as-400": "a configuration lacks the required feature" => 400,
        "requires-status-200": "201" => 200,
    }
    "POST /products/{product}/constraints/excludes" {
        "excludes-no-json-as-415": "the body is not JSON" => 415,
        "excludes-no-source-as-404": "sourceFeature is missing" => 404,
        "excludes-no-other-as-404": "otherFeature is missing" => 404,
        "excludes-of-missing-as-400": "there is no such product" => 400,
        "excludes-missing-feature-as-400": "there is no such feature" => 400,
        "excludes-itself-accepted": "a feature has no constraints with itself" => 204,
        "excludes-again-accepted": "there is such a constraint" => 204,
        "excludes-required-as-400": "the source requires the other feature" => 400,
        "excludes-requiring-as-400": "the other feature requires the source" => 400,
        "excludes-active-as-400": "a configuration has both features" => 400,
        "excludes-status-200": "201" => 200,
    }
    "DELETE /products/{product}/constraints/{id}" {
        "constraint-delete-of-missing-as-400": "there is no such product" => 400,
        "constraint-delete-word-as-404": "the id is no number" => 404,
        "constraint-delete-missing-as-400": "there is no such constraint" => 400,
        "constraint-delete-status-200": "204" => 200,
    }
    "GET /products/{product}/configurations" {
        "configurations-none-as-404": "nothing" => 404,
        "configurations-of-missing-as-204": "there is no such product" => 204,
    }
    "POST /products/{product}/configurations/{configuration}" {
        "configuration-of-missing-as-409": "there is no such product" => 409,
        "configuration-empty-name-as-422": "the name is empty" => 422,
        "configuration-long-name-as-413": "the name is too long" => 413,
        "configuration-duplicate-as-400": "there is such a configuration" => 400,
        "configuration-status-200": "201" => 200,
    }
    "GET /products/{product}/configurations/{configuration}" {
        "configuration-none-as-204": "nothing" => 204,
        "configuration-read-of-missing-as-400": "there is no such product" => 400,
        "configuration-read-missing-as-400": "there is no such configuration" => 400,
    }
    "DELETE /products/{product}/configurations/{configuration}" {
        "configuration-delete-of-missing-as-400": "there is no such product" => 400,
        "configuration-delete-missing-as-204": "there is no such configuration" => 204,
    }
    "GET /products/{product}/configurations/{configuration}/features" {
        "active-none-as-404": "nothing" => 404,
        "active-of-missing-as-400": "there is no such product" => 400,
        "active-of-missing-configuration-as-204": "there is no such configuration" => 204,
    }
    "POST /products/{product}/configurations/{configuration}/features/{feature}" {
        "activate-of-missing-as-400": "there is no such product" => 400,
        "activate-in-missing-as-400": "there is no such configuration" => 400,
        "activate-missing-as-409": "there is no such feature" => 409,
        "activate-excluded-as-400": "a constraint excludes one of the features" => 400,
        "activate-status-200": "201" => 200,
    }
    "DELETE /products/{product}/configurations/{configuration}/features/{feature}" {
        "deactivate-of-missing-as-400": "there is no such product" => 400,
        "deactivate-in-missing-as-204": "there is no such configuration" => 204,
        "deactivate-inactive-as-204": "there is no such active feature" => 204,
        "deactivate-required-as-400": "an active feature requires this one" => 400,
        "deactivate-status-200": "204" => 200,
    }
};

/// What can be made wrong.
pub(crate) const SWITCHES: &[Switch] =
    &joined::<_, { face::SWITCHES.len() + STATUSES.len() }>(face::SWITCHES, STATUSES);
