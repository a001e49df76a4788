//! Logins into an account that the test itself makes.

use wallace_engine::{Binding, BindingSource, Individual};
use wallace_genes::{Gene, GenePath};

use super::Planner;
use crate::graphql::action::GraphqlAction;
use crate::graphql::scope::argument_name;
use crate::graphql::site::visit_sites;

/// Share of logins that come after the making of their account.
const SIGNED_IN: f64 = 0.7;

impl Planner<'_, '_> {
    /// A test that makes an account and logs into it, where the call is such a login.
    pub(super) fn sign_in(&mut self, login: &GraphqlAction) -> Option<Individual<GraphqlAction>> {
        let scope = self.scope;
        let makers = scope.links.account_makers(login.template).iter().copied();
        let makers: Vec<_> = makers.filter(|maker| scope.is_callable(*maker)).collect();
        if makers.is_empty() || !self.draw.rng.chance(SIGNED_IN) {
            return None;
        }
        let maker = *self.draw.rng.pick(&makers)?;
        // A name that an earlier call took is taken.
        let operation = scope.operation(maker);
        let account = self.sampler().new_call(operation);
        let login = GraphqlAction { user: account.user, ..login.clone() };
        let mut test = Individual::new([]);
        let (given, taken) = (self.named(&account), self.named(&login));
        let action = self.append(&mut test, account, 1);
        let login = test.push(login);
        for (name, path) in taken {
            if let Some((_, from)) = given.iter().find(|(known, _)| *known == name) {
                let source = BindingSource::Gene { action, path: from.clone() };
                test.bind(Binding { source, action: login, path });
            }
        }
        Some(test)
    }

    /// The values of a call by the names of their arguments and input fields.
    fn named(&self, action: &GraphqlAction) -> Vec<(String, GenePath)> {
        let mut found = Vec::new();
        let operation = self.scope.operation(action.template);
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            let is_object = matches!(site.gene, Gene::Object(_) | Gene::Absent);
            if site.is_whole && !is_object {
                found.push((argument_name(site.coordinate).to_owned(), site.path.clone()));
            }
        });
        found
    }
}
