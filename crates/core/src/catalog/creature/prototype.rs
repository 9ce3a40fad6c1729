//! Prototypes of creatures. A prototype may inherit from another; keys missing from its file are taken from there.

use crate::base::Shared;
use crate::catalog::script::object_trigger::{self, CreatureEvent, ObjectTrigger, TRIGGERS};
use crate::catalog::{Behaviour, CreatureRoute, Script};
use crate::data::{CatalogError, Field, Position, Reader, definition, fields_of};
use crate::text::grammar::{plural, with_article};
use std::collections::{BTreeMap, BTreeSet};

/// A kind of creature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreaturePrototype {
    /// Stable key in content and storage.
    pub key: String,
    /// Key of the parent prototype, if any.
    pub inherits: Option<String>,
    /// Name for players, without article: `stone beetle`.
    pub name: String,
    /// Name with its article: `a stone beetle`.
    pub with_article: String,
    /// Plural: `stone beetles`.
    pub plural: String,
    /// One or two sentences for `examine`.
    pub description: String,
    /// Hit points at spawn.
    pub hp: u32,
    /// Damage before the target's defence is subtracted; a creature with 0 never strikes.
    pub attack: u32,
    /// Amount subtracted from the damage of each blow.
    pub defence: u32,
    /// Experience for killing it.
    pub xp: u32,
    /// First and last difficulty at which it appears.
    pub difficulty: (u32, u32),
    /// Weight of the random choice.
    pub weight: u32,
    /// Cost in a room's threat budget.
    pub threat: u32,
    /// Behaviours.
    pub behaviours: Vec<Behaviour>,
    /// Manoeuvres that it may announce in a fight, by key.
    pub manoeuvres: Vec<String>,
    /// Phrases for its health, from lightly hurt to nearly dead; the default ones if empty.
    pub conditions: Vec<String>,
    /// Set for a boss: the town is told when it falls.
    pub boss: bool,
    /// Loot table, by key.
    pub loot: Option<String>,
    /// Numbers under the rule set `racket`, if different.
    pub racket: Option<RacketNumbers>,
    /// Script that runs on each tick.
    pub on_tick: Script,
    /// Scripts that run on other events, in order.
    pub triggers: Vec<ObjectTrigger<CreatureEvent>>,
    /// Dialogue, by key.
    pub dialogue: Option<String>,
    /// Attack verbs in the third person: `bites`, `claws at`. Never empty.
    pub strikes: Vec<String>,
    /// Message to the room at its death.
    pub death: String,
    /// Patrol and schedule.
    pub route: CreatureRoute,
    /// Place of the definition.
    pub place: Position,
}

definition! {
    /// Numbers of a creature under the rule set `racket`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct RacketNumbers {
        /// Hit points.
        pub hp: u32 = number(1..=1_000_000),
        /// Attack.
        pub attack: u32 = number(0..=100_000),
        /// Defence.
        pub defence: u32 = number(0..=100_000),
    }
}

impl CreaturePrototype {
    /// Returns the scripts of the creature.
    pub fn scripts(&self) -> impl Iterator<Item = &Script> {
        [&self.on_tick].into_iter().chain(self.triggers.iter().map(|trigger| &trigger.script))
    }

    /// Returns `true` if it blocks the exits that lead on.
    pub fn guards(&self) -> bool {
        self.behaviours.contains(&Behaviour::Guard)
    }

    /// Returns `true` if it moves between rooms.
    pub fn roams(&self) -> bool {
        self.behaviours.iter().any(Behaviour::roams)
    }

    /// Returns `true` if it has a script for its ticks.
    pub fn ticks(&self) -> bool {
        !self.on_tick.is_empty() || self.triggers.iter().any(|trigger| trigger.on == CreatureEvent::Tick)
    }

    /// Returns `true` if it acts on the ticks of a branch.
    pub fn is_lively(&self) -> bool {
        self.ticks() || self.behaviours.iter().any(Behaviour::is_lively)
    }

    /// Returns `true` if it may appear at this difficulty.
    pub fn appears_at(&self, difficulty: u32) -> bool {
        (self.difficulty.0..=self.difficulty.1).contains(&difficulty)
    }
}

