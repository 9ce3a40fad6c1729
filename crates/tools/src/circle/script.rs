//! Translation of the commands of a DG script into the lines of a trigger. A command or a condition that no line can say is
//! left out, and reported with its place and the reason.

use std::collections::{BTreeMap, BTreeSet};

use super::homes::Home;
use super::place::Place;
use super::report::{Kind, Report};
use super::script_condition::{self, AnyOf, Choice};
use super::script_tree::{Branch, Node};
use super::things::Things;
use super::{Source, words};
use crate::circle::records::room::DIRECTIONS;
use crate::circle::records::trigger::Command;
use deepwell_core::catalog::Script;
use deepwell_core::catalog::script::{Deed, ScriptLine};

/// Line without an effect, which keeps the place of a branch whose commands were left out.
const NOTHING: &str = "reset nothing";
/// Seconds of an hour on the other servers.
pub(super) const HOUR_SECS: i64 = 75;
/// Longest wait of a script in seconds.
const WAIT_MAX: i64 = 3_600;
/// Points of damage there for one here.
const DAMAGE: i64 = 3;

/// Words of gestures that a creature makes by command, each with its text.
const GESTURES: [(&str, &str); 12] = [
    ("bow", "bows."),
    ("cackle", "cackles."),
    ("frown", "frowns."),
    ("grin", "grins."),
    ("growl", "growls."),
    ("laugh", "laughs."),
    ("nod", "nods."),
    ("shrug", "shrugs."),
    ("sigh", "sighs."),
    ("smile", "smiles."),
    ("wave", "waves."),
    ("yawn", "yawns."),
];

/// Owner of a script, and what its lines may name.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) source: &'a Source,
    pub(super) things: &'a Things,
    pub(super) creatures: &'a BTreeMap<i64, String>,
    pub(super) homes: &'a BTreeMap<i64, Home>,
    /// Creature that owns the script.
    pub(super) mob: Option<i64>,
    /// Name with its article of a creature for which its room runs the script.
    pub(super) voice: Option<&'a str>,
    /// Rooms in which the script runs.
    pub(super) rooms: &'a BTreeSet<i64>,
    /// Zone of the room that runs the script; `None` for prototypes, which may be in several.
    pub(super) zone: Option<&'a str>,
    /// The event uses up the item that was given.
    pub(super) takes_gift: bool,
}

/// Translator of one script.
pub(super) struct Translator<'a, 'r> {
    pub(super) scene: Scene<'a>,
    pub(super) whose: String,
    pub(super) report: &'r mut Report,
}

impl Translator<'_, '_> {
    fn left_out(&mut self, place: &Place, what: &str, why: &str) {
        let told = format!("`{what}` left out: {why}");
        self.report.note(Kind::Script, place, &self.whose, &told);
    }

    /// Translates a script; `first` are lines before it. Empty if no line is left.
    pub(super) fn script(&mut self, place: &Place, first: Option<String>, nodes: &[Node]) -> Vec<String> {
        let mut lines = Vec::new();
        self.nodes(nodes, None, &mut lines);
        if lines.is_empty() {
            self.report.note(Kind::Script, place, &self.whose, "left out: none of its commands can be said");
            return lines;
        }
        let lines = without_overlap(first.into_iter().chain(lines).collect());
        match Script::parse(lines.iter().map(String::as_str)) {
            Ok(_) => lines,
            Err(mistakes) => {
                let wrong = mistakes.first().map(ToString::to_string).unwrap_or_default();
                self.report.note(Kind::Script, place, &self.whose, &format!("left out: {wrong}"));
                Vec::new()
            }
        }
    }

