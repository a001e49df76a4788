//! News items as they are sent.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A news item. What may be missing depends on the operation, so that everything may here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewsItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) news_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) author_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) country: Option<String>,
}

/// The schemas of the description.
pub(super) fn schemas() -> Value {
    json!({
        "NewsItem": {
            "type": "object",
            "properties": {
                "newsId": { "type": "integer", "format": "int64" },
                "authorId": { "type": "string", "maxLength": 32 },
                "text": { "type": "string", "maxLength": 1024 },
                "country": { "type": "string" },
            },
        },
        "NewsItems": { "type": "array", "items": { "$ref": "#/components/schemas/NewsItem" } },
        "Editorial": {
            "type": "object",
            "properties": {
                "headline": { "type": "string" },
                "length": { "type": "string" },
                "isSport": { "type": "boolean" },
            },
        },
        "NewsId": { "type": "integer", "format": "int64" },
        "Text": { "type": "string" },
        "Countries": { "type": "array", "items": { "type": "string" } },
    })
}
