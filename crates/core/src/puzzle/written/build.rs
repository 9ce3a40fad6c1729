//! Construction of a board from a puzzle file: names are resolved to ids, states to switches, and shuffled words are
//! inserted where they are referenced.

use crate::base::Point;
use crate::data::CatalogError;
use std::collections::BTreeMap;

use super::super::answer::plain_answer;
use super::super::board::{Board, Cell, CellKind, Gate, Hint, Lock, Opening};
use super::super::config::PuzzleConfig;
use super::super::feature::Goal;
use super::super::id::{CellId, GateId, KeyId, SwitchId};
use super::super::mechanism::{Look, Mechanism, Outcome, Thing, Use, Verb, When};
use super::file::{GateText, NumberOrName, PlacedText, PuzzleFile, StateSetting, ThingText, UseText};

/// Words of each shuffled list, in their resulting order.
pub(super) type ShuffledLists = BTreeMap<String, Vec<String>>;

/// Default message for a use without effect.
const IDLE: &str = "Nothing comes of it.";

/// Builds a board, and reports all dangling references in the file.
pub(super) fn build(
    file: &PuzzleFile,
    order: &ShuffledLists,
    config: &PuzzleConfig,
    mistakes: &mut Vec<CatalogError>,
) -> Board {
    let mut board =
        Board { goal: Goal::ReachFinish, players: 1, restarts: file.restarts, ..Board::default() };
    let tries = file.tries.value(config);
    board.tries = (tries > 0).then_some(tries);
    if let NumberOrName::Named(name) = &file.tries
        && !file.numbers.iter().any(|number| number.name == name.text)
    {
        let valid = file.numbers.iter().map(|number| number.name.as_str());
        mistakes.push(CatalogError::unknown_name(&name.place, "number", &name.text, valid));
    }
    let mut builder = FileBoardBuilder {
        file,
        order,
        config,
        mistakes,
        board,
        rooms: BTreeMap::new(),
        keys: BTreeMap::new(),
        gates: BTreeMap::new(),
        states: BTreeMap::new(),
    };
    builder.number_states();
    builder.add_keys();
    builder.add_rooms();
    builder.add_gates();
    builder.join_rooms();
    for thing in &file.things {
        builder.add_thing(thing);
    }
    for hint in &file.hints {
        let hint = Hint { when: builder.when(&hint.when), text: builder.fill(&hint.text) };
        builder.board.hints.push(hint);
    }
    builder.board.solution = file.solution.iter().map(|line| builder.fill(line)).collect();
    builder.board
}

struct FileBoardBuilder<'f, 'm> {
    file: &'f PuzzleFile,
    order: &'f ShuffledLists,
    config: &'f PuzzleConfig,
    mistakes: &'m mut Vec<CatalogError>,
    board: Board,
    rooms: BTreeMap<&'f str, CellId>,
    keys: BTreeMap<&'f str, KeyId>,
    gates: BTreeMap<&'f str, GateId>,
    /// First switch of each state, and its values. The first value means that all of its switches are off.
    states: BTreeMap<&'f str, (u16, &'f [PlacedText])>,
}

