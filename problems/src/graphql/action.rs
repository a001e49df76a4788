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
}
