//! Values of arguments: guesses, and values seen earlier.

use wallace_engine::Learnt;
use wallace_genes::{Draw, Gene, GenePath, GeneSpec};

use crate::binding::put_scalar;
use crate::graphql::action::GraphqlAction;
use crate::graphql::hint;
use crate::graphql::link::{ArgumentSource, Purpose};
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::problem::GraphqlProblem;
use crate::graphql::site::visit_sites;

/// An argument that a value seen earlier may fill.
pub(crate) struct Need {
    pub(crate) path: GenePath,
    pub(crate) source: ArgumentSource,
}

impl GraphqlProblem {
    /// Guesses and values seen earlier in place of random ones, and `__typename` where the type
    /// of an object is open.
    pub(crate) fn improve(
        &self,
        action: &mut GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) {
        if self.is_black_box {
            self.guess_values(action, draw);
            self.select_typenames(action);
        }
        self.fill_from_pool(action, learnt, draw, 1.0);
    }

    fn guess_values(&self, action: &mut GraphqlAction, draw: &mut Draw) {
        let operation = &self.templates.operations()[action.template.0 as usize];
        let graph = operation.spec.graph();
        let mut guesses = Vec::new();
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            if matches!(site.gene, Gene::Absent | Gene::Null | Gene::Boolean(_)) {
                return;
            }
            let spec = graph.spec(site.spec);
            if !matches!(
                spec,
                GeneSpec::String(_) | GeneSpec::Integer(_) | GeneSpec::Long(_) | GeneSpec::Float(_)
            ) {
                return;
            }
            if let Some(guess) = self.guess_at(site.coordinate, spec, draw) {
                guesses.push((site.path.clone(), guess));
            }
        });
        for (path, guess) in guesses {
            if let Some(place) = path.find_mut(&mut action.gene) {
                *place = guess;
            }
        }
    }

    /// What people would give for the argument at a coordinate, or nothing.
    pub(crate) fn guess_at(
        &self,
        coordinate: &str,
        spec: &GeneSpec,
        draw: &mut Draw,
    ) -> Option<Gene> {
        let (name, scalar) = self.scalar_at(coordinate);
        hint::guess(name, scalar, spec, &self.scalars, &mut draw.rng)
    }

    /// Name of the argument at a coordinate, and of its scalar.
    fn scalar_at<'a>(&'a self, coordinate: &'a str) -> (&'a str, &'a str) {
        let name = coordinate.rsplit(['.', '(']).next().unwrap_or_default();
        let name = name.trim_end_matches(":)");
        let scalar = self.argument_types.get(coordinate);
        (name, scalar.map_or("String", |scalar| scalar))
    }

    /// The arguments of a call that values seen earlier may fill.
    pub(crate) fn needs(&self, action: &GraphqlAction) -> Vec<Need> {
        let mut needs = Vec::new();
        if self.links.is_empty() {
            return needs;
        }
        let operation = &self.templates.operations()[action.template.0 as usize];
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            let is_leaf = matches!(
                site.gene,
                Gene::String(_) | Gene::Integer(_) | Gene::Long(_) | Gene::Float(_)
            );
            if let Some(source) = self.links.source(site.coordinate).filter(|_| is_leaf) {
                needs.push(Need { path: site.path.clone(), source: source.clone() });
            }
        });
        needs
    }

    /// Puts values seen earlier into arguments: ids mostly, others seldom.
    pub(super) fn fill_from_pool(
        &self,
        action: &mut GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
        share: f64,
    ) {
        for need in self.needs(action) {
            let probability = match need.source.purpose {
                Purpose::Id => 0.8,
                Purpose::Cursor => 0.4,
                Purpose::Scalar => 0.6,
                Purpose::Same => 0.2,
            };
            if draw.rng.chance(probability * share) {
                put_from_pool(&mut action.gene, &need, &learnt.memory, draw);
            }
        }
    }
}

/// Puts a value of the pool where it is needed; of the most trusted key mostly. Returns whether
/// there was one that fits.
pub(crate) fn put_from_pool(
    gene: &mut Gene,
    need: &Need,
    memory: &GraphqlMemory,
    draw: &mut Draw,
) -> bool {
    let known: Vec<_> = need.source.keys.iter().filter_map(|key| memory.pool.get(key)).collect();
    for (index, values) in known.iter().enumerate() {
        let is_last = index + 1 == known.len();
        if is_last || draw.rng.chance(0.95) {
            let value = &values[draw.rng.below(values.len())];
            return put_scalar(gene, &need.path, value);
        }
    }
    false
}
