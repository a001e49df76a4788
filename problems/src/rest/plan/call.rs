//! One call: its values, who makes it, and what it sends beyond what is documented.

use http::Method;
use serde_json::Value;
use wallace_engine::{Evaluated, Individual};
use wallace_genes::{Gene, GenePath, Knowledge, StringGene, TemplateId, sample};

use super::Planner;
use crate::rest::action::{RestAction, Undocumented, UndocumentedPlace};
use crate::rest::learn::NAMES;
use crate::rest::undocumented::{Reading, uses_in};
use crate::word::{plain, singular, words};

/// Words of what people are asked to say twice.
const TWICE: [&str; 4] = ["password", "passphrase", "email", "pin"];
/// Words that say that it is the second time.
const AGAIN: [&str; 8] =
    ["confirm", "confirmation", "confirmed", "repeat", "repeated", "again", "retype", "verify"];

/// What a member is called without what tells the first time from the second; none of what is said once.
fn said_twice(name: &str) -> Option<String> {
    let mut words = words(name);
    if !words.iter().any(|word| TWICE.contains(&&**word)) {
        return None;
    }
    words.retain(|word| !AGAIN.contains(&&**word) && word != "1" && word != "2");
    Some(words.concat())
}

impl Planner<'_> {
    /// A valid call by somebody for whom the operation worked before, if there is somebody.
    pub(in crate::rest) fn call(&mut self, id: TemplateId) -> RestAction {
        let mut gene = self.sample(id);
        let caller = self.caller_of(id);
        if self.is_sign_up(id, caller) {
            gene = self.with_fresh_names(id, gene);
        }
        let undocumented = self.undocumented(id);
        RestAction { caller, undocumented, ..RestAction::new(id, gene) }
    }

    /// Values of a call. Without a driver, only answers tell what a service takes.
    pub(in crate::rest) fn sample(&mut self, id: TemplateId) -> Gene {
        // Whoever asks for everything gets it.
        let is_free = self.operations.is_white_box || self.draw.settings.absent <= 0.0;
        let mut gene = if is_free { self.any_values(id) } else { self.careful(id) };
        if !self.operations.is_white_box {
            self.say_twice(id, &mut gene);
            let pool = &self.learnt.memory.pool;
            self.operations.templates.refer(id, &mut gene, pool, self.draw);
        }
        gene
    }

    /// Gives what is to be said twice, as a password and its confirmation, one value.
    fn say_twice(&self, id: TemplateId, gene: &mut Gene) {
        let leaves = self.operations.templates.named_leaves(id, gene);
        let said = leaves.iter().filter_map(|(path, name)| Some((path, said_twice(name)?)));
        let said: Vec<(&GenePath, String)> = said.collect();
        let spec = &self.operations.templates.template(id).spec;
        for (place, (path, name)) in said.iter().enumerate() {
            let first = said[..place].iter().find(|(_, known)| known == name);
            if let Some(value) = first.and_then(|(first, _)| spec.value_at(gene, first)) {
                spec.put(gene, path, &value);
            }
        }
    }

    /// Values as the description allows them.
    pub(in crate::rest) fn any_values(&mut self, id: TemplateId) -> Gene {
        let (knowledge, pool) = (&self.learnt.knowledge, &self.learnt.memory.pool);
        self.operations.templates.sample(id, knowledge, pool, self.draw)
    }

    /// What a new call of the operation sends beyond what is documented.
    fn undocumented(&mut self, id: TemplateId) -> Vec<Undocumented> {
        let readings = self.learnt.memory.readings.get(&id).map_or(&[][..], Vec::as_slice);
        let mut sent = Vec::new();
        for reading in readings {
            let share = match self.learnt.memory.asked(id, &reading.name) {
                Some(record) => record.stays(),
                None => self.settings().undocumented,
            };
            if self.chance(share) {
                sent.push(self.sent(id, reading));
            }
        }
        sent
    }

    fn sent(&mut self, id: TemplateId, reading: &Reading) -> Undocumented {
        if reading.place == UndocumentedPlace::Body {
            let name = reading.name.rsplit('.').next().unwrap_or_default();
            let value = self.plain_value(id, name);
            let value = StringGene::plain(reading.form.written(value).to_string());
            return Undocumented { place: reading.place, name: reading.name.clone(), value };
        }
        let is_known = self.chance(self.settings().compared_value);
        let known = if is_known { self.draw.rng.pick(&reading.values) } else { None };
        let known = known.cloned().and_then(|value| value.text(&mut self.draw.rng));
        let value = match known {
            Some(text) => StringGene { text: text.into(), specialisation: None },
            None => match sample(&self.operations.text, id, &Knowledge::default(), self.draw) {
                Gene::String(text) => text,
                _ => StringGene::plain(""),
            },
        };
        Undocumented { place: reading.place, name: reading.name.clone(), value }
    }

    /// A value for a member that only its name tells of: one that was seen under that name, the name
    /// of a thing that is called so, or any text.
    fn plain_value(&mut self, id: TemplateId, name: &str) -> Value {
        let (memory, operations) = (&self.learnt.memory, self.operations);
        let one = singular(name);
        let named = |is_there: &dyn Fn(TemplateId) -> bool| -> Vec<&Value> {
            let ids = memory.pool.values("id").filter(|it| is_there(it.template));
            ids.map(|it| &it.value).collect()
        };
        let mut seen: Vec<&Value> = Vec::new();
        if NAMES.contains(&&*plain(&one)) {
            let own = operations.here(id, &Method::GET);
            seen = named(&|template| own == Some(template));
        }
        if seen.is_empty() {
            let both = memory.pool.values(name).chain(memory.pool.values(&one));
            seen = both.map(|it| &it.value).collect();
        }
        if seen.is_empty() {
            let lists = operations.named(id, &one).map_or(&[][..], |thing| &thing.lists);
            seen = named(&|template| lists.contains(&template));
        }
        match self.draw.rng.pick(&seen) {
            Some(value) => (*value).clone(),
            None => format!("{one}{}", self.draw.rng.below(1_000)).into(),
        }
    }

    /// Draws what is not documented anew for one call. Returns whether it did.
    pub(super) fn change_undocumented(&mut self, plan: &mut Individual<RestAction>) -> bool {
        let readings = &self.learnt.memory.readings;
        if readings.is_empty() || !self.chance(self.settings().undocumented_change) {
            return false;
        }
        let has_readings =
            |place: &usize| readings.contains_key(&plan.actions()[*place].1.template);
        let places: Vec<usize> = (0..plan.actions().len()).filter(has_readings).collect();
        let Some(place) = self.draw.rng.pick(&places).copied() else { return false };
        let undocumented = self.undocumented(plan.actions()[place].1.template);
        let has_changed = plan.actions()[place].1.undocumented != undocumented;
        plan.action_mut(place).undocumented = undocumented;
        has_changed
    }

    /// The same test with what it was just seen to ask for, and with what such values were compared
    /// with.
    pub(in crate::rest) fn with_readings(
        &mut self,
        test: &Evaluated<RestAction>,
    ) -> Vec<Individual<RestAction>> {
        let mut follow_ups = Vec::new();
        for (place, (_, action)) in test.individual.actions().iter().enumerate() {
            let readings = self.learnt.memory.readings.get(&action.template).into_iter().flatten();
            for reading in readings {
                let is_asked = self.learnt.memory.asked(action.template, &reading.name).is_some();
                if is_asked || action.undocumented.iter().any(|sent| sent.name == reading.name) {
                    continue;
                }
                let mut child = test.individual.clone();
                let sent = self.sent(action.template, reading);
                child.action_mut(place).undocumented.push(sent);
                follow_ups.push(child);
            }
        }
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            for (place, index, specialisation) in uses_in(&test.individual, text_use) {
                let Some(text) = specialisation.text(&mut self.draw.rng) else { continue };
                let mut child = test.individual.clone();
                child.action_mut(place).undocumented[index].value = StringGene::plain(text);
                follow_ups.push(child);
            }
        }
        follow_ups
    }
}

#[cfg(test)]
mod tests {
    use super::said_twice;

    #[test]
    fn what_is_said_twice_has_one_name() {
        for (one, other) in [
            ("password1", "password2"),
            ("new_password1", "new_password2"),
            ("password", "passwordConfirmation"),
            ("email", "confirm_email"),
        ] {
            assert!(said_twice(one).is_some() && said_twice(one) == said_twice(other), "{one}");
        }
        assert_ne!(said_twice("old_password"), said_twice("new_password1"));
        assert_eq!(said_twice("address1"), None);
    }
}
