//! Resources: which operations make what others need.
//!
//! The path tells: `/users/{userId}/posts/{postId}` is one of the posts of one of the users. What
//! is made by a call of POST on `/users/{userId}/posts`, or of PUT on the very path, is what the
//! last placeholder names; for the one before it, the same holds a level higher.

use std::collections::HashMap;
use std::sync::Arc;

use http::Method;
use wallace_genes::TemplateId;

use super::description::ParameterPlace;
use super::template::Templates;

/// How something that an operation needs can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Creation {
    /// By this operation, which answers with what names it.
    Answered(TemplateId),
    /// By this operation on the same path: the test chooses the name.
    Chosen(TemplateId),
}

/// A placeholder of a path, and what makes the thing that it names.
#[derive(Debug, Clone)]
pub(crate) struct Need {
    /// Position of the parameter in the operation, which is its position in the gene.
    pub(crate) parameter: u32,
    /// Name of the parameter.
    pub(crate) name: Arc<str>,
    /// Segments of the path up to the placeholder, itself included.
    pub(crate) depth: usize,
    /// Operations that make it.
    pub(crate) creations: Vec<Creation>,
    /// Operations that list such things.
    pub(crate) lists: Vec<TemplateId>,
}

/// What each operation needs, and which operations are about the same thing.
#[derive(Debug)]
pub(crate) struct Resources {
    needs: Vec<Vec<Need>>,
    by_path: HashMap<Arc<str>, Vec<TemplateId>>,
}

impl Resources {
    /// The resources of all operations; only `callable` ones make anything.
    pub(crate) fn new(templates: &Templates, callable: &[TemplateId]) -> Self {
        let mut by_path: HashMap<Arc<str>, Vec<TemplateId>> = HashMap::new();
        for id in callable {
            by_path.entry(shape(&templates.operation(*id).path)).or_default().push(*id);
        }
        let find = |path: &str, method: &Method| -> Vec<TemplateId> {
            let here = by_path.get(&shape(path)).into_iter().flatten();
            here.filter(|id| templates.operation(**id).method == *method).copied().collect()
        };
        let needs = templates.operations().iter().map(|template| {
            let operation = templates.operation(template.id);
            let parameters = operation.parameters.iter().enumerate();
            let in_path = parameters.filter(|(_, p)| p.place == ParameterPlace::Path);
            in_path
                .filter_map(|(index, parameter)| {
                    let (above, here, depth) = prefixes(&operation.path, &parameter.name)?;
                    let answered = find(&above, &Method::POST).into_iter();
                    let chosen = find(&here, &Method::PUT).into_iter();
                    let is_other = |id: &TemplateId| *id != template.id;
                    let creations = answered
                        .filter(is_other)
                        .map(Creation::Answered)
                        .chain(chosen.filter(is_other).map(Creation::Chosen));
                    Some(Need {
                        parameter: index as u32,
                        name: Arc::clone(&parameter.name),
                        depth,
                        creations: creations.collect(),
                        lists: find(&above, &Method::GET),
                    })
                })
                .collect()
        });
        let needs = needs.collect();
        Self { needs, by_path }
    }

    /// What an operation needs, in the order of its path.
    pub(crate) fn needs(&self, id: TemplateId) -> &[Need] {
        self.needs.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Operations on a path, whatever its placeholders are called.
    pub(crate) fn at(&self, path: &str) -> &[TemplateId] {
        self.by_path.get(&shape(path)).map_or(&[], Vec::as_slice)
    }

    /// Operations on the path, and on the fixed segments right below it.
    pub(crate) fn about<'r>(&'r self, path: &str) -> impl Iterator<Item = TemplateId> + use<'r> {
        let path = shape(path);
        let below = format!("{path}/");
        let paths = self.by_path.iter().filter(move |(known, _)| {
            **known == path
                || known.strip_prefix(&*below).is_some_and(|rest| !rest.contains(['{', '/']))
        });
        let mut ids: Vec<TemplateId> = paths.flat_map(|(_, ids)| ids.iter().copied()).collect();
        ids.sort_unstable();
        ids.into_iter()
    }
}

/// The path with all placeholders alike, without a final slash.
pub(crate) fn shape(path: &str) -> Arc<str> {
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    let segments = segments.map(|segment| if segment.contains('{') { "{}" } else { segment });
    let mut shape = String::with_capacity(path.len());
    for segment in segments {
        shape.push('/');
        shape.push_str(segment);
    }
    shape.into()
}

/// The path above a placeholder that is a whole segment, the path up to it, and its depth.
fn prefixes(path: &str, name: &str) -> Option<(String, String, usize)> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let wanted = format!("{{{name}}}");
    let place = segments.iter().position(|segment| *segment == wanted)?;
    let join = |end: usize| {
        segments[..end].iter().map(|segment| format!("/{segment}")).collect::<String>()
    };
    Some((join(place), join(place + 1), place + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        assert_eq!(&*shape("/a/{x}/b/{y}/"), "/a/{}/b/{}");
        let (above, here, depth) = prefixes("/a/{x}/b/{y}", "y").unwrap();
        assert_eq!((above.as_str(), here.as_str(), depth), ("/a/{x}/b", "/a/{x}/b/{y}", 4));
        assert_eq!(prefixes("/a/x-{y}", "y"), None);
    }
}
