//! What puts under a key what a command looked for there.

/// Values of requests from this length on are no accident where a key holds them; shorter ones stand
/// between signs.
const LONG: usize = 5;

/// A value that is wanted under a key. The key is `before`, `middle` and `after`, where the middle is
/// a value of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) command: &'static str,
    pub(super) before: String,
    pub(super) middle: String,
    pub(super) after: String,
    pub(super) field: String,
}

/// The command that puts what this one reads; none where no driver can.
fn writer(command: &str) -> Option<&'static str> {
    Some(match command {
        "GET" | "MGET" | "GETEX" | "GETDEL" | "GETRANGE" | "STRLEN" | "EXISTS" | "KEYS"
        | "SCAN" | "TTL" | "TYPE" => "SET",
        "HGET" | "HGETALL" | "HMGET" | "HEXISTS" | "HKEYS" | "HVALS" | "HLEN" | "HSCAN" => "HSET",
        "SMEMBERS" | "SINTER" | "SUNION" | "SISMEMBER" | "SMISMEMBER" | "SCARD" | "SPOP"
        | "SRANDMEMBER" | "SDIFF" | "SSCAN" => "SADD",
        _ => return None,
    })
}

/// What a command that found nothing wants: a value under each of its keys. `texts` are values of the
/// request, and `fields` those of a hash that are taken where none is told.
pub(super) fn wanted(
    command: &str,
    keys: &[String],
    (pattern, field): (Option<&str>, Option<&str>),
    texts: &[String],
    fields: &[String],
) -> Vec<Wanted> {
    let Some(writer) = writer(command) else { return Vec::new() };
    let mut keys: Vec<String> = keys.to_vec();
    if keys.is_empty() {
        keys.extend(pattern.map(concrete));
    }
    // One of several sets is enough but where what is in all of them is asked for.
    if command == "SUNION" || command == "SDIFF" {
        keys.truncate(1);
    }
    let told: Vec<String> = field.into_iter().map(str::to_owned).collect();
    let none = [String::new()];
    let fields: &[String] = match (writer, told.is_empty()) {
        ("HSET", true) => fields,
        ("HSET", false) => &told,
        _ => &none,
    };
    let places = keys.iter().filter(|key| !key.is_empty());
    let places = places.flat_map(|key| fields.iter().map(move |field| (key, field)));
    let value = |(key, field): (&String, &String)| {
        let (before, middle, after) = split(key, texts);
        Wanted { command: writer, before, middle, after, field: field.clone() }
    };
    places.map(value).collect()
}

/// A key apart from the value of the request in it, the longest there is.
fn split(key: &str, texts: &[String]) -> (String, String, String) {
    let is_apart = |start: usize, text: &str| {
        let before = key[..start].chars().next_back();
        let mut around = before.into_iter().chain(key[start + text.len()..].chars().next());
        text.len() >= LONG || !around.any(char::is_alphanumeric)
    };
    let held = texts.iter().filter(|text| !text.is_empty()).filter_map(|text| {
        // Kinds stand before names: `user:user` is of the user `user`.
        let mut places = key.rmatch_indices(text.as_str()).map(|(place, _)| place);
        let place = places.find(|place| is_apart(*place, text))?;
        Some((text.len(), place))
    });
    let Some((length, place)) = held.max() else {
        return (key.to_owned(), String::new(), String::new());
    };
    let part = |range: std::ops::Range<usize>| key[range].to_owned();
    (part(0..place), part(place..place + length), part(place + length..key.len()))
}

/// A key that a pattern is true of, whether it is one of Redis or a regular expression.
pub(super) fn concrete(pattern: &str) -> String {
    let mut key = String::new();
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' => key.extend(rest.next().filter(|it| !"QE".contains(*it))),
            '^' | '$' | '(' | ')' => {}
            '.' if rest.peek().is_some_and(|it| "*+".contains(*it)) => {
                rest.next();
                key.push('1');
            }
            '*' | '?' | '+' => key.push('1'),
            '[' => {
                let set: String = rest.by_ref().take_while(|it| *it != ']').collect();
                key.push(set.chars().next().filter(|it| !"^!".contains(*it)).unwrap_or('1'));
            }
            other => key.push(other),
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn the_kind_of_value_follows_the_command() {
        let wants = |command: &str, keys: &[&str], field: Option<&str>| -> Vec<String> {
            let fields = texts(&["a", "b"]);
            let wanted = wanted(command, &texts(keys), (Some("session:*"), field), &[], &fields);
            let shown = |it: Wanted| format!("{} {} {}", it.command, it.before, it.field);
            wanted.into_iter().map(shown).collect()
        };
        assert_eq!(wants("GET", &["k"], None), ["SET k "]);
        assert_eq!(wants("HGET", &["k"], Some("f")), ["HSET k f"]);
        assert_eq!(wants("HGETALL", &["k"], None), ["HSET k a", "HSET k b"]);
        assert_eq!(wants("SINTER", &["k", "l"], None), ["SADD k ", "SADD l "]);
        assert_eq!(wants("SUNION", &["k", "l"], None), ["SADD k "]);
        assert_eq!(wants("KEYS", &[], None), ["SET session:1 "]);
        assert!(wants("LRANGE", &["k"], None).is_empty());
    }

    #[test]
    fn keys_are_taken_apart_at_values_of_the_request() {
        let split = |key: &str| {
            let (before, middle, after) = split(key, &texts(&["u", "us", "7", "", "longer"]));
            format!("{before}|{middle}|{after}")
        };
        assert_eq!(split("us:us:x"), "us:|us|:x");
        assert_eq!(split("count:7"), "count:|7|");
        assert_eq!(split("xlongery"), "x|longer|y");
        assert_eq!(split("used7"), "used7||");
    }

    #[test]
    fn patterns_become_keys() {
        for (pattern, key) in [
            ("user:*", "user:1"),
            ("user:.*", "user:1"),
            ("^user\\:.+$", "user:1"),
            ("a?[bc][^d]", "a1b1"),
            ("h.llo", "h.llo"),
        ] {
            assert_eq!(concrete(pattern), key, "{pattern}");
        }
    }
}
