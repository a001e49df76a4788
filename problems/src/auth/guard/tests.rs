//! What a guard lets nobody do, and what it tells.

use http::Method;

use super::*;

fn request() -> HttpRequest {
    let (headers, body) = (http::HeaderMap::new(), bytes::Bytes::new());
    HttpRequest { method: Method::POST, path: "/zones".parse().unwrap(), headers, body }
}

fn call(request: &HttpRequest, went_well: bool) -> WatchedCall<'_> {
    let operation = "POST:/zones";
    let (is_read, is_refused, is_unknown, status) = (false, false, false, 200);
    let user = None;
    let effect = ShownEffect::Unknown;
    WatchedCall {
        user,
        operation,
        request,
        is_read,
        went_well,
        is_refused,
        is_unknown,
        status,
        effect,
    }
}

#[test]
fn what_nothing_makes_again_is_taken_once_and_late() {
    let (request, guard) = (request(), LoginGuard::new(&[]).taking_after(2));
    let (delete, makers) = ("DELETE:/zones/{id}", ["POST:/zones"]);
    guard.note(&call(&request, false), None);
    assert!(!guard.may_take(delete, &makers), "no zone was ever made");
    guard.note(&call(&request, false), None);
    assert!(guard.may_take(delete, &makers) && !guard.has_taken(delete, &makers));
    guard.take(delete);
    assert!(!guard.may_take(delete, &makers) && guard.has_taken(delete, &makers));
    assert!(guard.has_taken(delete, &[]), "nothing is known to make them");
    guard.note(&call(&request, true), None);
    assert!(guard.may_take(delete, &makers) && !guard.has_taken(delete, &makers));
}

#[test]
fn nobody_logs_out_early_where_nothing_would_show_it() {
    let guard = LoginGuard::new(&[User::with_headers("ann", Vec::new())]).taking_after(2);
    let mut request = request();
    request.path = "/auth/logout".parse().unwrap();
    let touch = Touch::of_request(&request);
    let forbids =
        |user: Option<usize>| guard.forbids(user, "POST:/logout", &request, touch.as_ref());
    assert!(forbids(Some(0)) && !forbids(None));
    guard.accept(0, Witness { request: request.clone(), refusal: 401 });
    assert!(!forbids(Some(0)));
    let guard = LoginGuard::new(&[User::with_headers("ann", Vec::new())]).taking_after(1);
    guard.note(&call(&request, true), None);
    assert!(!guard.forbids(Some(0), "POST:/logout", &request, touch.as_ref()), "it is late");
}

#[test]
fn who_never_was_let_in_is_told_what_to_look_at() {
    let users = ["alice", "bob"].map(|name| User::with_headers(name, Vec::new()));
    let guard = LoginGuard::new(&users);
    guard.lost(0, "alice", false);
    let notes = guard.notes().join("\n");
    assert!(notes.contains("\"alice\" was refused its login"), "{notes}");
    assert!(!notes.contains("--exclude"), "no operation did it: {notes}");
    let request = request();
    guard.accept(1, Witness { request: request.clone(), refusal: 401 });
    guard.lost(1, "bob", false);
    let notes = guard.notes().join("\n");
    assert!(notes.contains("\"bob\" lost its login"), "{notes}");
}