definition! {
    /// Contents of a creature's file. Absent fields are inherited.
    #[derive(Clone, Debug)]
    pub(in crate::catalog) struct CreatureFile {
        place: Position => |file| file.place(),
        /// Creature from which absent fields are taken, by key.
        inherits: Option<(Position, String)> = text_if_any(),
        /// Five phrases for its health, from lightly hurt to nearly dead, shown after "is"; for creatures that do not
        /// bleed.
        conditions: Option<Vec<String>> => |file| file.has("conditions").then(|| conditions(file)),
        /// Attack verbs in the third person: `bites`, `claws at`.
        strikes: Option<Vec<String>> => |file| file.has("strikes").then(|| file.texts("strikes", 1)),
        /// Name for players, without article: `stone beetle`.
        name: Option<String> = any_text(),
        /// Name with its article, if the regular form is wrong: `an iron cap`.
        with_article: Option<String> = any_text(),
        /// Plural, if the regular form is wrong: `mice`.
        plural: Option<String> = any_text(),
        /// One or two sentences for `examine`.
        description: Option<String> = any_paragraphs(),
        /// Message to the room at its death.
        death: Option<String> = any_text(),
        /// Numbers in themes with `rules = "racket"`; converted like those of a player if absent.
        racket: Option<RacketNumbers> = table_of(RacketNumbers::read),
        /// Script that runs on each tick.
        on_tick: Option<Script> => |file| file.has("on_tick").then(|| Script::read_lasting(file, "on_tick")),
        /// Scripts that run on other events, in order.
        triggers: Option<Vec<ObjectTrigger<CreatureEvent>>> => |file| {
            file.has(TRIGGERS).then(|| object_trigger::read(file))
        },
        /// Dialogue, by key.
        dialogue: Option<String> = any_text(),
        /// Rooms that it walks to in turn, by key or `ZONE/KEY`, and where it is from an hour on: `6: at smithy`, `22:
        /// sleep`, `8: patrol`.
        route: Option<CreatureRoute> => |file| {
            let has = file.has("patrol") | file.has("schedule");
            has.then(|| CreatureRoute::read(file))
        },
        key: String => |file| file.key(),
        /// Hit points at spawn.
        hp: Option<u32> = number_if_any(&(1..=1_000_000)),
        /// Damage before the target's defence is subtracted; a creature with 0 never strikes.
        attack: Option<u32> = number_if_any(&(0..=100_000)),
        /// Amount subtracted from the damage of each blow.
        defence: Option<u32> = number_if_any(&(0..=100_000)),
        /// Experience for killing it.
        xp: Option<u32> = number_if_any(&(0..=1_000_000)),
        /// Lowest difficulty at which it appears.
        first_difficulty: Option<u32> = number_if_any(&(0..=10_000)),
        /// Highest difficulty at which it appears; no limit if absent.
        last_difficulty: Option<u32> = number_if_any(&(0..=u32::MAX)),
        /// Weight of the random choice among the creatures that can appear.
        weight: Option<u32> = number_if_any(&(1..=10_000)),
        /// Cost in a room's threat budget; a tenth of `xp` if absent.
        threat: Option<u32> = number_if_any(&(1..=100_000)),
        /// Parts of its behaviour; with an empty list it stays passive.
        behaviours: Option<Vec<Behaviour>> => |file| behaviours(file),
        /// Manoeuvres that it may announce in a fight, by key; one is drawn each time.
        manoeuvres: Option<Vec<String>> => |file| file.has("manoeuvres").then(|| file.texts("manoeuvres", 0)),
        /// Boss: the town is told when it falls. Place it by a vault or a script, once in a branch, and announce it before.
        boss: Option<bool> = bool_if_any(),
        /// Loot table, by key.
        loot: Option<String> = any_text(),
    }
}

/// Number of phrases for the health of a creature, if it has its own.
const CONDITIONS: usize = 5;

impl CreatureFile {
    /// Fills absent fields from a parent. Forms of the name are inherited only together with the name.
    fn or(mut self, other: &Self) -> Self {
        macro_rules! inherit {
            ($($field:ident)*) => {$(
                if self.$field.is_none() {
                    self.$field.clone_from(&other.$field);
                }
            )*};
        }
        if self.name.is_none() {
            inherit!(with_article plural);
        }
        inherit!(name description strikes death conditions hp attack defence xp first_difficulty last_difficulty);
        inherit!(weight threat behaviours manoeuvres boss loot racket on_tick triggers dialogue route);
        self
    }

