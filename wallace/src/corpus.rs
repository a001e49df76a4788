//! The corpus: tests that go from one run to the next.
//!
//! A folder with one JSON file for each test: the test, the names of its templates, and the targets
//! it covered, by name. The next run evaluates them before anything else. What no longer fits the
//! schema is repaired or left out with a warning; files are only removed once the targets they
//! stand for are covered by other tests of the corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wallace_engine::{Action, Fit, Individual, Problem, Search, Solution, TargetName};
use wallace_genes::TemplateId;
use wallace_suite::report::counted;

use crate::checkpoint::replace;

/// Version of the files.
const VERSION: u32 = 2;

/// Name of the first file that is tried; the rest of the name is made of its content.
const PREFIX: &str = "test-";

/// Why the corpus cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The folder cannot be read.
    #[error("the corpus {} cannot be read ({source}): name another folder with --corpus", .path.display())]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("the corpus {} cannot be written ({source}): name another folder with --corpus", .path.display())]
    Write {
        /// The folder or file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// A test as its file holds it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Kept<A: Action> {
    version: u32,
    /// The targets that the test was kept for.
    covers: BTreeSet<TargetName>,
    /// Names of the templates of its actions.
    templates: BTreeMap<TemplateId, String>,
    test: Individual<A>,
}

/// A corpus and what its files stand for.
#[derive(Debug)]
pub(crate) struct Corpus {
    folder: PathBuf,
    files: BTreeMap<PathBuf, BTreeSet<TargetName>>,
    /// What could not be used, in one line each.
    pub(crate) warnings: Vec<String>,
}

