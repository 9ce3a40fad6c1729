//! Game side of the web builder: reading, building, validation and permissions: A3, A5, D1.

use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{RoomId, SessionId, Span};
use deepwell::game::{BuilderRequest, Declined, Effect, Envelope, GameConfig, Input, PackageUpload, WebPage};
use serde_json::Value;

const TOKEN: &str = "0123456789abcdef";

/// Web builder session, next to the table with the players' sessions.
pub(crate) struct BuilderSession {
    pub(crate) table: Table,
    asked: u64,
}

impl BuilderSession {
    /// Logs in Olad, the owner, in the town, and Bera, a builder with an open web builder.
    pub(crate) fn open() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let mut table = Table::new(GameConfig { limits, ..seeded(5) });
        table.sit("Olad");
        table.make_owner("Olad");
        table.sit("Bera");
        table.types("Olad", "promote bera builder");
        let mut page = Self::at(table);
        page.logs_in("Bera", TOKEN).expect("a builder");
        for name in ["Olad", "Bera"] {
            page.table.hears(name);
        }
        page
    }

    /// Creates a session without a login.
    pub(crate) const fn at(table: Table) -> Self {
        Self { table, asked: 0 }
    }

    /// Plays an input of a page, and returns its answer.
    pub(crate) fn asks<I: Into<Envelope>>(
        &mut self,
        input: impl FnOnce(SessionId) -> I,
    ) -> Result<Value, String> {
        self.asked += 1;
        let asker = SessionId(u64::MAX - self.asked);
        let mut reply = None;
        for effect in self.table.results_of(input(asker)) {
            match effect {
                Effect::Answered { asker: to, answer } if to == asker => {
                    assert!(reply.is_none(), "answered twice");
                    reply = Some(answer);
                }
                other => self.table.deliver(other),
            }
        }
        let answer = reply.expect("an answer");
        answer
            .map(|lines| serde_json::from_str(&lines.concat()).expect("JSON"))
            .map_err(|declined| declined.to_string())
    }

    fn logs_in(&mut self, name: &str, token: &str) -> Result<Value, String> {
        let (account, token) = (self.table.account(name), token.to_owned());
        self.asks(|asker| {
            Input::OpenWebBuilder { asker, account, token, page: WebPage::Build }.proved(account, "$test$")
        })
    }

    fn counts(&self, name: &str, token: &str) -> bool {
        self.table.game.account_by_builder_token(name, token, self.table.now()).is_some()
    }

    pub(crate) fn wants(&mut self, name: &str, ask: BuilderRequest) -> Result<Value, String> {
        let account = self.table.account(name);
        self.asks(|asker| Input::WebBuilder { asker, account, ask })
    }

    pub(crate) fn room(&mut self, room: RoomId) -> Value {
        self.wants("Bera", BuilderRequest::Room { room }).expect("a room")
    }

    /// Runs building commands in a room, without a revision.
    pub(crate) fn builds(&mut self, room: RoomId, lines: &[&str]) -> Value {
        self.builds_on(room, None, lines)
    }

    fn builds_on(&mut self, room: RoomId, revision: Option<&str>, lines: &[&str]) -> Value {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let revision = revision.map(str::to_owned);
        self.wants("Bera", BuilderRequest::Build { room, revision, lines }).expect("an answer")
    }

    fn tries(&mut self, room: RoomId, lines: &[&str]) -> Vec<String> {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let tried = self.wants("Bera", BuilderRequest::Try { room, lines }).expect("an answer");
        let found = tried["mistakes"].as_array().expect("a list").iter();
        found
            .map(|mistakes| {
                mistakes
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join("\n")
            })
            .collect()
    }

    pub(crate) fn town(&self) -> RoomId {
        self.table.game.world().meta().town.expect("a town")
    }
}

pub(crate) fn words(done: &Value) -> String {
    let messages = done["told"].as_array().expect("a list").iter();
    messages.filter_map(|message| message["words"].as_str()).collect::<Vec<_>>().join("\n")
}

