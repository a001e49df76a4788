//! Wrong answers by table: what an operation answers in one case, and what a mistake makes of it.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::switch::{Switch, Switches};

/// What a switch makes of one answer of one operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amendment<W> {
    switch: Switch,
    /// The operation, in the words of its fixture.
    of: &'static str,
    /// What the right answer says.
    right: &'static str,
    wrong: W,
}

impl<W> Amendment<W> {
    pub(crate) const fn new(
        switch: Switch,
        of: &'static str,
        right: &'static str,
        wrong: W,
    ) -> Self {
        Self { switch, of, right, wrong }
    }
}

/// Declares amendments by operation: the name of a switch, what the right answer says, and what
/// becomes of that.
macro_rules! amendments {
    ($($of:literal { $($name:literal: $right:literal => $wrong:literal,)* })*) => {
        &[$($($crate::amendment::Amendment::new(
            $crate::switch::Switch::new($name, concat!("'", $right, "' becomes ", $wrong)),
            $of,
            $right,
            $wrong,
        ),)*)*]
    };
}
pub(crate) use amendments;

/// The switches of a fixture: its `own`, and one for each of these amendments.
pub(crate) const fn joined<W, const N: usize>(
    own: &[Switch],
    rows: &[Amendment<W>],
) -> [Switch; N] {
    assert!(N == own.len() + rows.len());
    let mut all = [Switch::new("", ""); N];
    let mut next = 0;
    while next < N {
        all[next] = if next < own.len() { own[next] } else { rows[next - own.len()].switch };
        next += 1;
    }
    all
}

/// The amendments of one instance, with the switches that are on.
#[derive(Debug, Clone)]
pub(crate) struct Amendments<W: 'static> {
    switches: Switches,
    rows: &'static [Amendment<W>],
}

impl<W: Copy> Amendments<W> {
    pub(crate) fn new(switches: Switches, rows: &'static [Amendment<W>]) -> Self {
        Self { switches, rows }
    }

    /// What a switch that is on makes of an answer.
    pub(crate) fn wrong(&self, of: &str, right: &str) -> Option<W> {
        let mut rows = self.rows.iter().filter(|row| row.of == of && row.right == right);
        rows.find(|row| self.switches.is_on(row.switch.name)).map(|row| row.wrong)
    }
}

/// The right answer where no operation has such a path.
const NO_PATH: &str = "no such path";
/// The right answer where the path has no such method.
const NO_METHOD: &str = "no such method";

/// Changes statuses. The operation is named by the first `segments` segments of the path, and what
/// an answer says is its status, `no such path` or `no such method`.
pub(crate) async fn amend_status(
    State((amendments, segments)): State<(Amendments<u16>, usize)>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    let is_refused_unread = !response.headers().contains_key(header::CONTENT_TYPE);
    let status = response.status();
    let right = match status {
        StatusCode::NOT_FOUND if is_refused_unread => NO_PATH,
        StatusCode::METHOD_NOT_ALLOWED => NO_METHOD,
        _ => status.as_str(),
    };
    let end = path.match_indices('/').nth(segments).map_or(path.len(), |(at, _)| at);
    if let Some(status) = amendments.wrong(&path[..end], right)
        && let Ok(status) = StatusCode::from_u16(status)
    {
        *response.status_mut() = status;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::{Amendment, Amendments, Switch, Switches, joined};

    const ROWS: &[Amendment<u16>] = amendments! {
        "GET /a" { "a-missing-as-400": "no a" => 400, "a-late-as-409": "late" => 409, }
        "GET /b" { "b-missing-as-204": "no a" => 204, }
    };
    const SWITCHES: [Switch; 4] = joined(&[Switch::new("own", "")], ROWS);

    #[test]
    fn an_amendment_is_of_one_answer_of_one_operation() {
        assert_eq!(SWITCHES[0].name, "own");
        assert_eq!(SWITCHES[3].description, "'no a' becomes 204");
        let switches = Switches::parse(&["a-missing-as-400".to_owned()], &SWITCHES).unwrap();
        let amendments = Amendments::new(switches, ROWS);
        assert_eq!(amendments.wrong("GET /a", "no a"), Some(400));
        assert_eq!(amendments.wrong("GET /a", "late"), None);
        assert_eq!(amendments.wrong("GET /b", "no a"), None);
    }
}
