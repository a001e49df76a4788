//! Calls as careful as their operation needs.

use std::sync::Arc;

use wallace_genes::{Gene, GeneSettings, GeneSpec, SpecRef, TemplateId, sample};

use super::Part;
use super::find::is_null;
use crate::part::{NEARLY_BARE, put};
use crate::rest::plan::Planner;
use crate::rest::render::files;

/// Times that a value which says that there is none is drawn anew.
const MOST_SAMPLES: usize = 4;
/// Calls that were refused until an operation is as often called with much as with little.
const TRIED: f64 = 20.0;
/// Share of the calls with little that stays.
const LITTLE_STAYS: f64 = 0.4;

impl Planner<'_> {
    /// Values of a call as careful as its operation needs: one that never went well begins with what
    /// must be there and with what the description shows.
    pub(in crate::rest) fn careful(&mut self, id: TemplateId) -> Gene {
        let settings = self.settings();
        let usual = Arc::clone(&self.draw.settings);
        if !self.has_worked(id) {
            // What is refused with little may want more, whatever its description says.
            let tried = f64::from(self.tried(id)) / TRIED;
            let share = (1.0 - tried).max(LITTLE_STAYS);
            let absent = match self.draw.rng.unit() / share {
                draw if draw < settings.bare => 1.0,
                draw if draw < settings.bare + settings.nearly_bare => NEARLY_BARE,
                _ => usual.absent,
            };
            // What the description shows is what the service itself says of calls that go well.
            let examples = if tried > 0.0 { settings.shown } else { 1.0 };
            let careful = GeneSettings { absent, examples, null: 0.0, ..(*usual).clone() };
            self.draw.settings = careful.into();
        }
        let mut gene = self.any_values(id);
        self.put_body(id, &mut gene);
        self.leave_out(id, &mut gene);
        self.draw.settings = usual;
        gene
    }

    /// Values of a call with what must be there and nothing else, as the description shows it.
    pub(in crate::rest) fn plainest(&mut self, id: TemplateId) -> Gene {
        let usual = (*self.draw.settings).clone();
        let plain = GeneSettings { absent: 1.0, examples: 1.0, null: 0.0, ..usual };
        self.with_settings(plain, |planner| planner.any_values(id))
    }

    /// Whether an operation went well; a list showed something, which what hides all of it does not.
    fn has_worked(&self, id: TemplateId) -> bool {
        let is_read = self.operations.get(id).method.is_safe();
        let has_shown = self.record(id).is_some_and(|record| record.fruitful > 0);
        self.learnt.memory.successes.contains_key(&id) && (!is_read || has_shown)
    }

    /// Calls of an operation that were not turned away for who made them: of what they hold the others
    /// say nothing.
    fn tried(&self, id: TemplateId) -> u32 {
        let calls = self.record(id).map_or(0, |record| record.calls);
        let callers = self.learnt.memory.callers.get(&id).into_iter().flat_map(|it| it.values());
        calls.saturating_sub(callers.map(|caller| caller.refused).sum())
    }

    /// Gives a call the body that its operation documents: that it must be there is what descriptions
    /// forget to say.
    fn put_body(&mut self, id: TemplateId, gene: &mut Gene) {
        let templates = &self.operations.templates;
        let place = templates.operation(id).parameters.len();
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) =
            (templates.template(id).spec.spec(), &mut *gene)
        else {
            return;
        };
        let (Some(field), Some(body @ Gene::Absent)) =
            (tuple.elements.get(place), elements.get_mut(place))
        else {
            return;
        };
        let spec = SpecRef::new(Arc::clone(templates.graph()), templates.present(field.spec));
        let sampled = sample(&spec, id, &self.learnt.knowledge, self.draw);
        if !sampled.is_placeholder() {
            *body = sampled;
            let (was, pool) = (std::mem::replace(gene, Gene::Constant), &self.learnt.memory.pool);
            *gene = templates.dressed(id, was, pool, self.draw);
        }
    }

    /// Takes away what does harm, and adds what refusals asked for.
    fn leave_out(&mut self, id: TemplateId, gene: &mut Gene) {
        let templates = &self.operations.templates;
        let before = gene.clone();
        for part in templates.parts(id, gene) {
            let record = self.learnt.memory.parts.get(&part.key(id)).unwrap_or_default();
            if part.is_sent {
                let stays = self.draw.rng.chance(record.stays());
                if !stays || part.is_conditional() {
                    put(gene, &part.path, Gene::Absent);
                }
            } else if record.missed > 0 {
                self.put_value(id, &part, gene);
            }
        }
        self.choose_one(id, gene);
        if !self.has_worked(id) {
            self.attach(id, gene);
        }
        if templates.template(id).is_checked && !templates.follows_schemas(id, gene) {
            *gene = before;
        }
    }

    /// Gives a form that takes files one: what it is for, whatever else may be left out.
    fn attach(&mut self, id: TemplateId, gene: &mut Gene) {
        let operations = self.operations;
        let schemas = &operations.templates.description().schemas;
        let bodies = operations.get(id).bodies.iter();
        let files: Vec<_> = bodies.flat_map(|content| files(schemas, content)).collect();
        if files.is_empty() {
            return;
        }
        let mut parts = operations.templates.parts(id, gene);
        parts.retain(|part| files.iter().any(|name| **name == *part.name));
        if !parts.iter().any(|part| part.is_sent)
            && let Some(part) = self.draw.rng.pick(&parts)
        {
            self.put_value(id, part, gene);
        }
    }

    /// Puts in a part that is not sent.
    pub(super) fn put_value(&mut self, id: TemplateId, part: &Part, gene: &mut Gene) {
        let value = self.value_of(id, part);
        if !value.is_placeholder() {
            put(gene, &part.path, value);
        }
    }

    /// A value for a part that is not sent.
    fn value_of(&mut self, id: TemplateId, part: &Part) -> Gene {
        let templates = &self.operations.templates;
        let inner = match templates.graph().spec(part.spec) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => part.spec,
        };
        let spec = SpecRef::new(Arc::clone(templates.graph()), inner);
        let mut sampled = || sample(&spec, id, &self.learnt.knowledge, self.draw);
        let mut value = sampled();
        for _ in 0..MOST_SAMPLES {
            if is_null(&value) {
                value = sampled();
            }
        }
        let pool = &self.learnt.memory.pool;
        templates.dress(part.spec, &mut value, &part.name, pool, self.draw);
        value
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use crate::rest::memory::RestMemory;
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn a_form_that_takes_files_has_one() {
        let problem = problem(
            "{/upload: {post: {requestBody: {content: {multipart/form-data: {schema: {type: object, \
             properties: {title: {type: string}, data: {type: string, format: binary}}}}}}}}}",
            0,
        );
        let (id, learnt) = (named(&problem, "POST:/upload"), Learnt::<RestMemory>::default());
        for number in 0..30 {
            let mut draw = Draw::new(3, number, Arc::default());
            let gene = problem.planner(&learnt, &mut draw).careful(id);
            let (_, body) = problem.templates().values(id, &gene).body.expect("a form is sent");
            assert!(body.get("data").is_some(), "{body}");
        }
    }
}
