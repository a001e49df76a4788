//! Cycle objects: what stands in an expanded template where a type repeats too often on its path.
//!
//! The first occurrences of a type are entered, [`GeneSettings::same_type`](crate::GeneSettings)
//! of them; the next is a [`Gene::CycleObject`](crate::Gene::CycleObject). It takes with it
//! whatever cannot be without it: see [`prune`](crate::expansion::prune).

#[cfg(test)]
mod tests {
    use crate::expand::tests::{names, person};
    use crate::{
        Gene, GeneSettings,
        expansion::{expand, prune},
    };

    #[test]
    fn a_type_is_entered_as_often_as_the_setting_says() {
        let settings = GeneSettings { selection_depth: 10, same_type: 2, ..Default::default() };
        let template = expand(&person(), &settings);
        // Person { name friend { name friend: cycle } }.
        assert_eq!(names(&template), "{name friend{name friend<cycle>}}");
        let once = GeneSettings { same_type: 1, ..settings };
        assert_eq!(names(&expand(&person(), &once)), "{name friend<cycle>}");
    }

    #[test]
    fn pruning_removes_the_field_that_holds_the_cycle() {
        let settings = GeneSettings { selection_depth: 10, same_type: 2, ..Default::default() };
        let mut template = expand(&person(), &settings);
        prune(&person(), &mut template);
        assert_eq!(names(&template), "{name friend{name}}");
    }

    #[test]
    fn a_cycle_as_the_last_element_of_a_tuple_removes_the_tuple() {
        let mut tuple = Gene::Tuple(vec![Gene::Integer(1), Gene::CycleObject]);
        let spec = crate::expand::tests::tuple();
        prune(&spec, &mut tuple);
        assert_eq!(tuple, Gene::CycleObject);
    }
}
