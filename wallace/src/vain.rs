//! A run in vain, of which nothing is answered well: noticed early, with the likely cause.

use std::collections::BTreeMap;

use wallace_engine::{Evaluated, Problem};
use wallace_problems::{HttpOutcome, HttpProblem};

use crate::service_family::ServiceFamily;
use crate::settings::Target;
use crate::target_system::TargetSystem;

/// Calls without any good answer after which a run is given up.
const CALLS: u32 = 50;
/// How a call ended that got a page for people.
const PAGE: &str = "a page of HTML";
/// Prefixes below which services often are.
const PREFIXES: [&str; 6] = ["/api", "/api/v1", "/v1", "/rest", "/api/v2", "/v2"];
/// Most readings that are tried below each of them.
const READS: usize = 3;
/// What makes the path of a reading one that no service has.
const NOTHING: &str = "-that-is-not-there";
/// Longest part of an answer that is shown, in characters.
const LONGEST: usize = 160;

/// How calls ended while none went well.
#[derive(Debug, Default)]
pub(crate) struct Vain {
    has_answer: bool,
    /// How many ended in each way, and what the last of them was told.
    ends: BTreeMap<String, (u32, String)>,
}

impl Vain {
    /// Looks at the calls of a test.
    pub(crate) fn look<P: ServiceFamily>(&mut self, test: &Evaluated<<P as Problem>::Action>) {
        if !self.has_answer {
            test.outcomes.iter().for_each(|outcome| self.count::<P>(outcome));
        }
    }

    /// Looks at one call.
    pub(crate) fn count<P: ServiceFamily>(&mut self, outcome: &HttpOutcome) {
        let (how, told) = match &outcome.response {
            Err(failure) => (format!("no answer ({})", failure.as_str()), String::new()),
            // A page for people is what front ends answer to whatever they do not know.
            Ok(response)
                if response.media_type() == "text/html" && response.told_status() < 400 =>
            {
                (PAGE.to_owned(), String::new())
            }
            Ok(_) if P::result(outcome).0 => {
                self.has_answer = true;
                return;
            }
            Ok(response) => {
                let told = response.body.chars().filter(|c| !c.is_control()).take(LONGEST);
                (format!("status {}", response.status), told.collect())
            }
        };
        let end = self.ends.entry(how).or_default();
        *end = (end.0 + 1, told);
    }

    /// That of a run which goes on from one that was answered, or not.
    pub(crate) fn new(has_answer: bool) -> Self {
        Self { has_answer, ..Self::default() }
    }

    /// Whether enough went wrong to give up: in ways that the set-up explains. A service that fails
    /// or that refuses values may well be what is to be tested.
    pub(crate) fn is_enough(&self) -> bool {
        let explained = self.ends.iter().filter(|(how, end)| is_of_set_up(how, &end.1));
        !self.has_answer && explained.map(|(_, end)| end.0).sum::<u32>() >= CALLS
    }

    /// Whether most calls ended in a way that the set-up explains.
    pub(crate) fn is_of_set_up(&self) -> bool {
        self.most().is_some_and(|(how, told)| is_of_set_up(how, told))
    }

    /// How most calls ended.
    fn most(&self) -> Option<(&String, &String)> {
        let most = self.ends.iter().max_by_key(|(_, (count, _))| *count)?;
        Some((most.0, &most.1.1))
    }

    /// Why nothing went well, in one line with what to do; none where something did.
    pub(crate) fn cause<P: ServiceFamily>(
        &self,
        system: &mut TargetSystem<P>,
        target: &Target,
    ) -> Option<String> {
        if self.has_answer {
            return None;
        }
        let (how, told) = self.most()?;
        let calls: u32 = self.ends.values().map(|(count, _)| count).sum();
        let said = if told.is_empty() { String::new() } else { format!(" ({told})") };
        let next = match how.strip_prefix("status ").unwrap_or(how) {
            PAGE | "404" | "405" | "501" => wrong_place(system, target),
            "401" if system.users.is_empty() => {
                "it needs a login: describe a user in a file and give it with --auth".to_owned()
            }
            "401" => {
                "it does not take the credentials of the users: see the file of --auth".to_owned()
            }
            "421" => "it answers to another host name: see --base-url".to_owned(),
            "426" => {
                "it wants another protocol: see whether the URL begins with https://".to_owned()
            }
            _ if is_of_set_up(how, told) => asked_for(told, system.users.is_empty()),
            _ => "see whether the service is ready, and whether login and description are its own"
                .to_owned(),
        };
        Some(format!("none of {calls} calls was answered well, most with {how}{said}: {next}"))
    }
}

