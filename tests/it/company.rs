//! Simulated party that knows only the text it is sent. The first player leads and keeps the map; the others follow and
//! join fights.

use crate::host::Host;
use crate::listener::{ExitSeen, Listener, PlayerMap, between, blocking_creatures, singulars, ways};
use crate::screen_reader_puzzle::solve_puzzle;
use deepwell::base::Span;

/// Length of a combat round.
pub(crate) const ROUND: Span = Span::secs(3);

/// Maximum number of five-minute waits for an exit to be reset.
const RESETS: u32 = 20;

/// Maximum number of rounds before the state of a fight is checked again.
const ROUNDS: u32 = 40;

/// Simulated party.
pub(crate) struct Company {
    pub(crate) host: Host,
    pub(crate) first: Listener,
    pub(crate) others: Vec<Listener>,
    /// Maps kept by the leader: the floor, the one below, a puzzle. The last one is current.
    pub(crate) sheets: Vec<PlayerMap>,
    /// Latest room description that the leader read.
    pub(crate) room: String,
    /// All text received by the leader.
    pub(crate) heard: String,
    /// Set if the party flees before its members fall.
    pub(crate) careful: bool,
    /// Healing items that the leader carries.
    remedies: Vec<String>,
}

impl Company {
    /// Forms a party of logged-in players.
    pub(crate) fn new(host: Host, first: Listener, others: Vec<Listener>) -> Self {
        Self {
            host,
            first,
            others,
            sheets: vec![PlayerMap::default()],
            room: String::new(),
            heard: String::new(),
            careful: false,
            remedies: Vec::new(),
        }
    }

    /// Types a line as the leader, then lets all members react to what they read. Returns the leader's answer.
    pub(crate) fn says(&mut self, line: &str) -> String {
        let answer = self.first.types(&mut self.host, line);
        if answer.contains("\nExits: ") {
            self.room.clone_from(&answer);
        }
        self.react();
        answer
    }

    /// Types a line as each of the other members.
    pub(crate) fn others_say(&mut self, line: &str) {
        for other in &mut self.others {
            other.types(&mut self.host, line);
        }
    }

    /// Lets all members read new text and type the commands it suggests.
    pub(crate) fn react(&mut self) {
        for _ in 0..4 {
            let heard = self.first.takes_in(&mut self.host);
            self.heard.push_str(&heard);
            let lines = self.first.reactions(&heard);
            for line in &lines {
                self.first.types(&mut self.host, line);
            }
            let mut is_quiet = lines.is_empty();
            for other in &mut self.others {
                let heard = other.takes_in(&mut self.host);
                let lines = other.reactions(&heard);
                for line in &lines {
                    other.types(&mut self.host, line);
                }
                is_quiet &= lines.is_empty();
            }
            if is_quiet {
                return;
            }
        }
    }

    pub(crate) fn waits(&mut self, span: Span) {
        self.host.waits(span);
        self.react();
    }

    pub(crate) fn has_heard(&self, phrase: &str) -> bool {
        self.heard.contains(phrase)
    }

    /// Returns `true` if a puzzle has been solved.
    pub(crate) fn has_solved(&self) -> bool {
        self.has_heard("The puzzle is solved")
    }

    /// Returns `true` if the leader has been moved out of the dungeon.
    pub(crate) fn is_lost(&self) -> bool {
        self.first.page.contains("You come to at the start")
    }

    /// Takes an unexplored exit, of this name if given.
    pub(crate) fn enters_a_branch(&mut self, wanted: Option<&str>) -> Option<()> {
        let there = ways(&self.says("exits"));
        let is_meant = |name: &str, way: ExitSeen| {
            way == ExitSeen::Unexplored && wanted.is_none_or(|wanted| wanted == name)
        };
        let found =
            there.iter().find(|(name, way)| is_meant(name, **way)).expect("a way that nobody has taken");
        let name = found.0.clone();
        self.goes(&name)
    }

    pub(crate) fn sheet(&mut self) -> &mut PlayerMap {
        self.sheets.last_mut().expect("one is somewhere")
    }

    /// Takes one step and handles the new room. Returns `None` if the party is out of the dungeon.
    pub(crate) fn goes(&mut self, direction: &str) -> Option<()> {
        let answer = self.says(direction);
        if !answer.contains("\nExits: ") && !answer.starts_with("Exits: ") {
            // The party is held or attacked: fight, then the caller tries again.
            self.fights();
            return Some(());
        }
        self.sheet().goes(direction);
        self.arrives()
    }

