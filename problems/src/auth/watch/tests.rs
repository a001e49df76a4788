//! When a witness is asked, and what is left alone.

use http::{HeaderMap, Method};

use super::*;

fn request(method: &str, path: &str) -> HttpRequest {
    HttpRequest {
        method: Method::from_bytes(method.as_bytes()).unwrap(),
        path: path.parse().unwrap(),
        headers: HeaderMap::new(),
        body: bytes::Bytes::new(),
    }
}

fn note(watch: &mut LoginWatch, user: Option<usize>, operation: &str, status: u16) {
    let (method, path) = operation.split_once(':').unwrap();
    let request = request(method, &path.replace("{id}", "7"));
    watch.note(&WatchedCall {
        user,
        operation,
        request: &request,
        is_read: method == "GET",
        went_well: status < 300,
        is_refused: matches!(status, 401 | 403),
        is_unknown: status == 401,
        status,
        effect: ShownEffect::Unknown,
    });
}

/// A watch with a witness of user 0.
fn watched() -> LoginWatch {
    let mut watch = LoginWatch::default();
    note(&mut watch, None, "GET:/clients", 401);
    note(&mut watch, Some(0), "GET:/clients/{id}", 200);
    note(&mut watch, Some(0), "GET:/clients", 200);
    let (user, candidate) = watch.candidate().unwrap();
    assert_eq!(candidate.path, "/clients", "reads about nothing in particular come first");
    watch.accept(user, Witness { request: candidate, refusal: 401 });
    watch
}

#[test]
fn one_refusal_of_a_login_asks_the_witness() {
    let mut watch = watched();
    note(&mut watch, Some(0), "DELETE:/clients/{id}", 204);
    assert!(watch.doubted().is_empty());
    note(&mut watch, Some(0), "GET:/clients", 401);
    assert_eq!(watch.doubted(), [0]);
}

#[test]
fn other_refusals_ask_it_after_some() {
    let mut watch = watched();
    note(&mut watch, Some(0), "GET:/clients", 503);
    assert!(watch.doubted().is_empty());
    note(&mut watch, Some(0), "GET:/clients/{id}", 503);
    assert_eq!(watch.doubted(), [0]);
    watch.prove(0);
    note(&mut watch, Some(0), "GET:/clients", 404);
    note(&mut watch, Some(0), "GET:/clients", 404);
    assert!(watch.doubted().is_empty(), "a service that refuses by habit is asked less often");
}

#[test]
fn operations_that_all_fail_ask_it_whatever_the_habit() {
    let mut watch = watched();
    (0..6).for_each(|_| watch.prove(0));
    let operations = ["GET:/a", "GET:/b", "GET:/c", "GET:/d", "GET:/e"];
    operations.iter().for_each(|operation| note(&mut watch, Some(0), operation, 200));
    for operation in &operations[..4] {
        note(&mut watch, Some(0), operation, 500);
    }
    note(&mut watch, Some(0), "GET:/e", 200);
    operations.iter().take(4).for_each(|operation| note(&mut watch, Some(0), operation, 500));
    assert!(watch.doubted().is_empty(), "one that goes well between them says that all is well");
    note(&mut watch, Some(0), "GET:/e", 500);
    assert_eq!(watch.doubted(), [0]);
}

#[test]
fn what_never_went_well_raises_no_doubt() {
    let mut watch = watched();
    for _ in 0..100 {
        note(&mut watch, Some(0), "POST:/admin", 403);
    }
    assert!(watch.doubted().is_empty());
}

