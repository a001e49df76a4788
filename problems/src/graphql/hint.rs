//! Guesses: what people would give for an argument of this name and type.
//!
//! Random texts and numbers fail at the first check of their value. A guess by name passes it
//! more often; it never replaces all random values, since services break on those too.

use std::collections::BTreeMap;

use wallace_genes::{Gene, GeneSpec, Rng};

use super::moment::Moment;
use crate::word::words;

/// Share of texts with a known name, and of custom scalars, that are guessed.
const GUESSED: f64 = 0.75;
/// Share of other texts that are empty.
const EMPTY: f64 = 0.12;
/// Share of numbers that are small and not negative.
const SMALL: f64 = 0.6;
/// Share of numbers that are large and round.
const LARGE: f64 = 0.1;

/// Values of custom scalars that a user gives, by name of the scalar.
pub(crate) type ScalarExamples = BTreeMap<String, Vec<String>>;

/// A guess for an argument, or nothing when its random value shall stay.
pub(crate) fn guess(
    name: &str,
    scalar: &str,
    spec: &GeneSpec,
    examples: &ScalarExamples,
    rng: &mut Rng,
) -> Option<Gene> {
    if let Some(known) = examples.get(scalar).filter(|known| !known.is_empty())
        && rng.chance(GUESSED)
    {
        let text = &known[rng.below(known.len())];
        return match spec {
            GeneSpec::String(_) => Some(Gene::text(text.as_str())),
            GeneSpec::Integer(_) => text.parse().ok().map(Gene::Integer),
            GeneSpec::Long(_) => text.parse().ok().map(Gene::Long),
            GeneSpec::Float(_) => text.parse().ok().map(Gene::float),
            _ => None,
        };
    }
    match spec {
        GeneSpec::Integer(range) => number(name, rng)
            .map(|number| Gene::Integer((number as i32).clamp(range.min, range.max))),
        GeneSpec::Long(range) => {
            number(name, rng).map(|number| Gene::Long(number.clamp(range.min, range.max)))
        }
        GeneSpec::Float(range) => {
            number(name, rng).map(|number| Gene::float((number as f64).clamp(range.min, range.max)))
        }
        GeneSpec::String(range) => {
            let text = text(name, scalar, rng)?;
            let length = text.chars().count();
            (range.min as usize..=range.max as usize).contains(&length).then(|| Gene::text(text))
        }
        _ => None,
    }
}

/// The text of a number that people would give, for a scalar whose kind is known from answers only.
pub(crate) fn whole_number(name: &str, rng: &mut Rng) -> String {
    number(name, rng).unwrap_or_else(|| rng.between(0, 9_999)).to_string()
}