/// Whether calls that end so show something wrong with how the service is called, and not with it.
fn is_of_set_up(how: &str, told: &str) -> bool {
    match how.strip_prefix("status ") {
        None => true,
        Some("401" | "403" | "404" | "405" | "421" | "426" | "501") => true,
        Some("400" | "406" | "415" | "422") => asks(told).is_some(),
        Some(_) => false,
    }
}

/// What a refusal asks every call for.
fn asks(told: &str) -> Option<&'static str> {
    let told = told.to_ascii_lowercase();
    let known = [
        (&["csrf", "xsrf"][..], "a CSRF token"),
        (&["tenant", "organization", "workspace", "namespace"], "a tenant"),
        (&["version"], "a version"),
        (&["content-type", "content type", "media type"], "another content type"),
        (&["host header", "invalid host", "disallowedhost"], "another host name"),
    ];
    let mut known = known.into_iter();
    known.find(|(words, _)| words.iter().any(|word| told.contains(word))).map(|(_, what)| what)
}

/// What to do about a refusal, by its words.
fn asked_for(told: &str, is_nobody: bool) -> String {
    match asks(told) {
        Some(what) => format!(
            "it asks for {what}: --header 'NAME: VALUE' goes with every call, and fixedHeaders of a user \
             in the file of --auth with theirs"
        ),
        None if is_nobody => {
            "it may need a login: describe a user in a file and give it with --auth".to_owned()
        }
        None => "see whether address, login and description are those of this service".to_owned(),
    }
}

/// What to do where nothing is at the paths that are called: another prefix, where one answers.
fn wrong_place<P: ServiceFamily>(system: &mut TargetSystem<P>, target: &Target) -> String {
    match prefix_that_answers(system, target) {
        Some(prefix) => {
            let base_url = &system.base_url;
            format!("the service is below {prefix}: --base-url {base_url}{prefix}")
        }
        None => "see whether host and prefix are right (--base-url)".to_owned(),
    }
}

fn prefix_that_answers<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    target: &Target,
) -> Option<String> {
    let Target::OpenApi(place) = target else { return None };
    let problem = std::sync::Arc::clone(&system.problem);
    let user = (!system.users.is_empty()).then_some(0);
    let mut prefixes = above(place);
    prefixes.extend(PREFIXES.map(str::to_owned));
    let reads = problem.simplest_reads();
    for prefix in prefixes {
        for action in reads.iter().take(READS) {
            let mut request = HttpProblem::request(&*problem, action);
            let nothing = format!("{prefix}{}{NOTHING}", request.path.path()).parse();
            let path = format!("{prefix}{}", request.path).parse();
            let (Ok(path), Ok(nothing)) = (path, nothing) else { continue };
            request.path = path;
            let outcome = system.evaluator.ask(user, &request).ok()?;
            let is_there = match outcome.status() {
                Some(200..300) => !is_page(&outcome),
                // What wants a login is there, unless all that is below the prefix wants one.
                Some(401 | 403) => {
                    request.path = nothing;
                    system.evaluator.ask(user, &request).ok()?.status() == Some(404)
                }
                _ => false,
            };
            if is_there {
                return Some(format!("{prefix}{}", problem.base_path()));
            }
        }
    }
    None
}

fn is_page(outcome: &HttpOutcome) -> bool {
    outcome.response.as_ref().is_ok_and(|it| it.media_type() == "text/html")
}

/// The folders of the path of a description: what it describes is often beside it.
fn above(place: &str) -> Vec<String> {
    let Some((_, rest)) = place.split_once("://") else { return Vec::new() };
    let mut path = rest.find('/').map_or("", |start| &rest[start..]);
    let mut folders = Vec::new();
    while let Some((folder, _)) = path.rsplit_once('/').filter(|(folder, _)| !folder.is_empty()) {
        folders.push(folder.to_owned());
        path = folder;
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_often_beside_their_description() {
        assert_eq!(above("http://h:1/a/b/openapi.json"), ["/a/b", "/a"]);
        assert!(above("http://h:1/openapi.json").is_empty() && above("file.json").is_empty());
    }

    #[test]
    fn refusals_say_what_is_missing() {
        assert!(asked_for("CSRF validation failed", true).contains("CSRF"));
        assert!(asked_for("X-Tenant header is required", true).contains("tenant"));
        assert!(asked_for("Forbidden", true).contains("--auth"));
        assert!(!asked_for("Forbidden", false).contains("--auth"));
    }

    #[test]
    fn a_service_that_fails_or_is_strict_is_no_wrong_set_up() {
        assert!(is_of_set_up("status 404", "") && is_of_set_up(PAGE, ""));
        assert!(is_of_set_up("status 400", "X-Tenant is missing"));
        assert!(!is_of_set_up("status 400", "name is required"));
        assert!(!is_of_set_up("status 500", ""));
    }
}
