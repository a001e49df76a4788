//! Columns: what the driver tells of them, as specifications of genes.

use wallace_genes::{
    GeneSpec, SpecBuilder, SpecId,
    decimal::Decimal,
    spec::{
        ArraySpec, DateSpec, DateTimeSpec, EnumSpec, FormatSpec, LongSpec, NumberBounds, RegexSpec,
        StringSpec, TimeSpec,
    },
};
use wallace_sut_driver::database::SqlColumn;

use super::constraint::Domain;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Decimal,
    Boolean,
    Text,
    Date,
    Time,
    DateTime,
    Uuid,
    /// Nothing that is known here: left out where it may be null, a short text otherwise.
    Other,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Digits behind the point, of decimals.
    pub(super) scale: Option<usize>,
    pub(super) size: i64,
    pub(super) is_nullable: bool,
    pub(super) is_unique: bool,
    /// Whether the database counts it up.
    pub(super) is_counted: bool,
    /// Whether it is part of a reference to another table.
    pub(super) is_reference: bool,
    pub(super) is_unsigned: bool,
    pub(super) domain: Domain,
    /// How deeply its values are lists; all else is told of their elements.
    pub(super) dimensions: u8,
    bits: u32,
}

/// Most elements of a list: more open nothing.
const MOST_ELEMENTS: u32 = 3;

/// Deepest lists: databases take six at most.
const DEEPEST: u8 = 6;

/// Longest text that rows are given: longer ones open nothing and cost time.
const LONGEST: i64 = 255;

impl Column {
    pub(super) fn new(column: &SqlColumn, is_reference: bool, values: Vec<String>) -> Self {
        let (kind, bits) = kind_of(&column.sql_type, column.size);
        let values = values.into_iter().map(serde_json::Value::String).collect();
        Self {
            name: column.name.clone(),
            kind,
            scale: column.scale.and_then(|scale| usize::try_from(scale).ok()),
            size: column.size,
            is_nullable: column.is_nullable && !column.is_primary_key,
            is_unique: column.is_unique,
            is_counted: column.is_auto_increment,
            is_reference,
            is_unsigned: column.is_unsigned,
            domain: Domain { values, ..Domain::default() },
            dimensions: dimensions(column),
            bits,
        }
    }

    /// Adds the specification of the column's genes. What refers to other rows, and what the
    /// database counts, is no decision of its own: it changes with what it refers to.
    pub(super) fn spec(&self, builder: &mut SpecBuilder) -> SpecId {
        let value = self.value_spec(builder);
        let nullable = if self.is_nullable { builder.nullable(value) } else { value };
        if self.is_counted {
            let optional = builder.optional(nullable, false);
            return builder.add(GeneSpec::Immutable(optional));
        }
        if self.is_reference {
            return builder.add(GeneSpec::Immutable(nullable));
        }
        nullable
    }

    fn value_spec(&self, builder: &mut SpecBuilder) -> SpecId {
        let mut value = self.element_spec(builder);
        // Only the innermost may be empty: the lists of a column are all of one length.
        for depth in 0..self.dimensions {
            let (min, max) = if depth == 0 { (0, MOST_ELEMENTS) } else { (1, 1) };
            value = builder.add(GeneSpec::Array(ArraySpec { element: value, min, max }));
        }
        value
    }

    fn element_spec(&self, builder: &mut SpecBuilder) -> SpecId {
        let domain = &self.domain;
        if !domain.values.is_empty() {
            let values = domain.values.clone().into();
            return builder.add(GeneSpec::Enum(EnumSpec { values }));
        }
        let format = |format| GeneSpec::Format(format);
        let years = DateSpec { first_year: 1970, last_year: 2037 };
        let spec = match self.kind {
            Kind::Integer => GeneSpec::Long(self.integers()),
            Kind::Decimal => self.decimals(),
            Kind::Boolean => GeneSpec::Boolean,
            Kind::Date => format(FormatSpec::Date(years)),
            Kind::Time => format(FormatSpec::Time(TimeSpec { has_offset: false })),
            Kind::DateTime => {
                format(FormatSpec::DateTime(DateTimeSpec { date: years, notation: None }))
            }
            Kind::Uuid => format(FormatSpec::Uuid),
            Kind::Text | Kind::Other => self.texts(),
        };
        builder.add(spec)
    }