    /// Builds the prototype. Missing keys are recorded and given defaults, so that they cause no further errors.
    fn complete(self, mistakes: &mut Vec<CatalogError>) -> CreaturePrototype {
        let mut missing = Missing { place: &self.place, mistakes };
        let name = missing.text("name", self.name);
        let first = missing.number("first_difficulty", self.first_difficulty);
        let description = missing.text("description", self.description);
        let (hp, attack) = (missing.number("hp", self.hp), missing.number("attack", self.attack));
        let (defence, xp) = (missing.number("defence", self.defence), missing.number("xp", self.xp));
        let weight = missing.number("weight", self.weight);
        let behaviours = missing.one("behaviours", self.behaviours, "a list of tables");
        let strikes = missing.one("strikes", self.strikes, "a list of at least one text");
        let death = missing.text("death", self.death);
        let last = self.last_difficulty.unwrap_or(u32::MAX);
        if first > last {
            missing.note("`last_difficulty` is below first_difficulty", &format!("at least {first}"));
        }
        CreaturePrototype {
            key: self.key,
            inherits: self.inherits.map(|(_, parent)| parent),
            with_article: self.with_article.unwrap_or_else(|| with_article(&name, None)),
            plural: self.plural.unwrap_or_else(|| plural(&name, None).into_owned()),
            name,
            description,
            hp,
            attack,
            defence,
            xp,
            difficulty: (first, last),
            weight,
            threat: self.threat.unwrap_or((xp / 10).max(1)),
            behaviours,
            manoeuvres: self.manoeuvres.unwrap_or_default(),
            conditions: self.conditions.unwrap_or_default(),
            boss: self.boss.unwrap_or_default(),
            loot: self.loot,
            racket: self.racket,
            on_tick: self.on_tick.unwrap_or_default(),
            triggers: self.triggers.unwrap_or_default(),
            dialogue: self.dialogue.filter(|key| !key.is_empty()),
            route: self.route.unwrap_or_default(),
            strikes,
            death,
            place: self.place,
        }
    }
}

/// Records the missing keys of a creature.
struct Missing<'m> {
    place: &'m Position,
    mistakes: &'m mut Vec<CatalogError>,
}

impl Missing<'_> {
    fn note(&mut self, mistake: &str, expected: &str) {
        self.mistakes.push(CatalogError::new(self.place, mistake, expected));
    }

    fn one<T: Default>(&mut self, key: &str, value: Option<T>, expected: &str) -> T {
        if value.is_none() {
            self.note(&format!("`{key}` is missing"), expected);
        }
        value.unwrap_or_default()
    }

    fn text(&mut self, key: &str, value: Option<String>) -> String {
        self.one(key, value, "a text")
    }

    fn number(&mut self, key: &str, value: Option<u32>) -> u32 {
        self.one(key, value, "a whole number")
    }
}

/// Returns the fields of a creature's file. Those that an ancestor may have count as required.
pub(in crate::catalog) fn fields() -> Vec<Field> {
    let mut mistakes = Vec::new();
    let mut fields = fields_of(|file| CreatureFile::read(file).complete(&mut mistakes));
    for field in fields.iter_mut().filter(|field| field.table.is_empty()) {
        let missing = format!("`{}` is missing", field.name);
        field.is_required = mistakes.iter().any(|mistake| mistake.message == missing);
    }
    fields
}

fn conditions(reader: &mut Reader<'_>) -> Vec<String> {
    let place = reader.place_of("conditions");
    let phrases = reader.texts("conditions", 0);
    if phrases.len() != CONDITIONS && !phrases.is_empty() {
        let expected = "five phrases, from lightly hurt to nearly dead";
        reader.note(CatalogError::new(&place, "`conditions` does not fit", expected));
    }
    phrases
}

