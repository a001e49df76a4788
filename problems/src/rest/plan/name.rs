//! Names that calls choose for what they make.

use http::Method;
use serde_json::Value;
use wallace_genes::{GenePath, PathStep, TemplateId};

use crate::rest::action::RestAction;
use crate::rest::problem::RestProblem;

impl RestProblem {
    /// The operation that reads what a creation makes under a name that it chooses itself, and the
    /// name: a member of the body called like the placeholder of the path.
    pub(in crate::rest) fn chosen_name(&self, call: &RestAction) -> Option<(TemplateId, Value)> {
        let read = self.reads_chosen_name(call.template)?;
        let (_, spec, body) = self.templates.body(call.template, &call.gene)?;
        let body = self.templates.graph().value_of(spec, body)?;
        let name = &self.resources.needs(read).last()?.name;
        Some((read, body.get(&**name)?.clone()))
    }

    /// The operation that reads one of the things below the path of another, where calls of that
    /// choose its name.
    pub(in crate::rest) fn reads_chosen_name(&self, id: TemplateId) -> Option<TemplateId> {
        let above = &self.templates.operation(id).path;
        let mut reads = self.callable.iter().filter(|id| {
            let operation = self.templates.operation(**id);
            let below =
                operation.path.strip_prefix(&**above).and_then(|rest| rest.strip_prefix("/{"));
            operation.method == Method::GET && below.is_some_and(|rest| !rest.contains('/'))
        });
        let read = *reads.next()?;
        let name = &self.resources.needs(read).last()?.name;
        let schemas = &self.templates.description().schemas;
        let mut bodies = self.templates.operation(id).bodies.iter();
        let has_name = bodies.any(|body| {
            let members = schemas.flat(&[body.schema.into()]).properties;
            members.iter().any(|(member, _)| **member == **name)
        });
        has_name.then_some(read)
    }

    /// Puts a name into the last placeholder of a call's path. Returns whether it fits there.
    pub(in crate::rest) fn set_name(&self, call: &mut RestAction, name: &Value) -> bool {
        let needs = self.resources.needs(call.template);
        let Some(need) = needs.last() else { return false };
        let path = GenePath(vec![PathStep::Field(need.parameter)]);
        self.templates.template(call.template).spec.put(&mut call.gene, &path, name)
    }
}
