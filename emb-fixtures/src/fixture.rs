//! The list of fixtures.

use std::fmt;

use axum::Router;

use crate::expected::Expected;
use crate::interface::Interface;
use crate::suggestion::nearest;
use crate::switch::{Switch, Switches, UnknownSwitch};
use crate::system::System;
use crate::{
    features_service, flawed_shop, graphql, graphql_ncs, graphql_scs, karlsson_toy, numeric,
    petclinic, rest, rest_ncs, rest_news, rest_scs, text,
};

/// A system under test: what it is, and how to make instances of it.
#[derive(Clone, Copy)]
pub struct Fixture {
    name: &'static str,
    description: &'static str,
    unit_prefixes: &'static [&'static str],
    interface: Interface,
    switches: &'static [Switch],
    expected: &'static str,
    auth: Option<&'static str>,
    build: fn(Switches) -> System,
}

const GRAPHQL: Interface = Interface::GraphQl { endpoint: graphql::ENDPOINT };
const REST: Interface = Interface::Rest { open_api: rest::OPEN_API };

/// All fixtures, in alphabetical order.
static FIXTURES: &[Fixture] = &[
    Fixture {
        name: "features-service",
        description: "products, features, constraints and configurations behind REST",
        unit_prefixes: &["emb_fixtures::features_service"],
        interface: REST,
        switches: features_service::SWITCHES,
        expected: include_str!("../expected/features-service.toml"),
        auth: None,
        build: features_service::system,
    },
    Fixture {
        name: "flawed-shop",
        description: "a shop with 25 seeded faults for oracles, seen through REST",
        unit_prefixes: &["emb_fixtures::flawed_shop"],
        interface: REST,
        switches: flawed_shop::REST_FAULTS,
        expected: include_str!("../expected/flawed-shop.toml"),
        auth: Some(include_str!("../expected/flawed-shop.auth.yaml")),
        build: flawed_shop::system,
    },
    Fixture {
        name: "flawed-shop-graphql",
        description: "a shop with 25 seeded faults for oracles, seen through GraphQL",
        unit_prefixes: &["emb_fixtures::flawed_shop"],
        interface: GRAPHQL,
        switches: flawed_shop::GRAPHQL_FAULTS,
        expected: include_str!("../expected/flawed-shop-graphql.toml"),
        auth: Some(include_str!("../expected/flawed-shop-graphql.auth.yaml")),
        build: flawed_shop::system,
    },
    Fixture {
        name: "graphql-ncs",
        description: "numerical case study: six functions behind GraphQL",
        unit_prefixes: &["emb_fixtures::numeric", "emb_fixtures::graphql_ncs"],
        interface: GRAPHQL,
        switches: numeric::GRAPHQL_SWITCHES,
        expected: include_str!("../expected/graphql-ncs.toml"),
        auth: None,
        build: |switches| System::stateless(graphql_ncs::router(switches)),
    },
    Fixture {
        name: "graphql-scs",
        description: "string case study: eleven functions behind GraphQL",
        unit_prefixes: &["emb_fixtures::text", "emb_fixtures::graphql_scs"],
        interface: GRAPHQL,
        switches: text::GRAPHQL_SWITCHES,
        expected: include_str!("../expected/graphql-scs.toml"),
        auth: None,
        build: |switches| System::stateless(graphql_scs::router(switches)),
    },
    Fixture {
        name: "karlsson-toy",
        description: "projects and users behind GraphQL, with 15 seeded faults",
        unit_prefixes: &["emb_fixtures::karlsson_toy"],
        interface: GRAPHQL,
        switches: karlsson_toy::SWITCHES,
        expected: include_str!("../expected/karlsson-toy.toml"),
        auth: None,
        build: |switches| System::stateless(karlsson_toy::router(switches)),
    },
    Fixture {
        name: "petclinic",
        description: "a clinic for pets behind GraphQL",
        unit_prefixes: &["emb_fixtures::petclinic"],
        interface: GRAPHQL,
        switches: petclinic::SWITCHES,
        expected: include_str!("../expected/petclinic.toml"),
        auth: None,
        build: petclinic::system,
    },
    Fixture {
        name: "rest-ncs",
        description: "numerical case study: six functions behind REST",
        unit_prefixes: &["emb_fixtures::numeric", "emb_fixtures::rest_ncs"],
        interface: REST,
        switches: numeric::REST_SWITCHES,
        expected: include_str!("../expected/rest-ncs.toml"),
        auth: None,
        build: |switches| System::stateless(rest_ncs::router(switches)),
    },
    Fixture {
        name: "rest-news",
        description: "news items of countries behind REST",
        unit_prefixes: &["emb_fixtures::rest_news"],
        interface: REST,
        switches: rest_news::SWITCHES,
        expected: include_str!("../expected/rest-news.toml"),
        auth: None,
        build: rest_news::system,
    },
    Fixture {
        name: "rest-scs",
        description: "string case study: eleven functions behind REST",
        unit_prefixes: &["emb_fixtures::text", "emb_fixtures::rest_scs"],
        interface: REST,
        switches: text::REST_SWITCHES,
        expected: include_str!("../expected/rest-scs.toml"),
        auth: None,
        build: |switches| System::stateless(rest_scs::router(switches)),
    },
];

