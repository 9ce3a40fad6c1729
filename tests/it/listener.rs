//! Simulated reader-mode player, with a map built from the text alone. It has no other access to the game: if it cannot
//! continue, the text is insufficient.

use crate::host::{Host, text_of};
use deepwell::base::{SessionId, Span};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Time to type a line and to listen to the answer.
const LINE: Span = Span::millis(1_500);

/// Position on the player's map: steps east and north of the entrance.
pub(crate) type Spot = (i32, i32);

/// State of an exit as shown by `exits`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ExitSeen {
    /// Unexplored.
    Unexplored,
    /// Leads to a known room.
    Open,
    /// Leads to the room the player came from.
    Back,
    /// Stairs down.
    StairsDown,
    /// Stairs up or a gate: leads to another map.
    Elsewhere,
    /// Shut.
    Shut,
    /// Shut, and the player has the key.
    KeyAtHand,
}

/// Parses the exits in the answer to `exits`, such as "north: unexplored".
pub(crate) fn ways(answer: &str) -> BTreeMap<String, ExitSeen> {
    let line = |line: &str| {
        let (name, text) = line.split_once(": ").filter(|(name, _)| !name.contains(' '))?;
        let way = match text {
            _ if text.contains("You have the key: type unlock") => ExitSeen::KeyAtHand,
            _ if text.starts_with("shut.") => ExitSeen::Shut,
            _ if text.starts_with("unexplored") || text.starts_with("a way to somewhere new") => {
                ExitSeen::Unexplored
            }
            _ if text.starts_with("stairs down") => ExitSeen::StairsDown,
            _ if text.starts_with("stairs") || text.contains("gate") => ExitSeen::Elsewhere,
            _ if text.ends_with("the way you came") => ExitSeen::Back,
            _ => ExitSeen::Open,
        };
        Some((name.to_owned(), way))
    };
    answer.lines().filter_map(line).collect()
}

/// Returns `true` if a line is a prompt: "> ", with or without numbers before it.
fn is_prompt(line: &str) -> bool {
    line == "> " || (line.starts_with("HP") && line.ends_with("> "))
}

/// Returns the current and maximum hit points in a prompt, its first two numbers.
fn figures(prompt: &str) -> Option<(i32, i32)> {
    let mut numbers = prompt.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// Returns the text between two others.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let from = text.find(before)? + before.len();
    let rest = &text[from..];
    Some(&rest[..rest.find(after)?])
}

/// Returns one word for each kind of creature that blocks the exits: "leeches" for "Two leeches are here and bar the
/// way", or "leeches" and "rat" for "Two leeches and the brood rat bar the way" if all of them fight.
pub(crate) fn blocking_creatures(room: &str) -> Vec<String> {
    let guards = |line: &str| {
        let ends = [" is here and bars the way.", " are here and bar the way."];
        ends.into_iter().find_map(|end| line.strip_suffix(end).map(str::to_owned))
    };
    let fighters = ["bars the way", "bar the way"]
        .into_iter()
        .find_map(|verb| between(room, "The way onward is blocked. ", verb));
    let all = room.lines().filter_map(guards).chain(fighters.map(|names| names.replace(" and ", ", ")));
    let last = |name: &str| name.split_whitespace().last().map(str::to_lowercase);
    let names: Vec<String> = all.collect();
    names
        .iter()
        .flat_map(|names| names.split(", "))
        .filter_map(last)
        .filter(|name| name != "portcullis")
        .collect()
}

/// Returns possible singular forms of a word: "leeche" and "leech" for "leeches".
pub(crate) fn singulars(word: &str) -> Vec<String> {
    let cut = |end: &str, with: &str| word.strip_suffix(end).map(|stem| format!("{stem}{with}"));
    let others = [
        cut("s", ""),
        cut("es", ""),
        cut("ies", "y"),
        cut("ves", "f"),
        cut("men", "man"),
        cut("mice", "mouse"),
    ];
    std::iter::once(word.to_owned()).chain(others.into_iter().flatten()).collect()
}

