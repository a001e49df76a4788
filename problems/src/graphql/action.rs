//! Actions: calls of GraphQL operations.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

/// One call of a GraphQL operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GraphqlAction {
    /// Which operation.
    pub template: TemplateId,
    /// Its arguments and what is selected of the object it returns.
    pub gene: Gene,
    /// Who calls: the position of a user among those of the problem; nobody where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<u16>,
}

impl GraphqlAction {
    /// A call without credentials.
    #[must_use]
    pub fn new(template: TemplateId, gene: Gene) -> Self {
        Self { template, gene, user: None }
    }
}
