//! A simulated player. It knows only what its session was sent, and types one line at a time.

use super::builder::BuilderBot;
use super::chatter::{QUESTIONS, nonsense, speech};
use super::errand::errand;
use super::habit::{BotDeed, Habits};
use super::names;
use deepwell_core::base::{AccountId, CharacterId, Dice, Rng, Seed, SessionId, Span};
use deepwell_core::text::{Markup, Style};
use deepwell_game::{
    Class, CloseReason, Data, Effect, Input, Output, Package, Packages, PromptFields, packages_by_default,
};

/// A bot.
#[derive(Debug)]
pub(super) struct Bot {
    name: String,
    account: Option<AccountId>,
    character: Option<CharacterId>,
    link: Presence,
    /// A second session that is about to take over the character.
    second: Option<SessionId>,
    dice: Rng,
    habits: Habits,
    sight: BotView,
    builder: Option<BuilderBot>,
    /// Set if the bot requests structured data (GMCP packages), as mappers do.
    maps: bool,
    asked: bool,
    /// Set if the bot flees when it is hurt.
    careful: bool,
}

/// State of a bot's connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Presence {
    Away,
    Asking(SessionId),
    Playing(SessionId),
}

/// A bot's view of its surroundings, taken from the output of the game.
#[derive(Debug, Default)]
struct BotView {
    /// Exits, each with `true` if it is unexplored as far as the bot knows.
    ways: Vec<(String, bool)>,
    creatures: Vec<String>,
    items: Vec<String>,
    /// Keywords of the items that it carries, as far as it remembers.
    pack: Vec<String>,
    people: Vec<String>,
    lever: bool,
    prompt: PromptFields,
    /// The branch it is in, if it receives structured data.
    branch: Option<u32>,
    /// Set if it is in a puzzle and receives structured data.
    puzzle: bool,
}

/// Next action of a bot.
#[derive(Debug)]
pub(super) enum BotAction {
    /// Sends an input to the game.
    Do(Input),
    /// Waits for its login to be accepted.
    Wait,
}

impl Bot {
    pub(super) fn new(seed: Seed, number: u32) -> Self {
        let mut dice = seed.named("bot").numbered(u64::from(number)).rng();
        Self {
            name: names::name(number),
            account: None,
            character: None,
            link: Presence::Away,
            second: None,
            habits: Habits::drawn(&mut dice),
            sight: BotView::default(),
            builder: (number == 0).then(BuilderBot::default),
            maps: number == 0 || !dice.percent(20),
            asked: false,
            careful: dice.percent(40),
            dice,
        }
    }

    /// Rolls the time until its next action.
    pub(super) fn pause(&mut self) -> Span {
        let hasty = self.sight.prompt.fighting || self.dice.percent(20);
        Span::millis(i64::from(self.dice.between(200, if hasty { 3_000 } else { 15_000 })))
    }

    /// Rolls the time until it reconnects.
    pub(super) fn absence(&mut self) -> Span {
        let most = if self.dice.percent(85) { 15 } else { 300 };
        Span::secs(i64::from(self.dice.between(1, most)))
    }

    /// Returns the account of the bot if it is a builder.
    pub(super) fn builds(&self) -> Option<AccountId> {
        self.builder.as_ref().and(self.account)
    }

    pub(super) fn is_away(&self) -> bool {
        self.link == Presence::Away
    }

    /// Drops every connection, after a crash of the server.
    pub(super) fn cut_off(&mut self) {
        self.link = Presence::Away;
        self.second = None;
    }

