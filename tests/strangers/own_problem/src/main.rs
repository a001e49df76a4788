//! The engine with a problem of one's own: a safe of four dials, of which each is a target.
use wallace_engine::*;
use wallace_genes::{spec::*, *};
const SECRET: [i32; 4] = [7, 3, 9, 1];

struct Safe(SpecRef);
impl Problem for Safe {
    type Action = PlainAction;
    type Memory = ();
    fn spec(&self, _: TemplateId) -> SpecRef {
        self.0.clone()
    }
    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<PlainAction> {
        let dials = sample(&self.0, TemplateId(0), &learnt.knowledge, draw);
        Individual::new([PlainAction::new(TemplateId(0), dials)])
    }
}

fn main() {
    let mut specs = SpecBuilder::new();
    let dial = specs.add(GeneSpec::Integer(IntegerSpec { min: 0, max: 99 }));
    let dials = specs.add(GeneSpec::Array(ArraySpec { element: dial, min: 4, max: 4 }));
    let safe = Safe(SpecRef::new(specs.build(), dials));
    let search = Search::new(&safe, SearchSettings::default(), Budget::evaluations(5_000));
    assert_eq!(search.run(&mut Listen).covered(), 4);
}

struct Listen;
type Heard = Result<Evaluation<PlainAction>, EvaluationError>;
impl Evaluator<PlainAction> for Listen {
    fn evaluate(&mut self, test: &Individual<PlainAction>, _: &Wanted) -> Heard {
        let scores = test.actions()[0].1.gene().parts().zip(SECRET).map(|(dial, secret)| {
            let off = if let Gene::Integer(dial) = dial { (dial - secret).abs() } else { 99 };
            let score = Score::new(1.0 / (1.0 + f64::from(off)));
            TargetScore { name: format!("dial of {secret}").into(), score, action: None }
        });
        Ok(Evaluation::new(scores.collect(), vec![()]))
    }
}