fn behaviours(reader: &mut Reader<'_>) -> Option<Vec<Behaviour>> {
    let place = reader.place_of("behaviours");
    if !reader.has("behaviours") {
        return None;
    }
    let parts: Vec<Behaviour> = reader.tables("behaviours", Behaviour::read).into_iter().flatten().collect();
    for (at, part) in parts.iter().enumerate() {
        if parts[..at].iter().any(|other| other.name() == part.name()) {
            let mistake = format!("part `{}` stands twice", part.name());
            reader.note(CatalogError::new(&place, mistake, "each part once"));
        }
    }
    Some(parts)
}

/// Contents of the creatures' files, by key.
pub(in crate::catalog) type CreatureFiles = BTreeMap<String, Shared<CreatureFile>>;

/// Builds prototypes with what they inherit, through chains of any length.
pub(in crate::catalog) fn complete<'k>(
    files: &CreatureFiles,
    keys: impl IntoIterator<Item = &'k String>,
    mistakes: &mut Vec<CatalogError>,
) -> Vec<CreaturePrototype> {
    let mut creatures = Vec::new();
    for (key, file) in keys.into_iter().filter_map(|key| Some((key, files.get(key)?))) {
        if let Some((place, parent)) = &file.inherits {
            if !files.contains_key(parent) {
                let valid = files.keys().map(String::as_str);
                mistakes.push(CatalogError::unknown_name(place, "creature", parent, valid));
            }
            if let Some(circle) = circle(key, files) {
                let mistake = format!("`inherits` goes in a circle: {}", circle.join(", "));
                mistakes.push(CatalogError::new(
                    place,
                    mistake,
                    "a prototype that does not come from this one",
                ));
            }
        }
        creatures.push(match whole(file, files) {
            Some(whole) => whole.complete(mistakes),
            // Invalid inheritance: keep the creature so that references to it work, and do not report its missing keys.
            None => CreatureFile::clone(file).complete(&mut Vec::new()),
        });
    }
    creatures
}

/// Returns these prototypes and all their descendants.
pub(in crate::catalog) fn heirs(files: &CreatureFiles, of: &[&str]) -> BTreeSet<String> {
    let comes_of = |key: &str| {
        let mut chain = vec![key];
        loop {
            if chain.last().is_some_and(|last| of.contains(last)) {
                return true;
            }
            match chain.last().and_then(|last| parent(last, files)) {
                Some(parent) if !chain.contains(&parent) => chain.push(parent),
                _ => return false,
            }
        }
    };
    files.keys().filter(|key| comes_of(key)).cloned().collect()
}

fn parent<'f>(key: &str, files: &'f CreatureFiles) -> Option<&'f str> {
    files.get(key)?.inherits.as_ref().map(|(_, parent)| parent.as_str())
}

/// Merges a file with all its ancestors; `None` if the chain is circular or a parent is unknown.
fn whole(file: &CreatureFile, files: &CreatureFiles) -> Option<CreatureFile> {
    let (mut whole, mut chain) = (file.clone(), vec![file.key.as_str()]);
    while let Some(parent) = chain.last().and_then(|last| parent(last, files)) {
        if chain.contains(&parent) {
            return None;
        }
        chain.push(parent);
        whole = whole.or(files.get(parent)?);
    }
    Some(whole)
}