/// Returns the sentences below the exits of a room that describe neither players nor creatures.
pub(crate) fn things(room: &str) -> Vec<String> {
    let lines = room.lines().skip_while(|line| !line.starts_with("Exits: ")).skip(1);
    let is_thing = |line: &&str| {
        !line.is_empty()
            && !is_prompt(line)
            && ![" is here.", " are here.", " the way.", "type goal.", "This is the finish."]
                .iter()
                .any(|end| line.ends_with(end))
            && !line.contains(" arrives from ")
    };
    lines.filter(is_thing).map(str::to_owned).collect()
}

/// Returns the position one step in a direction.
fn step(from: Spot, direction: &str) -> Option<Spot> {
    let (x, y) = match direction {
        "north" => (0, 1),
        "east" => (1, 0),
        "south" => (0, -1),
        "west" => (-1, 0),
        _ => return None,
    };
    Some((from.0 + x, from.1 + y))
}

/// Map of a floor or a puzzle, built by counting steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerMap {
    pub(crate) at: Spot,
    pub(crate) rooms: BTreeMap<Spot, BTreeMap<String, ExitSeen>>,
    /// Rooms whose exits onward are blocked.
    pub(crate) blocked: BTreeSet<Spot>,
}

impl PlayerMap {
    /// Records a step.
    pub(crate) fn goes(&mut self, direction: &str) {
        if let Some(way) = self.rooms.get_mut(&self.at).and_then(|ways| ways.get_mut(direction))
            && *way == ExitSeen::Unexplored
        {
            *way = ExitSeen::Open;
        }
        self.at = step(self.at, direction).unwrap_or(self.at);
    }