#[test]
fn the_change_before_the_first_doubt_is_left_alone() {
    let mut watch = watched();
    note(&mut watch, Some(0), "POST:/clients", 200);
    note(&mut watch, Some(0), "DELETE:/clients/{id}", 204);
    note(&mut watch, Some(0), "GET:/clients", 401);
    note(&mut watch, None, "POST:/messages", 200);
    assert_eq!(watch.lost(0, true).as_deref(), Some("DELETE /clients/7"));
    assert!(watch.bars("DELETE:/clients/{id}", &request("DELETE", "/clients/7")));
    assert!(!watch.bars("DELETE:/clients/{id}", &request("DELETE", "/clients/8")));
    assert!(!watch.bars("POST:/clients", &request("POST", "/clients")));
    note(&mut watch, Some(0), "DELETE:/clients/{id}", 204);
    note(&mut watch, Some(0), "GET:/clients", 401);
    watch.lost(0, true);
    let other = request("DELETE", "/clients/8");
    assert!(watch.bars("DELETE:/clients/{id}", &other), "all of it the second time");
}

#[test]
fn what_showed_that_it_took_the_account_is_blamed_before_what_took_nothing() {
    let mut watch = watched();
    let mut change = |operation: &str, effect: ShownEffect| {
        watch.note(&WatchedCall {
            user: Some(0),
            operation,
            request: &request("POST", "/graphql"),
            is_read: false,
            went_well: true,
            is_refused: false,
            is_unknown: false,
            status: 200,
            effect,
        });
    };
    change("Mutation.deleteUser", ShownEffect::Own);
    change("Mutation.deletePost", ShownEffect::Unknown);
    change("Mutation.deleteComments", ShownEffect::None);
    note(&mut watch, Some(0), "GET:/clients", 401);
    assert_eq!(watch.lost(0, false).as_deref(), Some("Mutation.deleteUser"));
}

#[test]
fn what_was_left_alone_is_called_again_once_age_ended_the_login() {
    let mut watch = watched();
    note(&mut watch, Some(0), "POST:/groups", 201);
    note(&mut watch, Some(0), "GET:/clients", 401);
    assert_eq!(watch.lost(0, true).as_deref(), Some("POST /groups"));
    let call = request("POST", "/groups");
    assert!(watch.bars("POST:/groups", &call));
    watch.acquit(0);
    assert!(!watch.bars("POST:/groups", &call));
}

#[test]
fn a_lost_user_calls_no_more() {
    let mut watch = watched();
    note(&mut watch, Some(1), "GET:/clients", 200);
    assert_eq!(watch.lost(0, false), None, "nothing was changed");
    assert!(watch.is_lost(Some(0)) && !watch.is_lost(Some(1)) && !watch.is_lost(None));
    assert!(!watch.is_over());
    watch.lost(1, false);
    assert!(watch.is_over());
}

#[test]
fn things_that_are_gone_are_no_lost_login() {
    let gone = || {
        let mut watch = LoginWatch::default();
        note(&mut watch, Some(0), "GET:/things/{id}", 200);
        let (user, candidate) = watch.candidate().unwrap();
        watch.accept(user, Witness { request: candidate, refusal: 401 });
        note(&mut watch, Some(0), "GET:/things/{id}", 404);
        note(&mut watch, Some(0), "GET:/things/{id}", 404);
        assert_eq!(watch.doubted(), [0]);
        assert!(watch.suspect(0, false), "the thing may be gone");
        assert!(watch.doubted().is_empty());
        watch
    };
    let mut watch = gone();
    note(&mut watch, Some(0), "POST:/things", 201);
    assert!(watch.witnesses(0).is_empty() && watch.doubted().is_empty(), "it was");
    let mut watch = gone();
    note(&mut watch, Some(0), "GET:/things/{id}", 403);
    note(&mut watch, Some(0), "GET:/things/{id}", 403);
    assert_eq!(watch.doubted(), [0]);
    assert!(!watch.suspect(0, false), "nothing went well since");
    // What anybody may do proves nothing.
    let mut watch = gone();
    note(&mut watch, None, "GET:/health", 200);
    note(&mut watch, Some(0), "GET:/health", 200);
    assert!(!watch.suspect(0, false));
}

