//! The service as callers see it, wrong where a behaviour switch says so. Not instrumented.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::constraint::{EXCLUDES, REQUIRES};
use super::{licence as licences, operation, store};
use crate::database::Database;
use crate::resource::{Call, Refused, Reply};
use crate::switch::{Switch, Switches};

/// One instance.
#[derive(Debug, Clone)]
pub(super) struct Features {
    pub(super) database: Database,
    pub(super) switches: Switches,
}

impl Features {
    fn on(&self, name: &str) -> bool {
        self.switches.is_on(name)
    }

    /// Runs an operation inside a transaction; what it gives becomes an answer.
    fn change<T>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Refused>,
        answer: impl FnOnce(T) -> Reply,
    ) -> Reply {
        self.database.transaction(run).map_or_else(Reply::from, answer)
    }

    /// The answer, or success where a switch hides this refusal.
    fn hide(&self, name: &str, status: u16, answer: Reply) -> Reply {
        if answer.status == status && self.on(name) { Reply::nothing() } else { answer }
    }
}

fn done(_: ()) -> Reply {
    Reply::nothing()
}

fn created(call: &Call, folder: &str) -> impl FnOnce(()) -> Reply {
    let mut path = format!("/products/{}", call.segment(0));
    if !folder.is_empty() {
        path = format!("{path}/{folder}/{}", call.segment(1));
    }
    move |()| Reply::created(path, json!([]))
}

fn names(names: Vec<String>) -> Reply {
    Reply::new(200, names.into())
}

pub(super) fn products(features: &Features, _: &Call) -> Reply {
    features.change(
        |store| Ok(store::products(store)?),
        |mut found| {
            if features.on("products-reversed") {
                found.reverse();
            }
            if features.on("products-first-dropped") && !found.is_empty() {
                found.remove(0);
            }
            names(found)
        },
    )
}

pub(super) fn add_product(features: &Features, call: &Call) -> Reply {
    let product = call.segment(0);
    let answer = features.change(|store| operation::add_product(store, product), created(call, ""));
    let answer = features.hide("product-duplicate-hidden", 409, answer);
    match answer.status {
        201 if features.on("product-status-200") => Reply { status: 200, ..answer },
        201 if features.on("product-location-missing") => Reply { location: None, ..answer },
        _ => answer,
    }
}

pub(super) fn read_product(features: &Features, call: &Call) -> Reply {
    features.change(
        |store| operation::read_product(store, call.segment(0)),
        |mut product| {
            if features.on("product-constraints-dropped") {
                product["constraints"] = json!([]);
            }
            if features.on("product-lists-swapped") {
                let features = product["features"].take();
                product["features"] = product["constraints"].take();
                product["constraints"] = features;
            }
            if features.on("product-configurations-dropped") {
                product["configurations"] = json!([]);
            }
            if features.on("product-name-upper-case") {
                product["name"] = json!(product["name"].as_str().map(str::to_uppercase));
            }
            Reply::new(200, product)
        },
    )
}

pub(super) fn licence(features: &Features, call: &Call) -> Reply {
    features.change(
        |store| licences::licence(store, call.segment(0), call.segment(1)),
        |found| Reply::new(200, found),
    )
}

pub(super) fn delete_product(features: &Features, call: &Call) -> Reply {
    let product = call.segment(0);
    if features.on("product-delete-nothing") {
        return features
            .change(|store| operation::read_product(store, product), |_| Reply::nothing());
    }
    let answer = features.change(|store| operation::delete_product(store, product), done);
    features.hide("product-missing-deleted", 404, answer)
}

pub(super) fn features(features: &Features, call: &Call) -> Reply {
    features.change(
        |store| operation::features(store, call.segment(0)),
        |mut found| {
            if features.on("features-descriptions-dropped") {
                found.iter_mut().for_each(|feature| feature["description"] = json!(""));
            }
            if features.on("features-last-dropped") {
                found.pop();
            }
            Reply::new(200, json!(found))
        },
    )
}

/// Members of a body that are texts.
fn text(call: &Call, name: &str) -> Result<String, Refused> {
    let body: Value =
        serde_json::from_str(&call.body).map_err(|_| Refused::new(400, "the body is not JSON"))?;
    let text = body[name].as_str().map(str::to_owned);
    text.ok_or_else(|| Refused { status: 400, message: format!("{name} is missing") })
}

