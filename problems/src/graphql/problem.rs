//! A GraphQL service as a search problem.

mod exchange;
mod search;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue};
use wallace_engine::SearchSettings;
use wallace_genes::{GeneSettings, TemplateId};

use super::action::GraphqlAction;
use super::check::CheckSettings;
use super::filter::OperationFilter;
use super::form;
use super::render::Style;
use super::schema::{OperationKind, SchemaError};
use super::scope::Scope;
use super::subscription::ACCEPTED;
use super::target::OperationTargets;
use super::template::Templates;
use crate::beginning::Beginnings;
use crate::oracle::{Oracle, ServerError};
use crate::rest::TestSettings;
use crate::sql::SqlTables;
use crate::store::Stores;
use crate::target_source::{TargetSource, TargetSources};

/// A GraphQL service: its operations are the actions, arguments and selections their genes.
pub struct GraphqlProblem {
    pub(crate) scope: Scope,
    targets: Vec<OperationTargets>,
    oracles: Vec<Box<dyn Oracle>>,
    /// Targets of the user.
    sources: TargetSources,
    path: PathAndQuery,
    headers: HeaderMap,
    checks: CheckSettings,
    /// Codes of faults that are not reported.
    off: BTreeSet<u16>,
    beginnings: Beginnings,
}

impl std::fmt::Debug for GraphqlProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("GraphqlProblem").field("path", &self.path).finish_non_exhaustive()
    }
}

impl GraphqlProblem {
    /// The operations of `templates`, called at `path`.
    ///
    /// # Errors
    /// [`SchemaError::NoUsableOperation`] when no operation can be called within the limits of the
    /// settings.
    pub fn new(
        templates: Arc<Templates>,
        path: PathAndQuery,
        settings: &SearchSettings,
    ) -> Result<Self, SchemaError> {
        let operations = templates.operations().iter();
        let called = operations.filter(|it| it.kind != OperationKind::Subscription);
        let callable = called.filter(|operation| operation.is_callable(&settings.genes));
        let callable: Vec<TemplateId> = callable.map(|operation| operation.id).collect();
        if callable.is_empty() {
            let first = "its arguments nest deeper than the limit on input depth".to_owned();
            return Err(SchemaError::NoUsableOperation {
                count: templates.operations().len(),
                first,
            });
        }
        let targets = templates.operations().iter();
        let targets =
            targets.map(|operation| OperationTargets::new(&operation.coordinate)).collect();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
        let oracles: Vec<Box<dyn Oracle>> = vec![Box::new(ServerError)];
        let scope = Scope::new(templates, callable, settings.max_size.max(1));
        let checks = CheckSettings::NONE;
        let off = BTreeSet::new();
        let sources = TargetSources::default();
        let beginnings = Beginnings::default();
        Ok(Self { scope, targets, oracles, sources, path, headers, checks, off, beginnings })
    }

    /// Adds headers to every request.
    #[must_use]
    pub fn with_headers(mut self, headers: &HeaderMap) -> Self {
        self.headers.extend(headers.clone());
        self
    }

    /// Lets tests begin with rows of these tables.
    #[must_use]
    pub fn with_sql(mut self, tables: Option<SqlTables>) -> Self {
        self.beginnings.tables = tables;
        self
    }

    /// Lets tests begin with documents and keys, where a driver tells of such that are looked for.
    #[must_use]
    pub fn with_stores(mut self, stores: Option<Stores>) -> Self {
        self.beginnings.stores = stores;
        self
    }

    /// Searches by what responses show, since no driver tells of the code behind them; with the
    /// usual checks.
    #[must_use]
    pub fn black_box(mut self) -> Self {
        self.scope.is_black_box = true;
        self.checks = CheckSettings::default();
        self
    }

    /// Makes tests by these settings, as far as they are about both families: `bare` and
    /// `nearly_bare`.
    #[must_use]
    pub fn with_tests(mut self, tests: TestSettings) -> Self {
        self.scope.tests = tests;
        self
    }

    /// Makes these checks.
    #[must_use]
    pub fn with_checks(mut self, checks: CheckSettings) -> Self {
        self.checks = checks;
        self
    }

    /// Whose schema this is: services tell different users different ones. By default everybody's.
    #[must_use]
    pub fn with_schema_of(mut self, reader: Option<usize>) -> Self {
        self.scope.schema_of = reader.and_then(|reader| u16::try_from(reader).ok());
        self
    }

    /// Reports no faults of these codes.
    #[must_use]
    pub fn without_codes(mut self, off: BTreeSet<u16>) -> Self {
        self.off = off;
        self
    }

    /// Lets calls be made by so many users, those of the evaluator's
    /// [`Authenticator`](crate::auth::Authenticator), and without credentials.
    #[must_use]
    pub fn with_users(mut self, users: usize) -> Self {
        self.scope.users = u16::try_from(users).unwrap_or(u16::MAX);
        self
    }

    /// Calls subscriptions too; the evaluator's transport must be a
    /// [`SubscriptionTransport`](super::SubscriptionTransport).
    #[must_use]
    pub fn with_subscriptions(mut self, settings: &GeneSettings) -> Self {
        let operations = self.scope.templates.operations().iter();
        let streams = operations.filter(|it| it.kind == OperationKind::Subscription);
        let callable = streams.filter(|operation| operation.is_callable(settings));
        self.scope.callable.extend(callable.map(|operation| operation.id));
        self
    }

    /// The document of a call, and the values of its variables.
    #[must_use]
    pub fn document(
        &self,
        action: &GraphqlAction,
        style: Style,
    ) -> (String, serde_json::Map<String, serde_json::Value>) {
        let operation = self.scope.operation(action.template);
        form::text(&self.scope.templates, operation, &self.scope.with_kinds(action), style)
    }

    /// Values that a custom scalar takes, by its name.
    #[must_use]
    pub fn with_scalars(mut self, scalars: BTreeMap<String, Vec<String>>) -> Self {
        self.scope.scalars = scalars;
        self
    }

    /// Leaves out the operations that the filter does not allow.
    ///
    /// # Errors
    /// [`SchemaError::NothingLeft`] when none is left.
    pub fn with_filter(mut self, filter: &OperationFilter) -> Result<Self, SchemaError> {
        let templates = Arc::clone(&self.scope.templates);
        let allows = |id: &TemplateId| {
            templates
                .operation(*id)
                .is_some_and(|operation| filter.allows(templates.schema(), operation))
        };
        let count = self.scope.callable.len();
        self.scope.callable.retain(allows);
        if self.scope.callable.is_empty() {
            return Err(SchemaError::NothingLeft { count });
        }
        Ok(self)
    }

    /// Adds an oracle to the built-in ones.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Box<dyn Oracle>) -> Self {
        self.oracles.push(oracle);
        self
    }

    /// Adds targets of the user's own.
    #[must_use]
    pub fn with_targets(mut self, source: Box<dyn TargetSource>) -> Self {
        self.sources.0.push(source);
        self
    }

    /// Operations that can be called within the limits of the settings.
    #[must_use]
    pub fn callable(&self) -> &[TemplateId] {
        &self.scope.callable
    }

    /// The templates of the operations.
    #[must_use]
    pub fn templates(&self) -> &Arc<Templates> {
        &self.scope.templates
    }

    /// Path that requests go to.
    #[must_use]
    pub fn path(&self) -> &PathAndQuery {
        &self.path
    }

    /// The oracles, built-in ones first.
    #[must_use]
    pub fn oracles(&self) -> &[Box<dyn Oracle>] {
        &self.oracles
    }
}
