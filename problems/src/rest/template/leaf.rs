//! Leaves: listed values, numbers and texts.

use std::sync::Arc;

use serde_json::{Number, Value};
use wallace_genes::{
    EnumSpec, Field, FloatSpec, GeneSpec, IntegerSpec, LongSpec, SpecId, StringSpec, TupleSpec,
};

use super::build::Build;
use super::{Form, TextRule};
use crate::rest::schema::{Flat, Kind};

/// Longest text that is sampled where no bound is told.
const LONGEST_TEXT: u32 = 1024;

impl Build {
    pub(super) fn fill_values(&mut self, flat: &Flat, spec: SpecId) {
        let values = flat.values.as_deref().unwrap_or_default();
        let values: Vec<Value> =
            values.iter().filter(|value| flat.kinds.allows(Kind::of(value))).cloned().collect();
        if values.is_empty() {
            let choice = wallace_genes::ChoiceSpec { branches: vec![Field::new("", self.never)] };
            return self.specs.fill(spec, GeneSpec::Choice(choice));
        }
        let names = values.iter().map(|value| Arc::from(value.to_string())).collect();
        self.specs.fill(spec, GeneSpec::Enum(EnumSpec { values: names }));
        self.forms.insert(spec, Form::Values(values.into()));
    }

    pub(super) fn fill_kind(&mut self, kind: Kind, flat: &Flat, spec: SpecId) {
        match kind {
            Kind::Null => self.specs.fill(spec, GeneSpec::Constant),
            Kind::Boolean => self.specs.fill(spec, GeneSpec::Boolean),
            Kind::Integer => self.fill_whole(flat, spec),
            Kind::Number => self.fill_number(flat, spec),
            Kind::Text => self.fill_text(flat, spec),
            Kind::List => self.fill_list(flat, spec),
            Kind::Object => self.fill_object(flat, spec),
        }
    }

    fn fill_whole(&mut self, flat: &Flat, spec: SpecId) {
        let is_long = flat.format.as_deref().is_some_and(|format| format != "int32");
        let (least, most) = match flat.format.as_deref() {
            Some("int64") => (i64::MIN, i64::MAX),
            Some("uint64") => (0, i64::MAX),
            Some("uint32") => (0, i64::from(u32::MAX)),
            _ => (i64::from(i32::MIN), i64::from(i32::MAX)),
        };
        let lower = flat.minimum.as_ref().map(|(bound, is_excluded)| {
            whole(bound, f64::ceil).saturating_add(i64::from(*is_excluded && is_whole(bound)))
        });
        let upper = flat.maximum.as_ref().map(|(bound, is_excluded)| {
            whole(bound, f64::floor).saturating_sub(i64::from(*is_excluded && is_whole(bound)))
        });
        // A bound beyond 32 bits says that numbers may be there.
        let least = lower.unwrap_or_else(|| least.min(upper.unwrap_or(0)));
        let most = upper.unwrap_or_else(|| most.max(lower.unwrap_or(0)));
        if let Some(multiple) = flat.multiples.iter().filter_map(Number::as_i64).find(|m| *m > 1) {
            let (low, high) = (ceiling(least, multiple), most.div_euclid(multiple));
            self.forms.insert(spec, Form::Multiple(multiple as f64));
            return self.fill_range(low, high, true, spec);
        }
        self.fill_range(least, most, is_long, spec);
    }

    fn fill_range(&mut self, least: i64, most: i64, is_long: bool, spec: SpecId) {
        if least > most {
            let choice = wallace_genes::ChoiceSpec { branches: vec![Field::new("", self.never)] };
            return self.specs.fill(spec, GeneSpec::Choice(choice));
        }
        let range = match (i32::try_from(least), i32::try_from(most)) {
            (Ok(min), Ok(max)) if !is_long => GeneSpec::Integer(IntegerSpec { min, max }),
            _ => GeneSpec::Long(LongSpec { min: least, max: most }),
        };
        self.specs.fill(spec, range);
    }