    fn integers(&self) -> LongSpec {
        let span = i64::MAX >> (64 - self.bits.clamp(8, 64));
        let least = if self.is_counted || self.is_unsigned { 0 } else { -span - 1 };
        let bound = |bound: Option<f64>, usual: i64| bound.map_or(usual, |bound| bound as i64);
        let min = bound(self.domain.minimum.map(f64::ceil), least);
        let max = bound(self.domain.maximum.map(f64::floor), span);
        LongSpec { min: min.min(max), max: max.max(min) }
    }

    /// Exact numbers of as many digits as the column keeps.
    fn decimals(&self) -> GeneSpec {
        let scale = self.scale.unwrap_or(2).min(12);
        let whole = self.size - self.scale.unwrap_or(2) as i64;
        let digits = u32::try_from(whole.clamp(1, 9)).unwrap_or(9);
        let least = self.is_unsigned.then_some(0.0);
        let bound = |bound: f64| Decimal::from_f64(bound);
        let bounds = NumberBounds {
            min: self.domain.minimum.or(least).map(bound),
            max: self.domain.maximum.map(bound),
            precision: Some(digits + scale as u32),
            scale: Some(scale as u32),
            ..NumberBounds::default()
        };
        // What the schema asks for may leave nothing that the type holds.
        let any = || NumberBounds { min: None, max: None, ..bounds.clone() };
        bounds.decimal().or_else(|_| any().decimal()).expect("a type has some numbers")
    }

    fn texts(&self) -> GeneSpec {
        let domain = &self.domain;
        if domain.is_email {
            return GeneSpec::Format(FormatSpec::Email);
        }
        if let Some(pattern) = &domain.pattern
            && let Ok(regex) = RegexSpec::whole(pattern)
        {
            return GeneSpec::Format(FormatSpec::Regex(regex));
        }
        let size = u32::try_from(self.size.clamp(1, LONGEST)).unwrap_or(255);
        let max = domain.maximum_length.map_or(size, |length| length.min(size).max(1));
        GeneSpec::String(StringSpec { min: domain.minimum_length.unwrap_or(0).min(max), max })
    }
}

/// How deeply the values of a column are lists. PostgreSQL's own names of such types begin with `_`.
fn dimensions(column: &SqlColumn) -> u8 {
    let name = column.sql_type.trim();
    let is_list = name.starts_with('_') || name.ends_with("[]");
    column.dimensions.max(u8::from(is_list)).min(DEEPEST)
}

/// The kind of a type by its name, which differs between databases, and the bits of integers.
fn kind_of(sql_type: &str, size: i64) -> (Kind, u32) {
    let name = sql_type.to_ascii_uppercase();
    let name = name.split('(').next().unwrap_or_default().trim();
    let has = |part: &str| name.contains(part);
    let kind = match name {
        "BIT" if size <= 1 => Kind::Boolean,
        "YEAR" => return (Kind::Integer, 12),
        _ if has("BOOL") => Kind::Boolean,
        _ if has("POINT") || has("INTERVAL") => Kind::Other,
        _ if has("TINYINT") => return (Kind::Integer, 8),
        _ if has("SMALLINT") || has("INT2") || has("SMALLSERIAL") => return (Kind::Integer, 16),
        _ if has("BIGINT") || has("INT8") || has("BIGSERIAL") => return (Kind::Integer, 64),
        _ if has("INT") || has("SERIAL") => return (Kind::Integer, 32),
        _ if has("DEC") || has("NUM") || has("DOUBLE") || has("FLOAT") || has("REAL") => {
            Kind::Decimal
        }
        _ if has("MONEY") => Kind::Decimal,
        _ if has("TIMESTAMP") || has("DATETIME") => Kind::DateTime,
        _ if has("DATE") => Kind::Date,
        _ if has("TIME") => Kind::Time,
        _ if has("UUID") => Kind::Uuid,
        _ if has("CHAR") || has("TEXT") || has("CLOB") || has("STRING") || has("ENUM") => {
            Kind::Text
        }
        "" => Kind::Text,
        _ => Kind::Other,
    };
    (kind, 32)
}
