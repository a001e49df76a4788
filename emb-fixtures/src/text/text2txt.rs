//! Short forms of words.

use wallace_instrument::white_box;

/// The short form of the words, or an empty text.
#[white_box]
pub(super) fn text2txt(word1: &str, word2: &str, word3: &str) -> &'static str {
    let mut result = "";
    if word1 == "two" {
        result = "2";
    }
    if word1 == "for" || word1 == "four" {
        result = "4";
    }
    if word1 == "you" {
        result = "u";
    }
    if word1 == "and" {
        result = "n";
    }
    if word1 == "are" {
        result = "r";
    } else if word1 == "see" && word2 == "you" {
        result = "cu";
    } else if word1 == "by" && word2 == "the" && word3 == "way" {
        result = "btw";
    }
    result
}

#[cfg(test)]
mod tests {
    use super::text2txt;

    #[test]
    fn every_short_form() {
        for ([word1, word2, word3], expected) in [
            (["two", "", ""], "2"),
            (["for", "", ""], "4"),
            (["four", "", ""], "4"),
            (["you", "", ""], "u"),
            (["and", "", ""], "n"),
            (["are", "", ""], "r"),
            (["see", "you", ""], "cu"),
            (["see", "me", ""], ""),
            (["by", "the", "way"], "btw"),
            (["by", "the", "sea"], ""),
            (["by", "a", "way"], ""),
            (["", "", ""], ""),
        ] {
            assert_eq!(text2txt(word1, word2, word3), expected, "{word1} {word2} {word3}");
        }
    }
}
