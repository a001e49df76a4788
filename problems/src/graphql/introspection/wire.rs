//! The answer to an introspection query, as JSON holds it. Text is borrowed where it needs no
//! unescaping; members that older services do not know are optional.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Text of the answer.
///
/// A type of its own because serde borrows a `Cow` only where it stands by itself, and copies one
/// inside an `Option`.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl Text<'_> {
    pub(super) fn boxed(self) -> Box<str> {
        self.0.into()
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Answer<'a> {
    #[serde(borrow, default)]
    pub(super) data: Option<Data<'a>>,
    #[serde(borrow, default)]
    pub(super) errors: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "__schema")]
    pub(super) schema: Option<Root<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Data<'a> {
    #[serde(borrow, default, rename = "__schema")]
    pub(super) schema: Option<Root<'a>>,
}

/// `__schema`. Types are read one by one, so that a broken one does not take the others along.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root<'a> {
    #[serde(borrow, default)]
    pub(super) query_type: Option<Named<'a>>,
    #[serde(borrow, default)]
    pub(super) mutation_type: Option<Named<'a>>,
    #[serde(borrow, default)]
    pub(super) subscription_type: Option<Named<'a>>,
    #[serde(borrow, default)]
    pub(super) types: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    pub(super) directives: Option<Vec<&'a RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Directive<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(default)]
    pub(super) is_repeatable: Option<bool>,
    #[serde(borrow, default)]
    pub(super) locations: Option<Vec<Text<'a>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Named<'a> {
    #[serde(borrow, default)]
    pub(super) name: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Type<'a> {
    #[serde(borrow, default)]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) description: Option<Text<'a>>,
    #[serde(borrow, default, rename = "specifiedByURL")]
    pub(super) specified_by: Option<Text<'a>>,
    #[serde(default)]
    pub(super) is_one_of: Option<bool>,
    #[serde(borrow, default)]
    pub(super) fields: Option<Vec<Member<'a>>>,
    #[serde(borrow, default)]
    pub(super) input_fields: Option<Vec<Member<'a>>>,
    #[serde(borrow, default)]
    pub(super) interfaces: Option<Vec<Named<'a>>>,
    #[serde(borrow, default)]
    pub(super) enum_values: Option<Vec<Member<'a>>>,
    #[serde(borrow, default)]
    pub(super) possible_types: Option<Vec<Named<'a>>>,
}

/// A field, an argument, an input field or an enum value: each leaves out what it does not have.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Member<'a> {
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow, default)]
    pub(super) description: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) args: Option<Vec<Member<'a>>>,
    #[serde(borrow, default, rename = "type")]
    pub(super) type_ref: Option<Reference<'a>>,
    #[serde(borrow, default)]
    pub(super) default_value: Option<Text<'a>>,
    #[serde(default)]
    pub(super) is_deprecated: Option<bool>,
    #[serde(borrow, default)]
    pub(super) deprecation_reason: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reference<'a> {
    #[serde(borrow, default)]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) name: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) of_type: Option<Box<Reference<'a>>>,
}
