//! What the names of operations, and of what they take, tell of users and their logins.

use crate::word::{singular, singulars, words};

/// Words of what leads to whoever asks.
const ASKER: [&str; 6] = ["me", "self", "myself", "whoami", "viewer", "authenticated"];
/// Words that do so alone or before one of [`PEOPLE`]: an active channel is nobody.
const BEFORE_PEOPLE: [&str; 3] = ["current", "active", "own"];
/// Words for somebody who logs in, or for the login.
pub(super) const PEOPLE: [&str; 16] = [
    "user",
    "account",
    "admin",
    "administrator",
    "customer",
    "member",
    "employee",
    "profile",
    "identity",
    "principal",
    "person",
    "session",
    "login",
    "token",
    "client",
    "actor",
];
/// Words of what a login needs, or what grants rights.
const CREDENTIALS: [&str; 14] = [
    "password",
    "passwd",
    "pwd",
    "email",
    "mail",
    "username",
    "login",
    "identifier",
    "role",
    "enabled",
    "disabled",
    "active",
    "blocked",
    "confirmed",
];
/// Last words of paths that change the thing before them so that it may not log in any more.
pub(super) const ENDS: [&str; 19] = [
    "password",
    "credential",
    "disable",
    "deactivate",
    "block",
    "ban",
    "lock",
    "suspend",
    "archive",
    "revoke",
    "logout",
    "reset",
    "expire",
    "role",
    "permission",
    "status",
    "email",
    "username",
    "delete",
];

/// Words of names of what takes something away.
const TAKING: [&str; 8] =
    ["remove", "destroy", "drop", "purge", "erase", "deactivate", "terminate", "clear"];

/// Whether a name, as `activeAdministrator`, leads to whoever asks.
pub(crate) fn is_asker(words: &[String]) -> bool {
    let is_one_of = |known: &[&str], word: &String| known.contains(&word.as_str());
    let leads = |pair: &[String]| {
        is_one_of(&BEFORE_PEOPLE, &pair[0]) && is_one_of(&PEOPLE, &singular(&pair[1]))
    };
    let is_in = |pair: &[String]| matches!(&*pair[0], "logged" | "signed") && pair[1] == "in";
    words.iter().any(|word| is_one_of(&ASKER, word))
        || words.windows(2).any(|pair| leads(pair) || is_in(pair))
        || matches!(words, [word] if is_one_of(&BEFORE_PEOPLE, word))
}

/// Whether the last part of a path leads to whoever asks: `me`, `current-user`, or one word for somebody who
/// logs in, as `user`; `users` are all of them.
pub(crate) fn is_own_account(last: &str) -> bool {
    let words = words(last);
    is_asker(&words) || matches!(&words[..], [word] if PEOPLE.contains(&&**word))
}

/// Whether a name, as `activeChannel`, leads to what the calls of whoever asks stand on.
pub(crate) fn leads_to_context(words: &[String]) -> bool {
    matches!(words, [first, _, ..] if BEFORE_PEOPLE.contains(&first.as_str()))
}

/// Whether a name has a word of whoever asks, as `removeCurrentDevice`.
pub(crate) fn leads_to_own(words: &[String]) -> bool {
    let is_own = |word: &String| {
        ASKER.contains(&&**word) || BEFORE_PEOPLE.contains(&&**word) || word == "my"
    };
    words.iter().any(is_own)
}

/// Whether what goes by this name takes something away, or changes what a login needs.
pub(crate) fn takes_or_locks(words: &[String]) -> bool {
    words.iter().any(|word| {
        let word = &*singular(word);
        // Alone, it is about all of them: `mail` sends mails.
        TAKING.contains(&word)
            || ENDS.contains(&word)
            || words.len() > 1 && CREDENTIALS.contains(&word)
    })
}

/// Whether a name is one of what a login needs, as `newPassword`.
pub(crate) fn is_credential(name: &str) -> bool {
    singulars(name).iter().any(|word| CREDENTIALS.contains(&word.as_str()))
}

/// Whether a name says that the service is ended by it; where nothing else is meant, also words that
/// are used of jobs and containers.
pub(crate) fn ends_service(words: &[String], is_plain: bool) -> bool {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    has(&["shutdown", "poweroff", "reboot"])
        || words.windows(2).any(|pair| pair[0] == "shut" && pair[1] == "down")
        || is_plain && has(&["halt", "quit", "exit", "stop", "restart", "terminate"])
}

/// Whether a name is one of what switches the login of a service off, as `auth/disable`: nobody is known to it
/// from there on.
pub(crate) fn switches_login_off(words: &[String]) -> bool {
    let is_off = |word: &str| ["disable", "deactivate", "off"].contains(&word);
    let is_login = |word: &str| {
        ["auth", "authentication", "authorization", "security", "login"].contains(&word)
    };
    words.windows(2).any(|pair| {
        let [first, last] = [&*pair[0], &*pair[1]];
        is_off(first) && is_login(last) || is_login(first) && is_off(last)
    })
}

/// Whether a name is one of settings of a service, as `updateConfig`.
pub(crate) fn is_of_settings(words: &[String]) -> bool {
    let known = ["setting", "config", "configuration", "option", "preference"];
    words.iter().any(|word| known.contains(&&*singular(word)))
}

/// Whether a setting is one of how users log in, as `authJwtExpiration`: with another value of it no login
/// may be right any more, and no token that is in use.
pub(crate) fn is_of_login(name: &str) -> bool {
    let known = [
        "auth",
        "authentication",
        "authorization",
        "jwt",
        "token",
        "session",
        "login",
        "signin",
        "sso",
        "oauth",
        "oidc",
        "saml",
        "ldap",
        "mfa",
        "audience",
        "cookie",
    ];
    singulars(name).iter().any(|word| known.contains(&&**word))
}

/// Whether the last words of a path, as `current-user/reset-token`, take a token away from whoever asks: the
/// one in use is none any more.
pub(crate) fn renews_token(last: &[String]) -> bool {
    let has = |known: &[&str]| last.iter().any(|word| known.contains(&&**word));
    has(&["token", "key", "secret"])
        && has(&["reset", "rotate", "revoke", "regenerate", "renew", "invalidate", "roll"])
}

/// Whether a name ends with what ends a session.
pub(crate) fn ends_session(words: &[String]) -> bool {
    let is_end = |word: &String| ["logout", "logoff", "signout", "signoff"].contains(&&**word);
    words.last().is_some_and(is_end) || words.windows(2).last().is_some_and(is_log_out)
}

/// Whether two words say so together, as in `signOut`.
pub(crate) fn is_log_out(pair: &[String]) -> bool {
    matches!(pair, [first, last] if ["log", "sign"].contains(&&**first) && ["out", "off"].contains(&&**last))
}

/// Whether a name is that of a password, as `authenticatedUserPassword`.
pub(crate) fn is_password(name: &str) -> bool {
    let words = ["password", "passwd", "pwd", "passphrase"];
    singulars(name).iter().any(|word| words.contains(&word.as_str()))
}
