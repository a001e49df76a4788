//! Limit objects: what stands in an expanded template where the depth limit is reached.
//!
//! [`GeneSettings::selection_depth`](crate::GeneSettings) object levels are entered below the root
//! of a selection, `input_depth` below the root of an input value; the next object is a
//! [`Gene::LimitObject`](crate::Gene::LimitObject), pruned like a cycle.

#[cfg(test)]
mod tests {
    use crate::expand::tests::{filter, names, person};
    use crate::{
        Gene, GeneSettings,
        expansion::{expand, prune},
    };

    fn settings(selection_depth: u32, input_depth: u32) -> GeneSettings {
        GeneSettings { selection_depth, input_depth, same_type: 99, ..Default::default() }
    }

    #[test]
    fn depth_is_counted_in_object_levels() {
        let template = expand(&person(), &settings(3, 3));
        assert_eq!(names(&template), "{name friend{name friend{name friend<limit>}}}");
        assert_eq!(expand(&person(), &settings(0, 3)), Gene::LimitObject);
    }

    #[test]
    fn input_recursion_has_a_limit_of_its_own() {
        let mut template = expand(&filter(), &settings(0, 2));
        assert_eq!(names(&template), "{text all[{text all[<limit>]}]}");
        prune(&filter(), &mut template);
        assert_eq!(names(&template), "{text all[{text all[]}]}");
    }

    #[test]
    fn an_object_of_placeholders_is_dropped_upward() {
        let mut template = expand(&person(), &settings(1, 1));
        if let Gene::Object(object) = &mut template {
            object.fields.remove(0);
        }
        prune(&person(), &mut template);
        assert_eq!(template, Gene::LimitObject);
    }
}
