//! Values of a description, and changes of them.
use wallace_genes::{spec::*, *};

#[test]
fn values_fit_what_was_described() {
    let mut specs = SpecBuilder::new();
    let name = specs.add(GeneSpec::String(StringSpec { min: 1, max: 8 }));
    let names = specs.add(GeneSpec::Array(ArraySpec { element: name, min: 1, max: 4 }));
    let spec = SpecRef::new(specs.build(), names);
    let (template, knowledge) = (TemplateId(0), Knowledge::default());
    for evaluation in 0..100 {
        let mut draw = Draw::new(7, evaluation, GeneSettings::default().into());
        let mut gene = sample(&spec, template, &knowledge, &mut draw);
        mutate(&spec, template, &mut gene, &[0], &knowledge, &mut draw);
        assert!(check(&spec, &gene).is_ok(), "{gene:?}");
    }
}
