//! Genes: the values that a search evolves.
//!
//! A gene is one decision inside a test; the genes of one call form a tree. Two things are kept
//! apart: a [`GeneSpec`] says which values a position may hold, a [`Gene`] is the value chosen.
//! Specifications form an immutable shared graph, in which types may mention each other in cycles;
//! genes are plain data that know nothing of it. What varies during a search, the [`Knowledge`] of
//! how the system under test uses a text, lies beside both.
//!
//! ```
//! use std::sync::Arc;
//! use wallace_genes::{site::collect_sites, spec::*, *};
//!
//! // A range with two ends, the second of which may be left out.
//! let mut builder = SpecBuilder::new();
//! let number = builder.add(GeneSpec::Integer(IntegerSpec { min: 0, max: 9 }));
//! let end = builder.optional(number, false);
//! let range = builder.add(GeneSpec::Object(ObjectSpec {
//!     type_name: "Range".into(),
//!     purpose: ObjectPurpose::Input,
//!     fields: vec![Field::new("start", number), Field::new("end", end)],
//! }));
//! let spec = SpecRef::new(builder.build(), range);
//!
//! let mut draw = Draw::new(42, 0, Arc::new(GeneSettings::default()));
//! let (template, knowledge) = (TemplateId(0), Knowledge::default());
//! let parent = sample(&spec, template, &knowledge, &mut draw);
//! assert!(check(&spec, &parent).is_ok());
//!
//! let mut weights = Vec::new();
//! collect_sites(&spec, &parent, &mut weights);
//! assert_eq!(weights.len(), 2); // one decision for each end
//! let mut child = parent.clone();
//! assert!(mutate(&spec, template, &mut child, &[0], &knowledge, &mut draw));
//! assert!(check(&spec, &child).is_ok() && child != parent);
//! ```

mod array;
mod check;
mod choice;
mod complexity;
mod cost;
mod cycle_object;
pub mod decimal;
mod distinct;
mod dormant;
mod draw;
mod expand;
pub mod expansion;
mod format;
mod gene;
pub mod history;
mod json;
mod knowledge;
mod limit_object;
mod map;
mod mutate;
mod number;
mod object;
mod optional;
mod path;
mod rng;
mod sample;
mod settings;
mod simplify;
pub mod site;
pub mod spec;
mod specialisation;
mod stride;
mod string;
mod trend;
mod tuple;
mod unique_array;
mod walk;
mod wrapper;

pub use check::{InvalidGene, check, repair};
pub use dormant::Dormant;
pub use draw::{Draw, Sampled, is_tainted};
pub use expand::simplest;
pub use gene::{ChoiceGene, Finite, Gene, ObjectGene, StringGene};
pub use knowledge::{
    Knowledge, Learnt as LearntSpecialisation, Specialisation, SpecialisationId, TemplateId,
};
pub use mutate::mutate;
pub use path::{GenePath, NormalisedPath, PathStep};
pub use rng::Rng;
pub use sample::sample;
pub use settings::{GeneSettings, Setting, SettingError};
pub use simplify::simpler;
pub use spec::{Field, GeneSpec, SpecBuilder, SpecGraph, SpecId, SpecRef};
