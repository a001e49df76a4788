//! What a user should know of a description: what is wrong with it, and what of it is left out.

use std::collections::BTreeMap;

use wallace_problems::graphql::{Schema, TypeKind};
use wallace_problems::rest::{Diagnostic, Filtered};

use super::unused;

/// Most defects of a description that are told.
const DEFECTS: usize = 50;

/// What is wrong with a description: each thing once, at its first place and with its number.
pub(super) fn defects(diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (place, diagnostic) in diagnostics.iter().enumerate() {
        places.entry(&diagnostic.problem).or_insert((place, 0)).1 += 1;
    }
    let mut places: Vec<(usize, usize)> = places.into_values().collect();
    places.sort_unstable();
    let remark = |(place, count): (usize, usize)| match count {
        1 => diagnostics[place].to_string(),
        _ => format!("{} ({count} times)", diagnostics[place]),
    };
    places.into_iter().take(DEFECTS).map(remark).collect()
}

/// What should be known of the filters.
pub(super) fn filters(filtered: &Filtered) -> Vec<String> {
    let mut notes: Vec<String> = filtered.unused.iter().map(|text| unused(text)).collect();
    if !filtered.skipped.is_empty() {
        notes.push(format!("not called, as the driver asks: {}", filtered.skipped.join(", ")));
    }
    let unknown = filtered.unknown.iter();
    notes.extend(unknown.map(|path| {
        format!("the driver asks not to call {path:?}, which the description does not have")
    }));
    notes
}

/// What should be known of the scalars that values are given for.
pub(super) fn scalars<'a>(
    schema: &Schema,
    names: impl Iterator<Item = &'a String>,
) -> impl Iterator<Item = String> {
    let is_scalar = |name: &String| {
        let kind = schema.type_named(name).map(|id| &schema.definition(id).kind);
        matches!(kind, Some(TypeKind::Scalar { .. }))
    };
    let unknown = names.filter(move |name| !is_scalar(name));
    unknown.map(|name| format!("--scalar {name}: the schema has no such scalar"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_many_places_is_told_once_with_its_number() {
        let at = |line, problem: &str| Diagnostic {
            file: "api.yaml".to_owned(),
            line,
            problem: problem.to_owned(),
        };
        let found = [at(3, "no type"), at(5, "leads nowhere"), at(9, "no type"), at(11, "no type")];
        assert_eq!(defects(&found), ["api.yaml:3: no type (3 times)", "api.yaml:5: leads nowhere"]);
    }
}