pub(super) fn add_feature(features: &Features, call: &Call) -> Reply {
    let (product, feature) = (call.segment(0), call.segment(1));
    let run = |store: &Connection| {
        let mut description = text(call, "description")?;
        if features.on("feature-description-upper-case") {
            description = description.to_uppercase();
        }
        operation::add_feature(store, product, feature, &description)
    };
    let answer = features.change(run, created(call, "features"));
    features.hide("feature-duplicate-hidden", 500, answer)
}

pub(super) fn describe_feature(features: &Features, call: &Call) -> Reply {
    let (product, feature) = (call.segment(0), call.segment(1));
    let run = |store: &Connection| {
        let description = text(call, "description")?;
        if features.on("feature-update-nothing") && !description.is_empty() {
            return operation::read_product(store, product).map(|_| ());
        }
        operation::describe_feature(store, product, feature, &description)
    };
    let answer = features.change(run, done);
    features.hide("feature-empty-description-hidden", 400, answer)
}

pub(super) fn delete_feature(features: &Features, call: &Call) -> Reply {
    let (product, feature) = (call.segment(0), call.segment(1));
    let answer = features.change(|store| operation::delete_feature(store, product, feature), done);
    features.hide("feature-in-use-hidden", 500, answer)
}

fn add_constraint(features: &Features, call: &Call, kind: &str) -> Reply {
    let product = call.segment(0);
    let run = |store: &Connection| {
        let (mut source, mut other) = (text(call, "sourceFeature")?, text(call, "otherFeature")?);
        if features.on("requires-reversed") && kind == REQUIRES {
            (source, other) = (other, source);
        }
        operation::add_constraint(store, product, kind, &source, &other)
    };
    let answer = features.change(run, |id| {
        let shown = if features.on("constraint-id-off-by-one") { id + 1 } else { id };
        Reply::created(format!("/products/{product}/constraints/{id}"), json!(shown))
    });
    features.hide("constraint-contradiction-hidden", 409, answer)
}

pub(super) fn add_requires(features: &Features, call: &Call) -> Reply {
    let is_exclusion = features.on("requires-as-excludes");
    add_constraint(features, call, if is_exclusion { EXCLUDES } else { REQUIRES })
}

pub(super) fn add_excludes(features: &Features, call: &Call) -> Reply {
    let is_requirement = features.on("excludes-as-requires");
    add_constraint(features, call, if is_requirement { REQUIRES } else { EXCLUDES })
}

pub(super) fn delete_constraint(features: &Features, call: &Call) -> Reply {
    let (product, id) = (call.segment(0), call.segment(1));
    let answer = features.change(|store| operation::delete_constraint(store, product, id), done);
    features.hide("constraint-missing-deleted", 404, answer)
}

pub(super) fn configurations(features: &Features, call: &Call) -> Reply {
    features.change(
        |store| operation::configurations(store, call.segment(0)),
        |mut found| {
            if features.on("configurations-last-dropped") {
                found.pop();
            }
            names(found)
        },
    )
}

pub(super) fn add_configuration(features: &Features, call: &Call) -> Reply {
    let (product, name) = (call.segment(0), call.segment(1));
    let answer = features.change(
        |store| operation::add_configuration(store, product, name),
        created(call, "configurations"),
    );
    features.hide("configuration-duplicate-hidden", 409, answer)
}

pub(super) fn read_configuration(features: &Features, call: &Call) -> Reply {
    let answer = active(features, call);
    if answer.status == 404 && features.on("configuration-missing-as-empty") {
        return names(Vec::new());
    }
    answer
}

pub(super) fn delete_configuration(features: &Features, call: &Call) -> Reply {
    let (product, name) = (call.segment(0), call.segment(1));
    let answer =
        features.change(|store| operation::delete_configuration(store, product, name), done);
    match answer.status {
        204 if features.on("configuration-delete-status-200") => Reply::new(200, Value::Null),
        _ => answer,
    }
}

