//! What tests over the whole workspace share.
