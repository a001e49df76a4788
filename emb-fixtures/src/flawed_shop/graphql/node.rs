//! Global ids like `product:1`.

use async_graphql::ID;
use wallace_instrument::white_box;

/// What an id can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Product,
    Review,
    Order,
    User,
}

/// The id of an object.
pub(super) fn global_id(class: &str, number: i64) -> ID {
    ID(format!("{class}:{number}"))
}

/// The class that an id begins with.
#[white_box]
pub(super) fn class(id: &str) -> Option<Class> {
    let Some((class, _)) = id.split_once(':') else {
        return None;
    };
    if class == "product" {
        Some(Class::Product)
    } else if class == "review" {
        Some(Class::Review)
    } else if class == "order" {
        Some(Class::Order)
    } else if class == "user" {
        Some(Class::User)
    } else {
        None
    }
}

/// The number in an id of this class; 0, which nothing has, for any other text.
#[white_box]
pub(super) fn number(id: &str, wanted: Class) -> i64 {
    if class(id) != Some(wanted) {
        return 0;
    }
    let text = id.split_once(':').map_or("", |(_, number)| number);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if is_plain { text.parse().unwrap_or(0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Class, class, number};

    #[test]
    fn only_canonical_ids_name_something() {
        assert_eq!(number("product:12", Class::Product), 12);
        for id in
            ["product:", "product:01", "product:-1", "product:x", "12", "order:12", "product:1 "]
        {
            assert_eq!(number(id, Class::Product), 0, "{id}");
        }
        assert_eq!(class("review:x"), Some(Class::Review));
        assert_eq!(class("cart:1"), None);
    }
}
