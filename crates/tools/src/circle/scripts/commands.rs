//! Commands of DG scripts as deeds of a trigger: what each does, the things that it names, and the variables of its text.

use std::collections::{BTreeMap, BTreeSet};

use crate::circle::homes::Home;
use crate::circle::items::Items;
use crate::circle::records::room::DIRECTIONS;
use crate::circle::records::trigger::TriggerCommand;
use crate::circle::report::Untranslated;
use crate::circle::{HOUR_SECS, SourceRecords, words};

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
pub(super) struct ScriptOwner<'a> {
    pub(super) source: &'a SourceRecords,
    pub(super) items: &'a Items,
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

impl ScriptOwner<'_> {
    /// Translates two commands by which a creature creates an item and gives it to the player.
    pub(super) fn loaded_gift(&self, load: &TriggerCommand, give: &TriggerCommand) -> Option<String> {
        let (verb, rest) = split(&load.words);
        let (what, number) = rest.split_once(' ')?;
        let number: i64 = number.trim().parse().ok()?;
        let (second, given) = split(&give.words);
        let object = self.source.objects.get(&number)?;
        let key = self.items.get(&number)?;
        let (item, taker) = given.split_once(' ')?;
        let is_meant = verb == "load"
            && what == "obj"
            && second == "give"
            && taker.to_lowercase().starts_with("%actor")
            && words::keywords(&object.keywords).contains(&item.to_lowercase());
        is_meant.then(|| format!("give {key}"))
    }

    pub(super) fn deed(&self, command: &str) -> Result<String, Untranslated> {
        let (verb, rest) = split(command);
        match verb.as_str() {
            "say" | "'" => self.translate_text(rest),
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
                    Ok(0) | Err(_) => Err("the number cannot be said".into()),
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
                let home = room.trim().parse().ok().and_then(|room: i64| self.homes.get(&room));
                let home = home.ok_or_else(|| format!("room {} was not read", room.trim()))?;
                let is_near = self.zone == Some(&home.zone);
                Ok(if is_near {
                    format!("move {}", home.key)
                } else {
                    format!("move {}/{}", home.zone, home.key)
                })
            }
            "purge" => match (rest.trim().to_lowercase().as_str(), self.mob) {
                ("%object%", _) if self.takes_gift => Ok(String::new()),
                ("%self%", Some(mob)) => {
                    let key = self.creatures.get(&mob).ok_or("its creature was not read")?;
                    Ok(format!("despawn {key}"))
                }
                _ => Err("only a creature can take itself away".into()),
            },
            "wait" => wait(rest),
            "halt" => Ok("stop".to_owned()),
            "return" if rest.trim() == "1" => Ok(String::new()),
            "return" => Err("a script does not forbid what set it off".into()),
            verb => {
                let gesture = GESTURES.iter().find(|(word, _)| *word == verb && rest.trim().is_empty());
                let known = gesture.filter(|_| self.mob.is_some() || self.voice.is_some());
                known.map_or_else(|| Err("there is no line for it".into()), |(_, text)| self.emoted(text))
            }
        }
    }

    /// Returns the name of the creature that acts, for the beginning of a sentence or its middle.
    fn name(&self, begins: bool) -> String {
        match self.voice {
            Some(name) if begins => words::capital(name),
            Some(name) => name.to_owned(),
            None => if begins { "{Creature}" } else { "{creature}" }.to_owned(),
        }
    }

    fn translate_text(&self, rest: &str) -> Result<String, Untranslated> {
        let text = self.text(rest)?;
        Ok(match self.voice {
            Some(_) => format!("room {} says, \"{text}\"", self.name(true)),
            None => format!("say {text}"),
        })
    }

    fn emoted(&self, rest: &str) -> Result<String, Untranslated> {
        let text = self.text(rest)?;
        Ok(match self.voice {
            Some(_) => format!("room {} {text}", self.name(true)),
            None => format!("emote {text}"),
        })
    }

    fn load(&self, rest: &str) -> Result<String, Untranslated> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (what, number, whom) = match *words.as_slice() {
            [what, number] => (what, number, ""),
            [what, number, whom, ..] => (what, number, whom),
            _ => return Err("there is no number".into()),
        };
        let number: i64 = number.parse().map_err(|_| "the number cannot be said".to_owned())?;
        match what {
            "obj" => {
                let key = self.items.get(&number);
                let key = key.ok_or_else(|| format!("item {number} was not read, or cannot be taken"))?;
                let verb = if whom.to_lowercase().starts_with("%actor") { "give" } else { "item" };
                Ok(format!("{verb} {key}"))
            }
            "mob" => {
                let key = self.creatures.get(&number);
                Ok(format!("spawn {}", key.ok_or_else(|| format!("creature {number} was not read"))?))
            }
            _ => Err("it loads neither obj nor mob".into()),
        }
    }

    /// Translates the change of a door, which has to be in the room of the script.
    fn door(&self, rest: &str) -> Result<String, Untranslated> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [room, direction, "flags", flags, ..] = *words.as_slice() else {
            return Err("only the flags of a door can change".into());
        };
        let room: i64 = room.parse().map_err(|_| "the room is no number".to_owned())?;
        if self.rooms.len() != 1 || !self.rooms.contains(&room) {
            return Err(format!("the door is in room {room}, not only in the room of the script").into());
        }
        let known = DIRECTIONS.iter().position(|(name, _)| name.starts_with(&direction.to_lowercase()));
        let exits = self.source.rooms.get(&room).map(|room| &room.exits);
        let has_door = |at: usize| {
            exits.is_some_and(|exits| exits.iter().any(|exit| exit.direction == at && exit.door > 0))
        };
        let at = known.filter(|at| has_door(*at)).ok_or("there is no such door")?;
        let (name, _) = DIRECTIONS.get(at).ok_or("there is no such door")?;
        Ok(format!("{} {name}", if flags.contains('b') { "shut" } else { "open" }))
    }

    /// Translates a text with its variables.
    fn text(&self, text: &str) -> Result<String, Untranslated> {
        let plain = words::line(&text.replace('{', "(").replace('}', ")"));
        let mut translated = String::new();
        let mut rest = plain.as_str();
        while let Some((before, behind)) = rest.split_once('%') {
            translated.push_str(before);
            let Some((variable, after)) = behind.split_once('%').filter(|(word, _)| !word.contains(' '))
            else {
                // A single sign is part of the text.
                translated.push('%');
                rest = behind;
                continue;
            };
            translated.push_str(&self.slot(variable).ok_or_else(|| format!("%{variable}% cannot be said"))?);
            rest = after;
        }
        translated.push_str(rest);
        if translated.trim().is_empty() { Err("there is no text".into()) } else { Ok(translated) }
    }

    fn slot(&self, variable: &str) -> Option<String> {
        Some(match variable.to_lowercase().as_str() {
            "actor" | "actor.name" | "actor.alias" => "{player}".to_owned(),
            "actor.heshe" => "{player.they}".to_owned(),
            "actor.himher" => "{player.them}".to_owned(),
            "actor.hisher" => "{player.their}".to_owned(),
            "self" | "self.name" if self.mob.is_some() || self.voice.is_some() => self.name(false),
            "self.name" | "self.room.name" | "actor.room.name" => "{room}".to_owned(),
            "speech" => "{words}".to_owned(),
            _ => return None,
        })
    }
}

