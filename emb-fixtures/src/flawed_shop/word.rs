//! Closed sets of words: what a GraphQL enum, a REST enum and a column of the store have in common.

/// Declares an enum whose members are written as these words everywhere.
macro_rules! words {
    ($(#[$attribute:meta])* $name:ident { $($(#[$member_attribute:meta])* $member:ident = $word:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, async_graphql::Enum)]
        pub(super) enum $name { $($(#[$member_attribute])* $member,)+ }

        impl $name {
            /// The word for it.
            #[allow(dead_code, reason = "not every set is written")]
            pub(super) fn word(self) -> &'static str {
                match self { $(Self::$member => $word,)+ }
            }

            /// What the word stands for.
            pub(super) fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$member),)+
                    _ => None,
                }
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(
                value: rusqlite::types::ValueRef<'_>,
            ) -> rusqlite::types::FromSqlResult<Self> {
                Self::parse(value.as_str()?).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}

words! {
    /// What a user may do.
    Role { Customer = "CUSTOMER", Admin = "ADMIN", }
}

words! {
    /// Shelf of a product.
    Category { Books = "BOOKS", Garden = "GARDEN", Toys = "TOYS", Food = "FOOD", Music = "MUSIC", }
}

words! {
    /// Where orders are sent.
    Country { De = "DE", Se = "SE", Fr = "FR", Us = "US", }
}

words! {
    /// State of an order.
    OrderStatus {
        New = "NEW",
        Paid = "PAID",
        Shipped = "SHIPPED",
        Delivered = "DELIVERED",
        Cancelled = "CANCELLED",
        /// Only where a fault stores it; no description names it.
        #[graphql(visible = false)]
        Refunding = "REFUNDING",
    }
}

words! {
    /// Order of lists of products.
    ProductSort { Id = "ID", Name = "NAME", Price = "PRICE", Rating = "RATING", }
}