/// Returns the value of a setting of a room or an exit; empty if it has none.
fn setting<'v>(of: &'v Value, name: &str) -> &'v str {
    let found = of["settings"].as_array().expect("a list").iter().find(|one| one["name"] == name);
    found.and_then(|one| one["value"].as_str()).unwrap_or_default()
}

/// A5, D1: building commands have the same effect in the web builder as in the game, wherever the builder's character
/// is.
#[test]
fn web_builder_commands_equal_typed_commands() {
    let mut page = BuilderSession::open();
    page.table.types("Bera", "down");
    let body = page.table.room("Bera").sheet.name.clone();
    let town = page.town();
    let done = page.builds(town, &["dig Mill Floor;mill = mill door, out"]);
    assert!(words(&done).starts_with("You dig Mill Floor, room "), "{done}");
    let exits = done["room"]["exits"].as_array().unwrap();
    let mill = exits.iter().find(|exit| exit["to_name"] == "Mill Floor").unwrap();
    assert_eq!(mill["name"], "mill door");
    let mill = RoomId(u32::try_from(mill["to"].as_u64().unwrap()).unwrap());
    let done = page.builds(
        mill,
        &[
            "describe here = Flour lies on everything. \\n It is quiet.",
            "detail flour;dust = It tastes of iron.",
            "set out door = low door",
            "spawn rat = 2 every 120",
            "spawn torch_stub",
            "trigger say friend = room The hatch sighs.; count friends",
            "tag here = harbour",
        ],
    );
    let room = &done["room"];
    assert_eq!(room["description"], "Flour lies on everything.\nIt is quiet.");
    assert_eq!(
        (room["details"][0]["nouns"].as_str(), setting(&room["exits"][0], "door")),
        (Some("flour, dust"), "low door")
    );
    assert_eq!(
        (&room["spawns"][0]["key"], &room["spawns"][0]["wish"]),
        (&"rat".into(), &"2 every 120".into())
    );
    assert_eq!(room["triggers"][0]["lines"][1], "count friends");
    assert_eq!(room["here"]["creatures"].as_array().unwrap().len(), 2);
    assert_eq!(page.table.room("Bera").sheet.name, body, "the body stays where it is");
    assert_eq!(page.table.hears("Bera"), "", "and hears nothing of it");
    assert!(page.table.types("Olad", "goto mill").contains("It is quiet."));
    let journal = page.table.types("Olad", "journal here");
    assert!(journal.contains("Bera: describe here") && journal.contains("Bera: dig Mill Floor"), "{journal}");
    let undone = page.builds(mill, &["undo"]);
    assert!(words(&undone).starts_with("You take back: tag here"), "{undone}");
    assert_eq!(undone["room"]["tags"].as_array().unwrap().len(), 0);
    assert!(
        page.table.types("Bera", "undo").contains("trigger"),
        "the typed word takes back what the page built"
    );
    page.table.restart();
    assert_eq!(page.room(mill)["description"], "Flour lies on everything.\nIt is quiet.");
}

/// A5: the web builder accepts building and inspection commands, and none that need a character or a client.
#[test]
fn a5_web_builder_accepts_only_building_commands() {
    let mut page = BuilderSession::open();
    let town = page.town();
    let before = page.table.game.world().snapshot();
    for line in [
        "say hello",
        "get all",
        "goto #1",
        "north",
        "quit",
        "promote bera admin",
        "zone new mill",
        "zone set town",
        "zone pack town",
        "shutdown",
        "branch list",
        "password",
        "describe here",
        "describe here =",
        "detail bell",
        "puzzle list",
        "reload",
        "",
        "=",
        "@",
        "quell",
        "at #1 tag here = bell",
        "rehearse off",
    ] {
        let done = page.builds(town, &[line]);
        assert_eq!(done["told"][0]["refused"], true, "{line}: {done}");
    }
    let after = page.table.game.world().snapshot();
    assert!(
        before.rooms == after.rooms && before.characters == after.characters && before.meta == after.meta
    );
    for line in ["preview here", "preview here reader", "preview here 40", "check", "@preview"] {
        let done = page.builds(town, &[line]);
        assert!(done["told"][0]["refused"] == false && !words(&done).is_empty(), "{line}: {done}");
    }
    page.table.types("Olad", "zone set town");
    page.table.types("Olad", "zone new mill");
    page.table.types("Olad", "dig Mill Floor = mill, out");
    page.table.types("Olad", "mill");
    page.table.types("Olad", "zone set mill");
    let mill = page.table.room("Olad").id;
    let done = page.builds(mill, &["describe here = Mine."]);
    assert!(words(&done).contains("Olad"), "a zone of others: {done}");
    assert_eq!(page.room(mill)["may"], false);
}

