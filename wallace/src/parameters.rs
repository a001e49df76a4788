//! The parameters of a run by their names: what campaigns compare, and what a run that goes on must
//! have in common with the one before.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wallace_engine::SearchSettings;
use wallace_genes::SettingError;
use wallace_problems::rest::TestSettings;

use crate::settings::{ResultSettings, Settings};

/// All parameters of a run. Each name is that of one parameter, whatever its group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Those of the search.
    pub search: SearchSettings,
    /// How tests of REST services are made.
    pub rest: TestSettings,
    /// What is done with the tests of the result.
    pub result: ResultSettings,
}

impl Parameters {
    /// Gives parameters other values, as a file has them by name.
    ///
    /// # Errors
    /// When there is no parameter of a name, or it cannot have the value.
    pub fn set(&mut self, values: Map<String, Value>) -> Result<(), String> {
        for (name, value) in values {
            if TestSettings::ALL.iter().any(|known| known.name == name) {
                put(&mut self.rest, &name, value)?;
            } else if ResultSettings::ALL.iter().any(|known| known.name == name) {
                put(&mut self.result, &name, value)?;
            } else {
                // Unknown names are told with those that there are.
                put(&mut self.search, &name, value)?;
            }
        }
        self.check().map_err(|error| error.to_string())
    }

    /// Whether every value is within its range.
    ///
    /// # Errors
    /// Names the first parameter that is not.
    pub fn check(&self) -> Result<(), SettingError> {
        self.search.check()?;
        self.rest.check()?;
        self.result.check()
    }

    /// The parameters that differ, as `name: ours, not theirs`.
    pub(crate) fn differences(&self, others: &Self) -> String {
        let ours = by_name(self).into_iter().zip(by_name(others));
        let parts = ours.flat_map(|((_, ours), (_, theirs))| {
            let differs = by_name(&ours).into_iter().filter_map(move |(name, ours)| {
                let theirs = theirs.get(&name)?;
                (*theirs != ours).then(|| format!("{name}: {ours}, not {theirs}"))
            });
            differs.collect::<Vec<_>>()
        });
        parts.collect::<Vec<_>>().join("; ")
    }
}

impl Settings {
    /// The parameters of the run.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        let (search, rest) = (self.search.clone(), self.rest.tests.clone());
        Parameters { search, rest, result: self.result.clone() }
    }

    /// Takes all parameters from elsewhere.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        (self.search, self.rest.tests) = (parameters.search, parameters.rest);
        self.result = parameters.result;
    }
}

/// Settings by their names.
fn by_name(settings: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

fn put<T: Serialize + DeserializeOwned>(
    group: &mut T,
    name: &str,
    value: Value,
) -> Result<(), String> {
    let mut all = by_name(group);
    all.insert(name.to_owned(), value);
    let wrong = |error: serde_json::Error| format!("the setting {name}: {error}");
    *group = serde_json::from_value(Value::Object(all)).map_err(wrong)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    fn changed(name: &str, value: Value) -> Result<Parameters, String> {
        let mut parameters = Parameters::default();
        parameters.set(Map::from_iter([(name.to_owned(), value)]))?;
        Ok(parameters)
    }

    #[test]
    fn a_name_is_enough_whatever_the_group() {
        let groups = [SearchSettings::ALL, TestSettings::ALL, ResultSettings::ALL];
        let names: Vec<&str> = groups.into_iter().flatten().map(|known| known.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "no name comes twice");
        assert_eq!(changed("focus", json!(0.5)).unwrap().search.focus, 0.5);
        assert_eq!(changed("linked", json!(0.1)).unwrap().rest.linked, 0.1);
        assert_eq!(changed("sharpen_share", json!(0)).unwrap().result.sharpen_share, 0.0);
        assert_eq!(changed("genes", json!({ "null": 0.5 })).unwrap().search.genes.null, 0.5);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (name, value, told) in [
            ("focos", json!(1), "expected one of `seed`"),
            ("focus", json!("x"), "the setting focus"),
            ("focus", json!(1.5), "the setting focus is 1.5: it must be from 0 to 1"),
            ("linked", json!(-1), "the setting linked is -1"),
            ("genes", json!({ "null": 2.0 }), "the setting null is 2"),
        ] {
            let error = changed(name, value).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }
}