/// Splits off the verb of a command, without the signs and the letter of its owner.
fn split(command: &str) -> (String, &str) {
    let (verb, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let bare = verb.trim_matches('%').to_lowercase();
    let of_owner = ["m", "o", "w"].into_iter().find_map(|owner| {
        let rest = bare.strip_prefix(owner)?;
        ["send", "echo", "echoaround", "load", "door", "damage", "teleport", "purge"]
            .contains(&rest)
            .then(|| rest.to_owned())
    });
    (of_owner.unwrap_or(bare), rest.trim())
}

fn require_actor(whom: &str) -> Result<(), Untranslated> {
    if matches!(whom.to_lowercase().as_str(), "%actor%" | "%actor.name%") {
        return Ok(());
    }
    Err(format!("{whom} is not the player who sets it off").into())
}

/// Translates a wait: `5 sec`, `1 t` in hours there, or tenths of a second.
fn wait(rest: &str) -> Result<String, Untranslated> {
    let (number, unit) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let number: i64 = number.parse().map_err(|_| "the time is no number".to_owned())?;
    let secs = match unit.trim().chars().next() {
        Some('s') => number,
        Some('t') => number.saturating_mul(HOUR_SECS),
        None => number.saturating_add(9) / 10,
        Some(_) => return Err("the unit of the time is unknown".into()),
    };
    Ok(format!("wait {}", secs.clamp(1, WAIT_MAX)))
}
