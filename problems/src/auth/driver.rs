//! Users as the driver of a system tells them.

use http::Method;
use wallace_sut_driver::login as driver;

use super::user::{
    Endpoint, Generator, Login, LoginPayload, Place, SignUp, TokenRule, TokenSource, User,
};

/// Fewest and most characters of a generated text where the driver gives no bounds.
const LENGTHS: (usize, usize) = (8, 16);

impl From<&driver::Authentication> for User {
    fn from(told: &driver::Authentication) -> Self {
        Self {
            name: told.name.clone(),
            headers: told.headers.clone(),
            login: told.login.as_ref().map(login),
            sign_up: told.create_users.as_ref().map(sign_up),
        }
    }
}

fn login(told: &driver::Login) -> Login {
    let token = match &told.proof {
        driver::LoginProof::Token(token) => Some(rule(token)),
        driver::LoginProof::Cookies | driver::LoginProof::Nothing => None,
    };
    Login {
        method: method(&told.verb),
        endpoint: endpoint(&told.endpoint),
        payload: told.payload.clone().map_or(LoginPayload::None, LoginPayload::Raw),
        content_type: told.content_type.clone().unwrap_or_default(),
        headers: told.headers.clone(),
        token,
    }
}

fn rule(token: &driver::LoginToken) -> TokenRule {
    let source = match &token.source {
        driver::TokenSource::Body(pointer) => TokenSource::Body(pointer.clone()),
        driver::TokenSource::Header(name) => TokenSource::Header(name.clone()),
    };
    let place = match &token.place {
        driver::TokenPlace::Header(name) => Place::Header(name.clone()),
        driver::TokenPlace::Query(name) => Place::Query(name.clone()),
    };
    TokenRule { source, place, template: token.template.clone() }
}

fn sign_up(told: &driver::CreateUsers) -> SignUp {
    SignUp {
        method: method(&told.verb),
        endpoint: endpoint(&told.endpoint),
        payload: told.payload.clone(),
        content_type: told.content_type.clone().unwrap_or_default(),
        generators: told.generators.iter().map(generator).collect(),
    }
}

fn generator(told: &driver::UserGenerator) -> Generator {
    let min_length = told.min_length.unwrap_or(LENGTHS.0);
    Generator {
        placeholder: told.placeholder.clone(),
        prefix: told.prefix.clone(),
        postfix: told.postfix.clone(),
        min_length,
        max_length: told.max_length.unwrap_or(LENGTHS.1.max(min_length)),
    }
}

/// Drivers name the verb in capitals; what is no verb is the usual one.
fn method(verb: &str) -> Method {
    verb.to_ascii_uppercase().parse().unwrap_or(Method::POST)
}

fn endpoint(told: &driver::LoginEndpoint) -> Endpoint {
    match told {
        driver::LoginEndpoint::Path(path) => Endpoint::Path(path.clone()),
        driver::LoginEndpoint::Url(url) => Endpoint::Url(url.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_login_is_lost() {
        let told = driver::Authentication {
            name: "alice".into(),
            headers: vec![("X-Key".into(), "k".into())],
            needs_login: true,
            login: Some(driver::Login {
                endpoint: driver::LoginEndpoint::Path("/login".into()),
                verb: "put".into(),
                content_type: Some("application/json".into()),
                payload: Some("{}".into()),
                headers: Vec::new(),
                proof: driver::LoginProof::Token(driver::LoginToken {
                    source: driver::TokenSource::Body("/token".into()),
                    place: driver::TokenPlace::Header("Authorization".into()),
                    template: "Bearer {token}".into(),
                }),
            }),
            create_users: None,
            unknown: Vec::new(),
        };
        let user = User::from(&told);
        let login = user.login.unwrap();
        assert_eq!((user.name.as_str(), user.headers.len()), ("alice", 1));
        assert_eq!((login.method, login.payload.render("")), (Method::PUT, "{}".to_owned()));
        let token = login.token.unwrap();
        assert_eq!(token.source, TokenSource::Body("/token".into()));
        assert_eq!(token.place, Place::Header("Authorization".into()));
    }
}
