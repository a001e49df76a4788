//! A driver in this process, without sockets.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::activity::summary;
use super::database::examine;
use super::results::sorted;
use super::store::one_by_one;
use super::{
    ActionFeedback, DecisionValues, DriverError, KnownTarget, ResultsQuery, SpecialisationKind,
    StringSpecialisation, SutInfo, TargetReach, TestResults,
};
use crate::controller::{RecordedAction, RecordedTarget, StringUse, SutController, Units};
use crate::sql::{SqlInsertions, SqlRow};
use crate::store::{MongoDocument, RedisKey};
use crate::target::DriverTarget;

/// What a server and its client do together, in one call each.
pub(super) struct InProcessDriver {
    controller: Arc<dyn SutController>,
    /// Names that were given out, so that a name is one allocation.
    targets: HashMap<&'static str, Arc<DriverTarget>>,
    /// What the start of the system covered; `None` until somebody asks.
    boot_covered: Option<HashSet<&'static str>>,
    next_action: usize,
}

impl std::fmt::Debug for InProcessDriver {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("InProcessDriver").finish_non_exhaustive()
    }
}

impl InProcessDriver {
    pub(super) fn new(controller: Arc<dyn SutController>) -> Self {
        Self { controller, targets: HashMap::new(), boot_covered: None, next_action: 0 }
    }

    pub(super) fn start_sut(&mut self) -> Result<SutInfo, DriverError> {
        self.reset()?;
        self.info()
    }

    pub(super) fn new_search(&mut self) {
        self.next_action = 0;
        self.boot_covered = None;
        self.controller.set_kill_switch(false);
        self.controller.new_search();
        self.controller.new_test();
    }

    /// As over the wire, a system that does not run is started.
    pub(super) fn reset(&mut self) -> Result<(), DriverError> {
        self.next_action = 0;
        self.controller.set_kill_switch(false);
        if self.controller.base_url().is_none() {
            self.controller.start().map_err(|message| rejected("runSUT", message))?;
            self.boot_covered = None;
        }
        let reset = self.controller.reset();
        self.controller.new_test();
        reset.map_err(|message| rejected("runSUT", message))
    }

    pub(super) fn begin_action(
        &mut self,
        index: usize,
        name: &str,
        input_variables: &[String],
    ) -> Result<(), DriverError> {
        let out_of_order = DriverError::ActionOutOfOrder { expected: self.next_action, index };
        if index != self.next_action {
            return Err(out_of_order);
        }
        let number = u32::try_from(index).map_err(|_| out_of_order)?;
        self.controller.set_kill_switch(false);
        self.controller.begin_action(number, name, input_variables);
        self.next_action += 1;
        Ok(())
    }

    pub(super) fn results(&mut self, query: &ResultsQuery<'_>) -> Result<TestResults, DriverError> {
        if self.controller.base_url().is_none() {
            let message = "the system is stopped".to_owned();
            return Err(DriverError::SutLost { call: "testResults", message });
        }
        let recorded = self.controller.recorded();
        if self.boot_covered.is_none() {
            let boot = self.controller.boot_targets().into_iter();
            let covered = boot.filter(|(_, score)| *score >= 1.0);
            self.boot_covered = Some(covered.map(|(name, _)| name).collect());
        }
        if query.kill_switch {
            self.controller.set_kill_switch(true);
        }
        let targets = recorded.targets.iter().filter(|target| self.is_asked_for(target, query));
        let targets: Vec<&RecordedTarget> = targets.collect();
        let targets = targets.into_iter().map(|target| self.reach(target)).collect();
        let nothing = [RecordedAction::default()];
        let actions = if recorded.actions.is_empty() { &nothing[..] } else { &recorded.actions };
        Ok(TestResults { targets, actions: actions.iter().map(feedback).collect() })
    }

    pub(super) fn info(&self) -> Result<SutInfo, DriverError> {
        let boot_targets = self.controller.boot_targets().into_iter();
        let sql_schema = self.controller.sql_schema();
        Ok(SutInfo {
            driver_name: self.controller.full_name(),
            executable: None,
            problem: self.controller.problem(),
            base_url: self.controller.base_url().ok_or(DriverError::NoBaseUrl)?,
            endpoints_to_skip: self.controller.endpoints_to_skip(),
            authentication: Vec::new(),
            has_sql_database: sql_schema.is_some(),
            sql_schema,
            units: self.controller.units(),
            boot_targets: boot_targets
                .map(|(name, score)| (DriverTarget::read(name), score))
                .collect(),
        })
    }

