//! Users of a system as its driver tells them: how each proves who it is.

pub use crate::client::{
    Authentication, CreateUsers, Login, LoginEndpoint, LoginProof, LoginToken, TokenPlace,
    TokenSource, UserGenerator,
};