impl<'f> FileBoardBuilder<'f, '_> {
    /// Returns a text with its placeholders filled in: `{bell.1}` is the first word of a shuffled list, `{tries}` a
    /// number.
    fn fill(&mut self, placed: &PlacedText) -> String {
        let mut filled = String::new();
        let mut rest = placed.text.as_str();
        while let Some((before, behind)) = rest.split_once('{') {
            filled.push_str(before);
            let Some((slot, after)) = behind.split_once('}') else { break };
            if let Some(word) = self.slot(slot) {
                filled.push_str(&word);
            } else {
                let valid = self.slots();
                let valid = valid.iter().map(String::as_str);
                self.mistakes.push(CatalogError::unknown_name(&placed.place, "slot", slot, valid));
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }

    fn slot(&self, slot: &str) -> Option<String> {
        if let Some((list, place)) = slot.split_once('.') {
            let place = place.parse::<usize>().ok()?.checked_sub(1)?;
            return self.order.get(list)?.get(place).cloned();
        }
        let number = self.file.numbers.iter().find(|number| number.name == slot)?;
        Some(self.config.number(&number.name).to_string())
    }

    fn slots(&self) -> Vec<String> {
        let slots =
            self.order.iter().flat_map(|(list, texts)| (1..=texts.len()).map(move |n| format!("{list}.{n}")));
        slots.chain(self.file.numbers.iter().map(|number| number.name.clone())).collect()
    }

    /// Resolves a name, or reports a mistake with the nearest valid name.
    fn find<T: Copy>(
        &mut self,
        what: &str,
        name: &PlacedText,
        known: impl Fn(&Self) -> &BTreeMap<&'f str, T>,
    ) -> Option<T> {
        let filled = self.fill(name);
        let found = known(self).get(filled.as_str()).copied();
        if found.is_none() && !filled.is_empty() {
            let valid: Vec<&str> = known(self).keys().copied().collect();
            self.mistakes.push(CatalogError::unknown_name(&name.place, what, &filled, valid));
        }
        found
    }

    fn number_states(&mut self) {
        let mut next = 0;
        for (name, values) in &self.file.states {
            self.states.insert(name, (next, values));
            next += u16::try_from(values.len()).unwrap_or(u16::MAX).saturating_sub(1);
        }
    }

    fn add_keys(&mut self) {
        for (key, name) in &self.file.keys {
            let name = self.fill(name);
            let id = self.board.add_key(&name);
            self.keys.insert(key, id);
        }
    }

    fn add_rooms(&mut self) {
        for (key, room) in &self.file.rooms {
            let (name, text) = (self.fill(&room.name), self.fill(&room.text));
            let id = self.board.add(Cell::new(Point::ORIGIN, CellKind::Chamber, &name, &text));
            self.rooms.insert(key, id);
        }
        if let Some(entrance) = self.find("room", &self.file.entrance, |own| &own.rooms) {
            self.board.entrance = entrance;
            self.set_kind(entrance, CellKind::Entrance);
        }
        if let Some(finish) = self.find("room", &self.file.finish, |own| &own.rooms) {
            self.set_kind(finish, CellKind::Finish);
            self.board.put(finish, Mechanism::Finish);
        }
    }

    fn set_kind(&mut self, id: CellId, kind: CellKind) {
        if let Some(cell) = self.board.cell_mut(id) {
            cell.kind = kind;
        }
    }

    fn add_gates(&mut self) {
        for (key, gate) in &self.file.gates {
            let opening = self.opening(gate);
            let (name, shut, message) = (self.fill(&gate.name), self.fill(&gate.shut), self.fill(&gate.told));
            let id = self.board.add_gate(Gate { name, shut, told: message, opening });
            self.gates.insert(key, id);
        }
    }

    fn opening(&mut self, gate: &GateText) -> Opening {
        if gate.key.is_some() != gate.opens.is_empty() {
            let mistake = "a gate is opened by a `key` or by what `opens` it";
            self.mistakes.push(CatalogError::new(&gate.place, mistake, "one of them"));
        }
        if let Some(key) = &gate.key {
            let key = self.find("key", key, |own| &own.keys).unwrap_or(KeyId(0));
            return Opening::Key { key, kept: false };
        }
        let When { on, off } = self.when(&gate.opens);
        Opening::Switches { on, off, stays: gate.stays }
    }

    /// Assigns a position to each room, starting from the entrance along the passages, and joins it to its neighbours.
    fn join_rooms(&mut self) {
        let mut ways = Vec::new();
        for way in &self.file.ways {
            let from = self.find("room", &way.from, |own| &own.rooms);
            let to = self.find("room", &way.to, |own| &own.rooms);
            let gate = way.gate.as_ref().and_then(|gate| self.find("gate", gate, |own| &own.gates));
            if let (Some(from), Some(to), Some(go)) = (from, to, way.go) {
                ways.push((way, from, go, to, gate));
            }
        }
        let mut placed = BTreeMap::from([(self.board.entrance, Point::ORIGIN)]);
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (_, from, go, to, _) in &ways {
                let (one, other) = (placed.get(from).copied(), placed.get(to).copied());
                match (one, other) {
                    (Some(at), None) => grown |= placed.insert(*to, at.step(*go)).is_none(),
                    (None, Some(at)) => grown |= placed.insert(*from, at.step(go.opposite())).is_none(),
                    _ => {}
                }
            }
        }
        for (key, room) in &self.file.rooms {
            let Some(id) = self.rooms.get(key.as_str()).copied() else { continue };
            if let (Some(at), Some(cell)) = (placed.get(&id), self.board.cell_mut(id)) {
                cell.at = *at;
            } else if self.mistakes.is_empty() {
                // A dangling passage is reported separately.
                let mistake = format!("no way leads to the room `{key}`");
                self.mistakes.push(CatalogError::new(&room.place, mistake, "one of `ways` to or from it"));
            }
        }
        for (way, from, go, to, gate) in ways {
            if placed.get(&from).map(|at| at.step(go)) != placed.get(&to).copied() {
                let mistake = format!("`{}` does not lie {go} of `{}`", way.to.text, way.from.text);
                let expected = "ways as on squared paper";
                self.mistakes.push(CatalogError::new(&way.place, mistake, expected));
            } else if way.one_way {
                self.board.join_one_way(from, go, to);
            } else {
                self.board.join(from, go, to, gate.map_or(Lock::Open, Lock::Gate));
            }
        }
    }

    fn add_thing(&mut self, text: &ThingText) {
        let room = self.find("room", &text.room, |own| &own.rooms);
        let message = text.idle.as_ref().map_or_else(|| IDLE.to_owned(), |idle| self.fill(idle));
        let thing = Thing { name: self.fill(&text.name), seen: self.fill(&text.seen), told: message };
        let looks = text.looks.iter();
        let looks =
            looks.map(|look| Look { when: self.when(&look.when), seen: self.fill(&look.seen) }).collect();
        let uses = text.uses.iter().map(|one| self.make_use(one)).collect();
        if let Some(room) = room {
            self.board.put(room, Mechanism::Device { thing, looks, uses });
        }
    }

    fn make_use(&mut self, text: &UseText) -> Use {
        let verb = text.verb.unwrap_or(Verb::Use);
        self.check_use(text, verb);
        let mut does: Vec<Outcome> = Vec::new();
        // A restart comes first, so that it does not undo the other effects.
        does.extend(text.restarts.then_some(Outcome::Restart));
        for value in &text.then {
            let When { on, off } = self.when(std::slice::from_ref(value));
            does.extend(off.into_iter().map(Outcome::Off));
            does.extend(on.into_iter().map(Outcome::On));
            self.turn_off_others(value, &mut does);
        }
        let gives = text.gives.as_ref().and_then(|key| self.find("key", key, |own| &own.keys));
        let takes = text.takes.as_ref().and_then(|key| self.find("key", key, |own| &own.keys));
        does.extend(takes.map(Outcome::Lose));
        does.extend(gives.map(Outcome::Key));
        does.extend(text.mistake.then_some(Outcome::Mistake));
        Use {
            verb,
            to: text.to.as_ref().map(|to| self.fill(to).to_lowercase()),
            key: text.key.as_ref().and_then(|key| self.find("key", key, |own| &own.keys)),
            words: text.words.iter().map(|word| plain_answer(&self.fill(word))).collect(),
            when: self.when(&text.when),
            does,
            told: self.fill(&text.told),
            sound: text.sound.clone(),
        }
    }

    /// Reports fields that the verb of a use does not support, and missing ones.
    fn check_use(&mut self, text: &UseText, verb: Verb) {
        let mistake = match verb {
            Verb::Answer if text.words.is_empty() => Some("`say` wants the `words` that are said"),
            Verb::Answer => None,
            _ if !text.words.is_empty() => Some("`words` are only said"),
            Verb::Turn => None,
            _ if text.to.is_some() => Some("only what one turns is turned `to` something"),
            Verb::Put if text.key.is_none() => Some("`put` wants the `key` that is put there"),
            _ => None,
        };
        if let Some(mistake) = mistake {
            self.mistakes.push(CatalogError::new(&text.place, mistake, ""));
        }
    }

    /// Returns the switch of a state's value, `None` for the first value, and all switches of the state.
    fn find_switches(&mut self, value: &StateSetting) -> Option<(Option<SwitchId>, Vec<SwitchId>)> {
        let name = PlacedText { place: value.place.clone(), text: value.state.clone() };
        let (first, values) = self.find("state", &name, |own| &own.states)?;
        let wanted = PlacedText { place: value.place.clone(), text: value.value.clone() };
        let wanted = self.fill(&wanted);
        let values: Vec<String> = values.iter().map(|value| self.fill(value)).collect();
        let Some(place) = values.iter().position(|value| *value == wanted) else {
            let what = format!("value of `{}`", value.state);
            let valid = values.iter().map(String::as_str);
            self.mistakes.push(CatalogError::unknown_name(&value.place, &what, &wanted, valid));
            return None;
        };
        let switch =
            |place: usize| SwitchId(first + u16::try_from(place).unwrap_or(u16::MAX).saturating_sub(1));
        Some(((place > 0).then(|| switch(place)), (1..values.len()).map(switch).collect()))
    }

    fn when(&mut self, values: &[StateSetting]) -> When {
        let mut when = When::default();
        for value in values {
            match self.find_switches(value) {
                Some((Some(on), _)) => when.on.push(on),
                Some((None, all)) => when.off.extend(all),
                None => {}
            }
        }
        when
    }

    fn turn_off_others(&mut self, value: &StateSetting, does: &mut Vec<Outcome>) {
        if let Some((Some(on), all)) = self.find_switches(value) {
            does.extend(all.into_iter().filter(|switch| *switch != on).map(Outcome::Off));
        }
    }
}
