//! Endpoints besides the protocol, for engines that know this driver: places of targets, and the
//! values of decisions. Engines of the family never ask for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;

use super::reply;
use super::state::Driver;
use crate::json::to_json;

struct Places {
    files: Vec<&'static str>,
    targets: Vec<PlaceOf>,
}

struct PlaceOf {
    name: &'static str,
    /// Position of the file in the list.
    file: usize,
    line: u32,
}

struct Operands {
    operands: Vec<OperandsOf>,
}

struct OperandsOf {
    target: &'static str,
    left: String,
    relation: &'static str,
    right: String,
    has_distance: bool,
}

to_json! {
    Places { files: "files", targets: "targets" }
    PlaceOf { name: "name", file: "file", line: "line" }
    Operands { operands: "operands" }
    OperandsOf {
        target: "target", left: "left", relation: "relation", right: "right",
        has_distance: "hasDistance",
    }
}

/// `GET /wallace/targets`.
pub(super) async fn targets(State(driver): State<Arc<Driver>>) -> Response {
    let (mut files, mut known) = (Vec::new(), BTreeMap::new());
    let placed = driver.controller.placed_targets().into_iter();
    let targets = placed.map(|target| {
        let file = *known.entry(target.file).or_insert_with(|| {
            files.push(target.file);
            files.len() - 1
        });
        PlaceOf { name: target.name, file, line: target.line }
    });
    let targets = targets.collect();
    reply::data(&Places { files, targets })
}

/// `GET /wallace/operands`: what is kept of this test; `?keep=true` and `?keep=false` say whether
/// anything is kept from now on.
pub(super) async fn operands(State(driver): State<Arc<Driver>>, uri: Uri) -> Response {
    let recorded = driver.controller.operands().into_iter();
    let operands = recorded.map(|one| OperandsOf {
        target: one.target,
        left: one.left,
        relation: one.relation,
        right: one.right,
        has_distance: one.has_distance,
    });
    let operands = operands.collect();
    match uri.query() {
        Some("keep=true") => driver.controller.keep_operands(true),
        Some("keep=false") => driver.controller.keep_operands(false),
        _ => {}
    }
    reply::data(&Operands { operands })
}
