//! Systems and campaigns that come with this crate.

use serde::Deserialize;

use super::System;

/// Built-in campaigns by name.
pub const PRESETS: [(&str, &str); 4] = [
    ("paper002", include_str!("../../presets/paper002.toml")),
    ("paper003", include_str!("../../presets/paper003.toml")),
    ("karlsson", include_str!("../../presets/karlsson.toml")),
    ("autographql", include_str!("../../presets/autographql.toml")),
];

/// Built-in catalogues of systems by name.
const CATALOGUES: [(&str, &str); 1] = [("emb", include_str!("../../presets/emb.toml"))];

/// The text of a built-in campaign, to be saved, changed and planned.
#[must_use]
pub fn preset(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|preset| preset.0 == name).map(|preset| preset.1)
}

/// The systems of a built-in catalogue.
pub(super) fn systems_of(catalogue: &str) -> Result<Vec<System>, String> {
    #[derive(Deserialize)]
    struct Catalogue {
        system: Vec<System>,
    }
    let (_, text) = CATALOGUES.iter().find(|known| known.0 == catalogue).ok_or_else(|| {
        format!("there is no catalogue '{catalogue}'; there is {}", CATALOGUES[0].0)
    })?;
    let catalogue: Catalogue =
        toml::from_str(text).map_err(|error| format!("the catalogue is damaged: {error}"))?;
    Ok(catalogue.system)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::definition::Definition;

    #[test]
    fn the_built_in_campaigns_are_right() {
        for (name, text) in PRESETS {
            let definition = Definition::parse(text, name).unwrap();
            assert_eq!(definition.name, name);
            assert!(!definition.systems.is_empty());
        }
        assert_eq!(systems_of("emb").unwrap().len(), 13);
        assert!(systems_of("wfd").is_err());
    }
}
