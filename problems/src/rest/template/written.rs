//! Genes written as JSON at once, without a tree of values in between: most of what a request costs
//! are the parts of that tree.

use serde::ser::{Serialize, SerializeMap, Serializer};
use wallace_genes::{Gene, SpecId};

use super::Templates;
use super::value::Part;

/// Bytes that most values need at most; what is longer grows.
const USUAL_LENGTH: usize = 512;

/// What a gene stands for, to be written.
pub(super) struct Written<'t> {
    templates: &'t Templates,
    part: Part<'t>,
}

impl Templates {
    /// The value that a gene stands for as JSON, as [`Templates::value`] gives it; members come in
    /// the order of the description.
    pub(crate) fn json(&self, id: SpecId, gene: &Gene) -> Vec<u8> {
        let mut text = Vec::with_capacity(USUAL_LENGTH);
        serde_json::to_writer(&mut text, &self.written(id, gene))
            .expect("names are texts, numbers are finite, and memory takes all that is written");
        text
    }

    fn written<'t>(&'t self, id: SpecId, gene: &'t Gene) -> Option<Written<'t>> {
        Some(Written { templates: self, part: self.part(id, gene)? })
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let templates = self.templates;
        match &self.part {
            Part::Plain(value) => value.serialize(serializer),
            Part::Listed(value) => value.serialize(serializer),
            Part::Text(text) => serializer.serialize_str(text),
            Part::Map(pair, elements) => templates.map(*pair, elements).serialize(serializer),
            Part::Object(object, value) => {
                let mut map = serializer.serialize_map(None)?;
                for (name, spec, part) in templates.members(object, value) {
                    if let Some(written) = templates.written(spec, part) {
                        map.serialize_entry(name, &written)?;
                    }
                }
                map.end()
            }
            Part::Array(element, parts) => serializer
                .collect_seq(parts.iter().filter_map(|part| templates.written(*element, part))),
            Part::Tuple(tuple, parts) => {
                let parts = tuple.elements.iter().zip(*parts);
                serializer.collect_seq(
                    parts.filter_map(|(field, part)| templates.written(field.spec, part)),
                )
            }
        }
    }
}
