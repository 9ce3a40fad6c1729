//! Row images for the build journal: the builder-edited part of a row as a JSON value, differences between two images,
//! and patching of rows that were changed in other fields since.

use crate::base::{GameTime, Rare};
use crate::world::tables::Row;
use crate::world::{Character, Definition, Exit, ExitKind, Item, OwnTasks, OwnTrigger, Room, StartTasks};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Row that builders create or edit.
pub trait Imaged: Row + Serialize + DeserializeOwned {
    /// Fields that change during play. They are ignored when images are compared.
    const LIVING: &'static [&'static str];

    /// Returns the row without its runtime state, such as visitor memories and open windows.
    #[must_use]
    fn still(&self) -> Self {
        self.clone()
    }

    /// Returns this row with the runtime state of another.
    #[must_use]
    fn alive(self, _: &Self) -> Self {
        self
    }

    /// Divides fields of a row's image, or of a difference, that a journal may have divided or whole.
    fn divide(_: &mut Value) {}

    /// Returns `true` if a row is as an image in the journal says, apart from the fields that change during play.
    fn is_as(&self, recorded: &Value) -> bool {
        let (mut now, mut recorded) = (self.image(), recorded.clone());
        Self::divide(&mut now);
        Self::divide(&mut recorded);
        is_same(&now, &recorded, Self::LIVING)
    }

    /// Returns the row with a difference of the journal applied; `None` if the row has not the values of `from`.
    fn patched(&self, from: &Value, to: &Value) -> Option<Self> {
        let (mut now, mut from, mut to) = (self.image(), from.clone(), to.clone());
        for image in [&mut now, &mut from, &mut to] {
            Self::divide(image);
        }
        give_same_fields(&mut from, &mut to);
        Some(Self::of_image(&patch(&now, &from, &to)?)?.alive(self))
    }

    /// Returns the row as a value.
    fn image(&self) -> Value {
        serde_json::to_value(self.still()).unwrap_or_default()
    }

    /// Parses a row from an image; `None` if the image is invalid. Reads the image as text, like rows from storage, so
    /// that the program contains the code that reads a row once.
    fn of_image(image: &Value) -> Option<Self> {
        serde_json::from_str(&image.to_string()).ok()
    }
}

impl Imaged for Room {
    const LIVING: &'static [&'static str] =
        &["counters", "script_states", "waits", "sold", "challenge", "web", "clear"];

    /// Puts the lines of the trigger without a name for players who enter into the field `on_enter`.
    fn divide(image: &mut Value) {
        let Value::Object(fields) = image else { return };
        let Some(Value::Array(triggers)) = fields.get_mut("triggers") else { return };
        let is_first =
            |trigger: &Value| trigger.get("name").is_none() && trigger.get("on") == Some(&json!("enter"));
        if !triggers.first().is_some_and(is_first) {
            return;
        }
        let lines = triggers.remove(0)["lines"].take();
        if triggers.is_empty() {
            fields.remove("triggers");
        }
        fields.insert("on_enter".to_owned(), lines);
    }

    fn still(&self) -> Self {
        let mut room = self.clone();
        room.memories.clear();
        room.waits = Rare::usual();
        room.sold = Rare::usual();
        room.challenge.visitors.clear();
        room
    }

    /// Contains also the empty list of aliases that a stored row leaves out, because undo compares images field by field.
    fn image(&self) -> Value {
        let mut image = serde_json::to_value(self.still()).unwrap_or_default();
        image["aliases"] = self.sheet.aliases.iter().map(String::as_str).collect();
        image
    }

    fn alive(self, now: &Self) -> Self {
        Self {
            memories: now.memories.clone(),
            challenge: now.challenge.clone(),
            waits: now.waits.clone(),
            sold: now.sold.clone(),
            ..self
        }
    }
}

impl Imaged for Exit {
    const LIVING: &'static [&'static str] = &["state"];

    /// Contains also what a stored row leaves out, because undo compares images field by field.
    fn image(&self) -> Value {
        let still = self.still();
        let mut image = json!({
            "name": still.name, "kind": still.kind, "state": still.state, "back": still.back,
            "description": still.description,
        });
        if let (Some(image), Ok(Value::Object(stored))) =
            (image.as_object_mut(), serde_json::to_value(&still))
        {
            image.extend(stored);
            image.insert("aliases".to_owned(), still.all_aliases().collect());
        }
        image
    }

    fn still(&self) -> Self {
        let mut exit = self.clone();
        exit.window = Rare::usual();
        if exit.kind == ExitKind::Branch {
            exit.to = None;
        }
        if let Some(door) = &mut *exit.door {
            door.shut = true;
        }
        let OwnTasks { reset, check } = &mut *exit.own_tasks;
        for task in [reset, check].into_iter().flatten() {
            task.next_at = GameTime(0);
        }
        exit
    }

    fn alive(mut self, now: &Self) -> Self {
        if let (Some(door), Some(now)) = (&mut *self.door, &*now.door) {
            door.shut = now.shut;
        }
        let to = if self.kind == ExitKind::Branch { now.to } else { self.to };
        Self { to, window: now.window.clone(), ..self }
    }
}

