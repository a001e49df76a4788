//! Echoes: what a message repeats of the call that it is about.

use wallace_genes::Gene;

/// Shortest sent text that is looked for in messages: shorter ones are parts of any message.
const SHORTEST_ECHO: usize = 3;
/// Words of runtimes, which say what happened whether they were sent or not.
const RUNTIME_WORDS: [&str; 4] = ["null", "true", "false", "undefined"];

/// The text with a star for what the call itself sent: an echo tells nothing.
pub(crate) fn without_echo(gene: &Gene, text: &str) -> String {
    let mut text = text.to_owned();
    gene.visit_texts(&mut |_, string| {
        let sent = &*string.text;
        // Of an address of mail, messages tell the host alone as well.
        let host = sent.rsplit_once('@').map_or("", |(_, host)| host);
        for sent in [sent, host] {
            if sent.len() >= SHORTEST_ECHO && !RUNTIME_WORDS.contains(&sent) {
                text = starred(&text, sent);
            }
        }
    });
    text
}

/// The text with a star in each place where `sent` stands as words of its own.
fn starred(text: &str, sent: &str) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (first, last) = (sent.chars().next(), sent.chars().next_back());
    let mut found = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(sent) {
        let (before, after) = (&rest[..start], &rest[start + sent.len()..]);
        let before_it = before.chars().next_back().or_else(|| found.chars().next_back());
        let is_part =
            is_word(first) && is_word(before_it) || is_word(last) && is_word(after.chars().next());
        found.push_str(before);
        found.push_str(if is_part { sent } else { "*" });
        rest = after;
    }
    found + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_told_as_a_star_where_it_stands_as_words() {
        let told = "Cannot read properties of null (reading 'name')";
        assert_eq!(starred(told, "name"), "Cannot read properties of null (reading '*')");
        assert_eq!(starred("user Ann is unannounced, Ann", "Ann"), "user * is unannounced, *");
        assert_eq!(starred("no 'x' OR 1", "' OR"), "no 'x* 1");
        assert_eq!(starred("Annie, Ann_1 and AnnAnn", "Ann"), "Annie, Ann_1 and AnnAnn");
    }

    #[test]
    fn words_of_runtimes_are_no_echo() {
        let message = "Cannot return null for non-nullable field User.name of Ann.";
        for (sent, expected) in [
            ("null", message),
            ("of", message),
            ("Ann@User.name", "Cannot return null for non-nullable field * of Ann."),
            ("Ann", "Cannot return null for non-nullable field User.name of *."),
        ] {
            assert_eq!(without_echo(&Gene::text(sent), message), expected, "{sent}");
        }
    }
}