    /// Handles a room just entered and records its exits.
    pub(crate) fn arrives(&mut self) -> Option<()> {
        if self.first.fighting {
            self.fights();
        }
        self.clears_the_block()?;
        let sheet = self.sheet();
        if !sheet.rooms.contains_key(&sheet.at) || sheet.blocked.contains(&sheet.at) {
            self.records_exits();
        }
        Some(())
    }

    pub(crate) fn records_exits(&mut self) {
        let answer = self.says("exits");
        let blocked = self.room.contains("The way onward is blocked");
        let sheet = self.sheet();
        sheet.rooms.insert(sheet.at, ways(&answer));
        if blocked {
            sheet.blocked.insert(sheet.at);
        } else {
            sheet.blocked.remove(&sheet.at);
        }
    }

    /// Clears the block of the exits: a fight, a lever or a puzzle, as the text says.
    fn clears_the_block(&mut self) -> Option<()> {
        for _ in 0..4 {
            if !self.room.contains("The way onward is blocked") || self.is_lost() {
                return Some(());
            }
            let sentence =
                between(&self.room, "The way onward is blocked. ", "\n").unwrap_or_default().to_owned();
            if sentence.contains("go in and solve the puzzle") {
                if self.careful {
                    // There is always another exit onward.
                    return Some(());
                }
                if !solve_puzzle(self) {
                    return None;
                }
            } else if sentence.contains("lever juts from the wall") {
                self.pulls();
            } else if let Some(back) =
                between(&sentence, ", ", " back.").filter(|_| sentence.contains("chain"))
            {
                self.pulls_far_off(back.rsplit(", ").next().unwrap_or_default())?;
            } else {
                self.fights();
                continue;
            }
            if !self.is_lost() {
                self.says("look");
            }
        }
        Some(())
    }

    fn pulls(&mut self) {
        for _ in 0..12 {
            let answer = self.says("pull lever");
            if answer.contains("locks") {
                return;
            }
        }
        assert!(self.careful, "the lever does not give:\n{}", self.first.page);
    }

    /// Pulls a lever that is a number of rooms back along the party's path, and returns.
    fn pulls_far_off(&mut self, distance: &str) -> Option<()> {
        let numbers = ["one room", "two rooms", "three rooms"];
        let rooms = numbers.iter().position(|number| *number == distance).expect("a distance in words") + 1;
        let from = self.sheet().at;
        for _ in 0..rooms {
            self.records_exits();
            let back = self.sheet().way(ExitSeen::Back)?;
            self.says(&back);
            self.sheet().goes(&back);
        }
        self.pulls();
        let steps = self.sheet().way_to(|spot| spot == from)?;
        for name in steps {
            self.says(&name);
            self.sheet().goes(&name);
        }
        Some(())
    }

    /// Fights until no attacker or guard is left.
    pub(crate) fn fights(&mut self) {
        if self.careful && self.first.fighting {
            let attacker = self.heard.lines().rev().find_map(|line| line.strip_suffix(" comes at you."));
            let name = attacker.and_then(|name| name.split(' ').next_back()).unwrap_or("me").to_owned();
            if !self.dares(&name) && self.run() {
                return;
            }
        }
        for _ in 0..ROUNDS {
            if self.first.down {
                self.waits(ROUND);
                continue;
            }
            if self.careful && self.is_in_need() {
                if self.heals_or_flees() {
                    return;
                }
                continue;
            }
            if !self.first.fighting {
                let Some(target) = blocking_creatures(&self.room).into_iter().next() else { return };
                if self.careful && !self.dares(&target) {
                    return;
                }
                self.attacks(&target);
            }
            if self.first.fighting {
                self.waits(ROUND);
            }
            if !self.first.fighting && !self.first.down && !blocking_creatures(&self.room).is_empty() {
                self.says("look");
            }
        }
    }

    /// Returns `true` if `consider` predicts a victory.
    fn dares(&mut self, target: &str) -> bool {
        for word in singulars(target) {
            let answer = self.says(&format!("consider {word}"));
            if answer.contains("Escape: ") {
                return ["easy fight", "should win", "might win", "harmless fight"]
                    .iter()
                    .any(|verdict| answer.contains(verdict));
            }
        }
        true
    }

    /// Returns `true` if a fighting member has at most a third of its hit points.
    fn is_in_need(&self) -> bool {
        let all = std::iter::once(&self.first).chain(&self.others);
        self.first.fighting && all.filter(|one| !one.down).any(|one| one.health.0 * 3 <= one.health.1)
    }

