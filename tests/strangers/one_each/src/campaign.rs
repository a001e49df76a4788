//! What a study concludes, without running it.
use wallace_campaign::Definition;
use wallace_campaign::statistic::{Effect, bootstrap, mann_whitney, mean};

#[test]
fn a_difference_is_told_from_none() {
    let text = "name = 'mine'\nbudget = { calls = 100 }\nseeds = 3\n[[system]]\nname = 'shop'\n\
                url = 'http://127.0.0.1:1/graphql'\n[[configuration]]\nname = 'mio'\n";
    assert_eq!(Definition::parse(text, "mine").unwrap().seeds.iter().count(), 3);
    let (one, other) = ([3.0, 4.0, 5.0, 6.0, 7.0], [1.0, 1.0, 2.0, 2.0, 2.0]);
    let test = mann_whitney(&one, &other).unwrap();
    assert_eq!((test.a12, Effect::of(test.a12)), (1.0, Effect::Large));
    let apart = |one: &[f64], other: &[f64]| mean(one).unwrap_or(0.0) - mean(other).unwrap_or(0.0);
    let interval = bootstrap(&one, &other, 1, apart).unwrap();
    assert!(interval.low > 0.0);
}