    /// Returns the path to the nearest matching room over exits to known rooms.
    pub(crate) fn way_to(&self, wanted: impl Fn(Spot) -> bool) -> Option<Vec<String>> {
        let mut came: BTreeMap<Spot, Vec<String>> = BTreeMap::from([(self.at, Vec::new())]);
        let mut queue = VecDeque::from([self.at]);
        while let Some(spot) = queue.pop_front() {
            let steps = came[&spot].clone();
            if wanted(spot) {
                return Some(steps);
            }
            for (name, way) in self.rooms.get(&spot).into_iter().flatten() {
                if let (ExitSeen::Open | ExitSeen::Back, Some(to)) = (way, step(spot, name))
                    && !came.contains_key(&to)
                {
                    came.insert(to, steps.iter().chain([name]).cloned().collect());
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// Returns the path to the nearest unexplored exit, including that exit.
    pub(crate) fn way_on(&self) -> Option<Vec<String>> {
        let open = |spot: &Spot| {
            let ways = self.rooms.get(spot).filter(|_| !self.blocked.contains(spot))?;
            ways.iter().find(|(_, way)| **way == ExitSeen::Unexplored).map(|(name, _)| name.clone())
        };
        let mut steps = self.way_to(|spot| open(&spot).is_some())?;
        let mut there = self.clone();
        for name in &steps {
            there.goes(name);
        }
        steps.push(open(&there.at)?);
        Some(steps)
    }

    /// Returns an exit of this room in a given state.
    pub(crate) fn way(&self, kind: ExitSeen) -> Option<String> {
        let ways = self.rooms.get(&self.at)?;
        ways.iter().find(|(_, way)| **way == kind).map(|(name, _)| name.clone())
    }
}

/// Player with a terminal that reads text aloud.
pub(crate) struct Listener {
    pub(crate) id: SessionId,
    hidden: bool,
    /// Text received and not yet processed.
    heard: String,
    /// Transcript of all input and output.
    pub(crate) page: String,
    /// Current and maximum hit points of the latest prompt with numbers.
    pub(crate) health: (i32, i32),
    pub(crate) fighting: bool,
    /// Set while the player is incapacitated.
    pub(crate) down: bool,
}

impl Listener {
    /// Connects a player and reads the welcome.
    pub(crate) fn connect(host: &mut Host) -> Self {
        let id = host.connect();
        let mut listener = Self {
            id,
            hidden: false,
            heard: String::new(),
            page: String::new(),
            health: (1, 1),
            fighting: false,
            down: false,
        };
        host.waits(LINE);
        listener.listens(host);
        listener
    }

    /// Types a line. Returns the text received until the answer is complete.
    pub(crate) fn types(&mut self, host: &mut Host, line: &str) -> String {
        self.listens(host);
        let before = std::mem::take(&mut self.heard);
        if self.page.ends_with('\n') {
            // No prompt was sent, as nothing in it changed.
            self.page.push_str("> ");
        }
        // Hidden input is not in the transcript; the server ends that line.
        self.page.push_str(if self.hidden { "(hidden)" } else { line });
        self.page.push_str(if self.hidden { "" } else { "\n" });
        host.types(self.id, line);
        host.waits(LINE);
        self.listens(host);
        let answer = std::mem::take(&mut self.heard);
        self.heard = before + "\n" + &answer;
        answer
    }

    /// Reads new text.
    pub(crate) fn listens(&mut self, host: &mut Host) {
        let text = text_of(&host.reads(self.id), &mut self.hidden);
        self.page.push_str(&text);
        for line in text.split('\n') {
            self.follows(line);
        }
        self.heard.push_str(&text);
    }

    fn follows(&mut self, line: &str) {
        if is_prompt(line) && line != "> " {
            self.health = figures(line).unwrap_or(self.health);
            self.fighting = line.contains("fighting");
        }
        if let Some(left) = between(line, "you have ", " left.").and_then(|left| left.parse().ok()) {
            self.health.0 = left;
        }
        let begins = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| line.contains(phrase));
        if begins(&["You hit ", "You miss ", "You turn on "])
            || says(&[" hits you ", " misses you.", " comes at you.", " turns on you."])
        {
            self.fighting = true;
        }
        if begins(&["The room is clear", "You fall."]) || says(&[" is dead, and you gain "]) {
            self.fighting = false;
        }
        if begins(&["You fall. You are down"]) {
            self.down = true;
        }
        if begins(&["You come to at the start"]) || says(&["you up from the floor"]) {
            self.down = false;
        }
    }

    /// Returns the text received since the last call.
    pub(crate) fn takes_in(&mut self, host: &mut Host) -> String {
        self.listens(host);
        std::mem::take(&mut self.heard)
    }

    /// Returns the commands that the latest text suggests.
    pub(crate) fn reactions(&self, heard: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if heard.contains("Type party accept or party decline") {
            lines.push("party accept".to_owned());
        }
        if let Some(help) = between(heard, "To help, type ", ".").filter(|_| !self.down) {
            lines.push(help.to_owned());
        }
        if heard.contains("You are held fast") {
            lines.push("struggle".to_owned());
        }
        let advice = heard.lines().rev().find_map(|line| line.strip_prefix("Answer: "));
        let word = advice.and_then(|advice| advice.split([' ', '.']).next()).filter(|word| *word != "go");
        lines.extend(word.filter(|_| self.fighting && !self.down).map(str::to_owned));
        if heard.contains("Type train") || heard.contains("choose what you have learnt") {
            lines.push("train".to_owned());
        }
        if let Some(choice) = heard.lines().find(|line| line.starts_with("train ") && line.contains(": ")) {
            lines.extend(choice.split_once(": ").map(|(choice, _)| choice.to_owned()));
        }
        lines
    }
}

#[test]
fn exits_answer_is_parsed() {
    let answer = "north: unexplored\neast: shut. The iron-bound door is locked.\nsouth: Bottom of the Well, the way you came\n\
        west: shut. It is locked. You have the key: type unlock west.\ndown: stairs down to dungeon level 2\n> ";
    let exits: Vec<(String, ExitSeen)> = ways(answer).into_iter().collect();
    let wanted = [
        ("down", ExitSeen::StairsDown),
        ("east", ExitSeen::Shut),
        ("north", ExitSeen::Unexplored),
        ("south", ExitSeen::Back),
        ("west", ExitSeen::KeyAtHand),
    ];
    assert_eq!(exits, wanted.map(|(name, way)| (name.to_owned(), way)));
    assert_eq!(
        blocking_creatures("The way onward is blocked. Two leeches and the brood rat bar the way."),
        ["leeches", "rat"]
    );
    assert_eq!(
        blocking_creatures("Two leeches are here and bar the way.\nThe way onward is blocked."),
        ["leeches"]
    );
    assert!(singulars("leeches").contains(&"leech".to_owned()));
    assert_eq!(
        things("Exits: north\nA leech is here.\nAn oak chest stands here.\nHP:3/30> "),
        ["An oak chest stands here."]
    );
}
