//! Uses of tainted texts: what the code wants an input to be.
//!
//! An engine sends texts like `_EM_7_XYZ_`. Where such a text is compared with a constant, a
//! pattern or another such text, that is reported, and the engine knows what to send instead.

use wallace_sut_driver::StringUse;

use crate::comparison::Operator;
use crate::elements::Collection;
use crate::layout::Layout;
use crate::observation::Observation;
use crate::predicate::Predicate;
use crate::shape::Shape;
use crate::state::are_inputs_told;

/// Length of the shortest tainted text, `_EM_0_XYZ_`.
const SHORTEST: usize = 10;
/// Longest text that is looked at and reported, in bytes; longer ones come from no gene.
const LONGEST: usize = 2_048;
/// Longest value that is reported: that of two inputs which must be equal.
pub(crate) const LONGEST_VALUE: usize = 2 * LONGEST + 3;
/// Elements of a collection that are reported for a look-up, as in the rest of the family.
const MOST_ELEMENTS: usize = 10;
/// Shortest announced input that counts when it is only a part of a text: shorter ones would be
/// found everywhere.
const SHORTEST_INPUT_PART: usize = 6;

/// A tainted text.
#[derive(Debug, Clone, Copy)]
struct Taint<'a> {
    text: &'a str,
    /// The tainted value inside the text.
    token: &'a str,
}

impl<'a> Taint<'a> {
    /// Finds the first tainted value in `text`: of the known shape, or among `inputs`.
    fn find(text: &'a str, inputs: &[String]) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let token = token(text).or_else(|| announced(text, inputs))?;
        Some(Self { text, token })
    }

    fn report(&self, specialisation: &'static str, value: Option<String>) -> StringUse {
        StringUse {
            tainted: self.text.to_owned(),
            specialisation,
            value,
            is_full_match: self.token.len() == self.text.len(),
        }
    }

    /// The code changed the case of the value, so the case of the constant is free.
    fn is_case_changed(&self) -> bool {
        token(self.token).is_some() && self.token.bytes().any(|byte| byte.is_ascii_lowercase())
    }

    /// Another tainted value, for the other side of a separator: both sides can then be told apart.
    fn sibling(&self) -> String {
        match token(self.token) {
            // `_EM_7_XYZ_` gives `_EM_70_XYZ_`, in the same case.
            Some(token) => {
                let (digits, end) = token.split_at(token.len() - "_XYZ_".len());
                format!("{digits}0{end}")
            }
            None => self.token.to_owned(),
        }
    }

    fn constant(&self, constant: &str) -> StringUse {
        let kind = if self.is_case_changed() { "CONSTANT_IGNORE_CASE" } else { "CONSTANT" };
        self.report(kind, Some(constant.to_owned()))
    }
}

/// Whether `text` may be or hold an input: a look that needs no recorder.
pub(crate) fn may_be_input(text: &str) -> bool {
    text.len() <= LONGEST && (are_inputs_told() || token(text).is_some())
}

/// The first part of `text` that has the shape `_EM_<digits>_XYZ_`, in any case.
fn token(text: &str) -> Option<&str> {
    if text.len() < SHORTEST {
        return None;
    }
    let bytes = text.as_bytes();
    let starts = (0..=bytes.len() - SHORTEST).filter(|&start| bytes[start] == b'_');
    starts.into_iter().find_map(|start| {
        let rest = &bytes[start..];
        let is_opened = rest[..4].eq_ignore_ascii_case(b"_EM_");
        let digits = rest[4..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = 4 + digits + 5;
        let is_closed = rest.get(4 + digits..end)?.eq_ignore_ascii_case(b"_XYZ_");
        (is_opened && digits > 0 && is_closed).then(|| &text[start..start + end])
    })
}

fn announced<'a>(text: &'a str, inputs: &[String]) -> Option<&'a str> {
    if inputs.iter().any(|input| input == text) {
        return (!text.is_empty()).then_some(text);
    }
    let long = inputs.iter().filter(|input| input.len() >= SHORTEST_INPUT_PART);
    long.into_iter().find_map(|input| {
        let start = text.find(input.as_str())?;
        Some(&text[start..start + input.len()])
    })
}

