//! Tables: what the driver tells of the database, as templates of rows.

use serde_json::Value;
use wallace_genes::{
    Field, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId,
    spec::{ObjectPurpose, ObjectSpec},
};
use wallace_sut_driver::database::{SqlSchema, SqlTable};

use super::column::Column;
use super::constraint::add_check;
use super::value;

/// Number of the template of the first table: far from those of operations.
const FIRST_TEMPLATE: u32 = 1 << 30;
/// Rows of the start that are known of a table.
const MOST_EXISTING: usize = 200;

/// The tables of a database: templates of rows, and the keys of the rows that are always there.
#[derive(Debug, Clone)]
pub struct SqlTables {
    pub(super) tables: Vec<Table>,
    /// What a template of no table is.
    nothing: SpecRef,
}

#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) insertion_name: String,
    pub(super) columns: Vec<Column>,
    /// Positions of columns that together are unique.
    pub(super) keys: Vec<Vec<usize>>,
    pub(super) foreign_keys: Vec<ForeignKey>,
    /// An object with a field for each column.
    pub(super) spec: SpecRef,
    /// Rows of the start: values of the columns that are keys or referred to, null elsewhere.
    pub(super) existing: Vec<Vec<Value>>,
}

/// A reference: positions of columns here, and in the table referred to.
#[derive(Debug, Clone)]
pub(super) struct ForeignKey {
    pub(super) columns: Vec<usize>,
    pub(super) target: usize,
    pub(super) target_columns: Vec<usize>,
}

impl Table {
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// The specification of a column.
    pub(super) fn column_spec(&self, column: usize) -> SpecRef {
        match self.spec.spec() {
            GeneSpec::Object(object) => self.spec.at(object.fields[column].spec),
            _ => self.spec.clone(),
        }
    }

    /// The value of a column in a row; `None` where it is left out.
    pub(super) fn value(&self, row: &Gene, column: usize) -> Option<Value> {
        let Gene::Object(object) = row else { return None };
        let spec = self.column_spec(column);
        value::of_gene(self.columns.get(column)?, &spec, object.get(u32::try_from(column).ok()?))
    }

    /// Gives a column of a row a value. Returns whether it can hold it.
    pub(super) fn set(&self, row: &mut Gene, column: usize, value: &Value) -> bool {
        let gene = value::to_gene(&self.columns[column], &self.column_spec(column), value);
        let (Gene::Object(object), Some(gene)) = (row, gene) else { return false };
        u32::try_from(column).is_ok_and(|column| {
            object.set(column, gene);
            true
        })
    }
}

impl SqlTables {
    /// The tables of a schema; `None` where it has none. `look_up` gives the rows that a statement
    /// finds, as texts; it is asked for the keys of the rows that are there from the start.
    pub fn new(
        schema: &SqlSchema,
        look_up: &mut dyn FnMut(&str) -> Option<Vec<Vec<String>>>,
    ) -> Option<Self> {
        let mut tables: Vec<Table> =
            schema.tables.iter().map(|table| table_of(schema, table)).collect();
        for place in 0..tables.len() {
            tables[place].existing = existing(&tables, place, look_up);
        }
        let mut builder = SpecBuilder::new();
        let nothing = builder.add(GeneSpec::Constant);
        let nothing = SpecRef::new(builder.build(), nothing);
        (!tables.is_empty()).then_some(Self { tables, nothing })
    }

    /// The specification of the rows of a template; `None` where it is none of a table.
    pub(crate) fn spec(&self, template: TemplateId) -> Option<SpecRef> {
        let place = template.0.checked_sub(FIRST_TEMPLATE)? as usize;
        Some(self.tables.get(place).map_or(&self.nothing, |table| &table.spec).clone())
    }

    pub(super) fn template(place: usize) -> TemplateId {
        TemplateId(FIRST_TEMPLATE + u32::try_from(place).unwrap_or(0))
    }

    pub(super) fn place(&self, template: TemplateId) -> Option<usize> {
        let place = template.0.checked_sub(FIRST_TEMPLATE)? as usize;
        (place < self.tables.len()).then_some(place)
    }

    /// The table of a name, which may be qualified.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let bare = name.rsplit('.').next().unwrap_or(name);
        let is = |table: &Table| {
            table.insertion_name.eq_ignore_ascii_case(name) || table.name.eq_ignore_ascii_case(bare)
        };
        self.tables.iter().position(is)
    }
}