    fn fill_number(&mut self, flat: &Flat, spec: SpecId) {
        let (least, most) = match flat.format.as_deref() {
            Some("float") => (f64::from(f32::MIN), f64::from(f32::MAX)),
            _ => (f64::MIN, f64::MAX),
        };
        let number = |bound: &Number| bound.as_f64().filter(|number| number.is_finite());
        let lower = flat.minimum.as_ref().and_then(|(bound, is_excluded)| {
            number(bound).map(|bound| if *is_excluded { bound.next_up() } else { bound })
        });
        let upper = flat.maximum.as_ref().and_then(|(bound, is_excluded)| {
            number(bound).map(|bound| if *is_excluded { bound.next_down() } else { bound })
        });
        let (min, max) = (lower.unwrap_or(least), upper.unwrap_or(most));
        let multiple =
            flat.multiples.iter().filter_map(Number::as_f64).find(|multiple| *multiple > 0.0);
        if let Some(multiple) = multiple {
            // Whole numbers up to 2^53 are exact.
            let bound = 9_007_199_254_740_992.0;
            let low = (min / multiple).ceil().clamp(-bound, bound) as i64;
            let high = (max / multiple).floor().clamp(-bound, bound) as i64;
            self.forms.insert(spec, Form::Multiple(multiple));
            return self.fill_range(low, high, true, spec);
        }
        if min > max {
            return self.fill_range(1, 0, false, spec);
        }
        self.specs.fill(spec, GeneSpec::Float(FloatSpec { min, max }));
    }

    fn fill_text(&mut self, flat: &Flat, spec: SpecId) {
        let min = u32::try_from(flat.text.0).unwrap_or(u32::MAX);
        let most = flat
            .text
            .1
            .map_or(LONGEST_TEXT.max(min), |most| u32::try_from(most).unwrap_or(u32::MAX));
        if min > most {
            return self.fill_range(1, 0, false, spec);
        }
        let is_free = flat.patterns.is_empty() && flat.text == (0, None)
            || flat.patterns.is_empty() && flat.text == (1, None);
        if let Some((form, bounds)) =
            flat.format.as_deref().and_then(numeric_form).filter(|_| is_free)
        {
            let elements = bounds.iter().map(|(min, max)| {
                let part = self.specs.add(GeneSpec::Long(LongSpec { min: *min, max: *max }));
                Field::new("", part)
            });
            let elements = elements.collect();
            self.specs.fill(spec, GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
            self.forms.insert(spec, form);
            return;
        }
        self.specs.fill(spec, GeneSpec::String(StringSpec { min, max: most }));
        let rule = TextRule {
            patterns: flat.patterns.clone(),
            format: flat.format.clone(),
            lengths: (min, most),
        };
        if rule.has_meaning() {
            self.forms.insert(spec, Form::Text(Box::new(rule)));
        }
    }
}

/// Formats whose texts are made of numbers, and the range of each. Days end with the 28th, which
/// every month has.
fn numeric_form(format: &str) -> Option<(Form, &'static [(i64, i64)])> {
    const YEAR: (i64, i64) = (1900, 2100);
    Some(match format {
        "date" => (Form::Date, &[YEAR, (1, 12), (1, 28)]),
        "date-time" => (Form::DateTime, &[YEAR, (1, 12), (1, 28), (0, 23), (0, 59), (0, 59)]),
        "time" => (Form::Time, &[(0, 23), (0, 59), (0, 59)]),
        "uuid" => (Form::Uuid, &[(i64::MIN, i64::MAX), (i64::MIN, i64::MAX)]),
        "ipv4" => (Form::Ipv4, &[(0, 255), (0, 255), (0, 255), (0, 255)]),
        _ => return None,
    })
}

fn is_whole(number: &Number) -> bool {
    number.is_i64()
        || number.is_u64()
        || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn whole(number: &Number, round: fn(f64) -> f64) -> i64 {
    // Casting saturates.
    number.as_i64().unwrap_or_else(|| round(number.as_f64().unwrap_or(0.0)) as i64)
}

fn ceiling(number: i64, divisor: i64) -> i64 {
    number.div_euclid(divisor) + i64::from(number.rem_euclid(divisor) != 0)
}