    /// Chooses the next action. `fresh` is an unused session number; `hint` returns the next command of a character in
    /// a puzzle.
    pub(super) fn act(
        &mut self,
        fresh: SessionId,
        hint: impl Fn(CharacterId) -> Option<String>,
    ) -> BotAction {
        let session = match self.link {
            Presence::Away => {
                self.link = Presence::Asking(fresh);
                return BotAction::Do(self.login_input(fresh));
            }
            Presence::Asking(_) => return BotAction::Wait,
            Presence::Playing(session) => session,
        };
        if !self.asked && self.maps {
            self.asked = true;
            let channels = self.dice.percent(50);
            let mut packages = Packages::from([Package::Character, Package::Room]);
            if channels {
                packages.extend(packages_by_default());
                packages.extend([Package::Items, Package::Afflictions, Package::Defences]);
            }
            return BotAction::Do(Input::Wants { session, packages });
        }
        if let Some(builder) = &mut self.builder
            && let Some(line) = builder.line(&mut self.dice, self.sight.branch)
        {
            return BotAction::Do(Input::Command { session, line });
        }
        // In a puzzle, the bot follows the solution most of the time and acts at random otherwise.
        if self.sight.puzzle
            && self.dice.percent(80)
            && let Some(line) = self.character.and_then(hint)
        {
            return BotAction::Do(Input::Command { session, line });
        }
        match self.choose() {
            BotDeed::LoseLink => {
                self.link = Presence::Away;
                BotAction::Do(Input::Lost { session })
            }
            BotDeed::TakeOver => {
                self.second = Some(fresh);
                BotAction::Do(self.login_input(fresh))
            }
            deed => {
                let line = self.line(deed);
                BotAction::Do(Input::Command { session, line })
            }
        }
    }

    fn login_input(&self, session: SessionId) -> Input {
        let (name, pre_login) = (self.name.clone(), Box::default());
        match self.account {
            Some(account) => Input::Login { session, account, name, pre_login, goes_on: false },
            None => {
                Input::Create { session, name, credential: "none: bots have no password".into(), pre_login }
            }
        }
    }

    /// Picks an action: urgent ones first, otherwise by its habits.
    fn choose(&mut self) -> BotDeed {
        let PromptFields { hp, max_hp, fighting, .. } = self.sight.prompt;
        if fighting {
            let hurt = self.careful && hp * 3 < max_hp;
            return match self.dice.up_to(19) {
                0..=8 if hurt => BotDeed::Flee,
                0 => BotDeed::LoseLink,
                6..=9 => BotDeed::Errand,
                1 => BotDeed::TakeOver,
                2 => BotDeed::Walk,
                3..=4 => self.habits.deed(&mut self.dice),
                5 => BotDeed::Fight,
                _ => BotDeed::Ask,
            };
        }
        if self.sight.lever && self.dice.percent(50) {
            return BotDeed::Pull;
        }
        if !self.sight.creatures.is_empty() && self.dice.percent(if self.careful { 20 } else { 70 }) {
            return BotDeed::Fight;
        }
        if !self.sight.items.is_empty() && self.dice.percent(40) {
            return BotDeed::Get;
        }
        if !self.sight.pack.is_empty() && !self.sight.people.is_empty() && self.dice.percent(15) {
            return BotDeed::Give;
        }
        self.habits.deed(&mut self.dice)
    }

    fn line(&mut self, deed: BotDeed) -> String {
        let dice = &mut self.dice;
        let one = |dice: &mut Rng, list: &[String]| dice.pick(list).cloned().unwrap_or_else(|| "rat".into());
        match deed {
            BotDeed::Walk => self.sight.way(dice),
            BotDeed::Fight => format!("kill {}", one(dice, &self.sight.creatures)),
            BotDeed::Flee => "flee".into(),
            BotDeed::Pull => "pull lever".into(),
            BotDeed::Get => {
                let item = one(dice, &self.sight.items);
                self.sight.items.clear();
                if dice.percent(50) { "get all".into() } else { format!("get {item}") }
            }
            BotDeed::Drop => {
                if dice.percent(20) {
                    "drop all".into()
                } else {
                    format!("drop {}", one(dice, &self.sight.pack))
                }
            }
            BotDeed::Give => {
                format!("give {} to {}", one(dice, &self.sight.pack), one(dice, &self.sight.people))
            }
            BotDeed::Errand => errand(dice, &self.sight.people, &self.sight.pack, &self.sight.creatures),
            BotDeed::Speak => speech(dice, &self.sight.people),
            BotDeed::Ask => dice.pick(QUESTIONS).copied().unwrap_or("look").into(),
            BotDeed::Recall => "recall".into(),
            BotDeed::Quit => "quit".into(),
            BotDeed::Change if dice.percent(40) => format!("character new {}x", self.name),
            BotDeed::Change => {
                format!("character play {}{}", self.name, if dice.percent(50) { "x" } else { "" })
            }
            BotDeed::Rave | BotDeed::LoseLink | BotDeed::TakeOver => nonsense(dice),
        }
    }