    /// Translates nodes whose lines all stand under a condition, if there is one.
    fn nodes(&mut self, nodes: &[Node], under: Option<&AnyOf>, lines: &mut Vec<String>) {
        let mut is_open = false;
        let mut rest = nodes.iter().peekable();
        while let Some(node) = rest.next() {
            match node {
                Node::Left { place, what, why } => self.left_out(place, what, why),
                Node::Block(branches) => {
                    is_open = false;
                    self.block(branches, under, lines);
                }
                Node::Line(command) => {
                    let gift = match rest.peek() {
                        Some(Node::Line(next)) => self.loaded_gift(command, next),
                        _ => None,
                    };
                    if gift.is_some() {
                        rest.next();
                    }
                    for deed in gift.map_or_else(|| self.deeds(command), |deed| vec![deed]) {
                        let guard = match under {
                            Some(_) if is_open => "then ".to_owned(),
                            Some(under) => format!("if {}: ", under.words()),
                            None => String::new(),
                        };
                        is_open = true;
                        lines.push(format!("{guard}{deed}"));
                    }
                }
            }
        }
    }

    /// Translates an `if` with its branches.
    fn block(&mut self, branches: &[Branch], under: Option<&AnyOf>, lines: &mut Vec<String>) {
        let Some(first) = branches.first() else { return };
        let mut read = Vec::new();
        for branch in branches {
            let condition = branch.condition.as_deref();
            let asked = condition.map_or_else(
                || Ok(AnyOf::always()),
                |text| script_condition::translate(text, self.scene.things),
            );
            match asked {
                Ok(asked) => read.push((branch, asked)),
                Err(why) => {
                    let count = branches.iter().map(Branch::count).sum::<usize>();
                    let why = format!("{why}; with it go {count} commands below");
                    return self.left_out(&branch.place, condition.unwrap_or("else"), &why);
                }
            }
        }
        for (branch, _) in read.extract_if(.., |(_, asked)| asked.is_never()) {
            let what = branch.condition.as_deref().unwrap_or("else");
            self.left_out(&branch.place, what, "this never happens here");
        }
        if let Some(end) = read.iter().position(|(_, asked)| asked.is_always()) {
            for (branch, _) in read.drain(end + 1..) {
                self.left_out(&branch.place, "else", "this never happens here");
            }
        }
        match &read[..] {
            [] => {}
            [(branch, asked)] => self.only_branch(branch, asked, under, lines),
            _ => self.chain(&first.place, &read, under, lines),
        }
    }

    /// Translates an `if` with one branch, which may contain others.
    fn only_branch(
        &mut self,
        branch: &Branch,
        asked: &AnyOf,
        under: Option<&AnyOf>,
        lines: &mut Vec<String>,
    ) {
        let what = branch.condition.as_deref().unwrap_or("else");
        let whole = match under {
            None => Some(asked.clone()),
            Some(under) => under.and(asked),
        };
        let Some(whole) = whole else {
            return self.left_out(&branch.place, what, "the condition is too long");
        };
        if whole.is_always() {
            return self.nodes(&branch.nodes, under, lines);
        }
        let parts = branch.nodes.len();
        let blocks = branch.nodes.iter().filter(|node| matches!(node, Node::Block(_))).count();
        if blocks > 0 && parts > 1 && !whole.is_stable() {
            return self.left_out(
                &branch.place,
                what,
                "a second look at its condition could find another answer",
            );
        }
        self.nodes(&branch.nodes, Some(&whole), lines);
    }

    /// Translates an `if` with several branches, which contain no others.
    fn chain(
        &mut self,
        place: &Place,
        branches: &[(&Branch, AnyOf)],
        under: Option<&AnyOf>,
        lines: &mut Vec<String>,
    ) {
        let is_nested =
            |(branch, _): &(&Branch, AnyOf)| branch.nodes.iter().any(|node| matches!(node, Node::Block(_)));
        if branches.iter().any(is_nested) {
            return self.left_out(place, "if", "there is a condition inside another one that has an else");
        }
        if under.is_some_and(AnyOf::has_chance) {
            return self.left_out(place, "if", "a second roll of the dice could find another answer");
        }
        let mut told: Vec<(AnyOf, Vec<String>)> = Vec::new();
        for (branch, asked) in branches {
            let mut deeds = Vec::new();
            self.nodes(&branch.nodes, None, &mut deeds);
            told.push((asked.clone(), deeds));
        }
        while told.pop_if(|(_, deeds)| deeds.is_empty()).is_some() {}
        for (at, (asked, deeds)) in told.into_iter().enumerate() {
            let whole = match under {
                None => Some(asked),
                Some(under) => under.and(&asked),
            };
            let Some(whole) = whole else { return self.left_out(place, "if", "the condition is too long") };
            let mut guard = match (at, whole.is_always()) {
                (0, _) => format!("if {}: ", whole.words()),
                (_, true) => "else ".to_owned(),
                (_, false) => format!("else if {}: ", whole.words()),
            };
            let deeds = if deeds.is_empty() { vec![NOTHING.to_owned()] } else { deeds };
            for deed in deeds {
                lines.push(format!("{guard}{deed}"));
                "then ".clone_into(&mut guard);
            }
        }
    }