/// D1: an edit based on an outdated revision is refused with the current state. Movement of players and items does not
/// change the revision.
#[test]
fn edit_with_outdated_revision_is_refused_with_current_state() {
    let mut page = BuilderSession::open();
    let town = page.town();
    let seen = page.room(town);
    let revision = seen["revision"].as_str().unwrap();
    page.table.types("Olad", "drop all");
    page.table.types("Bera", "north");
    assert_eq!(page.room(town)["revision"], revision, "people come and go");
    page.table.types("Olad", "describe here = Olad was here.");
    let done = page.builds_on(town, Some(revision), &["describe here = Bera was here."]);
    assert!(done["changed"].as_str().unwrap().starts_with("Somebody has changed this room"), "{done}");
    assert_eq!(done["room"]["description"], "Olad was here.");
    let now = done["room"]["revision"].as_str().unwrap().to_owned();
    let done = page.builds_on(town, Some(&now), &["describe here = Bera was here."]);
    assert_eq!(done["room"]["description"], "Bera was here.");
    assert_ne!(done["room"]["revision"], now.as_str());
    let done =
        page.builds_on(town, None, &["name here = Square", "set here fights = perhaps", "name here = Place"]);
    assert_eq!(
        (&done["room"]["name"], done["told"].as_array().unwrap().len()),
        (&"Square".into(), 2),
        "it ends where it is refused"
    );
}

/// Scripts are listed with those that the zone calls, saved by the line that would be typed, and refused with their line.
#[test]
fn scripts_are_listed_shown_and_saved_by_a_typed_line() {
    let mut page = BuilderSession::open();
    let town = page.town();
    let made = page.builds(
        town,
        &[
            "make script bell",
            "script write bell = local M = {}\\nfunction M.ring() return {} end\\nreturn M",
        ],
    );
    assert!(words(&made).contains("Its functions: ring."), "{made}");
    page.table.types("Olad", "trigger say ring = call bell ring");
    let zone = page.table.room("Olad").area.clone();
    let scripts = page.wants("Bera", BuilderRequest::Scripts { zone }).expect("a list");
    assert_eq!(scripts["list"][0], serde_json::json!({ "key": "bell", "called": true }), "{scripts}");
    assert_eq!((&scripts["may"], &scripts["list"][1]["called"]), (&true.into(), &false.into()));
    let wanted = |page: &mut BuilderSession, key: &str| {
        page.wants("Bera", BuilderRequest::Script { script: key.into(), zone: String::new() })
    };
    let script = wanted(&mut page, "bell").expect("a script");
    assert_eq!(script["text"], "local M = {}\nfunction M.ring() return {} end\nreturn M\n");
    assert_eq!((&script["path"], &script["may"]), (&"scripts/bell.luau".into(), &true.into()));
    assert_eq!(wanted(&mut page, "dart_trap").expect("a script")["may"], false, "it is a file of the server");
    assert!(wanted(&mut page, "bel").expect_err("no such script").contains("Did you mean bell?"));
    let refused = page.builds(town, &["script write bell = local M = {}\\nreturn M M"]);
    assert!(words(&refused).contains("scripts/bell.luau:2"), "{refused}");
    assert!(words(&page.builds(town, &["script test bell ring"])).contains("ring gives back no lines."));
    let refused = page.builds(town, &["script edit bell"]);
    assert_eq!(refused["told"][0]["refused"], true, "the page has no line-by-line editor: {refused}");
}

