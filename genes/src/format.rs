//! Texts of a stated format: dates, addresses, patterns and the like.
//!
//! The gene of such a position is the text itself, so that whoever prints texts prints these too.
//! What the text is made of is read from it when it is mutated: one part changes at a time, a
//! month or a host, and the text stays in its format. (One gene per part, as the field's reference
//! has it, costs nine genes for a point in time and says nothing more.)
//!
//! Each format answers the same six questions; see [`TextFormat`].

mod base64;
mod date;
mod date_time;
mod edit;
mod email;
mod ip;
mod named;
mod notation;
mod regex;
mod rule;
mod time;
mod uri;
mod uuid;

use crate::gene::{Gene, StringGene};
use crate::rng::Rng;
use crate::spec::GeneSpec;
use crate::walk::Walk;

pub use date::DateSpec;
pub use date_time::DateTimeSpec;
pub use ip::IpVersion;
pub use named::is_of_format;
pub use notation::Notation;
pub(crate) use regex::matching_text;
pub use regex::{RegexError, RegexSpec};
pub use rule::RuleSpec;
pub use time::TimeSpec;

use base64::Base64Format;
use email::EmailFormat;
use uri::UriFormat;
use uuid::UuidFormat;

/// Specification of texts of one format.
#[derive(Debug, Clone, PartialEq)]
pub enum FormatSpec {
    /// Texts that match a regular expression.
    Regex(RegexSpec),
    /// A day, as RFC 3339 writes it: `2026-11-21`.
    Date(DateSpec),
    /// A time of day: `23:59:58`, `23:59:58.5Z`, `09:00:00+02:00`.
    Time(TimeSpec),
    /// A point in time, as RFC 3339 writes it: `2026-11-21T09:00:00Z`.
    DateTime(DateTimeSpec),
    /// Bytes in Base64.
    Base64,
    /// A UUID (RFC 9562) of any version, the nil one included: 32 hexadecimal digits in groups.
    Uuid,
    /// An address such as `name@example.com`: a dot-atom before the sign, a host name behind it.
    Email,
    /// A URI with scheme and host.
    Uri,
    /// An IP address.
    Ip(IpVersion),
    /// Texts that follow several of these and have a length.
    Rule(RuleSpec),
}

/// What each format can do. Texts come from a schema's values, from other positions or from here,
/// so `is_valid` must stand any text, and `mutant` any valid one.
pub(crate) trait TextFormat {
    /// A random text of the format.
    fn sample(&self, rng: &mut Rng) -> String;
    /// The text with a part of it changed. May come out the same, or not valid: the caller looks.
    fn mutant(&self, text: &str, rng: &mut Rng) -> String;
    /// Whether the text is one of the format.
    fn is_valid(&self, text: &str) -> bool;
    /// The simplest text.
    fn simplest(&self) -> String;
    /// Simpler texts, the boldest first. They need not be valid.
    fn simpler(&self, text: &str) -> Vec<String> {
        let _ = text;
        Vec::new()
    }
    /// Number of decisions in a text (one per part).
    fn weight(&self) -> f64 {
        1.0
    }
}

/// Runs an expression with the format that a specification stands for.
macro_rules! each {
    ($spec:expr, $format:ident => $run:expr) => {
        match $spec {
            FormatSpec::Regex($format) => $run,
            FormatSpec::Date($format) => $run,
            FormatSpec::Time($format) => $run,
            FormatSpec::DateTime($format) => $run,
            FormatSpec::Ip($format) => $run,
            FormatSpec::Rule($format) => $run,
            FormatSpec::Base64 => {
                let $format = &Base64Format;
                $run
            }
            FormatSpec::Uri => {
                let $format = &UriFormat;
                $run
            }
            FormatSpec::Uuid => {
                let $format = &UuidFormat;
                $run
            }
            FormatSpec::Email => {
                let $format = &EmailFormat;
                $run
            }
        }
    };
}

impl FormatSpec {
    /// Whether the text is one of the format.
    #[must_use]
    pub fn is_valid(&self, text: &str) -> bool {
        each!(self, format => format.is_valid(text))
    }

