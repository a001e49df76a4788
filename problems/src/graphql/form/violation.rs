//! Violations: documents that are invalid on purpose.

use wallace_genes::{Gene, GenePath, GeneSpec, PathStep};

use crate::graphql::action::{Rule, Violation};
use crate::graphql::document::{Directive, Document, Literal, Part, Selection};
use crate::graphql::render::UNKNOWN_ENUM;
use crate::graphql::schema::TypeKind;
use crate::graphql::site::visit_sites;
use crate::graphql::template::{OperationTemplate, Templates};

/// What a document names that nothing declares.
const UNKNOWN: &str = "wallaceUnknown";

/// The document of a call, made to violate a rule: by another value, or with something that nothing
/// declares.
pub(super) fn document(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    violation: Violation,
) -> Document {
    let gene = violated(templates, operation, gene, violation);
    let mut document = Document::of(operation.kind, vec![templates.called_field(operation, &gene)]);
    let root = &mut document.selections;
    match violation.rule {
        Rule::UnknownArgument => {
            let argument = (UNKNOWN.into(), Literal::Integer(1));
            root[0]
                .as_field_mut()
                .into_iter()
                .for_each(|it| it.arguments.insert(0, argument.clone()));
        }
        Rule::UnknownDirective => {
            root[0].directives.push(Directive { name: UNKNOWN.into(), arguments: Vec::new() });
        }
        Rule::UndefinedVariable => {
            let condition = Literal::Variable(UNKNOWN.into());
            root[0].directives.push(Directive::conditional("include", condition));
        }
        Rule::UnknownField => root.push(Selection::field(UNKNOWN.into(), None, Vec::new())),
        Rule::UnknownFragment => {
            root.push(Selection::new(Part::Spread(UNKNOWN.into()), Vec::new()))
        }
        Rule::MissingSelection => root[0].selections.clear(),
        Rule::UnknownEnum | Rule::WrongKind | Rule::MissingArgument | Rule::NullArgument => {}
    }
    document
}

/// The places where a rule can be violated by another value, as addresses of genes.
pub(crate) fn violable(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    rule: Rule,
) -> Vec<GenePath> {
    let schema = templates.schema();
    let graph = operation.spec.graph();
    let arguments = &schema.field(operation.field).arguments;
    let mut found = Vec::new();
    visit_sites(templates, operation, gene, &mut |site| {
        let is_present = !matches!(site.gene, Gene::Absent | Gene::Null);
        let own = || {
            arguments.get(site.path.0.first().and_then(|step| match step {
                PathStep::Field(index) => Some(*index as usize),
                _ => None,
            })?)
        };
        let is_own = site.path.0.len() == 1;
        let fits = match rule {
            // An argument that is left out may get a value too.
            Rule::UnknownEnum => {
                matches!(graph.spec(site.spec), GeneSpec::Enum(_)) && (is_present || is_own)
            }
            Rule::WrongKind => {
                let scalar = own().map(|input| schema.definition(input.type_ref.named()));
                let is_built_in = scalar.is_some_and(|scalar| {
                    matches!(&*scalar.name, "Int" | "Float" | "Boolean" | "String")
                        || matches!(scalar.kind, TypeKind::Enum { .. })
                });
                is_own && is_built_in && is_present && !matches!(site.gene, Gene::Array(_))
            }
            Rule::MissingArgument => is_own && own().is_some_and(|input| input.is_required()),
            Rule::NullArgument => is_own && own().is_some_and(|input| input.type_ref.is_non_null()),
            _ => false,
        };
        if fits {
            found.push(site.path.clone());
        }
    });
    found
}

fn violated(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    violation: Violation,
) -> Gene {
    let mut gene = gene.clone();
    let places = violable(templates, operation, &gene, violation.rule);
    let Some(path) = places.get(usize::from(violation.site) % places.len().max(1)) else {
        return gene;
    };
    if let Some(place) = path.find_mut(&mut gene) {
        *place = match violation.rule {
            Rule::UnknownEnum => Gene::Enum(UNKNOWN_ENUM),
            Rule::MissingArgument => Gene::Absent,
            Rule::NullArgument => Gene::Null,
            _ => match place {
                Gene::String(_) => Gene::Integer(7),
                _ => Gene::text("wallace"),
            },
        };
    }
    gene
}
