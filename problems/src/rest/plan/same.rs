//! What a body says of the thing that the path names: most services want the same there.

use wallace_engine::BindingSource;
use wallace_genes::{GenePath, PathStep};

use super::Planner;
use crate::rest::action::RestAction;
use crate::rest::learn::NAMES;
use crate::rest::operations::Operations;
use crate::word::plain;

/// Share of the calls in which a member that is called as a placeholder gets what the path holds.
const SAME: f64 = 0.8;
/// Share for one that may as well give the thing another name: `name` below `/pools/{pool_name}`.
const KEPT: f64 = 0.5;

impl Planner<'_> {
    /// Lets members of a body that name what the path names say the same: with its value, or bound to what
    /// that is bound to.
    pub(super) fn say_as_path(
        &mut self,
        call: &mut RestAction,
        bindings: &mut Vec<(BindingSource, GenePath)>,
    ) {
        if self.operations.is_white_box || call.deviation.is_some() {
            return;
        }
        let operations = self.operations;
        for (member, placeholder, share) in repeated(operations, call) {
            if !self.chance(share) {
                continue;
            }
            bindings.retain(|(_, path)| *path != member);
            let bound = bindings.iter().find(|(_, path)| *path == placeholder);
            if let Some((source, _)) = bound {
                bindings.push((source.clone(), member));
                continue;
            }
            let spec = &operations.templates.template(call.template).spec;
            if let Some(value) = spec.value_at(&call.gene, &placeholder) {
                spec.put(&mut call.gene, &member, &value);
            }
        }
    }
}

/// The members of a body that name what a placeholder names, each with that placeholder and how often it is
/// to say the same.
fn repeated(operations: &Operations, call: &RestAction) -> Vec<(GenePath, GenePath, f64)> {
    let id = call.template;
    let needs = operations.resources.needs(id);
    let operation = operations.get(id);
    let of_body = operation.parameters.len() as u32;
    let leaves = operations.templates.named_leaves(id, &call.gene);
    let in_body =
        leaves.iter().filter(|(path, _)| path.0.first() == Some(&PathStep::Field(of_body)));
    let same = in_body.filter_map(|(path, name)| {
        let name = plain(name);
        let exact = needs.iter().find(|need| plain(&need.name) == name);
        let shorter = || {
            let last = needs.last().filter(|_| NAMES.contains(&&*name))?;
            let ends = operation.path.ends_with(&format!("{{{}}}", last.name));
            (ends && plain(&last.name).ends_with(&name)).then_some(last)
        };
        let (need, share) = match exact {
            Some(need) => (need, SAME),
            None => (shorter()?, KEPT),
        };
        Some((path.clone(), need.path(), share))
    });
    same.collect()
}

#[cfg(test)]
mod tests {
    use wallace_genes::{GeneSettings, simplest};

    use super::*;
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn a_member_names_what_the_path_names() {
        let body = "requestBody: {required: true, content: {application/json: {schema: {type: object, required: [key, run_id, note], \
                    properties: {key: {type: string}, run_id: {type: string}, note: {type: string}}}}}}";
        let path = |name: &str| {
            format!("{{name: {name}, in: path, required: true, schema: {{type: string}}}}")
        };
        let text = format!(
            "{{'/runs/{{run_id}}/variables/{{variable_key}}': {{patch: {{parameters: [{}, {}], {body}}}}}, \
              '/runs/{{run_id}}/close': {{post: {{parameters: [{}], {body}}}}}}}",
            path("run_id"),
            path("variable_key"),
            path("run_id")
        );
        let problem = problem(&text, 0);
        let shares = |name: &str| {
            let id = named(&problem, name);
            let spec = &problem.templates().template(id).spec;
            let call = RestAction::new(id, simplest(spec, &GeneSettings::default()));
            let found = repeated(problem.operations(), &call).into_iter();
            found.map(|(_, placeholder, share)| (placeholder, share)).collect::<Vec<_>>()
        };
        let at = |place: u32| GenePath(vec![PathStep::Field(place)]);
        let variable = "PATCH:/runs/{run_id}/variables/{variable_key}";
        assert_eq!(shares(variable), [(at(1), KEPT), (at(0), SAME)]);
        // The key that is sent there is another thing's.
        assert_eq!(shares("POST:/runs/{run_id}/close"), [(at(0), SAME)]);
    }
}
