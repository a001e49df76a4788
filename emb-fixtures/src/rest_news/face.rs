//! The service as callers see it, wrong where a behaviour switch says so. Not instrumented.

use serde_json::{Value, json};

use super::item::{NewsItem, schemas};
use super::status::STATUSES;
use super::{archive, operation, store};
use crate::amendment::Amendments;
use crate::database::Database;
use crate::resource::{Call, Operation, Refused, Reply, router};
use crate::switch::{Switch, Switches};
use crate::system::System;

/// One instance.
#[derive(Debug, Clone)]
struct News {
    database: Database,
    switches: Switches,
}

/// An instance with these switches on.
pub(crate) fn system(switches: Switches) -> System {
    let database = Database::new(&[store::SCHEMA, archive::SCHEMA], store::SEED);
    let state = database.clone();
    let statuses = Amendments::new(switches.clone(), STATUSES);
    let news = News { database, switches };
    System::on_database(router("News", OPERATIONS, &schemas(), news, &statuses), state)
}

const JSON: Option<(&str, &str)> = Some(("application/json", "NewsItem"));

const OPERATIONS: &[Operation<News>] = &[
    Operation {
        method: "GET",
        path: "/countries",
        summary: "names of the countries",
        query: &[],
        body: None,
        answers: &[(200, "Countries")],
        run: countries,
    },
    Operation {
        method: "GET",
        path: "/news",
        summary: "news of a country, by an author, both, or all",
        query: &["country", "authorId"],
        body: None,
        answers: &[(200, "NewsItems")],
        run: list,
    },
    Operation {
        method: "POST",
        path: "/news",
        summary: "add an item; its id is generated",
        query: &[],
        body: JSON,
        answers: &[(201, "NewsId"), (400, "Error")],
        run: create,
    },
    Operation {
        method: "GET",
        path: "/news/{id}",
        summary: "one item",
        query: &[],
        body: None,
        answers: &[(200, "NewsItem"), (404, "Error")],
        run: read,
    },
    Operation {
        method: "PUT",
        path: "/news/{id}",
        summary: "replace an item",
        query: &[],
        body: JSON,
        answers: &[(204, ""), (400, "Error"), (404, "Error"), (409, "Error")],
        run: replace,
    },
    Operation {
        method: "PUT",
        path: "/news/{id}/text",
        summary: "replace the text of an item",
        query: &[],
        body: Some(("text/plain", "Text")),
        answers: &[(204, ""), (400, "Error"), (404, "Error")],
        run: set_text,
    },
    Operation {
        method: "DELETE",
        path: "/news/{id}",
        summary: "remove an item",
        query: &[],
        body: None,
        answers: &[(204, ""), (404, "Error")],
        run: delete,
    },
    Operation {
        method: "GET",
        path: "/editorials/{id}",
        summary: "one editorial",
        query: &[],
        body: None,
        answers: &[(200, "Editorial"), (404, "Error")],
        run: editorial,
    },
    Operation {
        method: "GET",
        path: "/authors/{author}/headlines/{section}",
        summary: "headlines of what an author wrote for a section",
        query: &[],
        body: None,
        answers: &[(200, "Countries"), (404, "Error")],
        run: headlines,
    },
];

impl News {
    fn on(&self, name: &str) -> bool {
        self.switches.is_on(name)
    }

    /// Whether an item exists, for switches only.
    fn find(&self, id: &str) -> Option<NewsItem> {
        store::find(&self.database.connection(), id.parse().ok()?).ok().flatten()
    }
}

fn reply(result: Result<Reply, Refused>) -> Reply {
    result.unwrap_or_else(Reply::from)
}

fn items(items: &[NewsItem]) -> Reply {
    Reply::new(200, json!(items))
}

fn read_item(call: &Call) -> Result<NewsItem, Refused> {
    serde_json::from_str(&call.body).map_err(|_| Refused::new(400, "the body is no news item"))
}

fn countries(news: &News, _: &Call) -> Reply {
    let names = store::countries(&news.database.connection()).map_err(Refused::from);
    reply(names.map(|mut names| {
        if news.on("countries-last-dropped") {
            names.pop();
        }
        if news.on("countries-reversed") {
            names.reverse();
        }
        Reply::new(200, json!(names))
    }))
}

fn list(news: &News, call: &Call) -> Reply {
    let keep = |name: &str, value| if news.on(name) { None } else { value };
    let country = keep("list-country-dropped", call.parameter("country"));
    let author = keep("list-author-dropped", call.parameter("authorId"));
    let found = operation::list(&news.database.connection(), country, author);
    reply(found.map(|mut found| {
        if news.on("list-reversed") {
            found.reverse();
        }
        if news.on("list-first-dropped") && !found.is_empty() {
            found.remove(0);
        }
        if news.on("list-texts-dropped") {
            found.iter_mut().for_each(|item| item.text = None);
        }
        items(&found)
    }))
}

fn create(news: &News, call: &Call) -> Reply {
    reply(read_item(call).and_then(|mut item| {
        if news.on("create-given-id-accepted") {
            item.news_id = None;
        }
        if news.on("create-text-trimmed") {
            item.text = item.text.map(|text| text.trim().to_owned());
        }
        if news.on("create-empty-text-accepted") && item.text.as_deref() == Some("") {
            item.text = Some("-".to_owned());
        }
        let id = news.database.transaction(|store| operation::create(store, &item))?;
        let shown = if news.on("create-id-off-by-one") { id + 1 } else { id };
        let mut reply = Reply::created(format!("/news/{id}"), json!(shown));
        if news.on("create-location-missing") {
            reply.location = None;
        }
        if news.on("create-status-200") {
            reply.status = 200;
        }
        Ok(reply)
    }))
}