/// Uses in a comparison. The bound of an ordering is reported too: it is where the order turns.
pub(crate) fn in_comparison(
    operator: Operator,
    left: Observation<'_>,
    right: Observation<'_>,
    inputs: &[String],
) -> Vec<StringUse> {
    let (Observation::Text(left), Observation::Text(right)) = (left, right) else {
        return Vec::new();
    };
    match (Taint::find(left, inputs), Taint::find(right, inputs)) {
        (Some(left), Some(right)) if operator != Operator::Order => equal(left, right),
        (Some(taint), None) => vec![taint.constant(right)],
        (None, Some(taint)) => vec![taint.constant(left)],
        _ => Vec::new(),
    }
}

/// Two inputs must be equal: the value joins both, as the protocol wants it.
fn equal(left: Taint<'_>, right: Taint<'_>) -> Vec<StringUse> {
    if left.token.eq_ignore_ascii_case(right.token) {
        return Vec::new();
    }
    let value = format!("{}___{}", left.text, right.text);
    [left, right].map(|taint| taint.report("EQUAL", Some(value.clone()))).to_vec()
}

/// Uses in a predicate.
pub(crate) fn in_predicate(
    predicate: Predicate,
    receiver: Observation<'_>,
    argument: Observation<'_>,
    inputs: &[String],
) -> Vec<StringUse> {
    let mut buffer = [0; 4];
    let argument = match argument {
        Observation::Character(character) => Observation::Text(character.encode_utf8(&mut buffer)),
        other => other,
    };
    match (receiver, argument) {
        (Observation::Pattern(pattern), Observation::Text(text)) => {
            Taint::find(text, inputs).map(|taint| vec![regex(taint, pattern)]).unwrap_or_default()
        }
        (Observation::Text(text), Observation::Text(part)) => match Taint::find(text, inputs) {
            Some(taint) if Taint::find(part, inputs).is_none() => part_uses(predicate, taint, part),
            Some(_) => in_comparison(Operator::Equal, receiver, argument, inputs),
            None => {
                Taint::find(part, inputs).map(|taint| taint.constant(text)).into_iter().collect()
            }
        },
        _ => Vec::new(),
    }
}

/// A constant that has the part and keeps the taint, so that what is done with the rest shows next;
/// and the pattern of all texts with the part.
fn part_uses(predicate: Predicate, taint: Taint<'_>, part: &str) -> Vec<StringUse> {
    let (quoted, text) = (regex::escape(part), taint.text);
    let (kept, kind, pattern) = match predicate {
        Predicate::StartsWith if !text.starts_with(part) => {
            (format!("{part}{text}"), "REGEX_WHOLE", format!("{quoted}.*"))
        }
        Predicate::EndsWith if !text.ends_with(part) => {
            (format!("{text}{part}"), "REGEX_WHOLE", format!(".*{quoted}"))
        }
        Predicate::Contains | Predicate::Find if !text.contains(part) => {
            (format!("{text}{part}{}", taint.sibling()), "REGEX_PARTIAL", quoted)
        }
        Predicate::EqualIgnoringCase => {
            return vec![taint.report("CONSTANT_IGNORE_CASE", Some(part.to_owned()))];
        }
        _ => return Vec::new(),
    };
    vec![taint.constant(&kept), taint.report(kind, Some(pattern))]
}

/// A pattern between anchors must match the whole text; others must be found in it.
fn regex(taint: Taint<'_>, pattern: &str) -> StringUse {
    let inner = pattern.strip_prefix('^').or_else(|| pattern.strip_prefix(r"\A"));
    let inner = inner.and_then(|inner| {
        let inner = inner.strip_suffix('$').or_else(|| inner.strip_suffix(r"\z"))?;
        // An escaped end, or an alternative at the top that one anchor does not bind.
        (!inner.ends_with('\\') && !has_top_alternative(inner)).then_some(inner)
    });
    match inner {
        Some(inner) => taint.report("REGEX_WHOLE", Some(inner.to_owned())),
        None => taint.report("REGEX_PARTIAL", Some(pattern.to_owned())),
    }
}

