//! Users as drivers of all releases tell them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    Authentication, CreateUsers, Login, LoginEndpoint, LoginProof, LoginToken, TokenPlace,
    TokenSource, UserGenerator,
};
use crate::wire::authentication::{
    AuthenticationEntry, CreateUsersDto, GeneratorDto, LoginDto, TokenDto, UserPasswordDto,
};
use crate::wire::lenient::Text;

/// Reads one user.
pub(in crate::client) fn authentication(entry: &AuthenticationEntry<'_>) -> Authentication {
    let text = |text: Option<&Text<'_>>| text.map(|text| text.to_string()).unwrap_or_default();
    let headers = entry.fixed_headers.iter().chain(&entry.headers);
    let headers = headers.map(|header| (text(header.name.as_ref()), text(header.value.as_ref())));
    let older = entry.cookie_login.as_ref().map(LoginDto::from);
    let older = older.or_else(|| entry.json_token_post_login.as_ref().map(LoginDto::from));
    let told = entry.login_endpoint_auth.as_ref().or(older.as_ref());
    let mut user = Authentication {
        name: text(entry.name.as_ref()),
        headers: headers.collect(),
        needs_login: told.is_some() || entry.create_users.is_some(),
        login: told.and_then(login),
        create_users: entry.create_users.as_ref().and_then(create_users),
        unknown: Vec::new(),
    };
    if user.headers.is_empty() {
        user.unknown = unknown(entry, told, user.login.as_ref());
    }
    user
}

/// Members of a user that say nothing about credentials.
const BESIDE: [&str; 2] = ["requireMockHandling", "additionalProperties"];

/// What of a user without headers is not understood, and leaves it without credentials.
fn unknown(
    entry: &AuthenticationEntry<'_>,
    told: Option<&LoginDto>,
    login: Option<&Login>,
) -> Vec<String> {
    let proof = login.map(|login| &login.proof);
    match (told, proof) {
        (Some(_), None) => vec!["the endpoint of its login".to_owned()],
        (Some(LoginDto { token: Some(_), .. }), Some(LoginProof::Nothing)) => {
            vec!["the token of its login".to_owned()]
        }
        (Some(_), Some(_)) => Vec::new(),
        (None, _) => {
            let is_told = |value: &serde_json::Value| match value {
                serde_json::Value::Null => false,
                serde_json::Value::Array(values) => !values.is_empty(),
                serde_json::Value::Object(members) => !members.is_empty(),
                _ => true,
            };
            let others = entry.others.iter().filter(|(_, value)| is_told(value));
            let names = others.map(|(name, _)| name).filter(|name| !BESIDE.contains(&&***name));
            names.cloned().collect()
        }
    }
}

/// A login without any address is none.
fn login(login: &LoginDto) -> Option<Login> {
    let rendered = login.payload_user_pwd.as_ref();
    let rendered = rendered.map(|it| user_and_password(it, login.content_type.as_deref()));
    let headers = login.headers.iter().filter_map(|header| {
        Some((header.name.clone()?, header.value.clone().unwrap_or_default()))
    });
    Some(Login {
        endpoint: endpoint(login.endpoint.as_deref(), login.external_endpoint_url.as_deref())?,
        verb: verb(login.verb.as_deref()),
        content_type: login.content_type.clone(),
        payload: login.payload_raw.clone().or(rendered),
        headers: headers.collect(),
        proof: if login.expect_cookies {
            LoginProof::Cookies
        } else {
            login.token.as_ref().and_then(token).map_or(LoginProof::Nothing, LoginProof::Token)
        },
    })
}

fn endpoint(path: Option<&str>, url: Option<&str>) -> Option<LoginEndpoint> {
    path.map(|path| LoginEndpoint::Path(path.to_owned()))
        .or_else(|| url.map(|url| LoginEndpoint::Url(url.to_owned())))
}

