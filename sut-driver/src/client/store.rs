//! Documents and keys inserted for a test, over the wire.

use super::DriverError;
use super::channel::{self, Call, Channel};
use crate::store::{MongoDocument, RedisKey};
use crate::wire::store::{
    MongoCommandDto, MongoInsertionDto, MongoResultsDto, RedisCommandsDto, RedisInsertionDto,
    RedisResultsDto,
};

/// What a driver has shown of the stores behind its system.
#[derive(Debug, Default)]
pub(super) struct Stores {
    /// Whether there is nothing that takes documents, or the driver is too old to.
    pub(super) takes_no_documents: bool,
    /// The same of keys.
    pub(super) takes_no_keys: bool,
    /// Whether the driver knows a key and its text alone, as those before 6.1 do.
    has_texts_alone: bool,
}

impl Stores {
    pub(super) fn insert_documents(
        &mut self,
        channel: &mut Channel,
        documents: &[MongoDocument],
    ) -> Result<Vec<bool>, DriverError> {
        one_by_one(documents, |rest| {
            if self.takes_no_documents {
                return Ok(Vec::new());
            }
            let insertions = rest.iter().map(|one| MongoInsertionDto {
                database_name: &one.database,
                collection_name: &one.collection,
                data: &one.data,
            });
            let body = channel::render(&MongoCommandDto { insertions: insertions.collect() });
            let path = channel.path(Call::MongoInsertion, "")?;
            match channel.send(Call::MongoInsertion, &path, &body) {
                Ok(answer) if answer.is_empty() => Ok(vec![true; rest.len()]),
                Ok(answer) => {
                    let told: MongoResultsDto = channel::read(Call::MongoInsertion, &answer)?;
                    Ok(told.execution_results)
                }
                Err(error) => {
                    self.takes_no_documents = has_no_store(&error);
                    refused(error)
                }
            }
        })
    }

    pub(super) fn insert_keys(
        &mut self,
        channel: &mut Channel,
        keys: &[RedisKey],
    ) -> Result<Vec<bool>, DriverError> {
        one_by_one(keys, |rest| {
            let told = self.send_keys(channel, rest);
            let is_older = matches!(&told, Err(DriverError::Rejected { message, .. })
                if message.contains("Unrecognized field"));
            if is_older && !self.has_texts_alone {
                self.has_texts_alone = true;
                return self.send_keys(channel, rest).or_else(refused);
            }
            told.or_else(|error| {
                self.takes_no_keys = has_no_store(&error);
                refused(error)
            })
        })
    }

    fn send_keys(
        &self,
        channel: &mut Channel,
        keys: &[RedisKey],
    ) -> Result<Vec<bool>, DriverError> {
        let is_text = |one: &&RedisKey| one.command.eq_ignore_ascii_case("SET");
        let texts = keys.iter().take_while(is_text).count();
        let sent = if self.has_texts_alone { &keys[..texts] } else { keys };
        if self.takes_no_keys || sent.is_empty() {
            return Ok(Vec::new());
        }
        let insertions = sent.iter().map(|one| RedisInsertionDto {
            command: (!self.has_texts_alone).then_some(&*one.command),
            key: &one.key,
            field: one.field.as_deref(),
            value: &one.value,
        });
        let body = channel::render(&RedisCommandsDto { insertions: insertions.collect() });
        let path = channel.path(Call::RedisInsertion, "")?;
        let answer = channel.send(Call::RedisInsertion, &path, &body)?;
        if answer.is_empty() {
            return Ok(vec![true; sent.len()]);
        }
        let told: RedisResultsDto = channel::read(Call::RedisInsertion, &answer)?;
        Ok(told.execution_results)
    }
}

/// Whether each was inserted. Drivers stop at the first that is refused: those behind it are sent
/// again without it.
pub(super) fn one_by_one<T>(
    all: &[T],
    mut send: impl FnMut(&[T]) -> Result<Vec<bool>, DriverError>,
) -> Result<Vec<bool>, DriverError> {
    let mut results = Vec::with_capacity(all.len());
    while results.len() < all.len() {
        let told = send(&all[results.len()..])?;
        let taken = told.iter().take_while(|is_taken| **is_taken).count();
        results.resize((results.len() + taken).min(all.len()), true);
        if results.len() < all.len() {
            results.push(false);
        }
    }
    Ok(results)
}

/// How far the driver came, which for keys it tells in words alone.
fn refused(error: DriverError) -> Result<Vec<bool>, DriverError> {
    match &error {
        DriverError::Rejected { message, .. } => {
            let behind = message.split_once("at index ").map_or("", |(_, behind)| behind);
            let digits = behind.split(|it: char| !it.is_ascii_digit()).next();
            let taken = digits.and_then(|digits| digits.parse().ok()).unwrap_or(0_usize);
            Ok(vec![true; taken.min(MOST_TAKEN)])
        }
        _ => Err(error),
    }
}

/// Most that one message inserts.
const MOST_TAKEN: usize = 10_000;

/// Whether a refusal means that no other insertion will be taken.
fn has_no_store(error: &DriverError) -> bool {
    matches!(error, DriverError::Rejected { status, message, .. }
        if *status == 404 || message.starts_with("No active"))
}
