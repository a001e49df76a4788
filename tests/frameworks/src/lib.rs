//! The same small service on each web framework; see `src/bin`.
