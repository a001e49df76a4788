//! What the service does.

use rusqlite::Connection;
use wallace_instrument::white_box;

use super::item::NewsItem;
use super::store;
use crate::resource::Refused;

/// Most characters of a text.
const LONGEST_TEXT: usize = 1024;
/// Most characters of the name of an author.
const LONGEST_AUTHOR: usize = 32;

/// News of a country, by an author, both, or all.
#[white_box]
pub(super) fn list(
    store: &Connection,
    country: Option<&str>,
    author: Option<&str>,
) -> Result<Vec<NewsItem>, Refused> {
    if let Some(country) = country {
        if let Some(author) = author {
            return Ok(store::of_country_and_author(store, country, author)?);
        }
        return Ok(store::of_country(store, country)?);
    }
    if let Some(author) = author {
        return Ok(store::of_author(store, author)?);
    }
    Ok(store::all(store)?)
}

/// Adds an item; gives its id.
#[white_box]
pub(super) fn create(store: &Connection, item: &NewsItem) -> Result<i64, Refused> {
    if item.news_id.is_some() {
        return Err(Refused::new(400, "the id of a new item is generated"));
    }
    let (author, text, country) = check(store, item)?;
    Ok(store::insert(store, author, text, country)?)
}

/// The members that every item must have.
#[white_box]
fn check<'a>(
    store: &Connection,
    item: &'a NewsItem,
) -> Result<(&'a str, &'a str, &'a str), Refused> {
    let Some(author) = &item.author_id else {
        return Err(Refused::new(400, "authorId is missing"));
    };
    if author.is_empty() || author.len() > LONGEST_AUTHOR {
        return Err(Refused::new(400, "authorId must have 1 to 32 characters"));
    }
    let Some(text) = &item.text else {
        return Err(Refused::new(400, "text is missing"));
    };
    check_text(text)?;
    let Some(country) = &item.country else {
        return Err(Refused::new(400, "country is missing"));
    };
    if !is_country(store, country)? {
        return Err(Refused::new(400, "country is unknown"));
    }
    Ok((author.as_str(), text.as_str(), country.as_str()))
}

#[white_box]
fn check_text(text: &str) -> Result<(), Refused> {
    if text.trim().is_empty() {
        return Err(Refused::new(400, "text is empty"));
    }
    if text.len() > LONGEST_TEXT {
        return Err(Refused::new(400, "text is too long"));
    }
    Ok(())
}

#[white_box]
fn is_country(store: &Connection, name: &str) -> Result<bool, Refused> {
    for country in store::countries(store)? {
        if country == name {
            return Ok(true);
        }
    }
    Ok(false)
}

#[white_box]
fn parse_id(text: &str) -> Result<i64, Refused> {
    let Ok(id) = text.parse::<i64>() else {
        return Err(Refused::new(404, "no item has such an id"));
    };
    if id < 1 {
        return Err(Refused::new(404, "ids are positive"));
    }
    Ok(id)
}

#[white_box]
pub(super) fn read(store: &Connection, id: &str) -> Result<NewsItem, Refused> {
    let id = parse_id(id)?;
    let Some(item) = store::find(store, id)? else {
        return Err(Refused::new(404, "there is no such item"));
    };
    Ok(item)
}

/// Replaces an item by another one of the same id.
#[white_box]
pub(super) fn replace(store: &Connection, id: &str, item: &NewsItem) -> Result<(), Refused> {
    let id = parse_id(id)?;
    let Some(own) = item.news_id else {
        return Err(Refused::new(400, "newsId is missing"));
    };
    if own != id {
        return Err(Refused::new(409, "the ids of path and item differ"));
    }
    if store::find(store, id)?.is_none() {
        return Err(Refused::new(404, "there is no such item"));
    }
    let (author, text, country) = check(store, item)?;
    Ok(store::update(store, id, author, text, country)?)
}

#[white_box]
pub(super) fn set_text(store: &Connection, id: &str, text: &str) -> Result<(), Refused> {
    let id = parse_id(id)?;
    if store::find(store, id)?.is_none() {
        return Err(Refused::new(404, "there is no such item"));
    }
    check_text(text)?;
    Ok(store::set_text(store, id, text)?)
}

#[white_box]
pub(super) fn delete(store: &Connection, id: &str) -> Result<(), Refused> {
    let id = parse_id(id)?;
    if !store::delete(store, id)? {
        return Err(Refused::new(404, "there is no such item"));
    }
    Ok(())
}
