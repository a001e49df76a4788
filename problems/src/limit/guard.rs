//! Whether calls that may change something are sent.

use wallace_sut_driver::http::HttpAddress;

/// Lets calls that may change something reach this machine only, unless the user allows more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MutationGuard {
    is_open: bool,
}

impl MutationGuard {
    /// The guard of a service. `is_allowed` is the user's word that changes are wanted there.
    #[must_use]
    pub fn new(address: &HttpAddress, is_allowed: bool) -> Self {
        Self { is_open: is_allowed || address.is_loopback() }
    }

    /// Whether calls that may change something are sent.
    #[must_use]
    pub fn permits_mutation(self) -> bool {
        self.is_open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_changed_without_permission() {
        let permits = |address: &str, is_allowed| {
            MutationGuard::new(&address.parse().unwrap(), is_allowed).permits_mutation()
        };
        for near in ["localhost:1", "http://127.0.0.1:80/x", "127.8.9.1:1", "http://[::1]:2"] {
            assert!(permits(near, false), "{near}");
        }
        for far in ["example.com:80", "10.0.0.1:1", "localhost.example.com:1", "0.0.0.0:1"] {
            assert!(!permits(far, false) && permits(far, true), "{far}");
        }
    }
}
