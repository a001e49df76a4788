//! Leaves: listed values, numbers and texts.

use serde_json::{Number, Value};
use wallace_genes::{
    GeneSpec, SpecId,
    decimal::Decimal,
    spec::{EmptyRange, EnumSpec, FormatSpec, NumberBounds, RegexSpec, StringSpec},
};

use super::build::Build;
use crate::rest::file::FILES;
use crate::rest::schema::{Flat, Kind, readable};

/// Longest text that is sampled where no bound is told.
const LONGEST_TEXT: u32 = 1024;
/// Share of files that are of a kind that services look into.
const FILE: f64 = 0.7;
/// Largest multiple that is sampled where no bound is told: doubles keep it apart from its
/// neighbours.
const LARGEST_MULTIPLE: i64 = 1_000_000_000;

impl Build {
    pub(super) fn fill_values(&mut self, flat: &Flat, spec: SpecId) {
        let values = flat.values.iter().flatten();
        let values: Vec<Value> =
            values.filter(|value| flat.kinds.allows(Kind::of(value))).cloned().collect();
        if values.is_empty() {
            return self.fill_never(spec);
        }
        self.specs.fill(spec, GeneSpec::Enum(EnumSpec { values: values.into() }));
    }

    pub(super) fn fill_kind(&mut self, kind: Kind, flat: &Flat, spec: SpecId) {
        match kind {
            Kind::Null => self.specs.fill(spec, GeneSpec::Constant),
            Kind::Boolean => self.specs.fill(spec, GeneSpec::Boolean),
            Kind::Integer => self.fill_number(whole(flat), spec),
            Kind::Number => self.fill_number(fraction(flat), spec),
            Kind::Text => self.fill_text(flat, spec),
            Kind::List => self.fill_list(flat, spec),
            Kind::Object => self.fill_object(flat, spec),
        }
    }

    fn fill_number(&mut self, number: Result<GeneSpec, EmptyRange>, spec: SpecId) {
        match number {
            Ok(number) => self.specs.fill(spec, number),
            Err(EmptyRange) => self.fill_never(spec),
        }
    }

    fn fill_text(&mut self, flat: &Flat, spec: SpecId) {
        let limit = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let min = limit(flat.text.0);
        let max = flat.text.1.map_or(LONGEST_TEXT.max(min), limit);
        if min > max {
            return self.fill_never(spec);
        }
        // A pattern that cannot be read, such as one that looks around, is left out.
        let patterns = flat.patterns.iter().map(|pattern| RegexSpec::partial(&readable(pattern)));
        let mut parts: Vec<FormatSpec> = patterns.flatten().map(FormatSpec::Regex).collect();
        parts.extend(flat.format.as_deref().and_then(FormatSpec::named));
        for part in &mut parts {
            if let FormatSpec::DateTime(moment) = part {
                moment.notation = self.notation;
            }
        }
        let text = GeneSpec::String(StringSpec { min, max });
        let inner =
            if flat.format.as_deref() == Some("binary") { self.file(flat, spec) } else { spec };
        self.specs.fill(inner, FormatSpec::of_all(parts, min, max).map_or(text, GeneSpec::Format));
    }

    /// A place inside `spec` for what a file holds besides that of kinds that services look into.
    fn file(&mut self, flat: &Flat, spec: SpecId) -> SpecId {
        let fits = |file: &str| {
            let length = file.chars().count() as u64;
            flat.text.0 <= length && flat.text.1.is_none_or(|most| length <= most)
        };
        let files = FILES.iter().filter(|(_, file)| fits(file));
        let files: Vec<Value> = files.map(|(_, file)| Value::from(*file)).collect();
        if files.is_empty() {
            return spec;
        }
        let inner = self.specs.reserve();
        self.fill_seeded(spec, inner, &files, FILE);
        inner
    }
}

/// What schemas say of the numbers, exactly.
fn bounds(flat: &Flat) -> NumberBounds {
    let exact = |number: &Number| number.to_string().parse::<Decimal>().ok();
    let is_excluded = |bound: &Option<(Number, bool)>| bound.as_ref().is_some_and(|it| it.1);
    let bound = |bound: &Option<(Number, bool)>| exact(&bound.as_ref()?.0);
    let mut multiples = flat.multiples.iter().filter_map(exact);
    NumberBounds {
        min: bound(&flat.minimum),
        max: bound(&flat.maximum),
        is_min_exclusive: is_excluded(&flat.minimum),
        is_max_exclusive: is_excluded(&flat.maximum),
        multiple_of: multiples.find(|multiple| *multiple > Decimal::from(0)),
        ..NumberBounds::default()
    }
}

fn whole(flat: &Flat) -> Result<GeneSpec, EmptyRange> {
    let (least, most) = match flat.format.as_deref() {
        Some("int64") => (i64::MIN, i64::MAX),
        Some("uint64") => (0, i64::MAX),
        Some("uint32") => (0, i64::from(u32::MAX)),
        _ => (i64::from(i32::MIN), i64::from(i32::MAX)),
    };
    let told = bounds(flat);
    // A bound beyond 32 bits says that numbers may be there; beyond 64 bits few services look.
    let usual = |number: Decimal| number.clamp(i64::MIN.into(), i64::MAX.into());
    let (lower, upper) = (told.min.clone(), told.max.clone());
    let min = lower.clone().unwrap_or_else(|| upper.clone().unwrap_or_default().min(least.into()));
    let max = upper.unwrap_or_else(|| lower.unwrap_or_default().max(most.into()));
    NumberBounds { min: Some(usual(min)), max: Some(usual(max)), ..told }.integer()
}

fn fraction(flat: &Flat) -> Result<GeneSpec, EmptyRange> {
    let mut told = bounds(flat);
    let largest = match flat.format.as_deref() {
        _ if told.multiple_of.is_some() => Decimal::from(LARGEST_MULTIPLE),
        Some("float") => Decimal::from_f64(f64::from(f32::MAX)),
        _ => return told.float(),
    };
    let smallest: Decimal = format!("-{largest}").parse().unwrap_or_default();
    let (lower, upper) = (told.min.clone(), told.max.clone());
    told.min = lower.clone().or(Some(upper.clone().unwrap_or_default().min(smallest)));
    told.max = upper.or(Some(lower.unwrap_or_default().max(largest)));
    told.float()
}
