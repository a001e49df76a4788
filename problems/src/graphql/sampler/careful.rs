//! Calls as careful as their operation needs.

use std::sync::Arc;

use wallace_genes::{GeneSettings, TemplateId};

use super::Sampler;
use crate::part::NEARLY_BARE;

impl Sampler<'_, '_> {
    /// How the values of a call are drawn. Without a driver, where most calls of an operation do not
    /// go well, most of its calls begin with what must be there: each further argument or member of
    /// an input object is one more that may be refused.
    pub(super) fn careful(&mut self, template: TemplateId) -> Arc<GeneSettings> {
        let usual = Arc::clone(&self.draw.settings);
        if !self.scope.is_black_box || self.learnt.memory.goes_well(template) {
            return usual;
        }
        let tests = &self.scope.tests;
        let absent = match self.draw.rng.unit() {
            draw if draw < tests.bare => 1.0,
            draw if draw < tests.bare + tests.nearly_bare => NEARLY_BARE,
            _ => return usual,
        };
        GeneSettings { absent, null: 0.0, ..(*usual).clone() }.into()
    }
}

#[cfg(test)]
mod tests {
    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::answer::Answer;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::scope::Scope;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    const CALLS: usize = 200;

    /// How many of the calls of an operation hold no member of their filter, after calls of which so
    /// many went well.
    fn bare_calls(is_black_box: bool, (calls, successes): (u32, u32)) -> usize {
        let sdl = "type Query { things(filter: Filter!): Int }
            input Filter { name: String size: Int owner: String }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let mut scope = Scope::new(Arc::clone(&templates), vec![TemplateId(0)], 5);
        scope.is_black_box = is_black_box;
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let call = |learnt: &Learnt<GraphqlMemory>, draw: &mut Draw| {
            Sampler { scope: &scope, learnt, draw }.call(TemplateId(0))
        };
        for number in 0..calls {
            let body =
                if number < successes { r#"{"data":{"things":1}}"# } else { "{}" }.to_owned();
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
            let sent = call(&learnt, &mut draw);
            learnt.memory.note(&sent, &answer, &templates, &scope.links);
        }
        let is_bare = |_: &usize| {
            let action = call(&learnt, &mut draw);
            let operation = &templates.operations()[0];
            templates.render(operation, &action.gene, Style::Compact).contains("filter:{}")
        };
        (0..CALLS).filter(is_bare).count()
    }

    #[test]
    fn operations_that_do_not_go_well_are_called_with_little() {
        assert!(bare_calls(true, (0, 0)) > CALLS / 2);
        assert!(bare_calls(true, (20, 5)) > CALLS / 4);
        assert!(bare_calls(true, (20, 15)) < CALLS / 10);
        assert!(bare_calls(false, (0, 0)) < CALLS / 10);
    }
}
