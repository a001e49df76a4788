//! What statuses can become.

use super::face;
use crate::amendment::{Amendment, amendments, joined};
use crate::switch::Switch;

pub(super) const STATUSES: &[Amendment<u16>] = amendments! {
    "/countries" { "countries-other-method-as-404": "no such method" => 404, }
    "/news" {
        "news-unknown-path-as-400": "no such path" => 400,
        "news-other-method-as-404": "no such method" => 404,
    }
    "/editorials" {
        "editorials-unknown-path-as-400": "no such path" => 400,
        "editorials-other-method-as-404": "no such method" => 404,
    }
    "/authors" {
        "authors-unknown-path-as-400": "no such path" => 400,
        "authors-other-method-as-404": "no such method" => 404,
    }
    "GET /news" { "list-none-as-404": "nothing" => 404, }
    "POST /news" {
        "create-no-item-as-415": "the body is no news item" => 415,
        "create-given-id-as-409": "the id of a new item is generated" => 409,
        "create-no-author-as-422": "authorId is missing" => 422,
        "create-author-length-as-413": "authorId must have 1 to 32 characters" => 413,
        "create-no-text-as-422": "text is missing" => 422,
        "create-blank-text-as-422": "text is empty" => 422,
        "create-long-text-as-413": "text is too long" => 413,
        "create-no-country-as-422": "country is missing" => 422,
        "create-unknown-country-as-404": "country is unknown" => 404,
    }
    "GET /news/{id}" {
        "read-word-as-400": "no item has such an id" => 400,
        "read-negative-as-400": "ids are positive" => 400,
        "read-missing-as-400": "there is no such item" => 400,
    }
    "PUT /news/{id}" {
        "replace-no-item-as-415": "the body is no news item" => 415,
        "replace-word-as-400": "no item has such an id" => 400,
        "replace-negative-as-400": "ids are positive" => 400,
        "replace-no-id-accepted": "newsId is missing" => 204,
        "replace-missing-as-400": "there is no such item" => 400,
        "replace-no-author-accepted": "authorId is missing" => 204,
        "replace-author-length-accepted": "authorId must have 1 to 32 characters" => 204,
        "replace-no-text-accepted": "text is missing" => 204,
        "replace-blank-text-accepted": "text is empty" => 204,
        "replace-long-text-accepted": "text is too long" => 204,
        "replace-no-country-accepted": "country is missing" => 204,
        "replace-unknown-country-accepted": "country is unknown" => 204,
        "replace-status-200": "204" => 200,
    }
    "PUT /news/{id}/text" {
        "text-of-word-as-400": "no item has such an id" => 400,
        "text-of-negative-as-400": "ids are positive" => 400,
        "text-of-missing-as-400": "there is no such item" => 400,
        "text-empty-as-422": "text is empty" => 422,
        "text-long-as-413": "text is too long" => 413,
        "text-status-200": "204" => 200,
    }
    "DELETE /news/{id}" {
        "delete-word-as-400": "no item has such an id" => 400,
        "delete-negative-as-400": "ids are positive" => 400,
        "delete-missing-as-400": "there is no such item" => 400,
    }
    "GET /editorials/{id}" { "editorial-missing-as-204": "there is no such editorial" => 204, }
    "GET /authors/{author}/headlines/{section}" {
        "headlines-none-as-204": "there are no such editorials" => 204,
    }
};

/// What can be made wrong.
pub(crate) const SWITCHES: &[Switch] =
    &joined::<_, { face::SWITCHES.len() + STATUSES.len() }>(face::SWITCHES, STATUSES);