    /// Most characters of a text that does not follow the format and stands in its place all the
    /// same: a tainted one, or one that was learnt of this place. What a service itself compares a
    /// text with, it takes, whatever its description says; what it parses first, as it does dates,
    /// numbers of addresses and UUIDs, it does not compare.
    fn open(&self) -> Option<u32> {
        match self {
            Self::Regex(regex) => Some(regex.max()),
            Self::Rule(rule) => Some(rule.max),
            Self::Base64 | Self::Email | Self::Uri => Some(u32::MAX),
            _ => None,
        }
    }

    /// Whether the text may stand where texts of this format do.
    pub(crate) fn holds(&self, string: &StringGene) -> bool {
        let is_marked = || string.specialisation.is_some() || crate::is_tainted(&string.text);
        let is_short = |max: u32| string.text.chars().count() <= max as usize;
        self.is_valid(&string.text) || self.open().is_some_and(is_short) && is_marked()
    }

    pub(crate) fn sample(&self, rng: &mut Rng) -> String {
        each!(self, format => format.sample(rng))
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        each!(self, format => format.mutant(text, rng))
    }

    pub(crate) fn simplest(&self) -> String {
        each!(self, format => format.simplest())
    }

    pub(crate) fn simpler(&self, text: &str) -> Vec<String> {
        each!(self, format => format.simpler(text))
    }

    pub(crate) fn weight(&self) -> f64 {
        each!(self, format => format.weight())
    }
}

impl From<FormatSpec> for GeneSpec {
    fn from(spec: FormatSpec) -> Self {
        Self::Format(spec)
    }
}

impl Walk<'_> {
    pub(crate) fn sample_format(&mut self, format: &FormatSpec) -> Gene {
        let specialise = self.draw.settings.specialise_sample;
        if let Some(known) = self.specialised_format(format, specialise) {
            return Gene::String(known);
        }
        if let Some(text) = self.tainted_format(format) {
            return Gene::text(text);
        }
        Gene::text(match self.copied_text(format) {
            Some(copied) => copied.into(),
            None => format.sample(&mut self.draw.rng),
        })
    }

    /// Changes a part of the text, or the whole. Returns whether it could.
    pub(crate) fn mutate_format(&mut self, format: &FormatSpec, gene: &mut StringGene) -> bool {
        for attempt in 0..10 {
            let mutant = self.mutant_of_format(format, &gene.text, attempt);
            if mutant.text != gene.text && format.holds(&mutant) {
                *gene = mutant;
                return true;
            }
        }
        false
    }

    fn mutant_of_format(&mut self, format: &FormatSpec, text: &str, attempt: u32) -> StringGene {
        let specialise = self.draw.settings.specialise_mutation;
        if let Some(known) = self.specialised_format(format, specialise) {
            return known;
        }
        let is_tainted = crate::is_tainted(text);
        if !is_tainted
            && self.draw.is_tainting
            && self.draw.rng.chance(0.5)
            && let Some(text) = self.tainted_format(format)
        {
            return StringGene::plain(text);
        }
        if let Some(copied) = self.copied_text(format) {
            return StringGene::plain(copied);
        }
        let rng = &mut self.draw.rng;
        // Some formats have texts from which no small step leads on.
        let is_new = is_tainted || attempt > 6 || rng.chance(0.05);
        StringGene::plain(if is_new { format.sample(rng) } else { format.mutant(text, rng) })
    }

    /// A text made from what was learnt of this place, when it may stand there.
    fn specialised_format(&mut self, format: &FormatSpec, share: f64) -> Option<StringGene> {
        if self.specialisations().is_empty() || !self.draw.rng.chance(share) {
            return None;
        }
        let known = self.specialised_text()?;
        format.holds(&known).then_some(known)
    }

    fn tainted_format(&mut self, format: &FormatSpec) -> Option<Box<str>> {
        format.open().and_then(|max| self.draw.tainted_text(max))
    }

    /// A text of the format from elsewhere in the test, with the probability of copying.
    fn copied_text(&mut self, format: &FormatSpec) -> Option<Box<str>> {
        self.draw.copied(|gene| match gene {
            Gene::String(string) if format.is_valid(&string.text) => Some(string.text.clone()),
            _ => None,
        })
    }
}