    /// Updates the bot from an effect sent to one of its sessions.
    pub(super) fn read(&mut self, effect: &Effect) {
        match effect {
            Effect::Entered { session, account, character, .. } => {
                self.link = Presence::Playing(*session);
                self.second = self.second.filter(|second| second != session);
                self.account = Some(*account);
                self.character = Some(*character);
                self.asked = false;
            }
            Effect::Refused { session, .. } if self.link == Presence::Asking(*session) => {
                self.link = Presence::Away;
            }
            Effect::Close { session, why } => self.closed(*session, *why),
            Effect::Output { output, .. } => self.read_output(output),
            _ => {}
        }
    }

    fn closed(&mut self, session: SessionId, why: CloseReason) {
        if self.link == Presence::Playing(session) {
            self.link = match (why, self.second) {
                (CloseReason::TakenOver, Some(second)) => Presence::Asking(second),
                _ => Presence::Away,
            };
        }
    }

    fn read_output(&mut self, output: &Output) {
        match output {
            Output::Text(Class::Room, text) => self.sight.look(text),
            Output::Text(Class::Refusal, _) if self.dice.percent(50) => self.sight.creatures.clear(),
            Output::Text(Class::Reply, text) => {
                if let Some(builder) = &mut self.builder {
                    builder.hear(text.text());
                }
            }
            Output::Text(Class::Movement, text) => self.sight.meet(text),
            Output::Text(Class::Notice, text) => self.sight.notice(text.text()),
            Output::Prompt(fields) => self.sight.prompt = *fields,
            Output::Data(data) => {
                if let Data::RoomInfo(room) = &**data {
                    self.sight.branch = room.branch.map(|branch| branch.0);
                    self.sight.puzzle = room.details.iter().any(|detail| detail == "puzzle");
                    let known = |(key, exit): (&String, &deepwell_game::effect::data::ExitInfo)| {
                        (exit.cmd.clone().unwrap_or_else(|| key.clone()), exit.num < 0)
                    };
                    self.sight.ways = room.exitsv2.iter().map(known).collect();
                }
            }
            Output::Text(..) | Output::Settings(_) | Output::Local(_) => {}
        }
    }
}

impl BotView {
    /// Reads a room text by the styles of its parts.
    fn look(&mut self, text: &Markup) {
        let last = |line: &str| line.trim_end_matches(" lies here.").rsplit(' ').next().map(str::to_owned);
        let of =
            |wanted: Style| text.runs().filter(move |(style, _)| *style == wanted).map(|(_, piece)| piece);
        self.ways = of(Style::Exit).map(|way| (way.to_owned(), false)).collect();
        self.creatures = of(Style::Creature).filter_map(last).collect();
        self.items = of(Style::Item).filter_map(last).collect();
        self.people = of(Style::Player).map(str::to_owned).collect();
        self.lever = of(Style::Blocked).any(|piece| piece.contains("lever"));
    }

    /// Adds players named in a movement message; those who leave are not removed.
    fn meet(&mut self, text: &Markup) {
        let names = text.runs().filter(|(style, _)| *style == Style::Player).map(|(_, name)| name.to_owned());
        self.people.extend(names);
    }

    /// Updates the known items from a notice: items taken, received, found, dropped or given away.
    fn notice(&mut self, sentence: &str) {
        let Some(word) = sentence.strip_suffix('.').and_then(|rest| rest.rsplit(' ').next()) else { return };
        if sentence.starts_with("You take hold ") {
            return;
        }
        if sentence.starts_with("You take ") || sentence.contains(" gives you ") {
            self.pack.push(word.to_owned());
        } else if sentence.starts_with("You put down ") || sentence.starts_with("You give ") {
            self.pack.retain(|item| item != word);
        } else if sentence.contains(" you find ") {
            self.items.push(word.to_owned());
        }
    }

    /// Picks an exit: preferably down, then an unexplored exit, then any.
    fn way(&self, dice: &mut Rng) -> String {
        let down = self.ways.iter().find(|(way, _)| way == "d" || way == "down");
        let unexplored: Vec<_> = self.ways.iter().filter(|(_, unexplored)| *unexplored).collect();
        let way = match dice.up_to(9) {
            0..=5 if down.is_some() => down,
            0..=7 => dice.pick(&unexplored).copied(),
            _ => None,
        };
        way.or_else(|| dice.pick(&self.ways)).map_or_else(|| "look".into(), |(way, _)| way.clone())
    }
}
