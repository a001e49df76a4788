//! What the service does.

use rusqlite::Connection;
use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::constraint::{self, REQUIRES};
use super::store;
use crate::resource::Refused;

/// Most bytes of a name.
const LONGEST_NAME: usize = 40;

fn missing(what: &str) -> Refused {
    Refused { status: 404, message: format!("there is no such {what}") }
}

#[white_box]
fn check_name(name: &str) -> Result<(), Refused> {
    if name.trim().is_empty() {
        return Err(Refused::new(400, "the name is empty"));
    }
    if name.len() > LONGEST_NAME {
        return Err(Refused::new(400, "the name is too long"));
    }
    Ok(())
}

#[white_box]
fn check_product(store: &Connection, product: &str) -> Result<(), Refused> {
    if !store::has_product(store, product)? {
        return Err(missing("product"));
    }
    Ok(())
}

#[white_box]
fn check_feature(store: &Connection, product: &str, feature: &str) -> Result<(), Refused> {
    if !store::has_feature(store, product, feature)? {
        return Err(missing("feature"));
    }
    Ok(())
}

#[white_box]
fn check_configuration(store: &Connection, product: &str, name: &str) -> Result<(), Refused> {
    check_product(store, product)?;
    if !store::has_configuration(store, product, name)? {
        return Err(missing("configuration"));
    }
    Ok(())
}

#[white_box]
pub(super) fn add_product(store: &Connection, product: &str) -> Result<(), Refused> {
    check_name(product)?;
    if store::has_product(store, product)? {
        return Err(Refused::new(409, "there is such a product"));
    }
    store::add_product(store, product)?;
    Ok(())
}

/// A product with everything that belongs to it.
pub(super) fn read_product(store: &Connection, product: &str) -> Result<Value, Refused> {
    check_product(store, product)?;
    let constraints = store::constraints(store, product)?;
    Ok(json!({
        "name": product,
        "features": store::features(store, product)?,
        "constraints": constraints.iter().map(store::Constraint::view).collect::<Vec<_>>(),
        "configurations": store::configurations(store, product)?,
    }))
}

#[white_box]
pub(super) fn delete_product(store: &Connection, product: &str) -> Result<(), Refused> {
    if !store::delete_product(store, product)? {
        return Err(missing("product"));
    }
    Ok(())
}

pub(super) fn features(store: &Connection, product: &str) -> Result<Vec<Value>, Refused> {
    check_product(store, product)?;
    Ok(store::features(store, product)?)
}

/// Adds a feature. One that is there already is refused by the store, which gives 500.
#[white_box]
pub(super) fn add_feature(
    store: &Connection,
    product: &str,
    feature: &str,
    description: &str,
) -> Result<(), Refused> {
    check_product(store, product)?;
    check_name(feature)?;
    store::add_feature(store, product, feature, description)?;
    Ok(())
}

#[white_box]
pub(super) fn describe_feature(
    store: &Connection,
    product: &str,
    feature: &str,
    description: &str,
) -> Result<(), Refused> {
    check_product(store, product)?;
    if description.is_empty() {
        return Err(Refused::new(400, "the description is empty"));
    }
    if !store::describe_feature(store, product, feature, description)? {
        return Err(missing("feature"));
    }
    Ok(())
}

/// Deletes a feature. One that a configuration uses is kept by the store, which gives 500.
#[white_box]
pub(super) fn delete_feature(
    store: &Connection,
    product: &str,
    feature: &str,
) -> Result<(), Refused> {
    check_product(store, product)?;
    if !store::delete_feature(store, product, feature)? {
        return Err(missing("feature"));
    }
    Ok(())
}

/// Adds a constraint, unless it contradicts others or what configurations activate; gives its id.
#[white_box]
pub(super) fn add_constraint(
    store: &Connection,
    product: &str,
    kind: &str,
    source: &str,
    other: &str,
) -> Result<i64, Refused> {
    check_product(store, product)?;
    check_feature(store, product, source)?;
    check_feature(store, product, other)?;
    let constraints = store::constraints(store, product)?;
    constraint::check_new(&constraints, kind, source, other)?;
    for name in store::configurations(store, product)? {
        let active = store::active(store, product, &name)?;
        let has_source = active.iter().any(|feature| feature == source);
        let has_other = active.iter().any(|feature| feature == other);
        if kind == REQUIRES {
            if has_source && !has_other {
                return Err(Refused::new(409, "a configuration lacks the required feature"));
            }
        } else if has_source && has_other {
            return Err(Refused::new(409, "a configuration has both features"));
        }
    }
    Ok(store::add_constraint(store, product, kind, source, other)?)
}

#[white_box]
pub(super) fn delete_constraint(
    store: &Connection,
    product: &str,
    id: &str,
) -> Result<(), Refused> {
    check_product(store, product)?;
    let Ok(id) = id.parse::<i64>() else {
        return Err(Refused::new(400, "the id is no number"));
    };
    if !store::delete_constraint(store, product, id)? {
        return Err(missing("constraint"));
    }
    Ok(())
}

pub(super) fn configurations(store: &Connection, product: &str) -> Result<Vec<String>, Refused> {
    check_product(store, product)?;
    Ok(store::configurations(store, product)?)
}

#[white_box]
pub(super) fn add_configuration(
    store: &Connection,
    product: &str,
    name: &str,
) -> Result<(), Refused> {
    check_product(store, product)?;
    check_name(name)?;
    if store::has_configuration(store, product, name)? {
        return Err(Refused::new(409, "there is such a configuration"));
    }
    store::add_configuration(store, product, name)?;
    Ok(())
}

/// The active features of a configuration.
pub(super) fn active(
    store: &Connection,
    product: &str,
    configuration: &str,
) -> Result<Vec<String>, Refused> {
    check_configuration(store, product, configuration)?;
    Ok(store::active(store, product, configuration)?)
}

#[white_box]
pub(super) fn delete_configuration(
    store: &Connection,
    product: &str,
    name: &str,
) -> Result<(), Refused> {
    check_product(store, product)?;
    if !store::delete_configuration(store, product, name)? {
        return Err(missing("configuration"));
    }
    Ok(())
}

/// Activates a feature and what it requires; gives what became active.
#[white_box]
pub(super) fn activate(
    store: &Connection,
    product: &str,
    configuration: &str,
    feature: &str,
) -> Result<Vec<String>, Refused> {
    check_configuration(store, product, configuration)?;
    check_feature(store, product, feature)?;
    let mut all = store::active(store, product, configuration)?;
    if all.iter().any(|active| active == feature) {
        return Ok(Vec::new());
    }
    let constraints = store::constraints(store, product)?;
    let mut added = Vec::new();
    for derived in constraint::derived(&constraints, feature) {
        if !all.contains(&derived) {
            all.push(derived.clone());
            added.push(derived);
        }
    }
    constraint::check_active(&constraints, &all)?;
    for feature in &added {
        store::activate(store, product, configuration, feature)?;
    }
    Ok(added)
}

#[white_box]
pub(super) fn deactivate(
    store: &Connection,
    product: &str,
    configuration: &str,
    feature: &str,
) -> Result<(), Refused> {
    check_configuration(store, product, configuration)?;
    let active = store::active(store, product, configuration)?;
    if !active.iter().any(|active| active == feature) {
        return Err(missing("active feature"));
    }
    constraint::check_inactive(&store::constraints(store, product)?, &active, feature)?;
    store::deactivate(store, product, configuration, feature)?;
    Ok(())
}
