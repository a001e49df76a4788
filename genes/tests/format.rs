//! Formats, judged by the grammars of their standards and by the crate `regex`.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, clippy::print_stdout)]

use std::collections::BTreeSet;
use std::sync::Arc;

use wallace_genes::{expansion::*, spec::*, *};

fn single(format: FormatSpec) -> SpecRef {
    let mut builder = SpecBuilder::new();
    let id = builder.add(GeneSpec::Format(format));
    SpecRef::new(builder.build(), id)
}

fn text(gene: &Gene) -> &str {
    let Gene::String(string) = gene else { panic!("no text: {gene:?}") };
    &string.text
}

/// Calls `judge` with texts of the format: sampled, mutated again and again, and simplified.
fn for_texts(format: FormatSpec, mut judge: impl FnMut(&str)) {
    let name = format!("{format:?}");
    let spec = single(format);
    let settings = Arc::new(GeneSettings::default());
    let knowledge = Knowledge::default();
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let mut draw = Draw::new(seed, 0, Arc::clone(&settings));
        let mut gene = sample(&spec, TemplateId(0), &knowledge, &mut draw);
        for _ in 0..20 {
            judge(text(&gene));
            assert_eq!(check(&spec, &gene), Ok(()), "{name}");
            seen.insert(text(&gene).to_owned());
            let was = gene.clone();
            let has_changed = mutate(&spec, TemplateId(0), &mut gene, &[0], &knowledge, &mut draw);
            assert!(has_changed && gene != was, "{name}: {was:?} stayed");
        }
        while let Some(next) = { simpler(&spec, &gene, &settings).next() } {
            judge(text(&next));
            gene = next;
        }
        assert!(complexity(&gene) <= complexity(&simplest(&spec, &settings)), "{name}: {gene:?}");
    }
    assert!(seen.len() > 100, "{name}: only {} texts", seen.len());
}

/// An expression for whole texts, from the grammar of a format's standard.
fn grammar(expression: &str) -> regex::Regex {
    regex::Regex::new(&format!(r"\A(?:{expression})\z")).unwrap()
}

fn judged_by(format: FormatSpec, expression: &str) {
    let grammar = grammar(expression);
    for_texts(format, |text| assert!(grammar.is_match(text), "{text} as {expression}"));
}

/// RFC 3339, section 5.6.
const TIME: &str = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)";

/// Every day of the years 1900 to 2100, by counting.
fn calendar() -> BTreeSet<String> {
    let mut days = BTreeSet::new();
    for year in 1900..=2100 {
        let february = if year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) { 29 } else { 28 };
        let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(months) {
            days.extend((1..=length).map(|day| format!("{year}-{month:02}-{day:02}")));
        }
    }
    assert_eq!(days.len(), 73_414, "201 years of 365 days, and 49 leap days");
    days
}

#[test]
fn days_are_those_of_the_calendar() {
    let days = calendar();
    for_texts(FormatSpec::Date(DateSpec::default()), |text| {
        assert!(days.contains(text), "{text}");
    });
    let date = FormatSpec::Date(DateSpec::default());
    assert!(days.iter().all(|day| date.is_valid(day)));
    let time = grammar(TIME);
    for_texts(FormatSpec::DateTime(DateTimeSpec::default()), |text| {
        let (day, clock) = text.split_once('T').unwrap();
        assert!(days.contains(day) && time.is_match(clock), "{text}");
    });
}

