//! Validity of a cookie.

use wallace_instrument::white_box;

/// 1 for a valid user or session cookie, 2 for another session, 0 otherwise.
#[white_box]
pub(super) fn cookie(name: &str, val: &str, site: &str) -> i32 {
    if name == "userid" {
        if val.len() > 6 && val.starts_with("user") {
            return 1;
        }
    } else if name == "session" {
        if val == "am" && site == "abc.com" {
            return 1;
        }
        return 2;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::cookie;

    #[test]
    fn user_and_session() {
        for (name, val, site, expected) in [
            ("userid", "user123", "", 1),
            ("userid", "user12", "", 0),
            ("userid", "use1234", "", 0),
            ("session", "am", "abc.com", 1),
            ("session", "am", "abc.org", 2),
            ("session", "pm", "abc.com", 2),
            ("other", "am", "abc.com", 0),
        ] {
            assert_eq!(cookie(name, val, site), expected, "{name} {val} {site}");
        }
    }
}