    /// Translates two commands by which a creature creates an item and gives it to the player.
    fn loaded_gift(&self, load: &Command, give: &Command) -> Option<String> {
        let (verb, rest) = split(&load.words);
        let (what, number) = rest.split_once(' ')?;
        let number: i64 = number.trim().parse().ok()?;
        let (second, given) = split(&give.words);
        let object = self.scene.source.objects.get(&number)?;
        let key = self.scene.things.get(&number)?;
        let (item, taker) = given.split_once(' ')?;
        let is_meant = verb == "load"
            && what == "obj"
            && second == "give"
            && taker.to_lowercase().starts_with("%actor")
            && words::keywords(&object.keywords).contains(&item.to_lowercase());
        is_meant.then(|| format!("give {key}"))
    }

    /// Translates a command into lines; a command that cannot be said is reported.
    fn deeds(&mut self, command: &Command) -> Vec<String> {
        match self.deed(&command.words) {
            Ok(deed) if deed.chars().count() > ScriptLine::CHARS_MAX / 2 => {
                self.left_out(&command.place, &beginning(&command.words), "it is too long");
                Vec::new()
            }
            Ok(deed) => Some(deed).filter(|deed| !deed.is_empty()).into_iter().collect(),
            Err(why) => {
                self.left_out(&command.place, &beginning(&command.words), &why);
                Vec::new()
            }
        }
    }

    fn deed(&self, words: &str) -> Result<String, String> {
        let (verb, rest) = split(words);
        match verb.as_str() {
            "say" | "'" => self.said(rest),
            "emote" | ":" => self.emoted(rest),
            "send" | "tell" | "whisper" => {
                let (whom, text) = rest.split_once(' ').ok_or("there is no text")?;
                require_actor(whom)?;
                let text = self.text(text)?;
                Ok(if verb == "send" {
                    format!("tell {text}")
                } else {
                    format!("tell {} says to you, \"{text}\"", self.name(true))
                })
            }
            "echo" => Ok(format!("room {}", self.text(rest)?)),
            "echoaround" => {
                let (whom, text) = rest.split_once(' ').ok_or("there is no text")?;
                require_actor(whom)?;
                Ok(format!("others {}", self.text(text)?))
            }
            "load" => self.load(rest),
            "door" => self.door(rest),
            "damage" => {
                let (whom, number) = rest.split_once(' ').ok_or("there is no number")?;
                require_actor(whom)?;
                match number.trim().parse::<i64>() {
                    Ok(0) | Err(_) => Err("the number cannot be said".to_owned()),
                    Ok(points) => {
                        let verb = if points > 0 { "harm" } else { "heal" };
                        let points = (points.unsigned_abs() / DAMAGE.unsigned_abs()).clamp(1, 1_000);
                        Ok(format!("{verb} {points}"))
                    }
                }
            }
            "teleport" => {
                let (whom, room) = rest.split_once(' ').ok_or("there is no room")?;
                require_actor(whom)?;
                let home = room.trim().parse().ok().and_then(|room: i64| self.scene.homes.get(&room));
                let home = home.ok_or_else(|| format!("room {} was not read", room.trim()))?;
                let is_near = self.scene.zone == Some(&home.zone);
                Ok(if is_near {
                    format!("move {}", home.key)
                } else {
                    format!("move {}/{}", home.zone, home.key)
                })
            }
            "purge" => match (rest.trim().to_lowercase().as_str(), self.scene.mob) {
                ("%object%", _) if self.scene.takes_gift => Ok(String::new()),
                ("%self%", Some(mob)) => {
                    let key = self.scene.creatures.get(&mob).ok_or("its creature was not read")?;
                    Ok(format!("despawn {key}"))
                }
                _ => Err("only a creature can take itself away".to_owned()),
            },
            "wait" => wait(rest),
            "halt" => Ok("stop".to_owned()),
            "return" if rest.trim() == "1" => Ok(String::new()),
            "return" => Err("a script does not forbid what set it off".to_owned()),
            verb => {
                let gesture = GESTURES.iter().find(|(word, _)| *word == verb && rest.trim().is_empty());
                let known = gesture.filter(|_| self.scene.mob.is_some() || self.scene.voice.is_some());
                known.map_or_else(|| Err("there is no line for it".to_owned()), |(_, text)| self.emoted(text))
            }
        }
    }

