//! Calls of REST services in a suite.

use wallace_problems::rest::{Deviation, ParameterPlace, RestAction, RestProblem};
use wallace_problems::{GenePath, HttpProblem, HttpRequest};

use super::request::with_links;
use super::{Link, Slot, SuiteProblem};
use crate::request::Request;

impl SuiteProblem for RestProblem {
    fn step_operation(&self, action: &RestAction) -> Option<String> {
        Some(self.operation(action).to_owned())
    }

    fn slot(&self, action: &RestAction, path: &GenePath) -> Option<(String, Slot)> {
        let index = RestProblem::bound_parameter(path);
        // What is put in on purpose is sent as it is, and not as an earlier call said.
        if let Some(change) = action.deviation.as_deref().and_then(Deviation::change)
            && change.parameter.map(usize::from) == index
        {
            return None;
        }
        let templates = self.templates();
        let Some(index) = index else {
            let pointer = templates.body_pointer(action.template, path)?;
            let name = pointer.rsplit('/').next().unwrap_or_default().to_owned();
            return Some((name, Slot::Body(pointer)));
        };
        let operation = templates.operation(action.template);
        let parameter = operation.parameters.get(index)?;
        let name = parameter.name.to_string();
        let slot = match parameter.place {
            ParameterPlace::Path => {
                let wanted = format!("{{{name}}}");
                let base = self.base_path().split('/').filter(|part| !part.is_empty()).count();
                Slot::Segment(base + operation.segments().position(|it| it == wanted)?)
            }
            ParameterPlace::Query => Slot::Query(name.clone()),
            ParameterPlace::Header | ParameterPlace::Cookie => return None,
        };
        Some((name, slot))
    }

    fn written(&self, _: &RestAction, sent: &HttpRequest, links: &[&Link]) -> Request {
        with_links(sent, links)
    }
}