    /// Uses a healing item, or flees if there are none left. Returns `true` if the leader got away.
    fn heals_or_flees(&mut self) -> bool {
        if let Some(remedy) = self.remedies.pop() {
            self.says(&format!("use {remedy}"));
            self.waits(ROUND);
            return false;
        }
        self.run()
    }

    /// Makes all members flee. Returns `true` if the leader got away.
    fn run(&mut self) -> bool {
        let answer = self.says("flee");
        let Some(direction) = between(&answer, "You break away and run ", ".").map(str::to_owned) else {
            self.waits(ROUND);
            return false;
        };
        self.first.fighting = false;
        self.sheet().goes(&direction);
        for _ in 0..ROUNDS {
            self.others_say("flee");
            self.react();
            if self.others.iter().all(|other| !other.fighting || other.down) {
                break;
            }
            self.waits(ROUND);
        }
        true
    }

    /// Rests at home and returns to the bottom of the well once the exit leads to a new branch. Returns `None` if it
    /// never does.
    pub(crate) fn comes_back(&mut self, exit: &str) -> Option<()> {
        for line in ["recall", "rest"] {
            self.others_say(line);
            self.says(line);
        }
        self.waits(Span::mins(11));
        for line in ["stand", "down"] {
            self.others_say(line);
            self.says(line);
        }
        self.sheets = vec![PlayerMap::default()];
        // The exit is reset some time after its window has expired.
        (0..RESETS).find_map(|_| {
            let is_new = ways(&self.says("exits")).get(exit) == Some(&ExitSeen::Unexplored);
            if !is_new {
                self.waits(Span::mins(5));
            }
            is_new.then_some(())
        })
    }

    /// Picks up all items and wears what can be worn.
    pub(crate) fn takes_all(&mut self) {
        if self.room.contains("corpse") {
            self.says("get all from corpse");
        }
        if !self.says("get all").contains("Nothing lies here") {
            self.says("wear all");
        }
        let carried = self.says("inventory potions");
        self.remedies = between(&carried, "You carry:", "In your purse").map_or_else(Vec::new, names);
    }

    /// Attacks a creature with all members, by its name in the room description.
    pub(crate) fn attacks(&mut self, target: &str) -> Option<()> {
        for word in singulars(target) {
            let answer = self.says(&format!("kill {word}"));
            if answer.contains("There is no ") {
                continue;
            }
            self.others_say(&format!("kill {word}"));
            self.react();
            return Some(());
        }
        None
    }

    pub(crate) fn rests(&mut self) -> Option<()> {
        self.says("rest");
        self.others_say("rest");
        for _ in 0..8 {
            self.waits(Span::secs(60));
            let answer = self.says("hp");
            if self.first.fighting || answer.starts_with(&format!("{0} of {0} ", self.first.health.1)) {
                break;
            }
        }
        self.says("stand");
        self.others_say("stand");
        let (now, most) = self.first.health;
        (now * 2 >= most || self.first.fighting).then_some(())
    }

    pub(crate) fn descends(&mut self) -> Option<()> {
        for _ in 0..3 {
            let answer = self.says("descend");
            if answer.contains("Dungeon level") {
                self.sheets.push(PlayerMap::default());
                return self.arrives();
            }
        }
        panic!("the stairs cannot be taken:\n{}", self.first.page);
    }
}

/// Returns the names in a list of items, one per line, without their details.
fn names(list: &str) -> Vec<String> {
    let name = |line: &str| line.split([',', '(', ':']).next().unwrap_or_default().trim().to_owned();
    list.lines().map(name).filter(|name| !name.is_empty()).collect()
}

/// Creates a new account at the login prompt, in reader mode.
pub(crate) fn create_account(host: &mut Host, name: &'static str) -> Listener {
    let mut listener = Listener::connect(host);
    let page = listener.page.clone();
    assert!(page.contains("screenreader") && page.ends_with("name: "), "{page}");
    for (line, next) in [
        ("screenreader", "name: "),
        (name, "yes/no: "),
        ("yes", "new password: "),
        ("blue lantern", "the same password: "),
        ("blue lantern", "> "),
    ] {
        let answer = listener.types(host, line);
        assert!(answer.ends_with(next), "{line}: {answer}");
    }
    assert!(!listener.page.contains("blue lantern"));
    listener
}