fn verb(verb: Option<&str>) -> String {
    verb.map_or_else(|| "POST".to_owned(), str::to_ascii_uppercase)
}

/// Both values under the names of their fields, as JSON or as a form.
fn user_and_password(values: &UserPasswordDto, content_type: Option<&str>) -> String {
    let fields = [
        (values.username_field.as_deref().unwrap_or("username"), values.username.as_deref()),
        (values.password_field.as_deref().unwrap_or("password"), values.password.as_deref()),
    ]
    .map(|(name, value)| (name, value.unwrap_or_default()));
    if content_type.is_some_and(|it| it.contains("urlencoded")) {
        return fields
            .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
            .join("&");
    }
    let members = fields.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
    serde_json::Value::Object(members.collect()).to_string()
}

/// Percent-encoding of everything but the unreserved characters.
fn encoded(text: &str) -> String {
    const RESERVED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, RESERVED).to_string()
}

fn token(token: &TokenDto) -> Option<LoginToken> {
    if let Some(pointer) = &token.extract_from_field {
        let prefix = token.header_prefix.as_deref().unwrap_or_default();
        let name = token.http_header_name.clone();
        return Some(LoginToken {
            source: TokenSource::Body(pointer.clone()),
            place: TokenPlace::Header(name.unwrap_or_else(|| "Authorization".to_owned())),
            template: format!("{prefix}{{token}}"),
        });
    }
    let is = |value: &Option<String>, wanted: &str| {
        value.as_deref().is_some_and(|value| value.eq_ignore_ascii_case(wanted))
    };
    let (selector, name) = (token.extract_selector.clone()?, token.send_name.clone()?);
    Some(LoginToken {
        source: if is(&token.extract_from, "header") {
            TokenSource::Header(selector)
        } else {
            TokenSource::Body(selector)
        },
        place: if is(&token.send_in, "query") {
            TokenPlace::Query(name)
        } else {
            TokenPlace::Header(name)
        },
        template: token.send_template.clone().unwrap_or_else(|| "{token}".to_owned()),
    })
}

fn create_users(users: &CreateUsersDto) -> Option<CreateUsers> {
    Some(CreateUsers {
        endpoint: endpoint(users.endpoint.as_deref(), users.external_endpoint_url.as_deref())?,
        verb: verb(users.verb.as_deref()),
        content_type: users.content_type.clone(),
        payload: users.payload_raw.clone().unwrap_or_default(),
        generators: users.generators.iter().filter_map(generator).collect(),
    })
}

