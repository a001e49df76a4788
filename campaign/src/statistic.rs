//! Statistics of comparisons, as the field's guidelines ask for (Arcuri and Briand 2014).

mod effect;
mod friedman;
mod holm;
mod mann_whitney;
mod rank;
mod summary;

pub use effect::Effect;
pub use friedman::{Friedman, friedman};
pub use holm::holm;
pub use mann_whitney::{MannWhitney, mann_whitney, mann_whitney_asymptotic, mann_whitney_exact};
pub use rank::ranks;
pub use summary::{Interval, Spread, area, bootstrap, mean, quantile};
