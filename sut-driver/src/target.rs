//! What names of targets tell. This is the one place that knows how drivers spell them.

use std::sync::Arc;

/// A target as its driver names it, and what the name tells; read once, where an answer is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DriverTarget {
    /// The driver's name of the target, the same over runs.
    pub name: Arc<str>,
    /// What kind of target it is.
    pub kind: DriverTargetKind,
    /// The class or module that it is in; empty where the name does not tell.
    pub unit: Box<str>,
    /// The line there; 0 where the name does not tell.
    pub line: u32,
    /// The side of a branch; empty for all others.
    pub side: Box<str>,
}

/// What drivers have targets for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DriverTargetKind {
    /// A line.
    Line,
    /// One side of a condition, or an arm.
    Branch,
    /// What a call that the driver replaced gives.
    Replacement,
    /// Anything else: a class that was loaded, a call that returned.
    Other,
}

impl DriverTarget {
    /// Reads a name.
    #[must_use]
    pub fn read(name: &str) -> Self {
        let (kind, parts) = if let Some(rest) = name.strip_prefix("Line_at_") {
            (DriverTargetKind::Line, rest.rsplit_once('_').map(|(unit, line)| (unit, line, "")))
        } else if let Some(rest) = name.strip_prefix("Branch_at_") {
            (DriverTargetKind::Branch, branch(rest))
        } else if let Some(rest) = name.strip_prefix("MethodReplacement_at_") {
            (DriverTargetKind::Replacement, replacement(rest))
        } else {
            (DriverTargetKind::Other, None)
        };
        let read = parts.and_then(|(unit, line, side)| Some((unit, line.parse().ok()?, side)));
        let (unit, line, side) = read.unwrap_or_default();
        Self { name: name.into(), kind, unit: unit.into(), line, side: side.into() }
    }
}

/// `<unit>_at_line_<line>_position_<number>_<side>`, where a side is a word or `arm_<number>`.
fn branch(text: &str) -> Option<(&str, &str, &str)> {
    let (unit, rest) = text.rsplit_once("_at_line_")?;
    let (line, position) = rest.split_once('_')?;
    let arm = position.rfind("_arm_");
    let side = arm.or_else(|| position.rfind('_')).map_or("", |start| &position[start + 1..]);
    Some((unit, line, side))
}

/// `<unit>_<line>_<more>`, where units may have underscores and digits too.
fn replacement(text: &str) -> Option<(&str, &str, &str)> {
    let is_line = |part: &&str| part.len() == 5 && part.bytes().all(|byte| byte.is_ascii_digit());
    let line = text.split('_').rfind(is_line)?;
    Some((text.split_once(&format!("_{line}"))?.0, line, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> (DriverTargetKind, String, u32, String) {
        let DriverTarget { kind, unit, line, side, .. } = DriverTarget::read(name);
        (kind, unit.into(), line, side.into())
    }

    #[test]
    fn names_tell_kind_and_place() {
        use DriverTargetKind::{Branch, Line, Other, Replacement};
        let told = |kind, unit: &str, line, side: &str| (kind, unit.to_owned(), line, side.into());
        assert_eq!(read("Line_at_a::b_c_00042"), told(Line, "a::b_c", 42, ""));
        let branch = "Branch_at_com.foo.Bar_at_line_00012_position_0_trueBranch";
        assert_eq!(read(branch), told(Branch, "com.foo.Bar", 12, "trueBranch"));
        let arm = "Branch_at_a::b_at_line_00004_position_0_arm_2";
        assert_eq!(read(arm), told(Branch, "a::b", 4, "arm_2"));
        let call = "MethodReplacement_at_a::b_00007_1_EXCEPTION_true";
        assert_eq!(read(call), told(Replacement, "a::b", 7, ""));
        for name in ["Class_demo", "fault:100:Query.a:x", ""] {
            assert_eq!(read(name), told(Other, "", 0, ""));
        }
        assert_eq!(read("Line_somewhere"), told(Other, "", 0, ""));
    }
}
