//! Fragments are about something, used, and do not contain themselves.

use std::collections::HashSet;

use super::{Fragment, Judge, Part, Selection};

/// Fragments within fragments, at most.
const MAX_DEPTH: usize = 100;

impl<'a> Judge<'a> {
    pub(super) fn fragments(&mut self) {
        let mut used = HashSet::new();
        for operation in self.document.operations() {
            used.extend(self.reachable(&operation.selections).iter().map(|it| &*it.name));
        }
        let mut ended = HashSet::new();
        for fragment in self.document.fragments() {
            let (name, position) = (&fragment.name, fragment.position);
            if self.composite(&fragment.on).is_none() {
                self.no_target(&fragment.on, position);
            }
            if !used.contains(&**name) {
                self.add(position, format!("the fragment `{name}` is not used"));
            }
            if self.is_endless(name, &mut Vec::new(), &mut ended) {
                let reason = format!("the fragment `{name}` contains itself, or too many others");
                self.add(position, reason);
            }
        }
    }

    /// The fragments that selections spread, directly or in others, each once.
    pub(super) fn reachable(&self, selections: &'a [Selection]) -> Vec<&'a Fragment> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut open = spreads(selections);
        while let Some(name) = open.pop() {
            if let Some(fragment) = self.fragments.get(name).filter(|_| seen.insert(name)) {
                found.push(*fragment);
                open.extend(spreads(&fragment.selections));
            }
        }
        found
    }

    /// Whether a fragment leads back to one of those on the path to it, or too deep; `ended` are
    /// those that do not.
    fn is_endless(
        &self,
        name: &'a str,
        path: &mut Vec<&'a str>,
        ended: &mut HashSet<&'a str>,
    ) -> bool {
        if ended.contains(name) {
            return false;
        }
        if path.contains(&name) || path.len() == MAX_DEPTH {
            return true;
        }
        path.push(name);
        let inner = self.fragments.get(name).map_or_else(Vec::new, |it| spreads(&it.selections));
        let is_endless = inner.into_iter().any(|inner| self.is_endless(inner, path, ended));
        path.pop();
        if !is_endless {
            ended.insert(name);
        }
        is_endless
    }
}

/// Names of the fragments that stand in selections.
fn spreads(selections: &[Selection]) -> Vec<&str> {
    let mut names = Vec::new();
    for selection in selections {
        if let Part::Spread(name) = &selection.part {
            names.push(&**name);
        }
        names.extend(spreads(&selection.selections));
    }
    names
}
