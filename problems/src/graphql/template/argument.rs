//! Arguments: what values may be given.

use std::sync::Arc;

use wallace_genes::{
    Field, GeneSpec, SpecId,
    spec::{
        ArraySpec, ChoiceSpec, EnumSpec, FloatSpec, IntegerSpec, LongSpec, ObjectPurpose,
        ObjectSpec, StringSpec,
    },
};

use super::build::{Build, Pending};
use crate::graphql::schema::{InputValue, SchemaWarning, TypeId, TypeKind, TypeRef, Wrapper};

impl<'s> Build<'s> {
    /// The values of an argument or input field, left out or null where that is allowed.
    pub(super) fn argument(&mut self, input: &'s InputValue) -> SpecId {
        let type_ref = &input.type_ref;
        let key = (type_ref, input.default.is_some());
        if let Some(known) = self.arguments.get(&key) {
            return *known;
        }
        let value = self.present_value(type_ref);
        let spec = if input.is_required() {
            value
        } else {
            self.specs.optional(value, !type_ref.is_non_null())
        };
        self.arguments.insert(key, spec);
        spec
    }

    /// The values of a reference other than null.
    fn present_value(&mut self, type_ref: &TypeRef) -> SpecId {
        let wrappers = type_ref.wrappers();
        self.value(wrappers.strip_prefix(&[Wrapper::NonNull]).unwrap_or(wrappers), type_ref.named())
    }

    /// The values inside the marks, the outermost of which is no non-null mark.
    fn value(&mut self, wrappers: &[Wrapper], named: TypeId) -> SpecId {
        // Built from the inside, so that no depth of lists needs recursion.
        let mut value = self.input(named);
        let mut is_non_null = false;
        for wrapper in wrappers.iter().rev() {
            match wrapper {
                Wrapper::NonNull => is_non_null = true,
                Wrapper::List => {
                    let element =
                        if is_non_null { value } else { self.specs.optional(value, true) };
                    // Without a bound of its own: the settings bound what is sampled.
                    let array = ArraySpec { element, min: 0, max: u32::MAX };
                    value = self.specs.add(GeneSpec::Array(array));
                    is_non_null = false;
                }
            }
        }
        value
    }

    /// The values of a type other than null.
    pub(super) fn input(&mut self, id: TypeId) -> SpecId {
        if let Some(known) = self.inputs[id.index()] {
            return known;
        }
        let definition = self.schema.definition(id);
        let spec = match &definition.kind {
            // A file has no literal, and no call is sent in parts.
            TypeKind::Scalar { .. } if is_file(&definition.name) => {
                let problem = "files are not sent; what must have one is not called".to_owned();
                let coordinate = definition.name.to_string();
                self.warnings.push(SchemaWarning { coordinate, position: None, problem });
                self.never
            }
            TypeKind::Scalar { .. } => {
                let scalar = self.scalar(&definition.name);
                self.specs.add(scalar)
            }
            TypeKind::Enum { values } if !values.is_empty() => {
                let values = values.iter().map(|value| (*value.name).into()).collect();
                self.specs.add(GeneSpec::Enum(EnumSpec { values }))
            }
            TypeKind::InputObject { .. } => {
                let spec = self.specs.reserve();
                self.pending.push(Pending::Input(id, spec));
                spec
            }
            _ => self.never,
        };
        self.inputs[id.index()] = Some(spec);
        spec
    }

    fn scalar(&mut self, name: &str) -> GeneSpec {
        match name {
            "Int" => GeneSpec::Integer(IntegerSpec::default()),
            "Float" => GeneSpec::Float(FloatSpec::default()),
            "Boolean" => GeneSpec::Boolean,
            "String" | "ID" => GeneSpec::String(StringSpec::default()),
            _ if is_long(name) => GeneSpec::Long(LongSpec::default()),
            _ => {
                let problem = "a custom scalar; its values are guessed to be texts".to_owned();
                let coordinate = name.to_owned();
                self.warnings.push(SchemaWarning { coordinate, position: None, problem });
                GeneSpec::String(StringSpec::default())
            }
        }
    }

    pub(super) fn fill_input(&mut self, id: TypeId, spec: SpecId) {
        let schema = self.schema;
        let definition = schema.definition(id);
        let TypeKind::InputObject { fields: inputs, is_one_of } = &definition.kind else {
            return;
        };
        let mut fields = Vec::with_capacity(inputs.len());
        for input in inputs {
            // One of the fields must be given and not null, so none of them is left out or null.
            let value =
                if *is_one_of { self.present_value(&input.type_ref) } else { self.argument(input) };
            fields.push(Field::new(Arc::clone(&input.name), value));
        }
        if *is_one_of && !fields.is_empty() {
            // The object around the choice counts as a level, so that the limits hold here too.
            let choice = self.specs.add(GeneSpec::Choice(ChoiceSpec { branches: fields }));
            fields = vec![Field::new(Arc::clone(&definition.name), choice)];
            self.one_of.insert(spec);
        }
        let type_name = Arc::clone(&definition.name);
        let object = ObjectSpec { type_name, purpose: ObjectPurpose::Input, fields };
        self.specs.fill(spec, GeneSpec::Object(object));
    }
}

/// Custom scalars that are integers of 64 bits by their name.
fn is_long(name: &str) -> bool {
    ["Long", "BigInt", "Int64"].iter().any(|long| long.eq_ignore_ascii_case(name))
}

/// The scalar of files that are sent beside a document, as its specification calls it (GraphQL
/// multipart request specification).
fn is_file(name: &str) -> bool {
    name == "Upload"
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_genes::{GeneSettings, simplest};

    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;

    #[test]
    fn what_must_have_a_file_is_left_out_with_a_note() {
        let sdl = "scalar Upload input Asset { file: Upload! name: String }
            type Query { read(file: Upload!): Int avatar(file: Upload): Int all(of: [Asset!]!): Int }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let documents = templates.operations().iter().map(|operation| {
            let gene = simplest(&operation.spec, &GeneSettings::default());
            templates.render(operation, &gene, Style::Compact)
        });
        assert_eq!(documents.collect::<Vec<_>>(), ["query{avatar}", "query{all(of:[])}"]);
        let skipped: Vec<String> = templates.skipped().iter().map(ToString::to_string).collect();
        let [told] = &skipped[..] else { panic!("{skipped:?}") };
        assert!(told.contains("read") && told.contains("is a file"), "{told}");
    }
}
