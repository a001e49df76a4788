//! Words of names: how a name of a schema, a path or a table reads, whatever its spelling.

use serde_json::Value;

/// The words of a name in lower case: `petOwner_ID2` reads pet, owner, id, 2.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let characters: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (index, character) in characters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| characters[before]);
        let after = characters.get(index + 1);
        let starts = match before {
            Some(before) if character.is_uppercase() => {
                !before.is_uppercase() || after.is_some_and(|after| after.is_lowercase())
            }
            Some(before) => character.is_ascii_digit() != before.is_ascii_digit(),
            None => false,
        };
        if (starts || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The singular of an English plural, as far as endings tell.
pub(crate) fn singular(word: &str) -> String {
    match word {
        // `status` is one, and no word ends in `tuse` or `puse`.
        _ if ["tus", "pus"].iter().any(|end| word.ends_with(end)) => word.to_owned(),
        _ if ["tuses", "puses"].iter().any(|end| word.ends_with(end)) => {
            word[..word.len() - 2].to_owned()
        }
        _ if word.len() > 3 && word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ if ["sses", "shes", "ches", "xes"].iter().any(|end| word.ends_with(end)) => {
            word[..word.len() - 2].to_owned()
        }
        _ if word.len() > 2 && word.ends_with('s') && !word.ends_with("ss") => {
            word[..word.len() - 1].to_owned()
        }
        _ => word.to_owned(),
    }
}

/// The words of a name, each in the singular.
pub(crate) fn singulars(name: &str) -> Vec<String> {
    words(name).iter().map(|word| singular(word)).collect()
}

/// Words joined, the last one in the singular: what names of one thing have in common.
pub(crate) fn stem(words: &[String]) -> String {
    let Some((last, first)) = words.split_last() else { return String::new() };
    first.concat() + &singular(last)
}

/// Letters and digits in lower case.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A value as a path or a message holds it: a number and the text that it is written as are one.
pub(crate) fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_spellings_have_the_same_words() {
        for name in ["petOwnerId", "pet_owner_id", "PetOwnerID", "PET_OWNER_ID", "pet-owner-id"] {
            assert_eq!(words(name), ["pet", "owner", "id"], "{name}");
        }
        assert_eq!(words("IDs2x"), ["i", "ds", "2", "x"]);
        assert_eq!(words("HTTPServer"), ["http", "server"]);
        assert!(words("__").is_empty());
    }

    #[test]
    fn plurals_lose_their_ending() {
        for (plural, one) in [
            ("users", "user"),
            ("specialties", "specialty"),
            ("boxes", "box"),
            ("statuses", "status"),
            ("status", "status"),
            ("warehouses", "warehouse"),
            ("menus", "menu"),
        ] {
            assert_eq!(singular(plural), one);
        }
        assert_eq!(stem(&words("petTypes")), "pettype");
        assert_eq!(singular("address"), "address");
    }
}