/// Dialogues and quests are listed with those made in the game first, and have fields as in their files, also for texts
/// with quotes and markup. Those of the server are read-only for a builder.
#[test]
fn dialogues_and_quests_are_listed_shown_and_saved_by_typed_lines() {
    use deepwell::catalog::DefinitionKind::{self, Dialogue, Quest, Script};
    let mut page = BuilderSession::open();
    let town = page.town();
    let made = page.builds(
        town,
        &[
            "make dialogue keeper",
            "dialogue say keeper hello = <b>\"Well\"</b>, {player}?",
            "dialogue answer keeper hello = Below? leads to below",
            "dialogue if keeper hello 1 = level 2",
            "dialogue do keeper hello 1 = emote nods.; tell Go.",
            "dialogue answer keeper hello 1 = And below? leads to hello",
            "make quest tails",
            "set quest tails steps = [{ key = \"one\", text = \"Say \\\"rats\\\".\", kill = \"rat\", count = 3 }]",
        ],
    );
    assert_eq!(made["told"].as_array().map(Vec::len), Some(8), "{made}");
    let list = |page: &mut BuilderSession, kind| {
        page.wants("Bera", BuilderRequest::Definitions { kind, zone: String::new() }).expect("a list")
    };
    let one = |page: &mut BuilderSession, kind, key: &str| {
        page.wants("Bera", BuilderRequest::Definition { kind, key: key.into(), zone: String::new() })
    };
    let dialogues = list(&mut page, Dialogue);
    assert_eq!(dialogues["list"][0], serde_json::json!({ "key": "keeper", "made": true }), "{dialogues}");
    assert_eq!((&dialogues["list"][1]["made"], &dialogues["may"]), (&false.into(), &true.into()));
    for kind in DefinitionKind::ALL {
        let list = list(&mut page, kind);
        let fields = list["fields"].as_array().expect("fields");
        assert_eq!(fields.is_empty(), kind == Script, "{kind:?}");
        let is_told =
            |part: &str| fields.iter().all(|field| field[part].as_str().is_some_and(|text| !text.is_empty()));
        assert!(is_told("name") && is_told("takes") && is_told("about"), "{list}");
        let known = list["list"].as_array().into_iter().flatten().filter_map(|line| line["key"].as_str());
        for key in known.take(20) {
            let shown = one(&mut page, kind, key).expect("a definition");
            let named = |field: &String| fields.iter().any(|known| known["name"] == field.as_str());
            let has = shown["fields"].as_object().expect("fields").keys();
            assert!(kind == Script || has.into_iter().all(named), "{kind:?} {key}: {shown}");
        }
    }
    let keeper = one(&mut page, Dialogue, "keeper").expect("a dialogue");
    let node = &keeper["fields"]["nodes"][0];
    assert_eq!(node["text"], "<b>\"Well\"</b>, {player}?");
    let answer = serde_json::json!({
        "lines": ["emote nods.", "tell Go."], "only_if": "level 2", "text": "And below?", "to": "hello",
    });
    assert_eq!(node["choices"][0], answer, "a changed answer keeps its condition and lines");
    assert_eq!(keeper["unreached"], serde_json::json!(["below"]), "the answer leads elsewhere now");
    let refused = page.builds(town, &["dialogue answer keeper hello 1 = Up? leads to belwo"]);
    assert!(words(&refused).contains("below"), "the nearest node: {refused}");
    assert_eq!(one(&mut page, Dialogue, "keeper").expect("a dialogue"), keeper);
    let tails = one(&mut page, Quest, "tails").expect("a quest");
    assert_eq!(tails["fields"]["steps"][0]["text"], "Say \"rats\".");
    assert_eq!((&tails["fields"]["steps"][0]["count"], &tails["may"]), (&3.into(), &true.into()));
    assert_eq!(one(&mut page, Dialogue, "old_climber").expect("a dialogue")["may"], false);
    assert!(one(&mut page, Quest, "tail").expect_err("no such quest").contains("Did you mean tails?"));
}