fn table_of(schema: &SqlSchema, table: &SqlTable) -> Table {
    let find = |name: &str| {
        let is = |one: &SqlTable| {
            one.name.eq_ignore_ascii_case(name) || one.insertion_name.eq_ignore_ascii_case(name)
        };
        schema.tables.iter().position(is)
    };
    let position = |table: &SqlTable, name: &str| {
        table.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    };
    let foreign_keys: Vec<ForeignKey> =
        table
            .foreign_keys
            .iter()
            .filter_map(|key| {
                let target = find(&key.target_table)?;
                let referred = &schema.tables[target];
                let names = if key.target_columns.is_empty() {
                    &referred.primary_key
                } else {
                    &key.target_columns
                };
                let columns: Option<Vec<usize>> =
                    key.columns.iter().map(|name| position(table, name)).collect();
                let target_columns: Option<Vec<usize>> =
                    names.iter().map(|name| position(referred, name)).collect();
                let (columns, target_columns) = (columns?, target_columns?);
                (columns.len() == target_columns.len() && !columns.is_empty())
                    .then_some(ForeignKey { columns, target, target_columns })
            })
            .collect();
    let mut columns: Vec<Column> = table
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let is_reference = foreign_keys.iter().any(|key| key.columns.contains(&place));
            let enumeration = schema
                .enumerations
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(&column.sql_type));
            let values = enumeration.map_or(Vec::new(), |(_, values)| values.clone());
            Column::new(column, is_reference, values)
        })
        .collect();
    constrain(schema, table, &mut columns);
    let mut keys: Vec<Vec<usize>> =
        vec![table.primary_key.iter().filter_map(|name| position(table, name)).collect()];
    keys.extend(
        (0..columns.len()).filter(|place| columns[*place].is_unique).map(|place| vec![place]),
    );
    keys.retain(|key| !key.is_empty());
    Table {
        name: table.name.clone(),
        insertion_name: table.insertion_name.clone(),
        spec: row_spec(&table.name, &columns),
        columns,
        keys,
        foreign_keys,
        existing: Vec::new(),
    }
}

/// Takes in the conditions of the schema and of the code.
fn constrain(schema: &SqlSchema, table: &SqlTable, columns: &mut [Column]) {
    for check in &table.checks {
        add_check(check, &mut |name, change| {
            let named = columns.iter_mut().find(|column| column.name.eq_ignore_ascii_case(name));
            named.into_iter().for_each(|column| change(&mut column.domain));
        });
    }
    for asked in &schema.constraints {
        if asked.table.eq_ignore_ascii_case(&table.name) {
            let is = |column: &&mut Column| column.name.eq_ignore_ascii_case(&asked.column);
            columns.iter_mut().find(is).into_iter().for_each(|column| column.domain.add(asked));
        }
    }
}

fn row_spec(name: &str, columns: &[Column]) -> SpecRef {
    let mut builder = SpecBuilder::new();
    let fields = columns.iter().map(|column| {
        let spec = column.spec(&mut builder);
        Field::new(column.name.as_str(), spec)
    });
    let fields = fields.collect();
    let object = ObjectSpec { type_name: name.into(), purpose: ObjectPurpose::Input, fields };
    let object = builder.add(GeneSpec::Object(object));
    SpecRef::new(builder.build(), object)
}

/// Keys, and what is referred to, of the rows that are there from the start.
fn existing(
    tables: &[Table],
    place: usize,
    look_up: &mut dyn FnMut(&str) -> Option<Vec<Vec<String>>>,
) -> Vec<Vec<Value>> {
    let table = &tables[place];
    let referred = tables.iter().flat_map(|table| &table.foreign_keys);
    let referred = referred.filter(|key| key.target == place).flat_map(|key| &key.target_columns);
    let mut wanted: Vec<usize> = table.keys.iter().flatten().chain(referred).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> =
        wanted.iter().map(|column| table.columns[*column].name.as_str()).collect();
    let statement = format!("SELECT {} FROM {}", names.join(", "), table.insertion_name);
    let rows = look_up(&statement).unwrap_or_default();
    let row = |cells: Vec<String>| {
        let mut row = vec![Value::Null; table.columns.len()];
        for (column, cell) in wanted.iter().zip(cells) {
            if cell != "NULL" {
                row[*column] = Value::String(cell);
            }
        }
        row
    };
    rows.into_iter().take(MOST_EXISTING).map(row).collect()
}
