//! What the tests of this crate share: a pretended system, scripted peers and recorded sessions.

#![allow(dead_code, clippy::unwrap_used, clippy::print_stderr)]

pub(crate) mod peer;
pub(crate) mod session;
pub(crate) mod system;