    /// Returns the name of the creature that acts, for the beginning of a sentence or its middle.
    fn name(&self, begins: bool) -> String {
        match self.scene.voice {
            Some(name) if begins => words::capital(name),
            Some(name) => name.to_owned(),
            None => if begins { "{Creature}" } else { "{creature}" }.to_owned(),
        }
    }

    fn said(&self, rest: &str) -> Result<String, String> {
        let text = self.text(rest)?;
        Ok(match self.scene.voice {
            Some(_) => format!("room {} says, \"{text}\"", self.name(true)),
            None => format!("say {text}"),
        })
    }

    fn emoted(&self, rest: &str) -> Result<String, String> {
        let text = self.text(rest)?;
        Ok(match self.scene.voice {
            Some(_) => format!("room {} {text}", self.name(true)),
            None => format!("emote {text}"),
        })
    }

    fn load(&self, rest: &str) -> Result<String, String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (what, number, whom) = match *words.as_slice() {
            [what, number] => (what, number, ""),
            [what, number, whom, ..] => (what, number, whom),
            _ => return Err("there is no number".to_owned()),
        };
        let number: i64 = number.parse().map_err(|_| "the number cannot be said".to_owned())?;
        match what {
            "obj" => {
                let key = self.scene.things.get(&number);
                let key = key.ok_or_else(|| format!("thing {number} was not read, or cannot be taken"))?;
                let verb = if whom.to_lowercase().starts_with("%actor") { "give" } else { "item" };
                Ok(format!("{verb} {key}"))
            }
            "mob" => {
                let key = self.scene.creatures.get(&number);
                Ok(format!("spawn {}", key.ok_or_else(|| format!("creature {number} was not read"))?))
            }
            _ => Err("it loads neither obj nor mob".to_owned()),
        }
    }

    /// Translates the change of a door, which has to be in the room of the script.
    fn door(&self, rest: &str) -> Result<String, String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [room, direction, "flags", flags, ..] = *words.as_slice() else {
            return Err("only the flags of a door can change".to_owned());
        };
        let room: i64 = room.parse().map_err(|_| "the room is no number".to_owned())?;
        if self.scene.rooms.len() != 1 || !self.scene.rooms.contains(&room) {
            return Err(format!("the door is in room {room}, not only in the room of the script"));
        }
        let known = DIRECTIONS.iter().position(|(name, _)| name.starts_with(&direction.to_lowercase()));
        let exits = self.scene.source.rooms.get(&room).map(|room| &room.exits);
        let has_door = |at: usize| {
            exits.is_some_and(|exits| exits.iter().any(|exit| exit.direction == at && exit.door > 0))
        };
        let at = known.filter(|at| has_door(*at)).ok_or("there is no such door")?;
        let (name, _) = DIRECTIONS.get(at).ok_or("there is no such door")?;
        Ok(format!("{} {name}", if flags.contains('b') { "shut" } else { "open" }))
    }

    /// Translates a text with its variables.
    fn text(&self, text: &str) -> Result<String, String> {
        let plain = words::line(&text.replace('{', "(").replace('}', ")"));
        let mut said = String::new();
        let mut rest = plain.as_str();
        while let Some((before, behind)) = rest.split_once('%') {
            said.push_str(before);
            let Some((variable, after)) = behind.split_once('%').filter(|(word, _)| !word.contains(' '))
            else {
                // A single sign is part of the text.
                said.push('%');
                rest = behind;
                continue;
            };
            said.push_str(&self.slot(variable).ok_or_else(|| format!("%{variable}% cannot be said"))?);
            rest = after;
        }
        said.push_str(rest);
        if said.trim().is_empty() { Err("there is no text".to_owned()) } else { Ok(said) }
    }

    fn slot(&self, variable: &str) -> Option<String> {
        Some(match variable.to_lowercase().as_str() {
            "actor" | "actor.name" | "actor.alias" => "{player}".to_owned(),
            "actor.heshe" => "{player.they}".to_owned(),
            "actor.himher" => "{player.them}".to_owned(),
            "actor.hisher" => "{player.their}".to_owned(),
            "self" | "self.name" if self.scene.mob.is_some() || self.scene.voice.is_some() => {
                self.name(false)
            }
            "self.name" | "self.room.name" | "actor.room.name" => "{room}".to_owned(),
            "speech" => "{words}".to_owned(),
            _ => return None,
        })
    }

    /// Splits a script whose only command asks for the words said or the item given into one script for each answer.
    pub(super) fn by_choice<'n>(&mut self, nodes: &'n [Node]) -> Option<Vec<(Choice, &'n Branch)>> {
        let [Node::Block(branches)] = nodes else { return None };
        let mut chosen = Vec::new();
        for branch in branches {
            match branch.condition.as_deref() {
                Some(text) => chosen.push((script_condition::choice(text, self.scene.things)?, branch)),
                None => self.left_out(&branch.place, "else", "no event stands for all other answers"),
            }
        }
        Some(chosen)
    }
}

