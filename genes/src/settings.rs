//! Settings of sampling and mutation, and how settings are declared.

use std::fmt;

/// What is known of a setting besides its value: a row of the page of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its name: that of the field, and that in files.
    pub name: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// The least and the greatest value, where not all of the type will do.
    pub range: Option<(&'static str, &'static str)>,
    /// What it means, and why its default is what it is.
    pub about: &'static str,
}

/// A value outside of the range of its setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingError {
    /// The setting.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// The least and the greatest value that it may have.
    pub range: [String; 2],
}

impl fmt::Display for SettingError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, range: [least, most] } = self;
        write!(formatter, "the setting {name} is {value}: it must be from {least} to {most}")
    }
}

impl std::error::Error for SettingError {}

/// Declares a group of settings: the one place of each. A line holds name, type, default, and where
/// not every value will do the range, or `=> check` for a group within the group. Made of it are the
/// struct, its default, its form in files, the rows of the page of settings, and the check.
#[macro_export]
macro_rules! settings {
    ($(#[$about:meta])* pub struct $group:ident { $(
        $(#[doc = $sentence:literal])+
        $name:ident: $kind:ty = $default:expr
            $(, from $least:literal to $most:literal)? $(=> $check:ident)?;
    )* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $group { $(
            $(#[doc = $sentence])+
            #[doc = concat!("\n\nDefault `", stringify!($default), "`.")]
            pub $name: $kind,
        )* }

        impl Default for $group {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl $group {
            /// What is known of each setting, in the order of their declaration.
            pub const ALL: &'static [$crate::Setting] = &[$($crate::Setting {
                name: stringify!($name),
                kind: stringify!($kind),
                range: $crate::settings!(@range $($least, $most)?),
                about: concat!($($sentence),+),
            },)*];

            /// Whether every value is within its range.
            ///
            /// # Errors
            /// Names the first setting that is not.
            pub fn check(&self) -> Result<(), $crate::SettingError> {
                $(
                    $(if !($least..=$most).contains(&self.$name) {
                        return Err($crate::SettingError {
                            name: stringify!($name),
                            value: self.$name.to_string(),
                            range: [$least.to_string(), $most.to_string()],
                        });
                    })?
                    $(<$kind>::$check(&self.$name)?;)?
                )*
                Ok(())
            }
        }
    };
    (@range) => { None };
    (@range $least:literal, $most:literal) => { Some((stringify!($least), stringify!($most))) };
}

settings! {
    /// Limits and probabilities of gene operators.
    pub struct GeneSettings {
        /// Most object levels of a selection below the root, as the field's reference.
        selection_depth: u32 = 4;
        /// Most object levels of an input value; the reference has no limit and recurses.
        input_depth: u32 = 3;
        /// How often a type may occur on one path: with 2, `friend { friend { name } }` can be asked.
        same_type: u32 = 2;
        /// Genes of one action above which only what must be there is sampled.
        nodes: u32 = 200;
        /// Most elements sampled for a list without a bound of its own, as the reference.
        elements: u32 = 5;
        /// Most fields sampled for one selection: operations of about ten fields.
        selected_fields: u32 = 6;
        /// Longest text sampled, in characters, as the reference.
        text_length: u32 = 16;
        /// Probability that an optional value is left out when sampled: most handlers reject a
        /// missing argument at once, so that little is seen behind it.
        absent: f64 = 0.15, from 0.0 to 1.0;
        /// Probability that a nullable value is null when sampled.
        null: f64 = 0.05, from 0.0 to 1.0;
        /// Least probability that a value of which examples are known is one of them when sampled.
        examples: f64 = 0.0, from 0.0 to 1.0;
        /// Probability that a mutated optional value is switched off.
        switch_off: f64 = 0.05, from 0.0 to 1.0;
        /// Probability of a tainted text at the start of the search, as the reference.
        taint_start: f64 = 0.5, from 0.0 to 1.0;
        /// Probability of a tainted text when focused search begins; none afterwards.
        taint_end: f64 = 0.1, from 0.0 to 1.0;
        /// Probability that a sampled text is made from what was learnt of its position.
        specialise_sample: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that a mutated text is made anew from what was learnt.
        specialise_mutation: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that a mutated number or text is copied from the same test.
        copy: f64 = 0.1, from 0.0 to 1.0;
        /// Probability that a number is one of its boundaries.
        boundary: f64 = 0.05, from 0.0 to 1.0;
        /// Probability that a number or text whose last change is known to have helped or harmed is
        /// changed by what that says. It does nothing where nobody carries the history along and
        /// reports how tests did.
        guided: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that a mutation that chose a disruptive value happens.
        disruptive: f64 = 0.1, from 0.0 to 1.0;
        /// Probability that a mutation of a list changes its length; the rest move, copy and swap
        /// elements.
        length_change: f64 = 0.8, from 0.0 to 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_of_their_range_are_named() {
        assert_eq!(GeneSettings::default().check(), Ok(()));
        for (null, shown) in [(1.5, "1.5"), (-0.1, "-0.1"), (f64::NAN, "NaN")] {
            let error = GeneSettings { null, ..GeneSettings::default() }.check().unwrap_err();
            let told = format!("the setting null is {shown}: it must be from 0 to 1");
            assert_eq!(error.to_string(), told);
        }
    }
}