impl Corpus {
    /// Opens a corpus, and makes its folder where there is none.
    pub(crate) fn open(folder: &Path) -> Result<Self, CorpusError> {
        let failed = |source| CorpusError::Write { path: folder.to_path_buf(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self { folder: folder.to_path_buf(), files: BTreeMap::new(), warnings: Vec::new() })
    }

    /// Gives the tests of the corpus to the search.
    pub(crate) fn seed<P: Problem>(
        &mut self,
        problem: &P,
        search: &mut Search<'_, P>,
    ) -> Result<(), CorpusError> {
        let (mut repaired, mut lost) = (0, 0);
        for path in self.paths()? {
            let text = fs::read(&path)
                .map_err(|source| CorpusError::Read { path: path.clone(), source })?;
            let kept = match serde_json::from_slice::<Kept<P::Action>>(&text) {
                Ok(kept) if kept.version == VERSION => kept,
                Ok(kept) => {
                    let Kept { version, .. } = kept;
                    self.skip(&path, &format!("it has version {version}"));
                    continue;
                }
                Err(error) => {
                    self.skip(&path, &error.to_string());
                    continue;
                }
            };
            self.files.insert(path, kept.covers);
            let fit = adopted(problem, kept.test, &kept.templates);
            match fit.map_or(Fit::Lost, |test| search.seed(test)) {
                Fit::Whole => {}
                Fit::Repaired => repaired += 1,
                Fit::Lost => lost += 1,
            }
        }
        let folder = self.folder.display();
        if repaired > 0 {
            let repaired = counted(repaired, "test");
            let warning = format!("repaired to fit the schema: {repaired} of {folder}");
            self.warnings.push(warning);
        }
        if lost > 0 {
            let lost = counted(lost, "test");
            let warning =
                format!("left out, for calling operations that are gone: {lost} of {folder}");
            self.warnings.push(warning);
        }
        Ok(())
    }

    fn skip(&mut self, path: &Path, reason: &str) {
        self.warnings.push(format!("{} is not used: {reason}", path.display()));
    }

    /// The files of the corpus in the order of their names.
    fn paths(&self) -> Result<Vec<PathBuf>, CorpusError> {
        let failed = |source| CorpusError::Read { path: self.folder.clone(), source };
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(PREFIX) && name.ends_with(".json") {
                paths.push(entry.path());
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// Adds the tests of a solution, and removes files that stand for nothing else.
    pub(crate) fn store<P: Problem>(
        &mut self,
        problem: &P,
        solution: &Solution<P::Action>,
    ) -> Result<(), CorpusError> {
        let mut current = BTreeSet::new();
        let mut covered: BTreeSet<&TargetName> = BTreeSet::new();
        for test in &solution.tests {
            let individual = &test.evaluated.individual;
            let templates = individual.actions().iter().map(|(_, action)| {
                let template = action.template();
                (template, problem.template_name(template))
            });
            let kept = Kept {
                version: VERSION,
                covers: test.covers.iter().cloned().collect(),
                templates: templates.collect(),
                test: individual.clone(),
            };
            covered.extend(&test.covers);
            current.insert(self.write(&kept)?);
        }
        for (path, covers) in &self.files {
            let is_superseded = covers.iter().all(|target| covered.contains(target));
            if is_superseded && !current.contains(path) {
                fs::remove_file(path)
                    .map_err(|source| CorpusError::Write { path: path.clone(), source })?;
            }
        }
        Ok(())
    }

    /// Writes a test to the file that its content names.
    fn write<A: Action>(&self, kept: &Kept<A>) -> Result<PathBuf, CorpusError> {
        let failed = |source| CorpusError::Write { path: self.folder.clone(), source };
        let text = serde_json::to_vec_pretty(kept).map_err(|error| failed(error.into()))?;
        let mut hasher = fnv::FnvHasher::default();
        hasher.write(&text);
        let path = self.folder.join(format!("{PREFIX}{:016x}.json", hasher.finish()));
        if !path.exists() {
            replace(&path, &text).map_err(failed)?;
        }
        Ok(path)
    }
}

/// The test with the templates that have the names of its own; `None` when one is gone.
fn adopted<P: Problem>(
    problem: &P,
    mut test: Individual<P::Action>,
    templates: &BTreeMap<TemplateId, String>,
) -> Option<Individual<P::Action>> {
    for place in 0..test.actions().len() {
        let name = templates.get(&test.actions()[place].1.template())?;
        let template = problem.template_named(name)?;
        if test.actions()[place].1.template() != template
            && !test.action_mut(place).set_template(template)
        {
            return None;
        }
    }
    Some(test)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use wallace_engine::{
        Budget, Evaluation, EvaluationError, Evaluator, Learnt, PlainAction, Score, SearchSettings,
        TargetScore, Wanted,
    };
    use wallace_genes::{Draw, Gene, GeneSpec, SpecBuilder, SpecRef, spec::IntegerSpec};

    type Call = PlainAction;

    /// Operations by name, each with a number of at most `max`.
    struct Service {
        names: Vec<&'static str>,
        spec: SpecRef,
    }

    impl Service {
        fn new(names: &[&'static str], max: i32) -> Self {
            let mut builder = SpecBuilder::new();
            let number = builder.add(GeneSpec::Integer(IntegerSpec { min: 0, max }));
            Self { names: names.to_vec(), spec: SpecRef::new(builder.build(), number) }
        }
    }

    impl Problem for Service {
        type Action = Call;
        type Memory = ();

        fn spec(&self, _: TemplateId) -> SpecRef {
            self.spec.clone()
        }

        fn template_name(&self, template: TemplateId) -> String {
            self.names[template.0 as usize].to_owned()
        }

        fn template_named(&self, name: &str) -> Option<TemplateId> {
            let place = self.names.iter().position(|other| *other == name)?;
            Some(TemplateId(place as u32))
        }

        fn sample(&self, _: &Learnt<()>, draw: &mut Draw) -> Individual<Call> {
            let template = TemplateId(draw.rng.below(self.names.len()) as u32);
            Individual::new([Call::new(template, Gene::Integer(9))])
        }
    }

    /// Every operation is a target; what was called is noted.
    struct Ear(Arc<Service>, Vec<String>);

    impl Evaluator<Call> for Ear {
        fn evaluate(
            &mut self,
            test: &Individual<Call>,
            _: &Wanted,
        ) -> Result<Evaluation<Call>, EvaluationError> {
            let (id, call) = &test.actions()[0];
            let name = self.0.template_name(call.template());
            self.1.push(format!("{name} {:?}", call.gene()));
            let score = TargetScore { name: name.into(), score: Score::COVERED, action: Some(*id) };
            Ok(Evaluation::new(vec![score], vec![()]))
        }
    }

    /// Runs some tests with a corpus; what was called, and the warnings.
    fn run(folder: &Path, service: Service, tests: u64) -> (Vec<String>, Vec<String>) {
        let service = Arc::new(service);
        let mut ear = Ear(Arc::clone(&service), Vec::new());
        let settings = SearchSettings { repeats: 0, minimise_share: 0.0, ..Default::default() };
        let mut search = Search::new(&*service, settings, Budget::evaluations(tests));
        let mut corpus = Corpus::open(folder).unwrap();
        corpus.seed(&*service, &mut search).unwrap();
        let solution = search.run(&mut ear);
        corpus.store(&*service, &solution).unwrap();
        (ear.1, corpus.warnings)
    }

    #[test]
    fn tests_find_their_templates_by_name_and_fit_or_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let files = || fs::read_dir(folder.path()).unwrap().count();
        run(folder.path(), Service::new(&["read", "make", "drop"], 9), 40);
        assert_eq!(files(), 3);
        fs::write(folder.path().join("test-of-mine.json"), "{}").unwrap();
        fs::write(folder.path().join("notes.txt"), "not a test").unwrap();
        // Another order, one operation less, smaller numbers: three tests wait, two of them fit.
        let service = Service::new(&["make", "new", "read"], 5);
        let (calls, warnings) = run(folder.path(), service, 2);
        let mut calls = calls;
        calls.sort();
        assert_eq!(calls, ["make Integer(5)", "read Integer(5)"]);
        let text = warnings.join("\n");
        assert!(text.contains("repaired to fit the schema: 2 tests of"), "{text}");
        assert!(text.contains("are gone: 1 test of"), "{text}");
        assert!(text.contains("test-of-mine.json is not used"), "{text}");
        // The two are written anew; that of the lost operation stays, since nothing replaces it.
        assert_eq!(files(), 3 + 2);
    }
}
