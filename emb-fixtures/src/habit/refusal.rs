//! Refusals in the words of the common frameworks.

use serde_json::{Value, json};

use super::Habit;

/// How a framework says that an input is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Spring,
    Fastapi,
    Nest,
    Django,
    Rails,
    Aspnet,
}

impl Dialect {
    /// The dialect among these habits, if one is.
    pub(super) fn of(habits: &[Habit]) -> Option<Self> {
        habits.iter().find_map(|habit| {
            Some(match habit {
                Habit::RefusalsSpring => Self::Spring,
                Habit::RefusalsFastapi => Self::Fastapi,
                Habit::RefusalsNest => Self::Nest,
                Habit::RefusalsDjango => Self::Django,
                Habit::RefusalsRails => Self::Rails,
                Habit::RefusalsAspnet => Self::Aspnet,
                _ => return None,
            })
        })
    }

    /// Says a refusal of the shop in this dialect. Its messages begin with what they are about.
    pub(super) fn rewrite(self, refusal: &mut Value) {
        let Some(message) = refusal["message"].as_str().map(str::to_owned) else { return };
        let name = message.split(' ').next().unwrap_or_default();
        *refusal = match self {
            Self::Spring => json!({
                "timestamp": "2026-01-01T00:00:00.000+00:00", "status": 400, "error": "Bad Request",
                "errors": [{ "field": name, "defaultMessage": message, "code": "Invalid" }],
            }),
            Self::Fastapi => json!({
                "detail": [{ "type": "value_error", "loc": ["body", name], "msg": message }],
            }),
            Self::Nest => {
                json!({ "statusCode": 400, "message": [message], "error": "Bad Request" })
            }
            Self::Django => json!({ name: [message] }),
            Self::Rails => json!({ "errors": { name: [message] } }),
            Self::Aspnet => json!({
                "type": "https://tools.ietf.org/html/rfc9110#section-15.5.1", "status": 400,
                "title": "One or more validation errors occurred.", "errors": { name: [message] },
            }),
        };
    }
}