    pub(super) fn units(&self) -> Units {
        self.controller.units()
    }

    pub(super) fn insert(&self, rows: &[SqlRow]) -> Result<SqlInsertions, DriverError> {
        examine(rows, self.controller.sql_schema().as_ref())?;
        self.controller.insert_rows(rows).map_err(no_success)
    }

    pub(super) fn insert_documents(
        &self,
        documents: &[MongoDocument],
    ) -> Result<Vec<bool>, DriverError> {
        let insert = |rest: &[_]| Ok(self.controller.insert_documents(rest).unwrap_or_default());
        one_by_one(documents, insert)
    }

    pub(super) fn insert_keys(&self, keys: &[RedisKey]) -> Result<Vec<bool>, DriverError> {
        let insert = |rest: &[_]| Ok(self.controller.insert_keys(rest).unwrap_or_default());
        one_by_one(keys, insert)
    }

    pub(super) fn query(&self, statement: &str) -> Result<Vec<Vec<String>>, DriverError> {
        self.controller.query_sql(statement).map_err(no_success)
    }

    pub(super) fn known_targets(&self) -> Vec<KnownTarget> {
        let targets = self.controller.placed_targets().into_iter();
        targets
            .map(|target| KnownTarget {
                target: DriverTarget::read(target.name),
                file: target.file.to_owned(),
                line: target.line,
            })
            .collect()
    }

    pub(super) fn keep_operands(&self, is_on: bool) {
        self.controller.keep_operands(is_on);
    }

    pub(super) fn operands(&self) -> Vec<DecisionValues> {
        let operands = self.controller.operands().into_iter();
        operands
            .map(|one| DecisionValues {
                target: one.target.to_owned(),
                left: one.left,
                relation: one.relation.to_owned(),
                right: one.right,
                has_distance: one.has_distance,
            })
            .collect()
    }

    pub(super) fn stop_sut(&mut self) {
        self.next_action = 0;
        self.controller.stop();
    }

    fn is_asked_for(&self, target: &RecordedTarget, query: &ResultsQuery<'_>) -> bool {
        let is_boot = self.boot_covered.as_ref().is_some_and(|boot| boot.contains(target.name));
        let is_wanted = query.wanted.iter().any(|name| **name == *target.name);
        let is_listed = query.wanted.is_empty() || target.is_first_seen;
        target.score > 0.0
            && (is_wanted || is_listed && !is_boot)
            && (!query.fully_covered || target.score >= 1.0)
    }

    fn reach(&mut self, target: &RecordedTarget) -> TargetReach {
        let read = || Arc::new(DriverTarget::read(target.name));
        let named = self.targets.entry(target.name).or_insert_with(read);
        TargetReach {
            target: Arc::clone(named),
            score: target.score.min(1.0),
            // What runs before the first announcement counts as action 0.
            action: Some(target.action.map_or(0, |action| action as usize)),
        }
    }
}

fn no_success(message: String) -> DriverError {
    DriverError::Rejected { call: "databaseCommand", status: 400, message }
}

fn rejected(call: &'static str, message: String) -> DriverError {
    DriverError::Rejected { call, status: 500, message }
}

fn feedback(action: &RecordedAction) -> ActionFeedback {
    let mut specialisations: Vec<StringSpecialisation> =
        action.string_uses.iter().filter_map(specialisation).collect();
    specialisations.sort_unstable();
    specialisations.dedup();
    ActionFeedback {
        specialisations,
        last_statement: action.last_statement.clone(),
        query_parameters: sorted(&action.query_parameters),
        headers: sorted(&action.headers),
        sql: action.database.as_deref().and_then(summary),
        database: action.database.clone(),
    }
}

fn specialisation(one: &StringUse) -> Option<StringSpecialisation> {
    Some(StringSpecialisation {
        tainted: one.tainted.clone(),
        kind: SpecialisationKind::from_protocol_name(one.specialisation)?,
        value: one.value.clone(),
        is_full_match: one.is_full_match,
    })
}