/// A JSON object as a text; most are empty, since that fits most.
pub(crate) fn object(rng: &mut Rng) -> String {
    let noun = NOUNS[rng.below(NOUNS.len())];
    match rng.below(6) {
        0 => format!(r#"{{"name":"{noun}"}}"#),
        1 => format!(r#"{{"key":{}}}"#, rng.between(0, 9)),
        _ => "{}".to_owned(),
    }
}

/// A date or time as people write it.
pub(crate) fn moment(moment: Moment, rng: &mut Rng) -> String {
    let number = rng.between(0, 9_999);
    let (month, day) = (1 + number % 12, 1 + number % 28);
    let date = format!("20{:02}-{month:02}-{day:02}", number % 30);
    match moment {
        Moment::Instant => format!("{date}T10:20:30Z"),
        Moment::Precise => format!("{date}T10:20:30.{:03}Z", number % 1_000),
        Moment::Date => date,
        Moment::Time if number % 4 == 0 => format!("{:02}:{:02}:00Z", number % 24, number % 60),
        Moment::Time => format!("{:02}:{:02}:00", number % 24, number % 60),
    }
}

/// Small numbers mostly: sizes, ratings, positions.
fn number(name: &str, rng: &mut Rng) -> Option<i64> {
    const PAGE: [i64; 8] = [0, 1, 2, 3, 10, 50, 100, -1];
    let words = words(name);
    let is = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
    if is(&["first", "last", "limit", "take", "size", "page", "offset", "skip", "count"]) {
        return Some(PAGE[rng.below(PAGE.len())]);
    }
    let draw = rng.unit();
    if draw < SMALL {
        return Some(rng.between(0, 9));
    }
    (draw < SMALL + LARGE).then(|| [20, 100, 500, 999, 1_000, 5_000, 10_000][rng.below(7)])
}

fn text(name: &str, scalar: &str, rng: &mut Rng) -> Option<String> {
    if let Some(guess) = by_words(&words(scalar), rng).or_else(|| by_words(&words(name), rng)) {
        return rng.chance(GUESSED).then_some(guess);
    }
    let is_custom = !matches!(scalar, "String" | "ID");
    if is_custom || scalar == "ID" {
        return None;
    }
    let draw = rng.unit();
    if draw < EMPTY {
        return Some(String::new());
    }
    (draw < 0.5).then(|| format!("{} {}", NOUNS[rng.below(NOUNS.len())], rng.between(0, 999)))
}

const NOUNS: [&str; 6] = ["Apple", "Bridge", "Cloud", "Daisy", "Engine", "Forest"];

/// A text that the words of a name ask for; all of them together, or else the last one known.
fn by_words(words: &[String], rng: &mut Rng) -> Option<String> {
    by_word(&words.concat(), rng).or_else(|| words.iter().rev().find_map(|word| by_word(word, rng)))
}

fn by_word(word: &str, rng: &mut Rng) -> Option<String> {
    let number = rng.between(0, 9_999);
    let (month, day) = (1 + number % 12, 1 + number % 28);
    Some(match word {
        "email" | "mail" => format!("user{number}@example.com"),
        "password" | "passwd" | "secret" => format!("Pass-word-{number}"),
        "url" | "uri" | "link" | "website" | "homepage" | "href" => {
            format!("https://example.com/{number}")
        }
        "datetime" | "timestamp" | "instant" => moment(Moment::Instant, rng),
        "date" | "day" | "birthday" | "birthdate" => match number % 4 {
            0 => format!("20{:02}/{month:02}/{day:02}", number % 30),
            _ => moment(Moment::Date, rng),
        },
        // A time of the day, or a moment; the schema does not tell.
        "time" => moment(if number % 2 == 0 { Moment::Instant } else { Moment::Time }, rng),
        "duration" => format!("PT{}M", number % 60),
        "phone" | "telephone" | "tel" | "mobile" | "fax" => format!("608555{number:04}"),
        "uuid" | "guid" => format!("123e4567-e89b-42d3-a456-42661417{number:04}"),
        "ipv4" | "ip" => format!("192.0.2.{}", number % 256),
        "ipv6" => format!("2001:db8::{number:x}"),
        "country" => ["DE", "SE", "FR", "US"][rng.below(4)].to_owned(),
        "currency" => ["EUR", "USD", "SEK"][rng.below(3)].to_owned(),
        "language" | "locale" | "lang" => ["en", "de", "sv"][rng.below(3)].to_owned(),
        "zip" | "postcode" | "postal" => format!("{:05}", 10_000 + number),
        "city" | "town" => ["Berlin", "Malmo", "Lyon", "Boston"][rng.below(4)].to_owned(),
        "decimal" | "bigdecimal" | "money" => format!("{}.{:02}", number / 100, number % 100),
        "bigint" | "long" | "integer" => number.to_string(),
        "json" | "jsonobject" | "object" => object(rng),
        "color" | "colour" => format!("#{number:06x}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use wallace_genes::spec::{IntegerSpec, StringSpec};

    use super::*;

    fn guesses(name: &str, scalar: &str, spec: &GeneSpec, examples: &ScalarExamples) -> Vec<Gene> {
        let mut rng = Rng::new(1, 1);
        (0..200).filter_map(|_| guess(name, scalar, spec, examples, &mut rng)).collect()
    }

    #[test]
    fn names_and_scalars_say_what_a_text_looks_like() {
        let text = GeneSpec::String(StringSpec::default());
        let of = |name: &str, scalar: &str| guesses(name, scalar, &text, &ScalarExamples::new());
        let holds = |genes: &[Gene], part: &str| {
            genes.iter().all(|gene| matches!(gene, Gene::String(it) if it.text.contains(part)))
        };
        assert!(holds(&of("ownerEmail", "String"), "@example.com"));
        assert!(holds(&of("x", "DateTime"), "T10:20:30Z"));
        let times = of("x", "Time");
        let instants = times.iter().filter(|gene| holds(&[(*gene).clone()], "T10:20:30Z")).count();
        assert!(instants > 20 && times.len() - instants > 20, "{instants} of {}", times.len());
        assert!(of("id", "ID").is_empty());
        let names = of("title", "String");
        assert!(names.contains(&Gene::text("")) && names.len() < 200);
    }

    #[test]
    fn examples_of_the_user_come_first() {
        let text = GeneSpec::String(StringSpec::default());
        let examples = ScalarExamples::from([("Sku".to_owned(), vec!["A-1".to_owned()])]);
        let found: BTreeSet<String> =
            guesses("x", "Sku", &text, &examples).iter().map(|gene| format!("{gene:?}")).collect();
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn numbers_are_small_and_in_range() {
        let spec = GeneSpec::Integer(IntegerSpec { min: 1, max: 5 });
        let found = guesses("rating", "Int", &spec, &ScalarExamples::new());
        assert!(found.iter().all(|gene| matches!(gene, Gene::Integer(1..=5))));
        let pages = guesses(
            "first",
            "Int",
            &GeneSpec::Integer(IntegerSpec::default()),
            &ScalarExamples::new(),
        );
        assert!(pages.contains(&Gene::Integer(-1)) && pages.contains(&Gene::Integer(100)));
    }
}