/// A room has the terms of its shop and the routes of its creatures, each as the syntax of its line.
#[test]
fn room_has_terms_of_its_shop_and_routes_of_its_creatures() {
    let mut page = BuilderSession::open();
    let town = page.town();
    let done = page.builds(town, &["dig Mill Floor = mill door, out"]);
    let exits = done["room"]["exits"].as_array().unwrap();
    let mill = exits.iter().find(|exit| exit["to_name"] == "Mill Floor").unwrap();
    let mill = RoomId(u32::try_from(mill["to"].as_u64().unwrap()).unwrap());
    assert_eq!(setting(&page.room(mill), "refill"), "", "it is no shop yet");
    let done = page.builds(
        mill,
        &[
            "shop here = rye_loaf 2 copper x10",
            "set here buys = none",
            "set here open = 8-12, 14-20",
            "set here closed = \"Later,\" says a <b>note</b>.",
            "set here refill = 6",
            "spawn rat = 1 every 60 patrol here; lodge schedule 6: patrol; 22: sleep",
        ],
    );
    for (name, value) in [
        ("wares", "rye_loaf 2 copper x10"),
        ("buys", "0%"),
        ("open", "8-12, 14-20"),
        ("closed", "\"Later,\" says a <b>note</b>."),
        ("refill", "6"),
    ] {
        assert_eq!(setting(&done["room"], name), value, "{done}");
    }
    let rule = &done["room"]["spawns"][0];
    assert_eq!((&rule["wish"], &rule["schedule"][0]), (&"1 every 60".into(), &"6: patrol".into()), "{rule}");
    let patrol: Vec<&str> = rule["patrol"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let again = format!("spawn rat = 2 every 60 patrol {} schedule 6: patrol", patrol.join("; "));
    let tried = page.tries(
        mill,
        &[&again, "spawn rat = 1 every 60 schedule 6: fly", "set here buys = 0%", "set here refill = 25"],
    );
    assert_eq!((tried[0].as_str(), tried[2].as_str()), ("", ""), "{tried:?}");
    assert!(tried[1].contains("6: fly") && tried[3].contains("25"), "{tried:?}");
    let done = page.builds(mill, &[&again]);
    assert_eq!(done["room"]["spawns"][0]["patrol"], rule["patrol"]);
}

/// Validation reports the refusals of all lines together, with the nearest names, and changes nothing.
#[test]
fn validation_reports_all_mistakes_and_changes_nothing() {
    let mut page = BuilderSession::open();
    let town = page.town();
    page.table.types("Olad", "open chimney = #2");
    let before = (page.table.game.world().snapshot(), page.room(town));
    let long = format!("describe here = {}", "x".repeat(20_000));
    let tried = page.tries(
        town,
        &[
            "describe here = Well and good.",
            "spawn torch_stubb = 2 every 120",
            "spawn rat = 2 every 1",
            "trigger say friend = opne north; harm many",
            "trigger sya friend = room Hm.",
            "link chimney = Nowhere At All",
            "set chimney key = old_kye",
            "shop here = rye_laof",
            "open chimney = #1",
            "dig Loft = chimney, out",
            "dig Loft = skylight, out",
            "open skylight = #2",
            "set chimney door = oak door",
            "name here = Other Square",
            "describe here =",
            &long,
        ],
    );
    let expected = [
        "",
        "the nearest is torch_stub",
        "Say how many",
        "opne",
        "There is no event \"sya\"",
        "Nowhere At All",
        "",
        "rye_loaf",
        "There is an exit \"chimney\" here already",
        "There is an exit \"chimney\" here already",
        "",
        "",
        "",
        "",
        "describe",
        "at most",
    ];
    for ((at, text), message) in (0..).zip(&tried).zip(expected) {
        assert!(
            text.contains(message) && (at == 6 || text.is_empty() == message.is_empty()),
            "line {at}: {text}"
        );
    }
    assert!(!tried[6].is_empty(), "no such key, or no door");
    let after = (page.table.game.world().snapshot(), page.room(town));
    assert!(before.0 == after.0, "nothing has changed");
    assert_eq!(before.1, after.1);
    assert_eq!(page.table.hears("Olad"), "", "and nobody has noticed");
    assert!(page.table.types("Olad", "dig Loft = skylight, out").starts_with("You dig Loft"));
}

/// A3: a web builder login ends by expiry, a password change, demotion or log-out, and persists over a restart.
#[test]
fn a3_web_builder_login_ends_with_its_grounds() {
    type End = fn(&mut BuilderSession);
    let ends: [(&str, End); 7] = [
        ("time", |page| page.table.waits(Limits::default().desk_life)),
        ("another password", |page| {
            let (session, account) = (page.table.session("Bera"), page.table.account("Bera"));
            page.table.step(Input::NewPassword { session, account, credential: "$new$".into() });
        }),
        ("demotion", |page| {
            page.table.types("Olad", "promote bera player");
            assert_eq!(page.wants("Bera", BuilderRequest::Zones), Err(Declined::LoggedOut.to_string()));
            page.table.types("Olad", "promote bera builder");
        }),
        ("losing the right to look", |page| {
            page.table.types("Olad", "revoke bera look");
            page.table.types("Olad", "grant bera look");
        }),
        ("log out everywhere", |page| _ = page.table.types("Bera", "log out everywhere")),
        ("logging out there", |page| {
            let account = page.table.account("Bera");
            page.asks(|asker| Input::CloseWebBuilder { asker, account, token: TOKEN.into() }).unwrap();
        }),
        ("four others", |page| {
            for token in ["a", "b", "c", "d"] {
                page.logs_in("Bera", token).unwrap();
            }
        }),
    ];
    for (what, end) in ends {
        let mut page = BuilderSession::open();
        assert!(page.counts("Bera", TOKEN) && !page.counts("Bera", "other") && !page.counts("Olad", TOKEN));
        page.table.restart();
        assert!(page.counts("Bera", TOKEN), "after a restart");
        end(&mut page);
        assert!(!page.counts("Bera", TOKEN), "after {what}");
    }
}

/// A1, A5, A6: the web builder refuses accounts without the builder role, banned accounts and outdated passwords.
#[test]
fn a5_web_builder_refuses_non_builders_and_banned_accounts() {
    let mut page = BuilderSession::open();
    page.table.sit("Cato");
    assert_eq!(page.logs_in("Cato", "t").unwrap_err(), Declined::NotABuilder.to_string());
    let account = page.table.account("Bera");
    let outdated = page.asks(|asker| {
        Input::OpenWebBuilder { asker, account, token: "t".into(), page: WebPage::Build }
            .proved(account, "$old$")
    });
    assert!(outdated.unwrap_err().contains("has just been changed"));
    page.table.types("Bera", "quell");
    assert!(page.wants("Bera", BuilderRequest::Zones).unwrap_err().contains("quell"));
    page.table.types("Bera", "quell");
    page.table.types("Olad", "freeze bera");
    let town = page.town();
    let done = page.builds(town, &["name here = Square"]);
    assert_eq!(done["told"][0]["refused"], true, "{done}");
    page.table.types("Olad", "ban bera");
    page.table.waits(Span::secs(1));
    assert!(page.wants("Bera", BuilderRequest::Zones).unwrap_err().contains("banned"));
}

/// The map is sent once, and again when it changes.
#[test]
fn zone_map_is_sent_once_per_revision_with_remarks() {
    let mut page = BuilderSession::open();
    let zones = page.wants("Bera", BuilderRequest::Zones).unwrap();
    assert_eq!(zones["player"], "Bera");
    let zone = zones["list"].as_array().unwrap().iter().find(|zone| zone["here"] == true).unwrap()["key"]
        .as_str()
        .unwrap()
        .to_owned();
    let ask = |known: Option<&str>, check| BuilderRequest::Zone {
        zone: zone.clone(),
        known: known.map(str::to_owned),
        check,
    };
    let answer = page.wants("Bera", ask(None, true)).unwrap();
    let revision = answer["revision"].as_str().unwrap().to_owned();
    let town = page.town();
    let rooms = answer["map"]["rooms"].as_array().unwrap();
    let square = rooms.iter().find(|room| room["id"] == town.0).unwrap();
    assert!(square["exits"].as_array().unwrap().iter().any(|exit| exit["name"] == "north"), "{square}");
    assert!(page.wants("Bera", ask(Some(&revision), false)).unwrap()["map"].is_null());
    page.table.types("Olad", "dig Bare Room = hatch");
    let answer = page.wants("Bera", ask(Some(&revision), true)).unwrap();
    assert!(answer["map"]["rooms"].as_array().unwrap().len() > rooms.len());
    let remarks = answer["remarks"].as_array().unwrap();
    assert!(remarks.iter().any(|remark| remark["name"] == "Bare Room"), "{remarks:?}");
    let nowhere = BuilderRequest::Zone { zone: "twon".into(), known: None, check: false };
    assert!(page.wants("Bera", nowhere).unwrap_err().contains("town"));
}

/// Packages are sent and taken in as by `zone pack` and `zone unpack`, with the rights, the journal and the ownership of the
/// builder's account.
#[test]
fn packages_are_downloaded_and_uploaded() {
    let mut page = BuilderSession::open();
    let town = page.town();
    page.builds(town, &["dig Mill Floor;mill = mill door, out"]);
    page.table.types_all("Bera", &["mill door", "zone new mill", "zone set mill", "down"]);
    let rooms = |page: &BuilderSession| page.table.game.world().rooms.built().count();
    let before = rooms(&page);
    let packed = page.wants("Bera", BuilderRequest::Pack { zone: "mill".into() }).expect("a package");
    assert_eq!(packed["name"], "mill");
    let package = packed["package"].as_str().expect("a text").to_owned();
    assert!(package.contains("zones/mill.toml"), "{package}");
    let upload = |prefix: &str, now: bool| {
        let (name, package, prefix) = ("mill".to_owned(), package.clone(), Some(prefix.to_owned()));
        BuilderRequest::Unpack(PackageUpload { name, package, prefix, now })
    };
    let answer_of = |page: &mut BuilderSession, ask: BuilderRequest| {
        let answer = page.wants("Bera", ask).expect("an answer");
        let lines: Vec<String> = serde_json::from_value(answer["words"].clone()).expect("sentences");
        (answer["refused"] == true, lines.join("\n"))
    };
    let (refused, lines) = answer_of(&mut page, upload("dale", false));
    assert!(!refused && lines.contains("The zone dale_mill, with one room."), "{lines}");
    assert_eq!(rooms(&page), before, "nothing has changed yet");
    let (refused, lines) = answer_of(&mut page, upload("The Dale", true));
    assert!(refused && lines.contains("A prefix is made of small letters"), "{lines}");
    let (refused, lines) = answer_of(&mut page, upload("dale", true));
    assert!(!refused && lines.starts_with("It is taken in:"), "{lines}");
    assert_eq!(rooms(&page), before + 1);
    let bera = page.table.account("Bera");
    assert_eq!(page.table.game.world().meta().zones["dale_mill"].owner, Some(bera));
    let entry = page.table.game.world().journal.iter().last().expect("an entry").1;
    assert_eq!(
        (entry.line.as_str(), entry.account, entry.room),
        ("zone unpack mill as dale now", Some(bera), None)
    );
    let undone = page.builds(town, &["undo"]);
    assert!(words(&undone).contains("zone unpack mill as dale now"), "{undone}");
    assert_eq!(rooms(&page), before);
    page.table.types("Olad", "promote bera player");
    page.table.types("Olad", "grant bera look");
    page.table.types("Olad", "grant bera zones");
    for ask in [upload("dale", false), upload("dale", true)] {
        let declined = page.wants("Bera", ask).expect_err("rights are missing");
        assert!(declined.contains("right"), "{declined}");
    }
    page.table.types("Olad", "revoke bera zones");
    assert!(page.wants("Bera", BuilderRequest::Pack { zone: "mill".into() }).is_err());
    assert_eq!(rooms(&page), before);
}