#[test]
fn a_user_whom_the_service_knows_is_not_lost_with_his_things() {
    let mut watch = LoginWatch::default();
    note(&mut watch, Some(0), "GET:/things/{id}", 200);
    let (user, candidate) = watch.candidate().unwrap();
    watch.accept(user, Witness { request: candidate, refusal: 401 });
    // Where what is absent is forbidden, a reset looks like a disabled account for a while.
    for _ in 0..MOST_SUSPICIONS {
        note(&mut watch, Some(0), "GET:/things/{id}", 403);
        note(&mut watch, Some(0), "GET:/things/{id}", 403);
        assert_eq!(watch.doubted(), [0]);
        assert!(watch.suspect(0, true));
    }
    assert!(!watch.suspect(0, true), "nothing went well for long");
    note(&mut watch, Some(0), "POST:/things", 201);
    assert!(watch.witnesses(0).is_empty());
}

/// A read may end a session, and is told by a redirect; what was changed after it is innocent.
#[test]
fn what_ends_sessions_by_its_name_is_blamed_first() {
    let mut watch = watched();
    note(&mut watch, Some(0), "GET:/auth/logout", 307);
    note(&mut watch, Some(0), "POST:/clients", 201);
    note(&mut watch, Some(0), "GET:/clients", 401);
    assert_eq!(watch.lost(0, true).unwrap(), "GET /auth/logout");
    assert!(watch.bars("GET:/auth/logout", &request("GET", "/auth/logout?again=1")));
    assert!(!watch.bars("POST:/clients", &request("POST", "/clients")));
}

#[test]
fn nobody_is_lost_on_a_service_that_was_started_anew() {
    let mut watch = watched();
    watch.lost(0, false);
    assert!(watch.is_lost(Some(0)));
    watch.begin_anew();
    assert!(!watch.is_lost(Some(0)));
}

/// A call of a service whose refusals have the status 200.
fn note_query(watch: &mut LoginWatch, user: Option<usize>, operation: &str, is_known: bool) {
    let is_read = !operation.contains(char::is_uppercase);
    watch.note(&WatchedCall {
        user,
        operation,
        request: &request("POST", "/graphql"),
        is_read,
        went_well: is_known,
        is_refused: !is_known,
        is_unknown: !is_known,
        status: 200,
        effect: ShownEffect::Unknown,
    });
}

#[test]
fn a_lost_login_is_noticed_soon_whatever_the_status_is() {
    let mut watch = watched();
    (0..6).for_each(|_| watch.prove(0));
    note_query(&mut watch, Some(0), "removeCurrentDevice", true);
    for operation in ["removeBoard", "removePin"] {
        note_query(&mut watch, Some(0), operation, false);
        assert!(watch.doubted().is_empty(), "they never went well");
    }
    note_query(&mut watch, Some(0), "removeSpan", false);
    assert_eq!(watch.doubted(), [0]);
}

#[test]
fn what_takes_the_own_away_is_blamed_before_others() {
    let mut watch = watched();
    note_query(&mut watch, Some(0), "removeCurrentDevice", true);
    note_query(&mut watch, Some(0), "addTag", true);
    note_query(&mut watch, Some(1), "removeTag", true);
    note_query(&mut watch, Some(1), "removeMyPin", true);
    note_query(&mut watch, Some(0), "tags", false);
    note_query(&mut watch, Some(1), "removeBoard", true);
    note(&mut watch, Some(0), "GET:/clients", 401);
    assert_eq!(watch.lost(0, true).unwrap(), "removeCurrentDevice");
    let other = request("POST", "/graphql?fields=others");
    assert!(watch.bars("removeCurrentDevice", &other), "other fields change the same");
    assert!(!watch.bars("removeTag", &other));
}

#[test]
fn what_takes_something_away_is_blamed_before_what_makes_something() {
    let mut watch = watched();
    note_query(&mut watch, Some(1), "revokeKeys", true);
    note_query(&mut watch, Some(0), "addTag", true);
    note_query(&mut watch, Some(0), "tags", false);
    note_query(&mut watch, Some(1), "removeBoard", true);
    note(&mut watch, Some(0), "GET:/clients", 401);
    assert_eq!(watch.lost(0, true).unwrap(), "revokeKeys", "before the first refusal");
}
