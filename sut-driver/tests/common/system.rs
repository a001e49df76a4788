//! A pretended system with a recorder that follows the rules of the protocol.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock};

use wallace_sut_driver::{
    ProblemInfo, Recorded, RecordedAction, RecordedTarget, StringUse, SutController, Units,
};

/// A system without any code: targets are hit when actions are announced, or by the test.
pub(crate) struct System {
    pub(crate) problem: ProblemInfo,
    /// Whether every small number has a name, also of targets never hit.
    pub(crate) knows_all_ids: bool,
    pub(crate) boot: Vec<(&'static str, f64)>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) is_running: bool,
    pub(crate) fails_to_start: bool,
    pub(crate) fails_to_reset: bool,
    pub(crate) kill_switch: bool,
    /// Lines that were loaded after the start.
    pub(crate) loaded: usize,
    pub(crate) starts: usize,
    pub(crate) resets: usize,
    pub(crate) announced: Vec<(u32, String, Vec<String>)>,
    action: Option<u32>,
    /// Names by number in this epoch, and whether they have been reached in an earlier test.
    numbers: Vec<&'static str>,
    seen: Vec<&'static str>,
    first_seen: Vec<&'static str>,
    reached: BTreeMap<u32, (f64, Option<u32>)>,
    pub(crate) actions: Vec<RecordedAction>,
}

/// Name number `index` of a fixed table.
pub(crate) fn name(index: usize) -> &'static str {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| (0..2_000).map(|i| format!("Line_at_demo_{i:05}")).collect());
    &names[index]
}

impl System {
    pub(crate) fn new(problem: ProblemInfo) -> Self {
        Self { problem, knows_all_ids: false, boot: Vec::new(), state: Mutex::default() }
    }

    pub(crate) fn graphql() -> Self {
        Self::new(ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Records that the current action came this far with a target.
    pub(crate) fn hit(&self, name: &'static str, score: f64) {
        let mut state = self.state();
        let known = state.numbers.iter().position(|known| *known == name);
        let id = known.unwrap_or_else(|| {
            state.numbers.push(name);
            state.numbers.len() - 1
        });
        if !state.seen.contains(&name) {
            state.seen.push(name);
            state.first_seen.push(name);
        }
        let action = state.action;
        let best = state.reached.entry(u32::try_from(id).unwrap()).or_insert((score, action));
        if score > best.0 {
            *best = (score, action);
        }
    }
}

impl SutController for System {
    fn full_name(&self) -> String {
        "demo".to_owned()
    }

    fn start(&self) -> Result<String, String> {
        let mut state = self.state();
        if state.fails_to_start {
            return Err("the port is taken".to_owned());
        }
        state.is_running = true;
        state.starts += 1;
        Ok("http://127.0.0.1:12345".to_owned())
    }

    fn stop(&self) {
        self.state().is_running = false;
    }

    fn base_url(&self) -> Option<String> {
        let is_running = self.state().is_running;
        is_running.then(|| "http://127.0.0.1:12345".to_owned())
    }

    fn problem(&self) -> ProblemInfo {
        self.problem.clone()
    }

    fn reset(&self) -> Result<(), String> {
        let mut state = self.state();
        state.resets += 1;
        if state.fails_to_reset {
            return Err("the database is locked".to_owned());
        }
        Ok(())
    }

    fn new_search(&self) {
        let mut state = self.state();
        state.numbers.clear();
        state.seen.clear();
    }

    fn new_test(&self) {
        let mut state = self.state();
        state.action = None;
        state.reached.clear();
        state.first_seen.clear();
        state.actions.clear();
        state.kill_switch = false;
    }

    fn begin_action(&self, index: u32, name: &str, input_variables: &[String]) {
        let mut state = self.state();
        state.action = Some(index);
        state.announced.push((index, name.to_owned(), input_variables.to_vec()));
        state.actions.push(RecordedAction {
            string_uses: vec![StringUse {
                tainted: "_EM_1_XYZ_".to_owned(),
                specialisation: "CONSTANT",
                value: Some(format!("constant \"{index}\"")),
                is_full_match: index == 0,
            }],
            last_statement: Some(format!("demo_{index}_run")),
            query_parameters: vec!["q".to_owned()],
            headers: vec!["Origin".to_owned()],
            database: None,
        });
        drop(state);
        for target in 0..12 {
            self.hit(crate::common::system::name(target), 0.5);
        }
    }

    fn recorded(&self) -> Recorded {
        let state = self.state();
        let targets = state.reached.iter().map(|(id, (score, action))| {
            let name = state.numbers[*id as usize];
            RecordedTarget {
                name,
                id: *id,
                score: *score,
                action: *action,
                is_first_seen: state.first_seen.contains(&name),
            }
        });
        Recorded { targets: targets.collect(), actions: state.actions.clone() }
    }

    fn target_name(&self, id: u32) -> Option<&'static str> {
        let known = self.state().numbers.get(id as usize).copied();
        known.or_else(|| (self.knows_all_ids && id < 2_000).then(|| name(id as usize)))
    }

    fn boot_targets(&self) -> Vec<(&'static str, f64)> {
        self.boot.clone()
    }

    fn units(&self) -> Units {
        Units { names: vec!["demo".to_owned()], lines: 40 + self.state().loaded, branches: 12 }
    }

    fn set_kill_switch(&self, is_on: bool) {
        self.state().kill_switch = is_on;
    }
}
