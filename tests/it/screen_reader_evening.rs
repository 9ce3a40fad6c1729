//! An evening of two who only hear. Each is a real session in reader mode over a real game, in virtual time; they make
//! characters, follow the guide, go down together, clear rooms, solve a puzzle, take the stairs, fall and are helped, and
//! come home, and they know nothing but the text they were sent. The world is the first in which all of that comes their
//! way. What Olad heard is kept in `docs/screen-reader-transcript.txt`, written anew with `UPDATE_TRANSCRIPTS=1`.

use crate::host::Host;
use crate::listener::{Listener, Sheet, Way, barring, between, singulars, ways};
use crate::screen_reader_puzzle::solves_a_puzzle;
use deepwell::base::{Seed, Span};
use deepwell::game::{Closed, GameConfig};
use deepwell::server::config::Config;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

/// Turns after which a world is given up.
const PATIENCE: u32 = 160;

/// A round of a fight.
const ROUND: Span = Span::secs(3);

/// Rounds after which somebody asks again whether they still fight.
const ROUNDS: u32 = 40;

/// What the page says before the evening begins.
const HEAD: &str = "\
This is one evening of Deepwell as somebody gets it who has text read aloud: every line that was heard, and every line
that was typed, behind the prompt or, where none was due, behind a > of this page. Both players are programs that know
nothing but these words. A test plays the evening again at every change and writes this page.

";

/// What has to happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Milestone {
    Guided,
    Together,
    ThreeRoomsCleared,
    PuzzleSolved,
    Descended,
    WentDown,
    HelpedOrLost,
    Home,
}

const ALL: usize = 8;

/// The evening so far.
pub(crate) struct Evening {
    pub(crate) host: Host,
    pub(crate) olad: Listener,
    bera: Listener,
    /// Maps in Olad's head: the floor, the one below it, a puzzle. The last one counts.
    pub(crate) sheets: Vec<Sheet>,
    reached: BTreeSet<Milestone>,
    cleared: usize,
    /// What Olad saw of the room last.
    pub(crate) room: String,
}