/// Returns the lines of a script with those that keep it from beginning again while it waits, also at its end. The other
/// servers run no script that waits a second time.
fn without_overlap(lines: Vec<String>) -> Vec<String> {
    let Ok(script) = Script::parse(lines.iter().map(String::as_str)) else { return lines };
    let waits = |line: &ScriptLine| matches!(line.deed, Deed::Wait(_));
    let alone = script.lines().iter().any(waits).then(|| Deed::Alone.to_string());
    let end = script.lines().last().is_some_and(waits).then(|| NOTHING.to_owned());
    alone.into_iter().chain(lines).chain(end).collect()
}

/// Splits off the verb of a command, without the signs and the letter of its owner.
fn split(words: &str) -> (String, &str) {
    let (verb, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let bare = verb.trim_matches('%').to_lowercase();
    let of_owner = ["m", "o", "w"].into_iter().find_map(|owner| {
        let rest = bare.strip_prefix(owner)?;
        ["send", "echo", "echoaround", "load", "door", "damage", "teleport", "purge"]
            .contains(&rest)
            .then(|| rest.to_owned())
    });
    (of_owner.unwrap_or(bare), rest.trim())
}

fn require_actor(whom: &str) -> Result<(), String> {
    if matches!(whom.to_lowercase().as_str(), "%actor%" | "%actor.name%") {
        return Ok(());
    }
    Err(format!("{whom} is not the player who sets it off"))
}

/// Translates a wait: `5 sec`, `1 t` in hours there, or tenths of a second.
fn wait(rest: &str) -> Result<String, String> {
    let (number, unit) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let number: i64 = number.parse().map_err(|_| "the time is no number".to_owned())?;
    let secs = match unit.trim().chars().next() {
        Some('s') => number,
        Some('t') => number.saturating_mul(HOUR_SECS),
        None => number.saturating_add(9) / 10,
        Some(_) => return Err("the unit of the time is unknown".to_owned()),
    };
    Ok(format!("wait {}", secs.clamp(1, WAIT_MAX)))
}

/// Returns the first letters of a command.
fn beginning(words: &str) -> String {
    words.chars().take(60).collect()
}