pub(super) fn active(features: &Features, call: &Call) -> Reply {
    features.change(
        |store| operation::active(store, call.segment(0), call.segment(1)),
        |mut found| {
            if features.on("active-first-dropped") && !found.is_empty() {
                found.remove(0);
            }
            names(found)
        },
    )
}

pub(super) fn activate(features: &Features, call: &Call) -> Reply {
    let [product, name, feature] = [0, 1, 2].map(|index| call.segment(index));
    let run = |store: &Connection| {
        let added = operation::activate(store, product, name, feature)?;
        if features.on("activate-derived-dropped") {
            for derived in added.iter().skip(1) {
                store::deactivate(store, product, name, derived)?;
            }
        }
        Ok(added)
    };
    let answer = features.change(run, |added| {
        if added.is_empty() && features.on("activate-again-as-409") {
            return Refused::new(409, "the feature is active").into();
        }
        let shown = if features.on("activate-derived-hidden") {
            &added[..added.len().min(1)]
        } else {
            &added[..]
        };
        Reply::new(201, json!(shown))
    });
    features.hide("activate-excluded-hidden", 409, answer)
}

pub(super) fn deactivate(features: &Features, call: &Call) -> Reply {
    let [product, name, feature] = [0, 1, 2].map(|index| call.segment(index));
    let run = |store: &Connection| {
        operation::deactivate(store, product, name, feature)?;
        if features.on("deactivate-nothing") {
            store::activate(store, product, name, feature)?;
        }
        Ok(())
    };
    let answer = features.change(run, done);
    features.hide("deactivate-required-hidden", 409, answer)
}

/// What can be made wrong besides statuses.
pub(super) const SWITCHES: &[Switch] = &[
    Switch::new("products-reversed", "products are listed backwards"),
    Switch::new("products-first-dropped", "the first product is not listed"),
    Switch::new("product-duplicate-hidden", "a product seems to be added twice"),
    Switch::new("product-status-200", "new products are answered with 200"),
    Switch::new("product-location-missing", "no Location of new products"),
    Switch::new("product-constraints-dropped", "products are shown without constraints"),
    Switch::new("product-lists-swapped", "features and constraints change places"),
    Switch::new("product-configurations-dropped", "products are shown without configurations"),
    Switch::new("product-name-upper-case", "products are shown in upper case"),
    Switch::new("product-delete-nothing", "products stay when they are deleted"),
    Switch::new("product-missing-deleted", "missing products seem to be deleted"),
    Switch::new("features-descriptions-dropped", "features are listed without descriptions"),
    Switch::new("features-last-dropped", "the last feature is not listed"),
    Switch::new("feature-description-upper-case", "descriptions are kept in upper case"),
    Switch::new("feature-duplicate-hidden", "a feature seems to be added twice"),
    Switch::new("feature-update-nothing", "new descriptions are not kept"),
    Switch::new("feature-empty-description-hidden", "empty descriptions seem to be taken"),
    Switch::new("feature-in-use-hidden", "a feature in use seems to be deleted"),
    Switch::new("requires-reversed", "the other feature requires the source"),
    Switch::new("requires-as-excludes", "requirements become exclusions"),
    Switch::new("excludes-as-requires", "exclusions become requirements"),
    Switch::new("constraint-id-off-by-one", "the id in the answer is one too high"),
    Switch::new("constraint-contradiction-hidden", "contradictions seem to be taken"),
    Switch::new("constraint-missing-deleted", "missing constraints seem to be deleted"),
    Switch::new("configurations-last-dropped", "the last configuration is not listed"),
    Switch::new("configuration-duplicate-hidden", "a configuration seems to be added twice"),
    Switch::new("configuration-missing-as-empty", "missing configurations are shown empty"),
    Switch::new("configuration-delete-status-200", "deletions are answered with 200"),
    Switch::new("active-first-dropped", "the first active feature is not listed"),
    Switch::new("activate-derived-dropped", "required features stay inactive"),
    Switch::new("activate-again-as-409", "an active feature is refused"),
    Switch::new("activate-derived-hidden", "required features are not told of"),
    Switch::new("deactivate-nothing", "features stay active"),
    Switch::new("activate-excluded-hidden", "excluded features seem to be activated"),
    Switch::new("deactivate-required-hidden", "required features seem to be deactivated"),
];
