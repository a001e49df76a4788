//! How long a login lasts: what its answer says, and what the token itself says.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use crate::word::plain;

/// Members beside a token that say for how many seconds it is good (RFC 6749, 5.1, and its spellings).
const LIFETIMES: [&str; 4] =
    ["expiresin", "expiresinseconds", "accesstokenexpiresin", "tokenexpiresin"];

/// Share of its life after which a login is renewed: calls take time, and clocks differ.
pub(super) const USED: f64 = 0.8;
/// How much two ages may differ that count as one, as a share of the first.
const ALIKE: f64 = 0.1;

/// What is known of how the logins of a user end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ends {
    /// Age of the credentials that were given up last, and their life where it was told.
    pub(super) last: Option<(Duration, Option<Duration>)>,
    /// Age at which the service refused some.
    refused: Option<Duration>,
    /// The life that showed itself: several were refused at one age.
    pub(super) seen: Option<Duration>,
}

impl Ends {
    /// Whether the credentials that were given up last, since they were refused, had run out; learns
    /// their life where two were refused at one age.
    pub(super) fn are_of_age(&mut self) -> bool {
        let Some((age, life)) = self.last else { return false };
        if life.is_some_and(|life| age >= life.mul_f64(USED)) {
            return true;
        }
        let before = self.refused.replace(age).filter(|before| is_alike(*before, age));
        self.seen = before.map(|before| before.min(age)).or(self.seen);
        before.is_some()
    }
}

/// For how long a token is good that stands at a pointer of an answer; none where nothing says so.
pub(super) fn lifetime(body: &str, pointer: Option<&str>, token: &str) -> Option<Duration> {
    let beside = pointer.and_then(|pointer| {
        let body: Value = serde_json::from_str(body).ok()?;
        let above = body.pointer(pointer.rsplit_once('/')?.0)?.as_object()?;
        let is_life = |name: &String| LIFETIMES.contains(&&*plain(name));
        let (_, value) = above.iter().find(|(name, _)| is_life(name))?;
        value.as_f64().or_else(|| value.as_str()?.parse().ok())
    });
    let seconds = beside.into_iter().chain(of_jwt(token)).fold(f64::INFINITY, f64::min);
    Duration::try_from_secs_f64(seconds).ok().filter(|life| !life.is_zero())
}

/// The seconds that a JSON Web Token is good for, from when it was issued or from now (RFC 7519, 4.1).
fn of_jwt(token: &str) -> Option<f64> {
    let [_, claims, _] = token.split('.').collect::<Vec<_>>()[..] else { return None };
    let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    let claims: Value = serde_json::from_slice(&claims).ok()?;
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|it| it.as_secs_f64());
    let from = claims["iat"].as_f64().or_else(now)?;
    Some(claims["exp"].as_f64()? - from)
}

/// Whether logins ended at the same age: then it is their age that ended them.
fn is_alike(one: Duration, other: Duration) -> bool {
    one.abs_diff(other).as_secs_f64() <= one.as_secs_f64() * ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_life_that_is_told_counts() {
        let seconds = |body: &str, pointer: &str, token: &str| {
            lifetime(body, Some(pointer), token).map(|life| life.as_secs())
        };
        let answer = r#"{"data":{"access_token":"t","expires_in":60}}"#;
        assert_eq!(seconds(answer, "/data/access_token", "t"), Some(60));
        assert_eq!(seconds(r#"{"t":"t","expiresIn":"90"}"#, "/t", "t"), Some(90));
        assert_eq!(seconds(r#"{"t":"t","expires_in":-1}"#, "/t", "t"), None);
        assert_eq!(seconds(r#"{"t":"t","expires_in":1e300}"#, "/t", "t"), None);
        assert_eq!(seconds("no JSON", "/t", "t"), None);
        let claims = URL_SAFE_NO_PAD.encode(r#"{"iat":1000,"exp":1300}"#);
        let token = format!("e30.{claims}.sig");
        assert_eq!(seconds("{}", "/t", &token), Some(300));
        assert_eq!(seconds(r#"{"t":"","expires_in":60}"#, "/t", &token), Some(60));
        assert_eq!(seconds("{}", "/t", "a.b.c"), None);
    }

    #[test]
    fn losses_at_one_age_are_the_end_of_a_life_that_nobody_told() {
        let mut ends = Ends::default();
        let mut lost = |seconds: f64, life: Option<u64>| {
            ends.last = Some((Duration::from_secs_f64(seconds), life.map(Duration::from_secs)));
            (ends.are_of_age(), ends.seen.map(|seen| seen.as_secs()))
        };
        assert_eq!(lost(60.2, None), (false, None), "the first may be anything");
        assert_eq!(lost(12.0, None), (false, None));
        assert_eq!(lost(60.1, None), (false, None));
        assert_eq!(lost(61.4, None), (true, Some(60)));
        assert_eq!(lost(500.0, Some(600)), (true, Some(60)), "told");
        assert_eq!(lost(100.0, Some(600)), (false, Some(60)));
    }
}
