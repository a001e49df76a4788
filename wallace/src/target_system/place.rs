//! Where the instances of a service are: addresses, a file of them, or a name with several.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use wallace_sut_driver::http::HttpAddress;

use crate::error::RunError;
use crate::settings::{Settings, Target};

/// A file with one address in each line: `@instances.txt`.
const FILE: char = '@';

/// A name with several addresses, one for each instance: `dns:drivers.test:40100`. A name alone stands for
/// one instance, however many addresses it has: a machine may have several too.
const NAME: &str = "dns:";

/// The places that the user names, and which of them are in use.
#[derive(Debug, Clone)]
pub(super) struct Places {
    texts: Vec<String>,
    listed: Vec<String>,
    used: Arc<Mutex<BTreeSet<String>>>,
}

impl Places {
    pub(super) fn new(settings: &Settings) -> Result<Self, RunError> {
        let first = match &settings.target {
            Target::Driver(address) => Some(address),
            Target::Graphql(url) => Some(url),
            Target::OpenApi(_) => settings.rest.base_url.as_ref(),
            Target::InProcess => None,
        };
        Self::of(first.into_iter().chain(&settings.instances).cloned().collect())
    }

    fn of(texts: Vec<String>) -> Result<Self, RunError> {
        Ok(Self { listed: listed(&texts)?, texts, used: Arc::default() })
    }

    /// All addresses at the start, each once, in the order in which they are named.
    pub(super) fn list(&self) -> &[String] {
        &self.listed
    }

    /// Takes an address into use.
    pub(super) fn take(&self, address: &str) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(address.to_owned());
    }

    /// Where an instance that was at `address` may be now: there, unless it is not listed any more and
    /// another is that nobody uses.
    pub(super) fn again(&self, address: &str) -> String {
        let Ok(listed) = listed(&self.texts) else { return address.to_owned() };
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if listed.iter().any(|it| it == address) {
            return address.to_owned();
        }
        let Some(free) = listed.into_iter().find(|it| !used.contains(it)) else {
            return address.to_owned();
        };
        used.remove(address);
        used.insert(free.clone());
        free
    }
}

/// The addresses that the texts stand for now, each once.
fn listed(texts: &[String]) -> Result<Vec<String>, RunError> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        for address in expanded(text)? {
            if !all.contains(&address) {
                all.push(address);
            } else if address == *text {
                let reason =
                    format!("{address} is named twice: an instance runs one test at a time");
                return Err(RunError::Settings(reason));
            }
        }
    }
    Ok(all)
}

/// The addresses that one text of the user stands for.
fn expanded(text: &str) -> Result<Vec<String>, RunError> {
    let wrong = |reason: String| RunError::Settings(reason);
    if let Some(file) = text.strip_prefix(FILE) {
        let lines = std::fs::read_to_string(file).map_err(|error| {
            wrong(format!(
                "the file of instances {file} cannot be read ({error}): name one with an \
                     address in each line"
            ))
        })?;
        let lines = lines.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let named: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        if named.is_empty() {
            return Err(wrong(format!(
                "the file of instances {file} names none: one in each line"
            )));
        }
        if let Some(nested) = named.iter().find(|line| line.starts_with(FILE)) {
            return Err(wrong(format!("{file} names another file, {nested}: name addresses")));
        }
        let all: Result<Vec<Vec<String>>, RunError> = named.into_iter().map(expanded).collect();
        return Ok(all?.concat());
    }
    let Some(name) = text.strip_prefix(NAME) else { return Ok(vec![text.to_owned()]) };
    let address: HttpAddress =
        name.parse().map_err(|error| wrong(format!("the name of instances {text}: {error}")))?;
    let mut found = address.resolve();
    // The same machine has an address of each family.
    if found.iter().any(std::net::SocketAddr::is_ipv4) {
        found.retain(std::net::SocketAddr::is_ipv4);
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        let host = address.host();
        return Err(wrong(format!(
            "{host} has no address now: is the name right? It is written {NAME}NAME:PORT"
        )));
    }
    let scheme = if address.is_secure() { "https" } else { "http" };
    let path = path(name);
    Ok(found.into_iter().map(|it| format!("{scheme}://{it}{path}")).collect())
}

/// What follows the host of an address.
fn path(address: &str) -> &str {
    let host = address.find("://").map_or(0, |at| at + 3);
    address[host..].find('/').map_or("", |at| &address[host + at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(texts: &[&str]) -> Result<Places, RunError> {
        Places::of(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn a_file_and_a_name_stand_for_several() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("instances");
        std::fs::write(&file, "# two\nhost-a:40100\n\n  host-b:40100 # the other\n").unwrap();
        let listed = places(&["40100", &format!("@{}", file.display())]).unwrap();
        assert_eq!(listed.list(), ["40100", "host-a:40100", "host-b:40100"]);
        let listed = places(&["dns:http://localhost:40100/graphql"]).unwrap();
        assert_eq!(listed.list(), ["http://127.0.0.1:40100/graphql"], "one family");
        assert_eq!(places(&["dns:localhost:40100"]).unwrap().list(), ["http://127.0.0.1:40100"]);
    }

    #[test]
    fn what_names_nothing_is_told() {
        for (texts, told) in [
            (&["@/nowhere/instances"][..], "the file of instances /nowhere/instances"),
            (&["dns:nobody.invalid:1"], "nobody.invalid has no address"),
            (&["a:1", "a:1"], "a:1 is named twice"),
        ] {
            let error = places(texts).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn an_instance_that_moved_is_found_where_it_is_now() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("instances");
        std::fs::write(&file, "a:1\nb:1").unwrap();
        let places = places(&[&format!("@{}", file.display())]).unwrap();
        places.list().iter().for_each(|it| places.take(it));
        assert_eq!(places.again("a:1"), "a:1");
        std::fs::write(&file, "b:1\nc:1").unwrap();
        assert_eq!(places.again("a:1"), "c:1");
        std::fs::write(&file, "b:1").unwrap();
        assert_eq!(places.again("c:1"), "c:1", "nowhere else to go");
    }
}
