//! OneMax as the field's reference engine defines it, so that rates can be compared.
//!
//! One action holds `n` enumerated genes over {0, 0.25, 0.5, 0.75, 1}; target `i` is scored by gene
//! `i` and covered at 1; a score of 0 is not reached. Sampling is uniform. One evaluation is one
//! call. (Definition and the reference's rates: measured for this project, 2026-11-21.)

use wallace_engine::{
    Action, Evaluation, EvaluationError, Evaluator, Individual, Learnt, PlainAction, Problem,
    Score, TargetName, TargetScore, Wanted,
};
use wallace_genes::{
    Draw, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId, sample,
    spec::{ArraySpec, EnumSpec},
};

/// The one action: a list of digits.
pub type Digits = PlainAction;

/// The problem of `n` targets.
#[derive(Debug)]
pub struct OneMax {
    spec: SpecRef,
    names: Vec<TargetName>,
}

impl OneMax {
    /// OneMax with `n` targets.
    #[must_use]
    pub fn new(n: u32) -> Self {
        let mut specs = SpecBuilder::new();
        let values = ["0", "0.25", "0.5", "0.75", "1"].map(Into::into).into();
        let digit = specs.add(GeneSpec::Enum(EnumSpec { values }));
        let array = ArraySpec { element: digit, min: n, max: n };
        let digits = specs.add(GeneSpec::Array(array));
        let names = (0..n).map(|target| TargetName::new(format!("digit {target}"))).collect();
        Self { spec: SpecRef::new(specs.build(), digits), names }
    }

    /// The evaluator of this problem.
    #[must_use]
    pub fn evaluator(&self) -> Box<dyn Evaluator<Digits>> {
        Box::new(Count { names: self.names.clone() })
    }
}

impl Problem for OneMax {
    type Action = Digits;
    type Memory = ();

    fn spec(&self, _template: TemplateId) -> SpecRef {
        self.spec.clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Digits> {
        let gene = sample(&self.spec, TemplateId(0), &learnt.knowledge, draw);
        Individual::new([Digits::new(TemplateId(0), gene)])
    }
}

struct Count {
    names: Vec<TargetName>,
}

impl Evaluator<Digits> for Count {
    fn evaluate(
        &mut self,
        test: &Individual<Digits>,
        _wanted: &Wanted,
    ) -> Result<Evaluation<Digits>, EvaluationError> {
        let (id, digits) = &test.actions()[0];
        let scores = digits.gene().parts().zip(&self.names).map(|(digit, name)| {
            let index = if let Gene::Enum(index) = digit { *index } else { 0 };
            let score = Score::new(f64::from(index) / 4.0);
            TargetScore { name: name.clone(), score, action: Some(*id) }
        });
        Ok(Evaluation::new(scores.collect(), vec![()]))
    }
}