fn has_top_alternative(pattern: &str) -> bool {
    let (mut depth, mut is_escaped, mut is_in_class) = (0_usize, false, false);
    for character in pattern.chars() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            _ if is_in_class => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// Uses in a `match` on literals: one constant for each text among the patterns.
pub(crate) fn in_match(
    elements: &[Observation<'_>],
    shapes: &[(u32, Shape)],
    inputs: &[String],
) -> Vec<StringUse> {
    let mut uses = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let Observation::Text(text) = *element else { continue };
        let Some(taint) = Taint::find(text, inputs) else { continue };
        let mut constants = Vec::new();
        shapes.iter().for_each(|(_, shape)| shape.texts(index, &mut constants));
        uses.extend(constants.into_iter().map(|constant| taint.constant(constant)));
    }
    uses
}

/// Uses in a look-up of `key`: one constant for each element that could have been asked for.
pub(crate) fn in_look_up(
    key: &str,
    collection: Collection<'_>,
    inputs: &[String],
) -> Vec<StringUse> {
    let Some(taint) = Taint::find(key, inputs) else { return Vec::new() };
    let mut elements = Vec::new();
    collection.each(&mut |element| match element {
        Observation::Text(text) if text.len() <= LONGEST => elements.push(text.to_owned()),
        _ => {}
    });
    // The order of hash tables differs from run to run.
    elements.sort_unstable();
    elements.dedup();
    elements.iter().take(MOST_ELEMENTS).map(|element| taint.constant(element)).collect()
}

/// The use of a text that is read as the type called `type_name`, or written like `layout`.
pub(crate) fn in_parse(
    text: &str,
    type_name: &str,
    layout: Option<&Layout>,
    inputs: &[String],
) -> Option<StringUse> {
    let taint = Taint::find(text, inputs)?;
    let specialisation = match type_name {
        "i8" | "i16" | "i32" | "u8" | "u16" => "INTEGER",
        "i64" | "i128" | "isize" | "u32" | "u64" | "u128" | "usize" => "LONG",
        "f32" => "FLOAT",
        "f64" => "DOUBLE",
        "bool" => "BOOLEAN",
        name if name.ends_with("::Uuid") => "UUID",
        name if name.ends_with("::Url") => "URL",
        name if name.ends_with("::Uri") => "URI",
        name if name.ends_with("::NaiveDate") || name.ends_with("::civil::date::Date") => {
            "DATE_YYYY_MM_DD"
        }
        name if name.ends_with("::NaiveDateTime")
            || name.ends_with("::civil::datetime::DateTime") =>
        {
            "ISO_LOCAL_DATE_TIME"
        }
        name if name.ends_with("::NaiveTime") || name.ends_with("::civil::time::Time") => {
            "ISO_LOCAL_TIME"
        }
        _ => {
            let Some(Layout::Pattern(pattern)) = layout else { return None };
            return Some(regex(taint, pattern));
        }
    };
    Some(taint.report(specialisation, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(left: &str, right: &str) -> Vec<StringUse> {
        let (left, right) = (Observation::Text(left), Observation::Text(right));
        in_comparison(Operator::Equal, left, right, &["[ab]+x".to_owned()])
    }

    fn only(uses: &[StringUse]) -> (&'static str, Option<&str>, bool) {
        assert_eq!(uses.len(), 1, "{uses:?}");
        (uses[0].specialisation, uses[0].value.as_deref(), uses[0].is_full_match)
    }

    #[test]
    fn constants_are_reported_with_the_case_that_counts() {
        assert_eq!(only(&compared("_EM_7_XYZ_", "mon")), ("CONSTANT", Some("mon"), true));
        let lowered = compared("mon", "_em_12_xyz_");
        assert_eq!(only(&lowered), ("CONSTANT_IGNORE_CASE", Some("mon"), true));
        assert_eq!(lowered[0].tainted, "_em_12_xyz_");
        let part = compared("user:_EM_7_XYZ_!", "user:bob");
        assert_eq!(only(&part), ("CONSTANT", Some("user:bob"), false));
        assert_eq!(only(&compared("[ab]+x", "q")), ("CONSTANT", Some("q"), true));
    }

    #[test]
    fn untainted_texts_are_not_reported() {
        let near = ["_EM__XYZ_", "_EM_7_XYZ", "EM_7_XYZ_", "_EM_x_XYZ_", "é_EM_é_XYZ_", ""];
        for text in near {
            assert!(compared(text, "mon").is_empty(), "{text}");
        }
        assert!(compared("_EM_1_XYZ_", "_EM_1_XYZ_").is_empty());
        assert!(compared(&format!("_EM_1_XYZ_{}", "x".repeat(5_000)), "a").is_empty());
    }

    #[test]
    fn a_token_is_found_behind_false_starts() {
        let text = "__EM_3__EM_44_XYZ_é";
        assert_eq!(token(text), Some("_EM_44_XYZ_"));
    }

    #[test]
    fn two_inputs_are_equal_with_five_underscores() {
        let uses = compared("_EM_87_XYZ_", "_EM_88_XYZ_");
        assert_eq!(uses.len(), 2);
        for use_ in uses {
            assert_eq!(use_.specialisation, "EQUAL");
            assert_eq!(use_.value.as_deref(), Some("_EM_87_XYZ_____EM_88_XYZ_"));
        }
    }

    #[test]
    fn patterns_are_whole_only_between_anchors() {
        let matched = |pattern| {
            let text = Observation::Text("_EM_7_XYZ_");
            let pattern = Observation::Pattern(pattern);
            let uses = in_predicate(Predicate::IsMatch, pattern, text, &[]);
            (uses[0].specialisation, uses[0].value.clone().unwrap())
        };
        assert_eq!(matched("^[a-z|]+(x|y)$"), ("REGEX_WHOLE", "[a-z|]+(x|y)".to_owned()));
        assert_eq!(matched("^a|b$"), ("REGEX_PARTIAL", "^a|b$".to_owned()));
        assert_eq!(matched(r"^a\$"), ("REGEX_PARTIAL", r"^a\$".to_owned()));
        assert_eq!(matched("abc"), ("REGEX_PARTIAL", "abc".to_owned()));
    }

    #[test]
    fn prefixes_and_parsed_types_are_reported() {
        let text = Observation::Text("_EM_7_XYZ_");
        let uses = in_predicate(Predicate::StartsWith, text, Observation::Text("us.er"), &[]);
        assert_eq!(uses[0].value.as_deref(), Some("us.er_EM_7_XYZ_"));
        assert_eq!(uses[1].value.as_deref(), Some(r"us\.er.*"));
        let parsed = in_parse("_EM_7_XYZ_", "f64", None, &[]).unwrap();
        assert_eq!((parsed.specialisation, parsed.value), ("DOUBLE", None));
        assert_eq!(in_parse("_EM_7_XYZ_", "my::Kind", None, &[]), None);
        assert_eq!(in_parse("7", "i32", None, &[]), None);
        let layout = crate::layout::of_format("%d.%m");
        let parsed = in_parse("_EM_7_XYZ_", "", layout.as_ref(), &[]).unwrap();
        assert_eq!(parsed.specialisation, "REGEX_WHOLE");
    }

    #[test]
    fn separators_are_reported_with_a_tainted_value_on_each_side() {
        let text = Observation::Text("_EM_7_XYZ_");
        let uses = in_predicate(Predicate::Find, text, Observation::Character('.'), &[]);
        assert_eq!(uses[0].value.as_deref(), Some("_EM_7_XYZ_._EM_70_XYZ_"));
        assert_eq!(
            (uses[1].specialisation, uses[1].value.as_deref()),
            ("REGEX_PARTIAL", Some(r"\."))
        );
        let split = Observation::Text("_EM_7_XYZ_._EM_70_XYZ_");
        assert!(in_predicate(Predicate::Find, split, Observation::Character('.'), &[]).is_empty());
    }

    #[test]
    fn look_ups_report_the_keys_in_their_order() {
        let keys: Vec<String> = (0..20).rev().map(|key| format!("k{key:02}")).collect();
        let uses = in_look_up("_EM_7_XYZ_", Collection::Known(&keys), &[]);
        let keys: Vec<_> = uses.iter().map(|use_| use_.value.as_deref().unwrap()).collect();
        assert_eq!((keys.len(), keys[0], keys[9]), (10, "k00", "k09"));
        assert!(in_look_up("k01", Collection::Headers, &[]).is_empty());
    }

    #[test]
    fn matched_literals_are_reported_for_their_own_element() {
        let shapes = [
            (0, Shape::Each(&[Shape::Text("a"), Shape::Text("b")])),
            (1, Shape::Each(&[Shape::Any, Shape::Either(&[Shape::Text("c"), Shape::Text("d")])])),
        ];
        let elements = [Observation::Text("x"), Observation::Text("_EM_7_XYZ_")];
        let uses = in_match(&elements, &shapes, &[]);
        let constants: Vec<_> = uses.iter().map(|use_| use_.value.as_deref().unwrap()).collect();
        assert_eq!(constants, ["b", "c", "d"]);
    }
}