/// Returns the cycle that contains this key. `None` without a cycle, or if the key is not the alphabetically first of
/// its cycle: each cycle is reported only there.
fn circle<'f>(key: &'f str, files: &'f CreatureFiles) -> Option<Vec<&'f str>> {
    let mut chain = vec![key];
    while let Some(parent) = chain.last().and_then(|last| parent(last, files)) {
        if parent == key {
            let first = chain.iter().all(|other| *other >= key);
            chain.push(key);
            return first.then_some(chain);
        }
        if chain.contains(&parent) {
            return None;
        }
        chain.push(parent);
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Catalog, CatalogError};

    const WHOLE: &str = "name = \"rat\"\ndescription = \"Grey.\"\nhp = 5\nattack = 3\ndefence = 0\nxp = 10\n\
        first_difficulty = 0\nlast_difficulty = 4\nweight = 10\nstrikes = [\"bites\"]\ndeath = \"It dies.\"\n\
        on_tick = [\"5% room It sniffs.\"]\n[[behaviours]]\npart = \"guard\"\n";

    fn told(mistakes: &[CatalogError]) -> Vec<String> {
        mistakes.iter().map(ToString::to_string).collect()
    }

    /// Absent fields are inherited through a chain of any length.
    #[test]
    fn absent_fields_are_inherited() {
        let files = [
            ("mobs/rat.toml", WHOLE),
            ("mobs/black_rat.toml", "inherits = \"rat\"\nname = \"black rat\"\nhp = 8\n"),
            (
                "mobs/alpha.toml",
                "inherits = \"black_rat\"\nplural = \"alphas\"\nbehaviours = []\non_tick = []\n",
            ),
        ];
        let catalog = Catalog::load(&files).expect("a sound catalog");
        let (black, alpha) = (&catalog.creatures["black_rat"], &catalog.creatures["alpha"]);
        assert_eq!((black.hp, black.attack, black.xp, black.difficulty), (8, 3, 10, (0, 4)));
        assert_eq!((black.name.as_str(), black.plural.as_str()), ("black rat", "black rats"));
        assert!(black.guards() && black.on_tick.lines().len() == 1 && black.is_lively());
        assert_eq!(
            (alpha.hp, alpha.with_article.as_str(), alpha.plural.as_str()),
            (8, "a black rat", "alphas")
        );
        assert!(alpha.behaviours.is_empty() && alpha.on_tick.is_empty(), "an empty list is said, not absent");
    }

    /// Circles, unknown prototypes, parts and scripts are reported together, each with its place.
    #[test]
    fn inheritance_and_behaviour_errors_have_places() {
        let doubled = WHOLE.to_owned()
            + "[[behaviours]]\npart = \"wonder\"\n[[behaviours]]\npart = \"explode\"\n[[behaviours]]\npart = \"guard\"\n";
        let files = [
            ("mobs/a.toml", "inherits = \"c\"\n"),
            ("mobs/b.toml", "inherits = \"a\"\n"),
            ("mobs/c.toml", "inherits = \"b\"\n"),
            ("mobs/d.toml", "# leads into the circle\ninherits = \"a\"\n"),
            ("mobs/e.toml", "inherits = \"ratt\"\n"),
            (
                "mobs/f.toml",
                "inherits = \"rat\"\nhp = 0\non_tick = [\"say Hi.\", \"5% spwan rat\", \"spawn bee\"]\n",
            ),
            ("mobs/g.toml", &doubled),
            ("mobs/rat.toml", WHOLE),
        ];
        let mistakes = told(&Catalog::load(&files).expect_err("mistakes"));
        let starts = [
            "mobs/a.toml:1:12: `inherits` goes in a circle: a, c, b, a",
            "mobs/e.toml:1:12: unknown creature `ratt`",
            "mobs/f.toml:2:6: `hp` does not fit",
            "mobs/f.toml:3:27: unknown verb `spwan`",
            "mobs/g.toml:13:1: part `guard` stands twice",
            "mobs/g.toml:16:8: unknown part `wonder`",
            "mobs/g.toml:17:1: `blast` is missing",
            "mobs/g.toml:17:1: `damage` is missing",
            "mobs/g.toml:17:1: `warning` is missing",
        ];
        let fits = mistakes.len() == starts.len()
            && mistakes.iter().zip(starts).all(|(mistake, start)| mistake.starts_with(start));
        assert!(fits, "{mistakes:#?}");
    }

    /// R21: unknown names in scripts are reported.
    #[test]
    fn unknown_names_in_tick_scripts_are_rejected() {
        let bee = WHOLE.replace("room It sniffs.", "spawn bee");
        let mistakes = told(&Catalog::load(&[("mobs/rat.toml", &bee)]).expect_err("no bee"));
        assert!(mistakes.len() == 1 && mistakes[0].contains("unknown creature `bee`"), "{mistakes:?}");
    }

    /// R21: `once` in a tick script is an error.
    #[test]
    fn once_in_tick_scripts_is_rejected() {
        let spent = WHOLE.replace("room It sniffs.", "once");
        let mistakes = told(&Catalog::load(&[("mobs/rat.toml", &spent)]).expect_err("no `once`"));
        assert!(
            mistakes.len() == 1 && mistakes[0].contains("`once` is for scripts of rooms"),
            "{mistakes:?}"
        );
    }
}
