//! Random regular expressions with texts that they match.

use regex::Regex;

use super::chance::Chance;

/// A regular expression for whole texts, and a text that it matches.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) regex: Regex,
    pub(super) example: String,
}

impl Pattern {
    /// Two to four parts, each a word, a choice of words, letters or digits.
    pub(super) fn random(chance: &mut Chance) -> Self {
        let (mut source, mut example) = (String::from("^"), String::new());
        for _ in 0..2 + chance.below(3) {
            let (part, text) = part(chance);
            source.push_str(&part);
            example.push_str(&text);
        }
        source.push('$');
        Self { regex: Regex::new(&source).expect("the parts are patterns"), example }
    }
}

fn part(chance: &mut Chance) -> (String, String) {
    let count = 1 + chance.below(3);
    match chance.below(4) {
        0 => {
            let word = chance.word(1, 3);
            (word.clone(), word)
        }
        1 => {
            let (one, other) = (chance.word(1, 3), chance.word(1, 3));
            (format!("({one}|{other})"), one)
        }
        2 => (format!("[a-z]{{{count}}}"), chance.word(count, count)),
        _ => {
            let digits = (0..count).map(|_| chance.between(0, 9).to_string());
            (format!("[0-9]{{{count}}}"), digits.collect())
        }
    }
}
