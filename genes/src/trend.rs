//! Trends: how the next value of one place follows from its last ones.

use serde::{Deserialize, Serialize};

use crate::gene::{Finite, Gene, StringGene};
use crate::spec::{FloatSpec, GeneSpec, SpecId, StringSpec};
use crate::stride::Stride;
use crate::walk::Walk;

/// Finest decimal grid of floats, as a power of ten.
const FINEST: i32 = -12;
/// First step at a character that follows one that is done: between a small letter and a capital.
const CHARACTER_STEP: i128 = 16;

/// The step to take next at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Trend {
    /// Of a whole number.
    Whole(Stride),
    /// Of a float, in units of a power of ten.
    Decimal { stride: Stride, exponent: i32 },
    /// Of the code of one character of a text.
    Character { place: u32, stride: Stride },
    /// Of the length of a text, at its end.
    Length(Stride),
}

impl Trend {
    /// The step between two values, when it is of a kind that can be taken again.
    pub(crate) fn between(spec: &GeneSpec, was: &Gene, is: &Gene) -> Option<Self> {
        match (was, is) {
            (Gene::Decimal(was), Gene::Decimal(is)) => {
                let GeneSpec::Decimal(spec) = spec else { return None };
                Stride::of(spec.steps_between(was, is)?).map(Self::Whole)
            }
            (Gene::Integer(was), Gene::Integer(is)) => {
                Stride::of(i128::from(*is) - i128::from(*was)).map(Self::Whole)
            }
            (Gene::Long(was), Gene::Long(is)) => {
                Stride::of(i128::from(*is) - i128::from(*was)).map(Self::Whole)
            }
            (Gene::Float(was), Gene::Float(is)) => Self::between_floats(was.get(), is.get()),
            (Gene::String(was), Gene::String(is)) => Self::between_texts(&was.text, &is.text),
            _ => None,
        }
    }

    fn between_floats(was: f64, is: f64) -> Option<Self> {
        let step = is - was;
        if step == 0.0 || !step.is_finite() {
            return None;
        }
        let exponent = (libm::floor(libm::log10(step.abs())) as i32).max(FINEST);
        let units = libm::round(step / libm::pow(10.0, f64::from(exponent)));
        Some(Self::Decimal { stride: Stride::of(units as i128)?, exponent })
    }

    fn between_texts(was: &str, is: &str) -> Option<Self> {
        let (before, after) = (was.chars().count(), is.chars().count());
        if before != after {
            return Stride::of(after as i128 - before as i128).map(Self::Length);
        }
        let mut pairs = was.chars().zip(is.chars()).enumerate().filter(|(_, (was, is))| was != is);
        let (place, (was, is)) = pairs.next()?;
        let stride = Stride::of(i128::from(u32::from(is)) - i128::from(u32::from(was)))?;
        pairs.next().is_none().then_some(Self::Character { place: place as u32, stride })
    }

    pub(crate) fn helped(&mut self) {
        match self {
            Self::Whole(stride)
            | Self::Decimal { stride, .. }
            | Self::Character { stride, .. }
            | Self::Length(stride) => stride.helped(),
        }
    }

    /// Turns to what is to be tried next. Returns whether anything is left.
    pub(crate) fn failed(&mut self) -> bool {
        match self {
            Self::Whole(stride) => stride.failed(),
            Self::Decimal { stride, exponent } => {
                if !stride.failed() {
                    // A finer grid. From 8 units down, all of the next coarser unit is reached.
                    *exponent -= 1;
                    *stride = Stride::of(8).expect("8 is a step");
                }
                *exponent >= FINEST
            }
            Self::Character { place, stride } => {
                if !stride.failed() {
                    *place += 1;
                    *stride = Stride::of(CHARACTER_STEP).expect("16 is a step");
                }
                true
            }
            Self::Length(stride) => {
                if !stride.failed() {
                    let stride = Stride::of(CHARACTER_STEP).expect("16 is a step");
                    *self = Self::Character { place: 0, stride };
                }
                true
            }
        }
    }
}

