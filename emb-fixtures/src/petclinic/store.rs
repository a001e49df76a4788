//! The tables of the clinic.

use rusqlite::{Connection, OptionalExtension, Params, Row};

pub(super) const SCHEMA: &str = "
    CREATE TABLE owners (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first_name TEXT NOT NULL,
        last_name TEXT NOT NULL,
        address TEXT NOT NULL,
        city TEXT NOT NULL,
        telephone TEXT NOT NULL
    );
    CREATE TABLE types (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
    CREATE TABLE pets (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        birth_date TEXT NOT NULL,
        type_id INTEGER NOT NULL REFERENCES types (id),
        owner_id INTEGER NOT NULL REFERENCES owners (id)
    );
    CREATE TABLE visits (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        pet_id INTEGER NOT NULL REFERENCES pets (id),
        date TEXT NOT NULL,
        description TEXT NOT NULL
    );
    CREATE TABLE vets (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        first_name TEXT NOT NULL,
        last_name TEXT NOT NULL
    );
    CREATE TABLE specialties (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
    CREATE TABLE vet_specialties (
        vet_id INTEGER NOT NULL REFERENCES vets (id),
        specialty_id INTEGER NOT NULL REFERENCES specialties (id) ON DELETE CASCADE,
        PRIMARY KEY (vet_id, specialty_id)
    );";

pub(super) const SEED: &str = "
    INSERT INTO types (name) VALUES ('cat'), ('dog'), ('lizard'), ('snake'), ('bird'), ('hamster');
    INSERT INTO owners (first_name, last_name, address, city, telephone) VALUES
        ('Greta', 'Lind', '3 Mill Lane', 'Ystad', '5550101'),
        ('Omar', 'Haddad', '17 Harbour Street', 'Malmo', '5550102'),
        ('Ines', 'Costa', '8 Hill Road', 'Lund', '5550103'),
        ('Tomas', 'Lind', '3 Mill Lane', 'Ystad', '5550104');
    INSERT INTO pets (name, birth_date, type_id, owner_id) VALUES
        ('Pepper', '2015-04-12', 1, 1), ('Bolt', '2018-09-01', 2, 2), ('Moss', '2019-01-30', 3, 2),
        ('Kiki', '2020-06-15', 5, 3);
    INSERT INTO visits (pet_id, date, description) VALUES
        (1, '2019-03-04', 'rabies shot'), (1, '2020-03-05', 'check'), (2, '2021-11-23', 'neutered');
    INSERT INTO vets (first_name, last_name) VALUES
        ('Anna', 'Berg'), ('Jonas', 'Falk'), ('Lea', 'Holm');
    INSERT INTO specialties (name) VALUES ('radiology'), ('surgery'), ('dentistry');
    INSERT INTO vet_specialties VALUES (2, 1), (3, 2), (3, 3);";

/// An owner as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) id: i32,
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) address: String,
    pub(super) city: String,
    pub(super) telephone: String,
}

/// A pet as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pet {
    pub(super) id: i32,
    pub(super) name: String,
    pub(super) birth_date: String,
    pub(super) type_id: i32,
    pub(super) owner_id: i32,
}

/// A visit as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) id: i32,
    pub(super) pet_id: i32,
    pub(super) date: String,
    pub(super) description: String,
}

/// A vet as it is stored.
#[derive(Debug, Clone)]
pub(super) struct Vet {
    pub(super) id: i32,
    pub(super) first_name: String,
    pub(super) last_name: String,
}

/// A type of pets, or a specialty: a name with an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) id: i32,
    pub(super) name: String,
}

fn list<T>(
    store: &Connection,
    query: &str,
    values: impl Params,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = store.prepare_cached(query)?;
    let rows = statement.query_map(values, read)?;
    rows.collect()
}

fn first<T>(
    store: &Connection,
    query: &str,
    id: i32,
    read: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    store.prepare_cached(query)?.query_row([id], read).optional()
}

/// Gives the id of what was inserted.
fn insert(store: &Connection, statement: &str, values: impl Params) -> rusqlite::Result<i32> {
    store.prepare_cached(statement)?.execute(values)?;
    // Ids count up from 1; a test would have to insert two thousand million rows.
    Ok(i32::try_from(store.last_insert_rowid()).unwrap_or(i32::MAX))
}

fn read_owner(row: &Row<'_>) -> rusqlite::Result<Owner> {
    Ok(Owner {
        id: row.get(0)?,
        first_name: row.get(1)?,
        last_name: row.get(2)?,
        address: row.get(3)?,
        city: row.get(4)?,
        telephone: row.get(5)?,
    })
}

fn read_pet(row: &Row<'_>) -> rusqlite::Result<Pet> {
    let (id, name, birth_date) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Pet { id, name, birth_date, type_id: row.get(3)?, owner_id: row.get(4)? })
}

fn read_visit(row: &Row<'_>) -> rusqlite::Result<Visit> {
    Ok(Visit { id: row.get(0)?, pet_id: row.get(1)?, date: row.get(2)?, description: row.get(3)? })
}

fn read_named(row: &Row<'_>) -> rusqlite::Result<Named> {
    Ok(Named { id: row.get(0)?, name: row.get(1)? })
}

