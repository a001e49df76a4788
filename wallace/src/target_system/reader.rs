//! Who reads the description: services tell different users different things, and strangers little.

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use wallace_problems::{HttpRequest, auth::Authenticator, document::DocumentLimits};

use super::connection::{Connector, address};
use crate::error::RunError;

/// Most users who are asked: each answer may be megabytes.
const MOST_USERS: usize = 8;

/// Asks nobody in particular and each user, and keeps the answer with the most operations; of equal
/// ones the first. Says who gave it.
///
/// # Errors
/// When nobody is told. The first user's reason comes before a stranger's: with users, a stranger is
/// expected to be refused.
pub(super) fn fullest<T>(
    users: &mut Authenticator,
    operations: impl Fn(&T) -> usize,
    mut read: impl FnMut(Option<usize>, &mut Authenticator) -> Result<T, RunError>,
) -> Result<(T, Option<usize>), RunError> {
    let mut best: Option<(T, Option<usize>)> = None;
    let mut refused: Option<RunError> = None;
    let count = users.users().len().min(MOST_USERS);
    for reader in std::iter::once(None).chain((0..count).map(Some)) {
        match read(reader, users) {
            Ok(told) => {
                let is_fuller =
                    best.as_ref().is_none_or(|(known, _)| operations(&told) > operations(known));
                if is_fuller {
                    best = Some((told, reader));
                }
            }
            Err(error) if refused.is_none() || reader == Some(0) => refused = Some(error),
            Err(_) => {}
        }
    }
    match (best, refused) {
        (Some(best), _) => Ok(best),
        (None, Some(error)) => Err(error),
        (None, None) => Err(RunError::Internal("nobody was asked".to_owned())),
    }
}

/// The note that a description was read by a user, and whose it therefore is.
pub(super) fn note(users: &Authenticator, reader: Option<usize>, what: &str) -> Option<String> {
    let user = &users.users()[reader?];
    Some(format!("{what} is what the user {:?} is told: others may be told less", user.name))
}

/// Reads a document as a user, whose credentials go to the service at `base_url` and to nobody else.
pub(super) fn fetch(
    connector: &Connector,
    base_url: &str,
    url: &str,
    reader: Option<usize>,
    users: &mut Authenticator,
) -> Result<String, String> {
    let place = address(url).map_err(|error| error.to_string())?;
    let path: PathAndQuery = path(url).parse().map_err(|error| format!("{error}"))?;
    let accepted = HeaderValue::from_static("application/json, application/yaml, */*;q=0.5");
    let headers = HeaderMap::from_iter([(http::header::ACCEPT, accepted)]);
    let mut request = HttpRequest { method: Method::GET, path, headers, body: Vec::new().into() };
    let limit = DocumentLimits::default().bytes;
    let connection = connector.connect(place.clone(), limit);
    let mut connection = connection.map_err(|error| error.to_string())?;
    let home = address(base_url).map_err(|error| error.to_string())?;
    let is_home = home.authority() == place.authority();
    if is_home {
        request.headers.extend(connector.headers().clone());
    }
    if let Some(user) = reader.filter(|_| is_home) {
        // A login is a call as any other: it has the headers of the run, and counts.
        let mut login = connector.open(base_url).map_err(|error| error.to_string())?;
        users.authenticate(user, &mut request, &mut *login).map_err(|error| error.to_string())?;
    }
    connector.count().add();
    let response = connection
        .send(request.method, request.path, request.headers, request.body)
        .map_err(|error| error.to_string())?;
    match response.status.as_u16() {
        200 => {
            String::from_utf8(response.body.into()).map_err(|_| "it is no UTF-8 text".to_owned())
        }
        status => Err(format!("status {status}")),
    }
}

/// Path and query of a URL.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |start| &rest[start..])
}

#[cfg(test)]
mod tests {
    use wallace_problems::auth::User;

    use super::*;

    fn of(answers: [Result<usize, &'static str>; 3]) -> Result<(usize, Option<usize>), String> {
        let named = |name: &str| User::with_headers(name, Vec::new());
        let mut users = Authenticator::new(vec![named("ann"), named("bob")], 1);
        let read = |reader: Option<usize>, _: &mut Authenticator| {
            let answer = answers[reader.map_or(0, |user| user + 1)];
            answer.map_err(|reason| RunError::NoAnswer(reason.to_owned()))
        };
        fullest(&mut users, |operations| *operations, read).map_err(|error| error.to_string())
    }

    #[test]
    fn the_fullest_description_is_used() {
        assert_eq!(of([Ok(1), Ok(150), Ok(20)]), Ok((150, Some(0))));
        assert_eq!(of([Ok(20), Ok(20), Ok(20)]), Ok((20, None)));
        assert_eq!(of([Err("401"), Err("403"), Ok(3)]), Ok((3, Some(1))));
        let nobody = of([Err("401"), Err("no login"), Err("403")]);
        assert!(nobody.unwrap_err().contains("no login"));
    }
}
