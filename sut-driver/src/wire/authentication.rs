//! How users of the system identify themselves, on the wire.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::lenient::{Text, null_as_default};

/// One user that the system knows.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AuthenticationEntry<'a> {
    #[serde(borrow)]
    pub(crate) name: Option<Text<'a>>,
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) fixed_headers: Vec<FixedHeader<'a>>,
    pub(crate) login_endpoint_auth: Option<LoginDto>,
    pub(crate) create_users: Option<CreateUsersDto>,
    /// What fixed headers were called before release 2.0 of the protocol's drivers.
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) headers: Vec<FixedHeader<'a>>,
    pub(crate) cookie_login: Option<CookieLoginDto>,
    pub(crate) json_token_post_login: Option<JsonTokenPostLoginDto>,
    /// Everything else.
    #[serde(flatten)]
    pub(crate) others: BTreeMap<String, Value>,
}

/// A login for cookies, as older drivers tell it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CookieLoginDto {
    username: Option<String>,
    password: Option<String>,
    username_field: Option<String>,
    password_field: Option<String>,
    login_endpoint_url: Option<String>,
    http_verb: Option<String>,
    /// `JSON` or `X_WWW_FORM_URLENCODED`.
    content_type: Option<String>,
}

/// A login for a token, as older drivers tell it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct JsonTokenPostLoginDto {
    endpoint: Option<String>,
    json_payload: Option<String>,
    extract_token_field: Option<String>,
    http_header_name: Option<String>,
    header_prefix: Option<String>,
}

const JSON: &str = "application/json";

impl From<&CookieLoginDto> for LoginDto {
    fn from(older: &CookieLoginDto) -> Self {
        let is_form = older.content_type.as_deref().is_some_and(|it| it.contains("URLENCODED"));
        let form = "application/x-www-form-urlencoded";
        Self {
            payload_user_pwd: Some(UserPasswordDto {
                username: older.username.clone(),
                password: older.password.clone(),
                username_field: older.username_field.clone(),
                password_field: older.password_field.clone(),
            }),
            verb: older.http_verb.clone(),
            content_type: Some(if is_form { form } else { JSON }.to_owned()),
            expect_cookies: true,
            ..Self::at(older.login_endpoint_url.as_ref())
        }
    }
}

impl From<&JsonTokenPostLoginDto> for LoginDto {
    fn from(older: &JsonTokenPostLoginDto) -> Self {
        Self {
            payload_raw: older.json_payload.clone(),
            content_type: Some(JSON.to_owned()),
            token: Some(TokenDto {
                extract_from_field: older.extract_token_field.clone(),
                http_header_name: older.http_header_name.clone(),
                header_prefix: older.header_prefix.clone(),
                ..TokenDto::default()
            }),
            ..Self::at(older.endpoint.as_ref())
        }
    }
}

impl LoginDto {
    /// A login at an endpoint that is a path or a full URL.
    fn at(endpoint: Option<&String>) -> Self {
        let is_url = endpoint.is_some_and(|endpoint| endpoint.contains("://"));
        Self {
            endpoint: endpoint.filter(|_| !is_url).cloned(),
            external_endpoint_url: endpoint.filter(|_| is_url).cloned(),
            ..Self::default()
        }
    }
}

/// A header that identifies a user.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FixedHeader<'a> {
    #[serde(borrow)]
    pub(crate) name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) value: Option<Text<'a>>,
}

/// A call that logs a user in.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LoginDto {
    pub(crate) endpoint: Option<String>,
    #[serde(rename = "externalEndpointURL")]
    pub(crate) external_endpoint_url: Option<String>,
    pub(crate) payload_raw: Option<String>,
    pub(crate) payload_user_pwd: Option<UserPasswordDto>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) headers: Vec<HeaderDto>,
    pub(crate) verb: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) token: Option<TokenDto>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) expect_cookies: bool,
}

/// A header of a login.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct HeaderDto {
    pub(crate) name: Option<String>,
    pub(crate) value: Option<String>,
}

/// A user and a password, and what their fields are called.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct UserPasswordDto {
    pub(crate) username: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) username_field: Option<String>,
    pub(crate) password_field: Option<String>,
}

/// Where a token comes from and goes to: the first three fields up to release 4.0, the others later.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TokenDto {
    pub(crate) extract_from_field: Option<String>,
    pub(crate) http_header_name: Option<String>,
    pub(crate) header_prefix: Option<String>,
    pub(crate) extract_from: Option<String>,
    pub(crate) extract_selector: Option<String>,
    pub(crate) send_in: Option<String>,
    pub(crate) send_name: Option<String>,
    pub(crate) send_template: Option<String>,
}

/// A call that creates users.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CreateUsersDto {
    pub(crate) endpoint: Option<String>,
    #[serde(rename = "externalEndpointURL")]
    pub(crate) external_endpoint_url: Option<String>,
    pub(crate) payload_raw: Option<String>,
    pub(crate) verb: Option<String>,
    pub(crate) content_type: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) generators: Vec<GeneratorDto>,
}

/// A placeholder that is replaced by a fresh text.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct GeneratorDto {
    pub(crate) place_holder: Option<String>,
    pub(crate) min_length: Option<i64>,
    pub(crate) max_length: Option<i64>,
    pub(crate) prefix: Option<String>,
    pub(crate) postfix: Option<String>,
}
