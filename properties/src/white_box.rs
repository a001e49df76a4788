//! Looking inside: an instrumented service tells what its code compares texts with.

use wallace_problems::graphql::{
    Field, InputValue, Literal, OperationKind, Part, Schema, Selection, TypeKind,
};
use wallace_sut_driver::{DriverClient, DriverError, ResultsQuery, SpecialisationKind};

/// The driver of an instrumented service, its system started and a search begun.
#[derive(Debug)]
pub struct WhiteBox {
    driver: DriverClient,
}

impl WhiteBox {
    /// Watches the service of this driver.
    #[must_use]
    pub fn new(driver: DriverClient) -> Self {
        Self { driver }
    }

    /// Texts that the service compared with the marked ones of a query that `send` sends.
    pub(crate) fn constants(&mut self, send: impl FnOnce()) -> Result<Vec<String>, DriverError> {
        self.driver.reset()?;
        self.driver.begin_action(0, "properties", &[])?;
        send();
        // What still runs may go on: later queries are sent outside of any test.
        let query = ResultsQuery { kill_switch: false, ..ResultsQuery::default() };
        let results = self.driver.results(query)?;
        let used = results.actions.into_iter().flat_map(|action| action.specialisations);
        let constant = used.filter(|it| {
            matches!(it.kind, SpecialisationKind::Constant | SpecialisationKind::ConstantIgnoreCase)
        });
        Ok(constant.filter_map(|it| it.value).collect())
    }
}

/// One query for each field of the root that takes a text: with a marked one, which instrumented
/// code recognises.
pub(crate) fn marked(schema: &Schema) -> Vec<Vec<Selection>> {
    let root = schema.root(OperationKind::Query).expect("every schema has a query type");
    let mut queries = Vec::new();
    for id in schema.fields(root) {
        let field = schema.field(id);
        let is_text = |it: &InputValue| {
            let definition = schema.definition(it.type_ref.named());
            matches!(&*definition.name, "ID" | "String")
                && matches!(definition.kind, TypeKind::Scalar { .. })
        };
        let given = field.arguments.iter().filter(|it| is_text(it) || it.is_required());
        let given: Vec<&InputValue> = given.collect();
        if given.is_empty() || !given.iter().all(|it| is_text(it)) {
            continue;
        }
        let number = queries.len();
        let mark = |place: usize| format!("_EM_{}_XYZ_", number * 100 + place).into();
        let arguments = given.iter().enumerate();
        let arguments = arguments.map(|(place, it)| (it.name.clone(), Literal::Text(mark(place))));
        let is_composite = schema.definition(field.type_ref.named()).is_composite();
        let below = if is_composite { vec![Selection::typename()] } else { Vec::new() };
        let field = Field {
            alias: None,
            name: field.name.clone(),
            id: Some(id),
            arguments: arguments.collect(),
        };
        queries.push(vec![Selection::new(Part::Field(field), below)]);
    }
    queries
}