/// T1, T2, T10, T12 and protocols 10: what sighted players read is enough when it is heard.
#[test]
fn two_who_only_hear_spend_an_evening() {
    let mut other_evenings = String::new();
    let told = (0..40).find_map(|seed| {
        let mut evening = Evening::begin(seed);
        let page = evening.spent();
        let _ = writeln!(other_evenings, "world seed {seed}: {:?}", evening.reached);
        page
    });
    let page = told.unwrap_or_else(|| panic!("in no world all of it happens:\n{other_evenings}"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/screen-reader-transcript.txt");
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        fs::write(path, &page).expect("the transcript can be written");
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(page == kept, "the evening has changed; UPDATE_TRANSCRIPTS=1 writes it anew:\n{page}");
}

impl Evening {
    /// Two come in by the front door: at the name prompt they find out what there is for them.
    fn begin(seed: u64) -> Self {
        let config = GameConfig { seed: Seed(seed), ..GameConfig::default() };
        let mut host = Host::new(config, Config::default().world.welcome.trim_end());
        let bera = comes_in(&mut host, "Bera");
        let olad = comes_in(&mut host, "Olad");
        Self {
            host,
            olad,
            bera,
            sheets: vec![Sheet::default()],
            reached: BTreeSet::new(),
            cleared: 0,
            room: String::new(),
        }
    }

    /// What Olad heard, if all of it happened.
    fn spent(&mut self) -> Option<String> {
        self.follows_the_guide();
        self.finds_company();
        self.enters_a_branch()?;
        for _ in 0..PATIENCE {
            if self.reached.len() == ALL - 1 {
                break;
            }
            self.turn()?;
        }
        (self.reached.len() == ALL - 1).then_some(())?;
        self.goes_home();
        self.says("quit");
        assert_eq!(self.host.closed(self.olad.id), Some(Closed::Quit));
        assert_eq!(self.reached.len(), ALL);
        Some(format!("{HEAD}{}\n", self.olad.page.trim_end()))
    }

    /// Olad types a line; both do what the words say that they hear then. Gives what Olad was answered.
    pub(crate) fn says(&mut self, line: &str) -> String {
        let answer = self.olad.types(&mut self.host, line);
        if answer.contains("\nExits: ") {
            self.room.clone_from(&answer);
        }
        self.react();
        answer
    }

    /// Both listen, and do what they are told can be done.
    fn react(&mut self) {
        for _ in 0..4 {
            let heard = self.olad.takes_in(&mut self.host);
            self.note(&heard);
            let lines = self.olad.reactions(&heard);
            for line in &lines {
                self.olad.types(&mut self.host, line);
            }
            let heard = self.bera.takes_in(&mut self.host);
            let others = self.bera.reactions(&heard);
            for line in &others {
                self.bera.types(&mut self.host, line);
            }
            if lines.is_empty() && others.is_empty() {
                return;
            }
        }
    }

    fn note(&mut self, heard: &str) {
        self.cleared += heard.matches("The room is clear").count();
        let found = [
            (Milestone::Together, heard.contains("Bera joins the party")),
            (Milestone::ThreeRoomsCleared, self.cleared >= 3),
            (Milestone::PuzzleSolved, heard.contains("The puzzle is solved")),
            (Milestone::Descended, heard.contains("Dungeon level 2")),
            (Milestone::WentDown, heard.contains("You fall.")),
            (
                Milestone::HelpedOrLost,
                heard.contains("you up from the floor") || heard.contains("You come to at the start"),
            ),
        ];
        self.reached.extend(found.into_iter().filter(|(_, is)| *is).map(|(milestone, _)| milestone));
    }

    pub(crate) fn waits(&mut self, span: Span) {
        self.host.waits(span);
        self.react();
    }

    pub(crate) fn has_solved(&self) -> bool {
        self.reached.contains(&Milestone::PuzzleSolved)
    }

    /// Does what the guide says to type, until it leads into the first room below ground.
    fn follows_the_guide(&mut self) {
        let mut heard = self.says("guide");
        for _ in 0..20 {
            if heard.contains("step 9 of") {
                self.says("guide off");
                self.reached.insert(Milestone::Guided);
                return;
            }
            let typed = between(&heard, "Type: ", "\n").expect("each step says what to type").to_owned();
            for line in typed.split(", then ") {
                heard = self.says(line);
            }
            if !heard.contains("Type: ") {
                heard = self.says("guide");
            }
        }
        panic!("the guide does not lead down:\n{}", self.olad.page);
    }

    /// The two meet at the bottom of the well and go together.
    fn finds_company(&mut self) {
        self.bera.types(&mut self.host, "guide off");
        self.bera.types(&mut self.host, "down");
        let room = self.says("look");
        assert!(room.contains("Bera is here."), "{room}");
        self.says("help parties");
        self.says("party invite Bera");
        assert!(self.reached.contains(&Milestone::Together), "{}", self.olad.page);
    }

    fn enters_a_branch(&mut self) -> Option<()> {
        let there = ways(&self.says("exits"));
        let (name, _) =
            there.iter().find(|(_, way)| **way == Way::Unexplored).expect("a way that nobody has taken");
        let name = name.clone();
        self.goes(&name)
    }

    fn sheet(&mut self) -> &mut Sheet {
        self.sheets.last_mut().expect("one is somewhere")
    }

    /// One step, and what is found there. None if both are out of the dungeon.
    pub(crate) fn goes(&mut self, direction: &str) -> Option<()> {
        let answer = self.says(direction);
        if !answer.contains("\nExits: ") && !answer.starts_with("Exits: ") {
            // Something holds them, or strikes at them: once more when that is over.
            self.fights();
            return Some(());
        }
        self.sheet().goes(direction);
        self.arrives()
    }

    /// Looks round a room that has just been entered, and deals with what is there.
    pub(crate) fn arrives(&mut self) -> Option<()> {
        if self.olad.fighting {
            self.fights();
        }
        self.deals_with_it()?;
        let sheet = self.sheet();
        if !sheet.rooms.contains_key(&sheet.at) || sheet.blocked.contains(&sheet.at) {
            self.learns_the_ways();
        }
        Some(())
    }

    pub(crate) fn learns_the_ways(&mut self) {
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

    /// What bars the way is fought, pulled or solved, whatever the words call for.
    fn deals_with_it(&mut self) -> Option<()> {
        for _ in 0..4 {
            if !self.room.contains("The way onward is blocked") || self.is_lost() {
                return Some(());
            }
            let words =
                between(&self.room, "The way onward is blocked. ", "\n").unwrap_or_default().to_owned();
            if words.contains("go in and solve the puzzle") {
                if !solves_a_puzzle(self) {
                    return None;
                }
            } else if words.contains("lever juts from the wall") {
                self.pulls();
            } else if let Some(back) = between(&words, ", ", " back.").filter(|_| words.contains("chain")) {
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
        panic!("the lever does not give:\n{}", self.olad.page);
    }

    /// The lever is so many rooms back, along the way one came.
    fn pulls_far_off(&mut self, distance: &str) -> Option<()> {
        let numbers = ["one room", "two rooms", "three rooms"];
        let rooms = numbers.iter().position(|number| *number == distance).expect("a distance in words") + 1;
        let from = self.sheet().at;
        for _ in 0..rooms {
            self.learns_the_ways();
            let back = self.sheet().way(Way::Back)?;
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

    /// Fights whatever bars the way or strikes, until nothing does.
    pub(crate) fn fights(&mut self) {
        for _ in 0..ROUNDS {
            if self.olad.down {
                self.waits(ROUND);
                continue;
            }
            if !self.olad.fighting {
                let Some(target) = barring(&self.room).into_iter().next() else { return };
                self.attacks(&target);
            }
            if self.olad.fighting {
                self.waits(ROUND);
            }
            if !self.olad.fighting && !self.olad.down && !barring(&self.room).is_empty() {
                self.says("look");
            }
        }
    }

    /// Both turn on a creature by the word that the room has for it.
    pub(crate) fn attacks(&mut self, target: &str) -> Option<()> {
        for word in singulars(target) {
            let answer = self.says(&format!("kill {word}"));
            if answer.contains("There is no ") {
                continue;
            }
            self.bera.types(&mut self.host, &format!("kill {word}"));
            self.react();
            return Some(());
        }
        None
    }

    /// Whether Olad has been washed out of the dungeon.
    fn is_lost(&self) -> bool {
        self.olad.page.contains("You come to at the start")
    }

    /// What two careful climbers do next; careless ones once they have seen all the rest.
    fn turn(&mut self) -> Option<()> {
        if self.is_lost() {
            return self.reached.contains(&Milestone::WentDown).then_some(());
        }
        let daring = self.reached.len() >= ALL - 3 && self.reached.contains(&Milestone::Descended);
        let (now, most) = self.olad.health;
        if now * 2 < most && !daring && !self.olad.fighting {
            return self.rests();
        }
        if self.olad.fighting {
            self.fights();
            return Some(());
        }
        let has_solved = self.has_solved();
        let stairs = |sheet: &Sheet| {
            let has = |spot| {
                sheet.rooms.get(&spot).is_some_and(|ways| ways.values().any(|way| *way == Way::StairsDown))
            };
            sheet.way_to(has).filter(|_| has_solved)
        };
        let steps = match stairs(self.sheet()) {
            Some(steps) if steps.is_empty() => return self.descends(),
            Some(steps) => steps,
            None => self.sheet().way_on()?,
        };
        let first = steps.first()?.clone();
        self.goes(&first)
    }

    fn rests(&mut self) -> Option<()> {
        self.says("rest");
        self.bera.types(&mut self.host, "rest");
        for _ in 0..8 {
            self.waits(Span::secs(60));
            let answer = self.says("hp");
            if self.olad.fighting || answer.starts_with(&format!("{0} of {0} ", self.olad.health.1)) {
                break;
            }
        }
        self.says("stand");
        self.bera.types(&mut self.host, "stand");
        let (now, most) = self.olad.health;
        (now * 2 >= most || self.olad.fighting).then_some(())
    }

    fn descends(&mut self) -> Option<()> {
        for _ in 0..3 {
            let answer = self.says("descend");
            if answer.contains("Dungeon level") {
                self.sheets.push(Sheet::default());
                return self.arrives();
            }
        }
        panic!("the stairs cannot be taken:\n{}", self.olad.page);
    }

    /// The way back, by what `path` says; nobody is left behind.
    fn goes_home(&mut self) {
        self.says("config brief on");
        for _ in 0..60 {
            if self.olad.fighting || self.olad.down {
                self.fights();
                continue;
            }
            let answer = self.says("path start");
            let Some(steps) = between(&answer, "The way: ", ".").map(str::to_owned) else {
                self.says("up");
                break;
            };
            for step in steps.split(", then ") {
                if !self.says(step).contains("Exits: ") || self.olad.fighting {
                    break;
                }
            }
        }
        self.bera.types(&mut self.host, "recall");
        let room = self.says("look");
        assert!(room.starts_with("Well Square"), "{}", self.olad.page);
        assert!(room.contains("Bera is here."), "{}", self.olad.page);
        self.says("score");
        self.reached.insert(Milestone::Home);
    }
}

/// The front door, as a stranger finds it.
fn comes_in(host: &mut Host, name: &'static str) -> Listener {
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