#[test]
fn texts_are_what_the_standards_say() {
    judged_by(FormatSpec::Time(TimeSpec::default()), TIME);
    let local = TimeSpec { has_offset: false };
    judged_by(FormatSpec::Time(local), r"([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?");
    judged_by(FormatSpec::Uuid, "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    // RFC 5322, 3.2.3 (dot-atom) and RFC 1035, 2.3.1 (labels; a digit may begin one: RFC 1123, 2.1).
    let (atom, label) =
        ("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+", "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");
    judged_by(FormatSpec::Email, &format!(r"{atom}(\.{atom})*@{label}(\.{label})+"));
    // RFC 3986, appendix A.
    let character = r"([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
    let uri = format!(
        r"https?://({label}(\.{label})*|\[[0-9a-f:.]+\])(:\d+)?(/{character}*)*(\?({character}|[/?])*)?(#({character}|[/?])*)?"
    );
    judged_by(FormatSpec::Uri, &uri);
    let groups = "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?";
    judged_by(FormatSpec::Base64, groups);
    let octet = r"(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)";
    let v4 = format!(r"{octet}(\.{octet}){{3}}");
    judged_by(FormatSpec::Ip(IpVersion::V4), &v4);
    for_texts(FormatSpec::Ip(IpVersion::V6), |text| {
        assert!(text.parse::<std::net::Ipv6Addr>().is_ok(), "{text}");
    });
}

#[test]
fn foreign_texts_are_no_dates() {
    let date = FormatSpec::Date(DateSpec::default());
    for text in [
        "",
        "2026",
        "2026-02-29",
        "2026-2-3",
        "2100-02-29",
        "2026-01-01T",
        "1899-12-31",
        "2026-00-01",
        "2026-01-00",
        "20260-1-01",
        "+026-01-01",
        "2026-01-0\u{664}",
    ] {
        assert!(!date.is_valid(text), "{text}");
    }
    assert!(date.is_valid("2000-02-29") && date.is_valid("1900-01-01"));
    let time = FormatSpec::Time(TimeSpec::default());
    for text in ["12:00:00", "24:00:00Z", "12:00:61Z", "12:00:00.Z", "12:00Z", "12:00:00+24:00"] {
        assert!(!time.is_valid(text), "{text}");
    }
    assert!(time.is_valid("12:00:00.5-11:30"));
    assert!(time.is_valid("23:59:60Z"), "RFC 3339 knows leap seconds");
    for text in ["a@b", "@b.c", "a..b@c.d", "a@-b.c", "a@b.c ", "a b@c.d"] {
        assert!(!FormatSpec::Email.is_valid(text), "{text}");
    }
    let uri = FormatSpec::Uri;
    for text in [
        "a/b",
        "1a:b",
        "mailto:",
        "mailto:a b",
        "http://",
        "http://a b",
        "http://a/%2",
        "http://a:65536",
        "http:a",
    ] {
        assert!(!uri.is_valid(text), "{text}");
    }
    assert!(uri.is_valid("http://[::1]:80/a/..?b=c&d#e"));
    assert!(uri.is_valid("mailto:admin@example.com") && uri.is_valid("discord://web_hook/a_b"));
}

/// Patterns of the kinds that schemas hold.
const PATTERNS: &[&str] = &[
    "[a-z]+",
    r"^\d{3}-\d{4}$",
    r"^(\([0-9]{3}\))?[0-9]{3}-[0-9]{4}$",
    r"(?i)^(yes|no)!?$",
    r"^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,6}$",
    r"^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$",
    r"\b(cat|dog)\b.*\bfood\b",
    r"^(a|b(c|d(e|f)*)+)?$",
    r"(x+x+)+y",
    r"((ab?)*c?){2,5}",
    r"^\p{Lu}[\p{Ll} ]*$",
    r"[^\x00-\x7f]{2}",
    r"(?m)^line$",
    r"^[\w\-/]+(\.[\w]+)?$",
    r"a{0,3}?b{2}",
    r"^\S+\s\S+$",
    r".",
    r"[[:alpha:]_][[:alnum:]_]*",
    r"(?x) a  b # comment",
    r"y\Bx\Bz",
];

#[test]
fn every_text_of_a_pattern_matches_it() {
    for pattern in PATTERNS {
        // A comment ends at the end of its line only.
        let whole = regex::Regex::new(&format!("\\A(?:{pattern}\n)\\z"));
        let whole = match pattern.starts_with("(?x)") {
            true => whole.unwrap(),
            false => regex::Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap(),
        };
        let partial = regex::Regex::new(pattern).unwrap();
        let judge = |spec: RegexSpec, expression: &regex::Regex| {
            let spec = single(FormatSpec::Regex(spec));
            let settings = Arc::new(GeneSettings::default());
            for seed in 0..60 {
                let mut draw = Draw::new(seed, 0, Arc::clone(&settings));
                let knowledge = Knowledge::default();
                let mut gene = sample(&spec, TemplateId(0), &knowledge, &mut draw);
                for _ in 0..10 {
                    let text = text(&gene);
                    assert!(expression.is_match(text), "{pattern} does not match {text:?}");
                    mutate(&spec, TemplateId(0), &mut gene, &[0], &knowledge, &mut draw);
                }
                for other in simpler(&spec, &gene, &settings) {
                    let text = text(&other);
                    assert!(expression.is_match(text), "{pattern} does not match {text:?}");
                }
            }
        };
        judge(RegexSpec::whole(pattern).unwrap(), &whole);
        judge(RegexSpec::partial(pattern).unwrap(), &partial);
    }
}

#[test]
fn the_matcher_agrees_with_the_crate_regex() {
    // Texts that mostly do not match, around those that do.
    let mut rng = Rng::new(3, 3);
    let mut matches = 0;
    for pattern in PATTERNS.iter().filter(|pattern| !pattern.starts_with("(?x)")) {
        let whole = regex::Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap();
        let partial = regex::Regex::new(pattern).unwrap();
        let spec = RegexSpec::whole(pattern).unwrap();
        let (own_whole, own_partial) = (
            FormatSpec::Regex(spec.clone()),
            FormatSpec::Regex(RegexSpec::partial(pattern).unwrap()),
        );
        for _ in 0..300 {
            let mut characters: Vec<char> = spec.shortest().chars().collect();
            for _ in 0..rng.below(4) {
                let one = ['a', 'b', 'x', 'y', '-', ' ', '\n', '0', '9', '.', '@', '\u{e9}'];
                let place = rng.below(characters.len() + 1);
                characters.insert(place, one[rng.below(one.len())]);
            }
            let text: String = characters.into_iter().collect();
            assert_eq!(own_whole.is_valid(&text), whole.is_match(&text), "{pattern} on {text:?}");
            assert_eq!(
                own_partial.is_valid(&text),
                partial.is_match(&text),
                "{pattern} on {text:?}"
            );
            matches += u32::from(whole.is_match(&text));
        }
    }
    assert!((500..5_000).contains(&matches), "{matches} of 5,700 match");
}

#[test]
fn lengths_are_kept_and_what_cannot_be_made_is_refused() {
    for (pattern, min, max) in
        [("[a-z]*", 30, 40), ("(ab)+", 7, 9), ("a+b*", 500, 600), (r"^\d+(,\d+)*$", 20, 20)]
    {
        let spec = RegexSpec::whole(pattern).unwrap().with_length(min, max).unwrap();
        let spec = single(FormatSpec::Regex(spec));
        for seed in 0..50 {
            let mut draw = Draw::new(seed, 0, Arc::new(GeneSettings::default()));
            let gene = sample(&spec, TemplateId(0), &Knowledge::default(), &mut draw);
            let length = text(&gene).chars().count() as u32;
            assert!((min..=max).contains(&length), "{pattern}: {length}");
        }
    }
    let unsupported = ["(?=a)b", "(?<!a)b", r"(a)\1", "(", "[z-a]", r"\b{start-half}a"];
    for pattern in unsupported {
        let refused = RegexSpec::whole(pattern);
        assert!(matches!(refused, Err(RegexError::Unsupported(_))), "{pattern}: {refused:?}");
    }
    assert_eq!(RegexSpec::whole("a{2000}"), Err(RegexError::TooLarge));
    assert_eq!(RegexSpec::whole("(a{50}){50}"), Err(RegexError::TooLarge));
    assert_eq!(RegexSpec::whole("a^b"), Err(RegexError::NoText));
    assert_eq!(RegexSpec::whole("aaa").unwrap().with_length(4, 9), Err(RegexError::NoText));
    // No time is lost on patterns that look back and forth elsewhere.
    let hard = FormatSpec::Regex(RegexSpec::whole("(a|a)*(a|a)*b").unwrap());
    assert!(!hard.is_valid(&"a".repeat(1_000)));
    let nested = FormatSpec::Regex(RegexSpec::whole("(((a?){500}){500}){500}b").unwrap());
    assert!(nested.is_valid("aab"));
}

#[test]
fn learnt_constants_of_the_format_are_used() {
    let spec = single(FormatSpec::Date(DateSpec::default()));
    let mut knowledge = Knowledge::default();
    for constant in ["2026-11-21", "no date"] {
        let constant = Specialisation::Constant(constant.into());
        knowledge.learn(TemplateId(0), &GenePath::default(), constant);
    }
    let sampled = |seed| {
        let mut draw = Draw::new(seed, 0, Arc::new(GeneSettings::default()));
        sample(&spec, TemplateId(0), &knowledge, &mut draw)
    };
    let samples: Vec<Gene> = (0..400).map(sampled).collect();
    assert!(samples.iter().all(|gene| check(&spec, gene).is_ok()));
    let learnt = samples.iter().filter(|gene| text(gene) == "2026-11-21").count();
    assert!((60..140).contains(&learnt), "{learnt} of 400");
}

#[test]
fn what_a_service_compares_with_may_stand_where_a_pattern_does() {
    let spec = single(FormatSpec::Regex(
        RegexSpec::whole("[a-z]{3}").unwrap().with_length(3, 20).unwrap(),
    ));
    let mut draw =
        Draw::new(1, 1, Arc::new(GeneSettings { taint_start: 1.0, ..GeneSettings::default() }));
    draw.is_tainting = true;
    let knowledge = Knowledge::default();
    let tainted = sample(&spec, TemplateId(0), &knowledge, &mut draw);
    assert!(is_tainted(text(&tainted)), "{tainted:?}");
    assert_eq!(check(&spec, &tainted), Ok(()));
    let learnt = |text: &str| {
        Gene::String(StringGene { text: text.into(), specialisation: Some(SpecialisationId(0)) })
    };
    assert_eq!(check(&spec, &learnt("Admin7")), Ok(()));
    assert!(check(&spec, &learnt("longer than what is allowed")).is_err());
    assert!(check(&spec, &Gene::text("Admin7")).is_err(), "nobody asked for it");
    let day = single(FormatSpec::Date(DateSpec::default()));
    let sampled = sample(&day, TemplateId(0), &knowledge, &mut draw);
    assert!(!is_tainted(text(&sampled)), "days are parsed before they are compared");
    assert!(check(&day, &learnt("Admin7")).is_err());
}
