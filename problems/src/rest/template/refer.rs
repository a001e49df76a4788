//! References in bodies: objects that say which thing is meant, as `status: {id: 7}`.
//!
//! Descriptions make all their members optional, or let them hold more than a service takes there. Without
//! a driver an object that is called as a thing whose ids answers told gets one of these, and nothing else.

use wallace_genes::{Draw, Gene, GeneSpec, ObjectGene, SpecId, TemplateId, spec::ObjectSpec};

use super::{Pool, PoolValue, Templates};
use crate::word::{plain, singular};

/// Share of such objects that are references.
const REFERRED: f64 = 0.8;
/// Members that name a thing, the surest first.
const IDS: [&str; 4] = ["id", "_id", "uuid", "pk"];

impl Templates {
    /// Lets objects in a call refer to things that answers told of.
    pub(crate) fn refer(&self, id: TemplateId, gene: &mut Gene, pool: &Pool, draw: &mut Draw) {
        if !pool.is_empty() {
            self.refer_in(self.template(id).spec.id(), gene, "", pool, draw);
        }
    }

    fn refer_in(&self, id: SpecId, gene: &mut Gene, name: &str, pool: &Pool, draw: &mut Draw) {
        match (self.graph().spec(self.present(id)), &mut *gene) {
            (GeneSpec::Object(object), Gene::Object(value)) => {
                if let Some(reference) = self.reference(object, name, pool, draw) {
                    *gene = Gene::Object(reference);
                    return;
                }
                for (position, part) in &mut value.fields {
                    let field = &object.fields[*position as usize];
                    self.refer_in(field.spec, part, &field.name, pool, draw);
                }
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                for (field, part) in tuple.elements.iter().zip(elements) {
                    self.refer_in(field.spec, part, &field.name, pool, draw);
                }
            }
            (GeneSpec::Array(list) | GeneSpec::UniqueArray(list), Gene::Array(elements)) => {
                for part in elements {
                    self.refer_in(list.element, part, name, pool, draw);
                }
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                if let Some(branch) = choice.branches.get(value.branch as usize) {
                    self.refer_in(branch.spec, &mut value.value, name, pool, draw);
                }
            }
            (GeneSpec::Seeded(seeded), gene) => self.refer_in(seeded.inner, gene, name, pool, draw),
            _ => {}
        }
    }

    /// A reference by an object of this kind and name, where one may be.
    fn reference(
        &self,
        object: &ObjectSpec,
        name: &str,
        pool: &Pool,
        draw: &mut Draw,
    ) -> Option<ObjectGene> {
        let place = |id: &str| object.fields.iter().position(|field| *field.name == *id);
        let (id, place) = IDS.iter().find_map(|id| Some((id, place(id)?)))?;
        let is_optional = |spec| matches!(self.graph().spec(spec), GeneSpec::Optional(_));
        let mut others = object.fields.iter().enumerate().filter(|(other, _)| *other != place);
        if !others.all(|(_, field)| is_optional(field.spec)) {
            return None;
        }
        let thing = singular(&plain(name));
        let known: Vec<&PoolValue> = pool.values(&format!("{thing}{id}")).collect();
        let known = draw.rng.pick(&known).filter(|_| !thing.is_empty())?;
        if !draw.rng.chance(REFERRED) {
            return None;
        }
        let value = self.graph().read(object.fields[place].spec, &known.value)?;
        Some(ObjectGene { fields: vec![(place as u32, value)] })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn objects_refer_to_things_that_answers_told() {
        let of = "{type: object, properties: {id: {type: integer}, url: {type: string}}}";
        let full = "{type: object, required: [url], properties: {id: {type: integer}, url: {type: string}}}";
        let paths = format!(
            "{{/circuits: {{post: {{requestBody: {{required: true, content: {{application/json: {{schema: \
               {{type: object, required: [circuit_type, tags, site, note], properties: {{circuit_type: {of}, \
               tags: {{type: array, minItems: 1, items: {of}}}, site: {full}, note: {of}}}}}}}}}}}}}}}}}"
        );
        let problem = problem(&paths, 0);
        let post = named(&problem, "POST:/circuits");
        let templates = problem.templates();
        let mut pool = Pool::default();
        for thing in ["circuit-type", "tag", "site"] {
            pool.add(&format!("{thing}id"), &77_411.into(), post);
        }
        let mut draw = Draw::new(1, 1, Arc::default());
        let mut bodies = (0..100).map(|_| {
            let mut gene = templates.sample(post, &Default::default(), &Pool::default(), &mut draw);
            templates.refer(post, &mut gene, &pool, &mut draw);
            templates.values(post, &gene).body.map(|(_, body)| body).unwrap_or_default()
        });
        let bodies: Vec<serde_json::Value> = bodies.by_ref().collect();
        let refers = |pointer: &str| {
            let reference = serde_json::json!({ "id": 77_411 });
            bodies.iter().filter(|body| body.pointer(pointer) == Some(&reference)).count()
        };
        assert!(refers("/circuit_type") > 60 && refers("/tags/0") > 60);
        assert_eq!(
            (refers("/site"), refers("/note")),
            (0, 0),
            "it has more to say, nobody knows one"
        );
    }
}
