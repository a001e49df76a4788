//! A small program for each crate, which uses that crate alone. `own_problem` is that of the engine.
#![cfg(test)]
mod campaign;
mod facade;
mod genes;
mod harvest;
mod instrument;
mod problems;
mod properties;
mod suite;
mod sut_driver;