impl Imaged for Definition {
    const LIVING: &'static [&'static str] = &["file", "at", "former_keys"];
}

impl Imaged for StartTasks {
    const LIVING: &'static [&'static str] = &["next_reset_at", "next_check_at"];
}

/// Returns the builder-edited fields of a creature.
pub fn creature(body: &Character) -> Value {
    json!({ "name": body.name, "description": body.description, "triggers": *body.triggers })
}

/// Returns the builder-edited fields of an item.
pub fn item(row: &Item) -> Value {
    json!({ "triggers": *row.triggers })
}

/// Returns the triggers in an image of a creature or item.
pub fn triggers(image: &Value) -> Vec<OwnTrigger> {
    image.get("triggers").and_then(|triggers| Vec::deserialize(triggers).ok()).unwrap_or_default()
}

/// Returns the fields that differ, with the old and the new values; `None` if the images are equal. Tables are compared
/// field by field, and an absent field is null.
pub fn difference(before: &Value, after: &Value, but: &[&str]) -> Option<(Value, Value)> {
    let (was, is) = (fields(before)?, fields(after)?);
    let (mut from, mut to) = (Map::new(), Map::new());
    let added = is.keys().filter(|key| !was.contains_key(*key));
    for key in was.keys().chain(added).filter(|key| !but.contains(&key.as_str())) {
        let (old, new) = (was.get(key).unwrap_or(&Value::Null), is.get(key).unwrap_or(&Value::Null));
        if let Some((old, new)) = if is_whole(key, old, new) {
            (old != new).then(|| (old.clone(), new.clone()))
        } else {
            difference(old, new, &[])
        } {
            from.insert(key.clone(), old);
            to.insert(key.clone(), new);
        }
    }
    (!from.is_empty()).then_some((Value::Object(from), Value::Object(to)))
}

/// Returns `true` if two images are equal, apart from the fields in `but`.
pub fn is_same(one: &Value, other: &Value, but: &[&str]) -> bool {
    difference(one, other, but).is_none()
}

/// Returns the image with a difference applied: values in `from` are replaced by those in `to`. `None` if the image
/// does not contain the values of `from`.
pub fn patch(image: &Value, from: &Value, to: &Value) -> Option<Value> {
    let mut patched = fields(image)?;
    let (from, to) = (fields(from)?, fields(to)?);
    for (key, old) in &from {
        let (here, new) = (image.get(key).unwrap_or(&Value::Null), to.get(key).unwrap_or(&Value::Null));
        let changed = if is_whole(key, old, new) {
            (here == old).then(|| new.clone())?
        } else {
            patch(here, old, new)?
        };
        if changed.is_null() {
            patched.remove(key);
        } else {
            patched.insert(key.clone(), changed);
        }
    }
    Some(Value::Object(patched))
}

/// Completes two halves of a difference: a field that only one half has is null in the other, and one that is equal in
/// both is no difference.
fn give_same_fields(from: &mut Value, to: &mut Value) {
    let (Value::Object(from), Value::Object(to)) = (from, to) else { return };
    for key in to.keys() {
        from.entry(key.clone()).or_insert(Value::Null);
    }
    from.retain(|key, was| to.get(key).unwrap_or(&Value::Null) != was);
}

/// Returns `true` if a field is replaced as a whole. This applies when a door or task is added or removed, and to
/// values that are not tables.
fn is_whole(key: &str, old: &Value, new: &Value) -> bool {
    let is_table = |value: &Value| value.is_object() || value.is_null();
    let comes_whole = matches!(key, "door" | "reset" | "check") && (old.is_null() || new.is_null());
    comes_whole || !is_table(old) || !is_table(new) || (old.is_null() && new.is_null())
}

