//! How users of the system identify themselves, on the wire.

use serde::Deserialize;

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