const OWNERS: &str = "SELECT id, first_name, last_name, address, city, telephone FROM owners";
const PETS: &str = "SELECT id, name, birth_date, type_id, owner_id FROM pets";

pub(super) fn owners(store: &Connection) -> rusqlite::Result<Vec<Owner>> {
    list(store, &format!("{OWNERS} ORDER BY id"), [], read_owner)
}

pub(super) fn owner(store: &Connection, id: i32) -> rusqlite::Result<Option<Owner>> {
    first(store, &format!("{OWNERS} WHERE id = ?1"), id, read_owner)
}

pub(super) fn add_owner(store: &Connection, owner: &Owner) -> rusqlite::Result<i32> {
    let Owner { first_name, last_name, address, city, telephone, .. } = owner;
    let statement = "INSERT INTO owners (first_name, last_name, address, city, telephone) \
                     VALUES (?1, ?2, ?3, ?4, ?5)";
    insert(store, statement, [first_name, last_name, address, city, telephone])
}

pub(super) fn update_owner(store: &Connection, owner: &Owner) -> rusqlite::Result<()> {
    let Owner { id, first_name, last_name, address, city, telephone } = owner;
    let statement = "UPDATE owners SET first_name = ?2, last_name = ?3, address = ?4, city = ?5, \
                     telephone = ?6 WHERE id = ?1";
    let values = (id, first_name, last_name, address, city, telephone);
    store.prepare_cached(statement)?.execute(values)?;
    Ok(())
}

pub(super) fn pets(store: &Connection) -> rusqlite::Result<Vec<Pet>> {
    list(store, &format!("{PETS} ORDER BY id"), [], read_pet)
}

pub(super) fn pets_of(store: &Connection, owner: i32) -> rusqlite::Result<Vec<Pet>> {
    list(store, &format!("{PETS} WHERE owner_id = ?1 ORDER BY id"), [owner], read_pet)
}

pub(super) fn pet(store: &Connection, id: i32) -> rusqlite::Result<Option<Pet>> {
    first(store, &format!("{PETS} WHERE id = ?1"), id, read_pet)
}

pub(super) fn add_pet(store: &Connection, pet: &Pet) -> rusqlite::Result<i32> {
    let Pet { name, birth_date, type_id, owner_id, .. } = pet;
    let statement =
        "INSERT INTO pets (name, birth_date, type_id, owner_id) VALUES (?1, ?2, ?3, ?4)";
    insert(store, statement, (name, birth_date, type_id, owner_id))
}

pub(super) fn update_pet(store: &Connection, pet: &Pet) -> rusqlite::Result<()> {
    let statement = "UPDATE pets SET name = ?2, birth_date = ?3, type_id = ?4 WHERE id = ?1";
    let values = (pet.id, &pet.name, &pet.birth_date, pet.type_id);
    store.prepare_cached(statement)?.execute(values)?;
    Ok(())
}

pub(super) fn types(store: &Connection) -> rusqlite::Result<Vec<Named>> {
    list(store, "SELECT id, name FROM types ORDER BY id", [], read_named)
}

pub(super) fn visits(store: &Connection, pet: i32) -> rusqlite::Result<Vec<Visit>> {
    let query = "SELECT id, pet_id, date, description FROM visits WHERE pet_id = ?1 ORDER BY id";
    list(store, query, [pet], read_visit)
}

pub(super) fn add_visit(
    store: &Connection,
    pet: i32,
    date: &str,
    description: &str,
) -> rusqlite::Result<i32> {
    let statement = "INSERT INTO visits (pet_id, date, description) VALUES (?1, ?2, ?3)";
    insert(store, statement, (pet, date, description))
}

pub(super) fn vets(store: &Connection) -> rusqlite::Result<Vec<Vet>> {
    list(store, "SELECT id, first_name, last_name FROM vets ORDER BY id", [], |row| {
        Ok(Vet { id: row.get(0)?, first_name: row.get(1)?, last_name: row.get(2)? })
    })
}

pub(super) fn specialties(store: &Connection) -> rusqlite::Result<Vec<Named>> {
    list(store, "SELECT id, name FROM specialties ORDER BY id", [], read_named)
}

pub(super) fn specialties_of(store: &Connection, vet: i32) -> rusqlite::Result<Vec<Named>> {
    let query = "SELECT s.id, s.name FROM specialties s JOIN vet_specialties v \
                 ON v.specialty_id = s.id WHERE v.vet_id = ?1 ORDER BY s.id";
    list(store, query, [vet], read_named)
}

pub(super) fn add_specialty(store: &Connection, name: &str) -> rusqlite::Result<i32> {
    insert(store, "INSERT INTO specialties (name) VALUES (?1)", [name])
}

pub(super) fn rename_specialty(store: &Connection, id: i32, name: &str) -> rusqlite::Result<()> {
    let statement = "UPDATE specialties SET name = ?2 WHERE id = ?1";
    store.prepare_cached(statement)?.execute((id, name))?;
    Ok(())
}

pub(super) fn remove_specialty(store: &Connection, id: i32) -> rusqlite::Result<()> {
    store.prepare_cached("DELETE FROM specialties WHERE id = ?1")?.execute([id])?;
    Ok(())
}