fn generator(generator: &GeneratorDto) -> Option<UserGenerator> {
    let length = |length: Option<i64>| length.and_then(|length| usize::try_from(length).ok());
    Some(UserGenerator {
        placeholder: generator.place_holder.clone()?,
        min_length: length(generator.min_length),
        max_length: length(generator.max_length),
        prefix: generator.prefix.clone().unwrap_or_default(),
        postfix: generator.postfix.clone().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn login_of(text: &str) -> Login {
        let text = format!(r#"{{"name":"a","fixedHeaders":null,"loginEndpointAuth":{text}}}"#);
        authentication(&serde_json::from_str(&text).unwrap()).login.unwrap()
    }

    #[test]
    fn both_shapes_of_tokens_are_read() {
        let old = login_of(
            r#"{"endpoint":"/login","verb":"POST","contentType":"application/json",
            "payloadUserPwd":{"username":"a\"b","password":"c","usernameField":"u","passwordField":"p"},
            "token":{"extractFromField":"/token","httpHeaderName":"Authorization","headerPrefix":"Bearer "}}"#,
        );
        assert_eq!(old.payload.as_deref(), Some(r#"{"p":"c","u":"a\"b"}"#));
        let LoginProof::Token(token) = old.proof else { panic!("a token") };
        assert_eq!(token.template, "Bearer {token}");
        let new = login_of(
            r#"{"externalEndpointURL":"http://x/l","verb":"put","token":{"extractFrom":"HEADER",
            "extractSelector":"X-Token","sendIn":"QUERY","sendName":"key","sendTemplate":null}}"#,
        );
        assert_eq!(
            (new.verb.as_str(), new.endpoint),
            ("PUT", LoginEndpoint::Url("http://x/l".into()))
        );
        let LoginProof::Token(token) = new.proof else { panic!("a token") };
        assert_eq!(token.source, TokenSource::Header("X-Token".to_owned()));
        assert_eq!(
            (token.place, token.template.as_str()),
            (TokenPlace::Query("key".into()), "{token}")
        );
    }

    fn user_of(text: &str) -> Authentication {
        authentication(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn users_of_older_drivers_are_understood() {
        let fixed = user_of(r#"{"name":"a","headers":[{"name":"Authorization","value":"k"}]}"#);
        assert_eq!(fixed.headers, [("Authorization".to_owned(), "k".to_owned())]);
        let token = user_of(
            r#"{"name":"a","headers":[],"cookieLogin":null,"jsonTokenPostLogin":{"userId":"a",
            "endpoint":"/login","jsonPayload":"{}","extractTokenField":"/token/access",
            "headerPrefix":"JWT "}}"#,
        );
        let login = token.login.unwrap();
        assert_eq!((login.verb.as_str(), login.payload.as_deref()), ("POST", Some("{}")));
        assert_eq!(login.endpoint, LoginEndpoint::Path("/login".to_owned()));
        let LoginProof::Token(token) = login.proof else { panic!("a token") };
        assert_eq!(token.source, TokenSource::Body("/token/access".to_owned()));
        assert_eq!(token.place, TokenPlace::Header("Authorization".to_owned()));
        assert_eq!(token.template, "JWT {token}");
        let cookie = user_of(
            r#"{"name":"a","cookieLogin":{"username":"u","password":"p","usernameField":"n",
            "passwordField":"w","loginEndpointUrl":"http://x/login","httpVerb":"POST",
            "contentType":"X_WWW_FORM_URLENCODED"}}"#,
        );
        let login = cookie.login.unwrap();
        assert_eq!(login.endpoint, LoginEndpoint::Url("http://x/login".to_owned()));
        assert_eq!((login.payload.as_deref(), login.proof), (Some("n=u&w=p"), LoginProof::Cookies));
        assert!(cookie.unknown.is_empty());
    }

    #[test]
    fn what_leaves_a_user_without_credentials_is_named() {
        let unknown = |text: &str| user_of(text).unknown;
        let empty = r#"{"name":"a","requireMockHandling":true,"jsonAuthEndpoint":null,"later":{}}"#;
        assert!(unknown(empty).is_empty());
        assert_eq!(unknown(r#"{"name":"a","sessionLogin":{"user":"u"}}"#), ["sessionLogin"]);
        let with_header = r#"{"fixedHeaders":[{"name":"K","value":"v"}],"later":{"user":"u"}}"#;
        assert!(unknown(with_header).is_empty());
        let no_address = r#"{"loginEndpointAuth":{"payloadRaw":"{}"}}"#;
        assert_eq!(unknown(no_address), ["the endpoint of its login"]);
        let no_token = r#"{"loginEndpointAuth":{"endpoint":"/l","token":{"later":"/x"}}}"#;
        assert_eq!(unknown(no_token), ["the token of its login"]);
    }

    #[test]
    fn forms_are_encoded_and_cookies_come_first() {
        let login = login_of(
            r#"{"endpoint":"/l","contentType":"application/x-www-form-urlencoded","expectCookies":true,
            "payloadUserPwd":{"username":"a&b","password":"ü"}}"#,
        );
        assert_eq!(login.payload.as_deref(), Some("username=a%26b&password=%C3%BC"));
        assert_eq!((login.proof, login.verb.as_str()), (LoginProof::Cookies, "POST"));
    }
}
