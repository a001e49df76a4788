//! The places of conditions, which the instrumentation must know before anything runs.
//!
//! Every operation has the same number of conditions, so that a fixed table per operation holds
//! all its places and no others.

use wallace_instrument::__private::{
    Collection, Function, Registered, Site, Target, call, compare, flag, inventory, look_up,
};
use wallace_instrument::{Number, Observation, Operator, Predicate};

use crate::switch::Switch;

/// Number of conditions of each operation.
pub(super) const CONDITIONS: usize = 8;

const fn sites() -> [Site; CONDITIONS] {
    let mut sites = [Site::branch(1, 0); CONDITIONS];
    let mut index = 0;
    let mut line = 1;
    while index < CONDITIONS {
        sites[index] = Site::branch(line, 0);
        index += 1;
        line += 1;
    }
    sites
}

static SITES: [Site; CONDITIONS] = sites();

/// Module that the conditions of an operation seem to stand in.
macro_rules! unit {
    ($number:literal) => {
        concat!("emb_fixtures::generated::operation_", $number)
    };
}

/// The targets of both sides of all conditions of a function.
macro_rules! targets {
    ($function:expr, $($target:literal)+) => { [$(Target::new($function, $target)),+] };
}

/// Declares the table, the module and the switch of each operation.
macro_rules! operations {
    ($($name:ident $number:literal)+) => {
        mod target {
            use super::{CONDITIONS, Target};
            $(pub(super) static $name: [Target; 2 * CONDITIONS] =
                targets!(&super::$name, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);)+
        }
        $(static $name: Function = Function::new(unit!($number), "answer", &SITES, &target::$name);
        inventory::submit! { Registered(&$name) })+

        /// The tables, by operation.
        pub(super) static TABLES: &[(&Function, &[Target])] = &[$((&$name, &target::$name)),+];

        /// The modules, by operation.
        pub(super) static UNITS: &[&str] = &[$(unit!($number)),+];

        /// What can be made wrong, by operation.
        pub(super) static SWITCHES: &[Switch] = &[$(Switch::new(
            concat!("operation-", $number, "-off-by-one"),
            "the operation answers as if it had come to the next leaf",
        )),+];
    };
}

operations! {
    T00 "00" T01 "01" T02 "02" T03 "03" T04 "04" T05 "05" T06 "06" T07 "07" T08 "08" T09 "09"
    T10 "10" T11 "11" T12 "12" T13 "13" T14 "14" T15 "15" T16 "16" T17 "17" T18 "18" T19 "19"
    T20 "20" T21 "21" T22 "22" T23 "23" T24 "24" T25 "25" T26 "26" T27 "27" T28 "28" T29 "29"
    T30 "30" T31 "31" T32 "32" T33 "33" T34 "34" T35 "35" T36 "36" T37 "37" T38 "38" T39 "39"
    T40 "40" T41 "41" T42 "42" T43 "43" T44 "44" T45 "45" T46 "46" T47 "47" T48 "48" T49 "49"
    T50 "50" T51 "51" T52 "52" T53 "53" T54 "54" T55 "55" T56 "56" T57 "57" T58 "58" T59 "59"
    T60 "60" T61 "61" T62 "62" T63 "63"
}

/// Name of a side of a condition, as the instrumentation has it.
pub(super) fn side_name(operation: usize, condition: usize, side: bool) -> String {
    let (unit, line) = (UNITS[operation], condition + 1);
    format!("Branch_at_{unit}_at_line_{line:05}_position_0_{side}Branch")
}

/// Where a condition stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    function: &'static Function,
    targets: &'static [Target],
    condition: usize,
}

impl Place {
    /// The place of a condition of an operation, both below what the tables hold.
    pub(super) fn new(operation: usize, condition: usize) -> Option<Self> {
        let (function, targets) = *TABLES.get(operation)?;
        (condition < CONDITIONS).then_some(Self { function, targets, condition })
    }

    /// Number of the target of the true side.
    fn target(self) -> u32 {
        u32::try_from(2 * self.condition).unwrap_or(0)
    }

    fn place(self) -> &'static Target {
        &self.targets[2 * self.condition]
    }

    pub(super) fn flag(self, outcome: bool) {
        flag(self.place(), outcome);
    }

    pub(super) fn compare(
        self,
        operator: Operator,
        outcome: bool,
        left: Observation<'_>,
        right: Observation<'_>,
    ) {
        compare(self.place(), operator, outcome, &left, &right);
    }

    pub(super) fn call(
        self,
        method: Predicate,
        outcome: bool,
        receiver: Observation<'_>,
        argument: Observation<'_>,
    ) {
        call(self.function, self.target(), method, (Some(outcome), receiver, argument));
    }

    pub(super) fn look_up(self, outcome: bool, items: &[i64], wanted: i64) {
        let receiver = Observation::Length(items.len());
        let key = Observation::Number(Number::Integer(wanted.into()));
        let operands = (Some(outcome), receiver, key);
        let collection = Collection::Known(&items);
        look_up(self.function, self.target(), Predicate::Contains, collection, operands);
    }
}