/// Returns the fields of a table. An absent value has no fields; other values return `None`.
fn fields(value: &Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(fields) => Some(fields.clone()),
        Value::Null => Some(Map::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::RoomId;
    use crate::catalog::{RoomKind, RoomSheet, TriggerEvent};
    use crate::world::Trigger;
    use proptest::prelude::*;

    #[test]
    fn difference_has_only_changed_fields() {
        let before =
            json!({ "name": "Cellar", "details": { "tub": "Wet." }, "at": { "x": 0, "y": 1 }, "seen": 1 });
        let after = json!({ "name": "Cellar", "details": { "tub": "Dry.", "rope": "Long." }, "at": { "x": 0, "y": 1 } });
        let (from, to) = difference(&before, &after, &["seen"]).unwrap();
        assert_eq!(from, json!({ "details": { "tub": "Wet.", "rope": null } }));
        assert_eq!(to, json!({ "details": { "tub": "Dry.", "rope": "Long." } }));
        assert_eq!(difference(&before, &before, &[]), None);
        assert_eq!(difference(&before, &json!({ "seen": 2 }), &["seen", "name", "details", "at"]), None);
    }

    #[test]
    fn patch_keeps_unrelated_changes() {
        let (from, to) = (json!({ "details": { "tub": "Wet." } }), json!({ "details": { "tub": null } }));
        let now = json!({ "name": "Vault", "details": { "tub": "Wet.", "rope": "Long." } });
        assert_eq!(patch(&now, &from, &to), Some(json!({ "name": "Vault", "details": { "rope": "Long." } })));
        assert_eq!(patch(&json!({ "details": { "tub": "Dry." } }), &from, &to), None);
        assert_eq!(patch(&json!({}), &from, &to), None, "it says nothing of the kind");
        assert_eq!(patch(&json!({}), &to, &from), Some(from));
    }

    #[test]
    fn door_is_added_and_removed_as_a_whole() {
        let door = json!({ "door": { "name": "oak door", "shut": true, "key": "pit_key" } });
        let (from, to) = difference(&json!({}), &door, &[]).unwrap();
        assert_eq!(patch(&door, &to, &from), Some(json!({})));
        assert_eq!(patch(&json!({ "door": null }), &from, &to), Some(door.clone()));
        let bare = json!({ "door": { "name": "oak door", "shut": true } });
        let (from, to) = difference(&door, &bare, &[]).unwrap();
        assert_eq!((from, to), (json!({ "door": { "key": "pit_key" } }), json!({ "door": { "key": null } })));
    }

    /// A room with triggers for entering, speaking and searching, each at most once without a name.
    fn room() -> impl Strategy<Value = Room> {
        let lines = || prop::collection::vec("tell [a-c]", 1..3);
        let others = prop::sample::subsequence(vec!["enter", "say friend", "search"], 0..=3);
        (prop::option::of(lines()), others, lines(), "[A-B]").prop_map(|(first, others, lines, name)| {
            let mut room = Room::new(RoomId(1), RoomSheet::new(RoomKind::Room, name));
            for (at, on) in others.into_iter().enumerate() {
                let on = TriggerEvent::parse(on, 60).expect("an event");
                let name = if on == TriggerEvent::Enter { format!("deep_{at}") } else { String::new() };
                room.triggers.push(Trigger { name, on, lines: lines.clone() });
            }
            Trigger::set_first(first.unwrap_or_default(), &mut room.triggers);
            room
        })
    }

    /// Returns an image with the trigger for entering in the field `on_enter`, as a stored row or journal may have it.
    fn with_on_enter(mut image: Value) -> Value {
        Room::divide(&mut image);
        image
    }

    proptest! {
        /// Rows and journal entries with the field `on_enter` give the same room as those with a trigger.
        #[test]
        fn on_enter_of_rows_and_journals_is_a_trigger(one in room(), other in room()) {
            for room in [&one, &other] {
                let row = with_on_enter(room.image());
                prop_assert_eq!(row.get("on_enter").is_some(), room.triggers.first().is_some_and(Trigger::is_first));
                prop_assert_eq!(&Room::of_image(&row).expect("a room"), room);
                prop_assert!(!serde_json::to_string(room).expect("a row").contains("on_enter"));
                prop_assert!(room.is_as(&row) && room.is_as(&room.image()));
            }
            prop_assert_eq!(one.is_as(&with_on_enter(other.image())), one == other);
            let forms = [
                difference(&one.image(), &other.image(), Room::LIVING),
                difference(&with_on_enter(one.image()), &with_on_enter(other.image()), Room::LIVING),
            ];
            for (from, to) in forms.into_iter().flatten() {
                prop_assert!(one.patched(&from, &to).is_some_and(|room| room == other), "{} to {}", from, to);
                prop_assert!(other.patched(&to, &from).is_some_and(|room| room == one), "{} to {}", to, from);
                prop_assert_eq!(one.patched(&to, &from).is_some(), one == other);
            }
        }
    }

    fn image() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(json!(1)), Just(json!("words")), Just(json!([1, 2])), Just(json!(true))];
        leaf.prop_recursive(2, 12, 4, |inner| {
            prop::collection::btree_map("[abc]", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect()))
        })
    }

    fn table() -> impl Strategy<Value = Value> {
        prop::collection::btree_map("[abcd]", image(), 0..4)
            .prop_map(|fields| Value::Object(fields.into_iter().collect()))
    }

    proptest! {
        /// Applying a difference and its inverse restores the image.
        #[test]
        fn difference_and_inverse_restore_the_image(one in table(), other in table()) {
            if let Some((from, to)) = difference(&one, &other, &[]) {
                let there = patch(&one, &from, &to).expect("it says what it says");
                prop_assert!(is_same(&there, &other, &[]));
                let back = patch(&there, &to, &from).expect("and then the other");
                prop_assert!(is_same(&back, &one, &[]));
            } else {
                prop_assert!(is_same(&one, &other, &[]));
            }
        }
    }
}
