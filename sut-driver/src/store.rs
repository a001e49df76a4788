//! Documents and keys that a test begins with.

/// A document to insert into a Mongo collection before a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MongoDocument {
    /// Database.
    pub database: String,
    /// Collection.
    pub collection: String,
    /// The document as extended JSON.
    pub data: String,
}

/// A value to put under a Redis key before a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisKey {
    /// What puts it there: `SET` a text, `HSET` a field of a hash, `SADD` a member of a set.
    pub command: String,
    /// Key.
    pub key: String,
    /// Field of a hash; none elsewhere.
    pub field: Option<String>,
    /// Value.
    pub value: String,
}