fn read(news: &News, call: &Call) -> Reply {
    let item = operation::read(&news.database.connection(), call.segment(0));
    match item {
        Err(refused) if refused.status == 404 && news.on("read-missing-as-204") => Reply::nothing(),
        Err(refused) => refused.into(),
        Ok(mut item) => {
            if news.on("read-author-and-country-swapped") {
                (item.author_id, item.country) = (item.country, item.author_id);
            }
            if news.on("read-id-off-by-one") {
                item.news_id = item.news_id.map(|id| id + 1);
            }
            if news.on("read-text-upper-case") {
                item.text = item.text.map(|text| text.to_uppercase());
            }
            Reply::new(200, json!(item))
        }
    }
}

fn editorial(news: &News, call: &Call) -> Reply {
    let id = call.segment(0).parse();
    let id = id.map_err(|_| Refused::new(404, "there is no such editorial"));
    let store = news.database.connection();
    reply(id.and_then(|id| archive::editorial(&store, id)).map(|found| Reply::new(200, found)))
}

fn headlines(news: &News, call: &Call) -> Reply {
    let store = news.database.connection();
    let found = archive::headlines(&store, call.segment(0), call.segment(1));
    reply(found.map(|found| Reply::new(200, json!(found))))
}

fn done(result: Result<(), Refused>) -> Reply {
    reply(result.map(|()| Reply::nothing()))
}

fn replace(news: &News, call: &Call) -> Reply {
    let id = call.segment(0);
    let answer = reply(read_item(call).map(|mut item| {
        if news.on("replace-mismatch-accepted") {
            item.news_id = id.parse().ok();
        }
        if news.on("replace-text-kept") {
            item.text = news.find(id).and_then(|before| before.text).or(item.text);
        }
        if news.on("replace-author-kept") {
            item.author_id = news.find(id).and_then(|before| before.author_id).or(item.author_id);
        }
        if news.on("replace-country-kept") {
            item.country = news.find(id).and_then(|before| before.country).or(item.country);
        }
        let result = news.database.transaction(|store| operation::replace(store, id, &item));
        done(result)
    }));
    match answer.status {
        409 if news.on("replace-mismatch-as-400") => Reply { status: 400, ..answer },
        404 if news.on("replace-missing-as-204") => Reply::nothing(),
        _ => answer,
    }
}

fn set_text(news: &News, call: &Call) -> Reply {
    let id = call.segment(0);
    let mut text = call.body.clone();
    if news.on("text-appended")
        && let Some(before) = news.find(id).and_then(|item| item.text)
    {
        text = before + &text;
    }
    let answer = done(news.database.transaction(|store| operation::set_text(store, id, &text)));
    match answer.status {
        400 if news.on("text-empty-accepted") => Reply::nothing(),
        404 if news.on("text-missing-as-204") => Reply::nothing(),
        _ => answer,
    }
}

fn delete(news: &News, call: &Call) -> Reply {
    let id = call.segment(0);
    if news.on("delete-does-nothing") && news.find(id).is_some() {
        return Reply::nothing();
    }
    let answer = done(news.database.transaction(|store| operation::delete(store, id)));
    match answer.status {
        404 if news.on("delete-missing-as-204") => Reply::nothing(),
        204 if news.on("delete-status-200") => Reply::new(200, Value::Null),
        _ => answer,
    }
}

/// What can be made wrong besides statuses.
pub(super) const SWITCHES: &[Switch] = &[
    Switch::new("countries-last-dropped", "the last country is not listed"),
    Switch::new("countries-reversed", "countries are listed backwards"),
    Switch::new("list-country-dropped", "the filter by country has no effect"),
    Switch::new("list-author-dropped", "the filter by author has no effect"),
    Switch::new("list-reversed", "news are listed backwards"),
    Switch::new("list-first-dropped", "the first item is not listed"),
    Switch::new("list-texts-dropped", "items are listed without their texts"),
    Switch::new("create-given-id-accepted", "an id that is given is left aside"),
    Switch::new("create-text-trimmed", "texts lose the spaces around them"),
    Switch::new("create-empty-text-accepted", "an empty text becomes a hyphen"),
    Switch::new("create-id-off-by-one", "the id in the answer is one too high"),
    Switch::new("create-location-missing", "no Location of new items"),
    Switch::new("create-status-200", "new items are answered with 200"),
    Switch::new("read-missing-as-204", "missing items are answered with 204"),
    Switch::new("read-author-and-country-swapped", "author and country change places"),
    Switch::new("read-text-upper-case", "texts are shown in upper case"),
    Switch::new("read-id-off-by-one", "the id of an item is shown one too high"),
    Switch::new("replace-mismatch-accepted", "the id of the item is left aside"),
    Switch::new("replace-text-kept", "the text stays as it was"),
    Switch::new("replace-author-kept", "the author stays as it was"),
    Switch::new("replace-country-kept", "the country stays as it was"),
    Switch::new("replace-mismatch-as-400", "different ids are answered with 400"),
    Switch::new("replace-missing-as-204", "missing items seem to be replaced"),
    Switch::new("text-appended", "the new text is put behind the old one"),
    Switch::new("text-empty-accepted", "an empty text seems to be taken"),
    Switch::new("text-missing-as-204", "texts of missing items seem to be taken"),
    Switch::new("delete-does-nothing", "items stay when they are deleted"),
    Switch::new("delete-missing-as-204", "missing items seem to be deleted"),
    Switch::new("delete-status-200", "deletions are answered with 200"),
];