/// A fixture was asked for that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown fixture '{name}'{hint}; the fixtures are {known}")]
pub struct UnknownFixture {
    name: String,
    hint: String,
    known: String,
}

impl Fixture {
    /// All fixtures, in alphabetical order.
    #[must_use]
    pub fn all() -> &'static [Self] {
        FIXTURES
    }

    /// The fixture of this name.
    ///
    /// # Errors
    /// When there is none; the error proposes the nearest name and lists all.
    pub fn find(name: &str) -> Result<&'static Self, UnknownFixture> {
        let names: Vec<&'static str> = FIXTURES.iter().map(Self::name).collect();
        let found = FIXTURES.iter().find(|fixture| fixture.name == name);
        found.ok_or_else(|| UnknownFixture {
            name: name.to_owned(),
            hint: nearest(name, &names),
            known: names.join(", "),
        })
    }

    /// What the command line calls it, in lower case with hyphens.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it is, in one line.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.description
    }

    /// The modules whose targets, with those of the modules below them, belong to this fixture.
    #[must_use]
    pub fn unit_prefixes(&self) -> &'static [&'static str] {
        self.unit_prefixes
    }

    /// What it speaks, and where.
    #[must_use]
    pub fn interface(&self) -> Interface {
        self.interface
    }

    /// The behaviour switches it has.
    #[must_use]
    pub fn switches(&self) -> &'static [Switch] {
        self.switches
    }

    /// Looks up behaviour switches by name, to start an instance with.
    ///
    /// # Errors
    /// On the first unknown name; the error proposes the nearest one and lists all.
    pub fn parse_switches(&self, names: &[String]) -> Result<Switches, UnknownSwitch> {
        Switches::parse(names, self.switches)
    }

    /// A new instance, with these switches on.
    #[must_use]
    pub fn system(&self, switches: Switches) -> System {
        (self.build)(switches)
    }

    /// The service of a new instance, with these switches on.
    pub fn router(&self, switches: Switches) -> Router {
        self.system(switches).router()
    }

    /// How its users log in, as a file of the Web Fuzzing Commons; `None` when it has no users.
    #[must_use]
    pub fn auth(&self) -> Option<&'static str> {
        self.auth
    }

    /// What is known about its operations and branch sides.
    #[must_use]
    pub fn expected(&self) -> Expected {
        Expected::parse(self.expected).expect("the shipped files are read by the tests")
    }
}

impl fmt::Debug for Fixture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Fixture").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Fixture;
    use std::collections::BTreeSet;

    #[test]
    fn every_fixture_is_found_by_its_name() {
        for fixture in Fixture::all() {
            assert_eq!(Fixture::find(fixture.name()).unwrap().name(), fixture.name());
            let expected = fixture.expected();
            assert!(!expected.witnesses.is_empty() || !expected.faults.is_empty(), "{fixture:?}");
        }
    }

    #[test]
    fn unknown_names_are_explained() {
        let error = Fixture::find("graphql-nc").unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown fixture 'graphql-nc' (did you mean 'graphql-ncs'?); \
             the fixtures are features-service, flawed-shop, flawed-shop-graphql, graphql-ncs, graphql-scs, karlsson-toy, petclinic, rest-ncs, rest-news, rest-scs"
        );
    }

    #[test]
    fn enough_switches_of_different_names() {
        for fixture in Fixture::all() {
            let names: BTreeSet<_> = fixture.switches().iter().map(|switch| switch.name).collect();
            assert_eq!(names.len(), fixture.switches().len(), "{fixture:?}");
            // The paper's faults are 15.
            let least = if fixture.name() == "karlsson-toy" { 15 } else { 20 };
            assert!(names.len() >= least, "{fixture:?} has {}", names.len());
        }
    }
}
