//! Messages of databases, and of what maps objects to their rows, that only a mistake of the service
//! gives: a statement that is none, a connection that is gone, an object used in the wrong state. That a
//! row breaks a constraint is none of them.

use std::sync::LazyLock;

use regex::Regex;

static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?xi)
        # Not a statement
        syntax\ error\ at\ or\ near | ":\ syntax\ error | error\ in\ your\ sql\ syntax | unrecognized\ token |
        unterminated\ quoted | \bno\ such\ (table|column|function|collation(\ sequence)?)\b | unknown\ column |
        \b(column|relation|table|function)\ ["'`]?[a-z_][\w.]*["'`]?(\(.*\))?\ does\ not\ exist | operator\ does\ not\ exist |
        \btable\ '[\w.]+'\ doesn't\ exist | could\ not\ determine\ data\ type |
        # Names and columns that do not fit
        ambiguous\ column | column\ (reference\ )?["'`]?[\w.]+["'`]?\ (in\ [\w\ ]+\ )?is\ ambiguous |
        (missing|invalid\ reference\ to)\ from-clause | not\ unique\ table/alias | derived\ table\ must\ have |
        must\ appear\ in\ the\ group\ by | isn't\ in\ group\ by | group\ by\ clause\ is\ required | misuse\ of\ aggregate |
        invalid\ use\ of\ group\ function | aggregate\ functions\ are\ not\ allowed | order\ by\ expressions\ must\ appear |
        \d+\ values\ for\ \d+\ columns | column\ count\ doesn't\ match | but\ \d+\ values\ were\ supplied |
        insert\ has\ more\ (expressions|target\ columns) | is\ of\ type\ .*\ but\ expression\ is\ of\ type |
        same\ number\ of\ (result\ )?columns | union\ types\ .*\ cannot\ be\ matched | operand\ should\ contain |
        sub-?select\ returns\ \d+ | subquery\ (must\ return|returns\ more) | more\ than\ one\ row\ returned\ by\ a\ subquery |
        there\ is\ no\ parameter\ \$ | bind\ message\ supplies | no\ unique\ or\ exclusion\ constraint\ matching |
        cannot\ affect\ row\ a\ second\ time | cannot\ (extract\ elements|get\ array\ length|call\ json|deconstruct) | illegal\ mix\ of\ collations |
        # Values and sizes that nobody looked at
        (limit|offset)\ must\ not\ be\ negative | invalid\ byte\ sequence | too\ many\ (sql\ variables|terms\ in) |
        expression\ tree\ is\ too\ large | pattern\ too\ complex |
        # Connections and transactions
        deadlock\ (detected|found) | lock\ wait\ timeout | \bdatabase\ (table\ )?is\ locked\b | disk\ image\ is\ malformed |
        readonly\ database | transaction\ (is\ aborted|within\ a\ transaction) | no\ transaction\ is\ active |
        could\ not\ serialize\ access | cached\ plan\ must\ not | \btoo\ many\ connections$ | too\ many\ clients\ already |
        sqlite_(error|misuse|corrupt|busy|locked|mismatch) |
        econnrefused | econnreset | enoent | connection\ (refused|reset|terminated) |
        # Objects and their rows
        \binvalid\ `prisma | querybuilder | cannot\ attach\ entity | \balias\ was\ not\ found\.\ maybe |
        \bno\ metadata\ for\ " | entity\ metadata\ for\ .*\ not\ found | update\ values\ are\ not\ defined |
        (empty\ criteria|criteria\(s\)\ are\ not\ allowed) | query\ ?runner\ already | transaction\ (already|not)\ started |
        unsaved\ (transient|related\ object) | detached\ (entity|instance) |
        lazily\ initialize | could\ not\ initialize\ proxy | unexpected\ row\ count | did\ not\ return\ a\ unique\ result |
        not\ bound\ to\ a\ session | session's\ transaction\ has\ been | multiple\ rows\ were\ found | returned\ more\ than\ one\b |
        cannot\ resolve\ keyword | instance\ of\ entity\ type\ .*\ cannot\ be\ tracked | second\ operation\ (was\ )?started\ on\ this\ context |
        where\ conditions\ required
        "#;
    Regex::new(pattern).expect("the pattern is valid")
});

/// Whether a message tells of a mistake of the service in what it asked of its database.
pub(super) fn has_failed(message: &str) -> bool {
    FAILURE.is_match(message)
}

/// Whether a message only names what lies between a service and its rows: what it says of a change may be
/// a constraint, and what it says of a read is none.
pub(super) fn is_named(message: &str) -> bool {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?xi)^\W*
            (prisma|sequelize|typeorm|knex|mongo(ose|db)?|sqlalchemy|hibernate|sqlx?|database|db|orm|query)
            [\ -]?(client|engine|server)?[\ -]?(error|exception|failure|query\ failed)\W*$";
        Regex::new(pattern).expect("the pattern is valid")
    });
    NAMED.is_match(message)
}

#[cfg(test)]
mod tests {
    use super::is_named;
    use crate::graphql::verdict::cause::{Cause, of};

    #[test]
    fn statements_that_are_none_are_mistakes_of_the_service() {
        for message in [
            "ambiguous column name: t1.oid",
            "SQLITE_ERROR: no such function: levenshtein",
            "misuse of aggregate: COUNT()",
            "table users has 3 columns but 2 values were supplied",
            "column reference \"id\" is ambiguous",
            "missing FROM-clause entry for table \"o\"",
            "column \"o.id\" must appear in the GROUP BY clause or be used in an aggregate function",
            "column \"age\" is of type integer but expression is of type text",
            "Column 'id' in where clause is ambiguous",
            "Table 'shop.orders' doesn't exist",
            "Operand should contain 1 column(s)",
            "Subquery returns more than 1 row",
            "current transaction is aborted, commands ignored until end of transaction block",
            "Lock wait timeout exceeded; try restarting transaction",
            "database is locked",
        ] {
            assert_eq!(of(message, true), Cause::Failure, "{message}");
        }
    }

    #[test]
    fn objects_in_a_wrong_state_are_mistakes_of_the_service() {
        for message in [
            "Cannot attach entity \"Page\" to its parent. Please make sure parent is saved in the database.",
            "object references an unsaved transient instance - save the transient instance before flushing",
            "failed to lazily initialize a collection of role: Order.lines",
            "get() returned more than one Order -- it returned 2!",
            "Cannot perform update query because update values are not defined.",
        ] {
            assert_eq!(of(message, true), Cause::Failure, "{message}");
        }
    }

    #[test]
    fn constraints_and_refusals_are_none() {
        for message in [
            "NOT NULL constraint failed: zone.name",
            "UNIQUE constraint failed: facet.code",
            "Cannot add or update a child row: a foreign key constraint fails",
            "null value in column \"name\" violates not-null constraint",
            "Duplicate entry 'a' for key 'users.email'",
            "the order does not exist",
            "Cannot delete property 7: it is rented",
            "You cannot add property details to a closed listing",
            "the table is locked by another guest",
            "The choice of a name is ambiguous",
            "Items cannot be removed from the default channel",
            "your session has expired",
        ] {
            assert_ne!(of(message, true), Cause::Failure, "{message}");
        }
    }

    #[test]
    fn a_message_may_only_name_the_layer() {
        assert!(["Prisma error", "Database error.", "SQL exception"].map(is_named) == [true; 3]);
        let told = ["Prisma error: Unique constraint failed", "error", "no database"];
        assert!(told.map(is_named) == [false; 3]);
    }
}
