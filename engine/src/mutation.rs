//! Mutation of individuals: either their structure, or some of their genes.

use wallace_genes::{Draw, collect_sites, mutate};

use crate::action::Action;
use crate::evaluated::Evaluated;
use crate::individual::Individual;
use crate::problem::{Learnt, Problem};
use crate::settings::SearchSettings;
use crate::target::TargetId;

/// A mutant of a test, on the way to a target.
pub(crate) fn mutant<P: Problem>(
    problem: &P,
    parent: &Evaluated<P::Action>,
    target: TargetId,
    learnt: &Learnt<P::Memory>,
    settings: &SearchSettings,
    draw: &mut Draw,
) -> Individual<P::Action> {
    let action = parent.reach(target).and_then(|reach| reach.action);
    if let Some(action) = action
        && parent.individual.size() > 1
        && draw.rng.chance(settings.trim)
    {
        return parent.individual.trimmed_to(action);
    }
    let mut child = parent.individual.clone();
    let is_structural = draw.rng.chance(settings.structure);
    if is_structural && problem.mutate_structure(&mut child, learnt, draw) {
        return child;
    }
    let place = action.and_then(|action| child.position(action));
    let focus = place.filter(|_| draw.rng.chance(settings.focus_on_action));
    draw.donors = child.actions().iter().map(|(_, action)| action.gene().clone()).collect();
    // Most trees change at the first try; a few have nothing to change where it was tried.
    for _ in 0..3 {
        if mutate_values(problem, &mut child, focus, learnt, settings, draw) {
            return child;
        }
    }
    if mutate_values(problem, &mut child, None, learnt, settings, draw) {
        return child;
    }
    problem.mutate_structure(&mut child, learnt, draw);
    child
}

/// Mutates genes of the action at `focus`, or of all actions.
fn mutate_values<P: Problem>(
    problem: &P,
    child: &mut Individual<P::Action>,
    focus: Option<usize>,
    learnt: &Learnt<P::Memory>,
    settings: &SearchSettings,
    draw: &mut Draw,
) -> bool {
    let places = focus.map_or(0..child.actions().len(), |place| place..place + 1);
    let mut weights = Vec::new();
    let mut ends = Vec::with_capacity(places.len());
    for place in places.clone() {
        let action = &child.actions()[place].1;
        collect_sites(&problem.spec(action.template()), action.gene(), &mut weights);
        ends.push(weights.len());
    }
    let chosen = choose_sites(&weights, settings, draw);
    let mut has_changed = false;
    let (mut start, mut next) = (0, 0);
    for (place, end) in places.zip(ends) {
        let own = chosen[next..].iter().take_while(|site| **site < end).count();
        if own > 0 {
            let sites: Vec<usize> =
                chosen[next..next + own].iter().map(|site| site - start).collect();
            draw.dormant.enter_action(child.actions()[place].0.0);
            let action = child.action_mut(place);
            let (template, spec) = (action.template(), problem.spec(action.template()));
            let gene = action.gene_mut();
            has_changed |= mutate(&spec, template, gene, &sites, &learnt.knowledge, draw);
        }
        (start, next) = (end, next + own);
    }
    child.repair_bindings();
    has_changed
}

/// Chooses sites, each with its share of the expected number (search-mio.md 8): `d` of it equally,
/// the rest by weight.
fn choose_sites(weights: &[f64], settings: &SearchSettings, draw: &mut Draw) -> Vec<usize> {
    const EQUALLY: f64 = 0.8;
    if weights.is_empty() {
        return Vec::new();
    }
    let count = weights.len() as f64;
    let sum: f64 = weights.iter().sum();
    let expected = draw.scheduled((settings.mutated_share * count).max(1.0), 1.0);
    for _ in 0..10 {
        let chosen: Vec<usize> = (0..weights.len())
            .filter(|site| {
                let share = EQUALLY / count + (1.0 - EQUALLY) * weights[*site] / sum;
                draw.rng.chance(expected * share)
            })
            .collect();
        if !chosen.is_empty() {
            return chosen;
        }
    }
    vec![draw.rng.below(weights.len())]
}
