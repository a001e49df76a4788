//! Who calls: users, how they prove who they are, and their credentials during a run.
//!
//! [`AuthFile`] reads the authentication file of the Web Fuzzing Commons; [`Authenticator`] logs
//! users in when they are first needed and puts what they got into their requests.

mod authenticator;
mod driver;
mod expiry;
mod file;
mod guard;
mod name;
mod own;
mod secret;
mod touch;
mod user;
mod watch;

pub use authenticator::{AuthError, Authenticator, OpenConnection};
pub use file::{AuthFile, AuthFileError};
pub use guard::LoginGuard;
pub(crate) use name::{
    ends_service, ends_session, is_asker, is_credential, is_log_out, is_of_login, is_of_settings,
    is_own_account, is_password, leads_to_context, switches_login_off,
};
pub use secret::Secrets;
pub use touch::Touch;
pub(crate) use user::percent_encoded;
pub use user::{
    Endpoint, Generator, Login, LoginPayload, Place, SignUp, TokenRule, TokenSource, User,
};
pub(crate) use watch::{ShownEffect, WatchedCall, Witness};
