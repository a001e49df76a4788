//! What a driver saw done to tainted texts, in the words of genes.

use wallace_genes::Specialisation;
use wallace_sut_driver::{SpecialisationKind, StringSpecialisation};

use crate::http::TextUse;

pub(super) fn text_uses(uses: Vec<StringSpecialisation>) -> Vec<TextUse> {
    let known = |use_: StringSpecialisation| {
        let specialisation = specialisation(use_.kind, use_.value)?;
        Some(TextUse { tainted: use_.tainted, specialisation })
    };
    uses.into_iter().filter_map(known).collect()
}

fn specialisation(kind: SpecialisationKind, value: Option<String>) -> Option<Specialisation> {
    let regex = |is_whole: bool, pattern: Option<String>| {
        Some(Specialisation::Regex { pattern: pattern?.into(), is_whole })
    };
    match kind {
        SpecialisationKind::Constant => Some(Specialisation::Constant(value?.into())),
        SpecialisationKind::ConstantIgnoreCase => {
            Some(Specialisation::ConstantIgnoreCase(value?.into()))
        }
        SpecialisationKind::Integer => Some(Specialisation::Integer),
        SpecialisationKind::Long => Some(Specialisation::Long),
        SpecialisationKind::Float | SpecialisationKind::Double => Some(Specialisation::Float),
        SpecialisationKind::Boolean => Some(Specialisation::Boolean),
        SpecialisationKind::RegexWhole => regex(true, value),
        SpecialisationKind::RegexPartial => regex(false, value),
        other => regex(true, written_like(other)),
    }
}

const DATE: &str = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
const MINUTES: &str = "([01][0-9]|2[0-3]):[0-5][0-9]";

/// The pattern of the texts that are read as values of this kind.
fn written_like(kind: SpecialisationKind) -> Option<String> {
    Some(match kind {
        SpecialisationKind::DateYyyyMmDd | SpecialisationKind::DateFormatUnknownPattern => {
            DATE.to_owned()
        }
        SpecialisationKind::DateYyyyMmDdHhMm => format!("{DATE} {MINUTES}"),
        SpecialisationKind::IsoLocalDateTime => format!("{DATE}T{MINUTES}:[0-5][0-9]"),
        SpecialisationKind::IsoLocalTime => format!("{MINUTES}:[0-5][0-9]"),
        SpecialisationKind::Uuid => {
            "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}".to_owned()
        }
        SpecialisationKind::Url | SpecialisationKind::Uri => "https?://[a-z]+/[a-z]+".to_owned(),
        _ => return None,
    })
}
