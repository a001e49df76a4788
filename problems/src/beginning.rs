//! What tests begin with: rows of tables, documents and keys.

use wallace_engine::{Evaluated, Individual};
use wallace_genes::{Draw, SpecRef, TemplateId};

use crate::evaluator::HttpProblem;
use crate::sql::{SqlMemory, SqlTables};
use crate::store::{StoreMemory, Stores};

/// What there is to begin with.
#[derive(Debug, Default)]
pub(crate) struct Beginnings {
    pub(crate) tables: Option<SqlTables>,
    pub(crate) stores: Option<Stores>,
}

/// What is remembered of both.
type Memories<'a> = (&'a SqlMemory, &'a StoreMemory);

impl Beginnings {
    /// The specification of a template of initialisation; `None` where there is none of that number.
    pub(crate) fn spec(&self, template: TemplateId) -> Option<SpecRef> {
        let store = self.stores.as_ref().and_then(|stores| stores.spec(template));
        store.or_else(|| self.tables.as_ref()?.spec(template))
    }

    pub(crate) fn initialise<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        (sql, stores): Memories<'_>,
        draw: &mut Draw,
    ) -> Option<Individual<P::Action>> {
        let tables = self.tables.as_ref();
        let child = tables.and_then(|tables| tables.initialise(problem, test, sql, draw));
        child.or_else(|| self.stores.as_ref()?.initialise(problem, test, stores, draw))
    }

    /// Steps that nothing here knows are left out.
    pub(crate) fn repair<P: HttpProblem>(&self, individual: &mut Individual<P::Action>) {
        let steps = individual.initialisation();
        if steps.iter().any(|step| self.spec(step.template).is_none()) {
            let known = steps.iter().filter(|step| self.spec(step.template).is_some());
            let known = known.map(|step| (**step).clone()).collect();
            individual.set_initialisation(known);
        }
        if let Some(tables) = &self.tables {
            tables.repair(individual);
        }
        if let Some(stores) = &self.stores {
            stores.repair(individual);
        }
    }

    pub(crate) fn wants<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        (sql, stores): Memories<'_>,
    ) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.wants(problem, test, sql))
            || self.stores.as_ref().is_some_and(|it| it.wants(test, stores))
    }

    pub(crate) fn follow_ups<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        (sql, stores): Memories<'_>,
        draw: &mut Draw,
    ) -> Vec<Individual<P::Action>> {
        let mut found = Vec::new();
        if let Some(tables) = &self.tables {
            found.extend(tables.follow_ups(problem, test, sql, draw));
        }
        if let Some(it) = &self.stores {
            found.extend(it.follow_ups(problem, test, stores));
        }
        found
    }

    pub(crate) fn learn<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        (sql, stores): (&mut SqlMemory, &mut StoreMemory),
    ) {
        if let Some(tables) = &self.tables {
            tables.learn(test, sql);
        }
        if let Some(it) = &self.stores {
            it.learn(problem, test, stores);
        }
    }
}