impl Walk<'_> {
    /// Takes the step that follows from the history of this place, with the probability of the
    /// settings. Returns whether the gene changed.
    pub(crate) fn guide(&mut self, id: SpecId, gene: &mut Gene) -> bool {
        if !self.draw.rng.chance(self.draw.settings.guided) {
            return false;
        }
        let spec = self.graph.spec(id);
        let Some(mut trend) = self.draw.history.trend(&self.path) else { return false };
        // A step that bounds forbid has failed without being tried.
        for _ in 0..100 {
            if let Some(next) = self.guided(spec, gene, &mut trend)
                && next != *gene
            {
                *gene = next;
                self.draw.history.follow(&self.path, Some(trend));
                return true;
            }
            if !trend.failed() {
                break;
            }
        }
        self.draw.history.follow(&self.path, None);
        false
    }

    fn guided(&mut self, spec: &GeneSpec, gene: &Gene, trend: &mut Trend) -> Option<Gene> {
        match (spec, gene, trend) {
            (GeneSpec::Integer(spec), Gene::Integer(value), Trend::Whole(stride)) => {
                let next = i128::from(*value) + stride.step();
                let value = i32::try_from(next).ok()?;
                (spec.min..=spec.max).contains(&value).then_some(Gene::Integer(value))
            }
            (GeneSpec::Long(spec), Gene::Long(value), Trend::Whole(stride)) => {
                let next = i128::from(*value) + stride.step();
                let value = i64::try_from(next).ok()?;
                (spec.min..=spec.max).contains(&value).then_some(Gene::Long(value))
            }
            (GeneSpec::Decimal(spec), Gene::Decimal(value), Trend::Whole(stride)) => {
                spec.moved(value, stride.step()).map(|value| Gene::Decimal(Box::new(value)))
            }
            (GeneSpec::Float(spec), Gene::Float(value), Trend::Decimal { stride, exponent }) => {
                on_grid(spec, *value, *stride, *exponent)
            }
            (GeneSpec::String(spec), Gene::String(string), trend) => {
                self.guided_text(spec, &string.text, trend)
            }
            _ => None,
        }
    }

    fn guided_text(&mut self, spec: &StringSpec, text: &str, trend: &mut Trend) -> Option<Gene> {
        let mut characters: Vec<char> = text.chars().collect();
        if let Trend::Character { place, .. } = trend
            && *place as usize >= characters.len()
        {
            // All characters are done: what is left is the length.
            *trend = Trend::Length(Stride::of(1)?);
        }
        match trend {
            Trend::Character { place, stride } => {
                let character = &mut characters[*place as usize];
                let code = i128::from(u32::from(*character)) + stride.step();
                *character = char::from_u32(u32::try_from(code).ok()?)?;
            }
            Trend::Length(stride) => {
                let length = usize::try_from(characters.len() as i128 + stride.step()).ok()?;
                if !(spec.min as usize..=spec.max as usize).contains(&length) {
                    return None;
                }
                let rng = &mut self.draw.rng;
                characters.resize_with(length, || crate::string::edited_character(rng));
            }
            Trend::Whole(_) | Trend::Decimal { .. } => return None,
        }
        Some(Gene::String(StringGene::plain(characters.into_iter().collect::<String>())))
    }
}

/// The float one stride further, on the grid of the power of ten.
fn on_grid(spec: &FloatSpec, value: Finite, stride: Stride, exponent: i32) -> Option<Gene> {
    // Powers of ten below 1 are not exact, so fractions are taken by division.
    let unit = libm::pow(10.0, f64::from(exponent.abs()));
    let scaled = if exponent < 0 { value.get() * unit } else { value.get() / unit };
    let units = libm::round(scaled) + stride.step() as f64;
    let next = if exponent < 0 { units / unit } else { units * unit };
    (next.is_finite() && (spec.min..=spec.max).contains(&next)).then(|| Gene::float(next))
}
