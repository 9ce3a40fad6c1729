//! Structured data as clients receive it: the exact content of each package, and a client model that is sent only
//! differences and stays complete.

use crate::arena::arena;
use crate::hoard::{grant, put, put_on_floor};
use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{Dice, ItemId, Seed, Span};
use deepwell::game::{Ask, GameConfig, Input, Package, Packages};
use deepwell::world::{Affect, Place};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn crowd(names: &[&str]) -> Table {
    let mut table = Table::new(seeded(1));
    for name in names {
        table.sit(name);
    }
    table
}

/// Returns the new packages with this name prefix, without their `commands`, which are tested elsewhere.
fn told(table: &mut Table, name: &str, start: &str) -> Vec<(String, Value)> {
    let mut news = table.all_news(name);
    news.retain(|(package, _)| package.starts_with(start));
    for (_, body) in &mut news {
        without_commands(body);
    }
    news
}

fn without_commands(body: &mut Value) {
    match body {
        Value::Array(list) => list.iter_mut().for_each(without_commands),
        Value::Object(map) => {
            map.remove("commands");
            map.values_mut().for_each(without_commands);
        }
        _ => {}
    }
}

fn news(package: &str, body: Value) -> (String, Value) {
    (package.to_owned(), body)
}

fn asks(table: &mut Table, name: &str, what: Ask) {
    let session = table.session(name);
    table.step(Input::Asks { session, what });
}

/// Protocols 6.3: players present, arriving and leaving are reported; the client's own character is not.
#[test]
fn protocols_6_3_players_in_the_room_are_reported() {
    let mut table = crowd(&["Olad"]);
    table.wants("Olad", [Package::Room]);
    assert_eq!(told(&mut table, "Olad", "Room.P"), [news("Room.Players", json!([]))]);
    table.sit("Bera");
    let bera = json!({"name": "Bera", "fullname": "Bera", "state": "ready"});
    assert_eq!(told(&mut table, "Olad", "Room."), [news("Room.AddPlayer", bera.clone())]);
    table.types("Bera", "north");
    assert_eq!(told(&mut table, "Olad", "Room."), [news("Room.RemovePlayer", json!("Bera"))]);
    table.types("Olad", "north");
    let packages: Vec<_> = told(&mut table, "Olad", "Room.").into_iter().collect();
    assert_eq!(packages[0].0, "Room.Info");
    assert_eq!(packages[1..], [news("Room.Players", json!([bera.clone()]))]);
    table.break_link("Bera");
    let cut = json!({"name": "Bera", "fullname": "Bera", "state": "link-dead"});
    assert_eq!(told(&mut table, "Olad", "Room."), [news("Room.AddPlayer", cut)], "the body stays");
    table.waits(Span::mins(10));
    assert_eq!(told(&mut table, "Olad", "Room."), [news("Room.RemovePlayer", json!("Bera"))]);
    table.comes_back("Bera");
    assert_eq!(told(&mut table, "Olad", "Room."), [news("Room.AddPlayer", bera)]);
    assert_eq!(table.all_news("Bera"), [], "unasked");
}

/// Protocols 6.3: `Room.WrongDir` is sent for a direction without an exit, however it was typed, and not for a blocked
/// exit.
#[test]
fn protocols_6_3_missing_exit_sends_wrong_dir() {
    let mut table = crowd(&["Olad"]);
    table.wants("Olad", [Package::Room]);
    table.all_news("Olad");
    for line in ["up", "U", "go up", "up!"] {
        assert!(table.types("Olad", line).contains("can't go that way"), "{line}");
        assert_eq!(told(&mut table, "Olad", "Room."), [news("Room.WrongDir", json!("u"))], "{line}");
    }
    table.types_all("Olad", &["get up", "up to you", "xyzzy"]);
    assert_eq!(told(&mut table, "Olad", "Room.Wrong"), []);

    let mut table = arena();
    table.wants("Olad", [Package::Room]);
    let room = table.body("Olad").room;
    let barred = table.world().exits.of(room).find(|exit| exit.to.is_none()).expect("a way on").name.clone();
    assert!(table.types("Olad", &barred).contains("cannot go that way yet"));
    assert_eq!(told(&mut table, "Olad", "Room.Wrong"), []);
}

/// Protocols 6.2: carried items and items in the room are sent as full lists, then as differences.
#[test]
fn protocols_6_2_items_are_listed_then_sent_as_differences() {
    let mut table = crowd(&["Olad"]);
    let ids = grant(&mut table, "Olad", &[("clay_lamp", 1), ("dagger", 1), ("leather_armour", 1)]);
    table.all_news("Olad");
    table.wants("Olad", [Package::Items]);
    let worn_at = |slot: &str, at: usize, name: &str, icon: &str, attrib: &str| json!({"id": ids[at].to_string(), "name": name, "icon": icon, "attrib": attrib, "slot": slot});
    let lamp = json!({"id": ids[0].to_string(), "name": "a clay lamp", "icon": "trinket", "attrib": "t"});
    let (dagger, wielded) =
        (worn_at("hand", 1, "a dagger", "weapon", "t"), worn_at("hand", 1, "a dagger", "weapon", "lt"));
    let armour = worn_at("body", 2, "a suit of leather armour", "armour", "Wt");
    let carried = json!({"location": "inv", "items": [lamp, dagger, armour]});
    let all = told(&mut table, "Olad", "Char.Items.");
    assert_eq!(all[1], news("Char.Items.List", carried));
    assert_eq!((all[0].0.as_str(), &all[0].1["location"]), ("Char.Items.List", &json!("room")));
    assert_eq!(all.len(), 2);

    table.types("Olad", "drop lamp");
    let at = |place: &str, item: &Value| json!({"location": place, "item": item});
    let dropped = [news("Char.Items.Add", at("room", &lamp)), news("Char.Items.Remove", at("inv", &lamp))];
    assert_eq!(told(&mut table, "Olad", "Char."), dropped);
    table.types("Olad", "wield dagger");
    assert_eq!(told(&mut table, "Olad", "Char."), [news("Char.Items.Update", at("inv", &wielded))]);
    table.types("Olad", "wear armour");
    let worn = worn_at("body", 2, "a suit of leather armour", "armour", "wt");
    assert_eq!(told(&mut table, "Olad", "Char."), [news("Char.Items.Update", at("inv", &worn))]);
    table.types_all("Olad", &["look", "say hello", "inventory"]);
    assert_eq!(told(&mut table, "Olad", "Char."), [], "nothing is different");
    asks(&mut table, "Olad", Ask::Pack);
    let carried = json!({"location": "inv", "items": [wielded, worn]});
    assert_eq!(told(&mut table, "Olad", "Char."), [news("Char.Items.List", carried)]);
    table.types("Olad", "north");
    let lists = told(&mut table, "Olad", "Char.");
    assert_eq!(
        (lists.len(), lists[0].0.as_str(), &lists[0].1["location"]),
        (1, "Char.Items.List", &json!("room"))
    );
}

/// Every line under `commands` is a valid command; the list is sent again when it changes.
#[test]
fn items_creatures_and_players_list_valid_commands() {
    let mut table = crowd(&["Olad", "Bera"]);
    grant(&mut table, "Olad", &[("clay_lamp", 1), ("dagger", 1), ("leather_armour", 1), ("bread_crust", 2)]);
    table.all_news("Olad");
    table.wants("Olad", [Package::Items, Package::Room]);
    let news = table.all_news("Olad");
    let commands = |start: &str, name: &str| -> Vec<String> {
        let bodies = news.iter().filter(|(message, _)| message.starts_with(start)).map(|(_, body)| body);
        let lists =
            bodies.flat_map(|body| body.get("items").unwrap_or(body).as_array().cloned().unwrap_or_default());
        let of_it = |item: &Value| item["name"] == name;
        let found = lists.into_iter().find(of_it).unwrap_or_else(|| panic!("{name} in {news:?}"));
        serde_json::from_value(found["commands"].clone()).expect("lines")
    };
    assert_eq!(commands("Char.Items", "a dagger"), ["wield dagger", "examine dagger", "drop dagger"]);
    assert_eq!(commands("Char.Items", "a clay lamp"), ["examine clay lamp", "drop clay lamp"]);
    let armour = commands("Char.Items", "a suit of leather armour");
    assert_eq!(armour[0], "wear leather armour");
    assert_eq!(commands("Room.Players", "Bera"), ["look Bera", "follow Bera", "party invite Bera"]);
    table.types("Olad", &armour[0]);
    let worn = table.news("Olad", "Char.Items.Update").pop().expect("an update");
    assert_eq!(worn["item"]["commands"][0], "remove leather armour");
}

/// An invitation includes the commands that answer it, and is removed when it is answered.
#[test]
fn invitations_are_removed_when_answered() {
    let mut table = crowd(&["Olad", "Bera"]);
    table.wants("Bera", [Package::Party]);
    table.all_news("Bera");
    table.types("Olad", "party invite bera");
    let asked = json!([{"from": "Olad", "accept": "party accept Olad", "decline": "party decline Olad"}]);
    assert_eq!(told(&mut table, "Bera", "Party.Inv"), [news("Party.Invitations", asked)]);
    table.types("Bera", "look");
    assert_eq!(told(&mut table, "Bera", "Party.Inv"), []);
    table.types("Bera", "party accept Olad");
    assert_eq!(told(&mut table, "Bera", "Party.Inv"), [news("Party.Invitations", json!([]))]);
}

/// Protocols 6.2: the contents of a container are sent on request, then as differences, while it is in reach.
#[test]
fn protocols_6_2_container_contents_are_sent_on_request() {
    let mut table = crowd(&["Olad", "Bera"]);
    let ids = grant(&mut table, "Olad", &[("satchel", 1), ("dagger", 1)]);
    table.wants("Olad", [Package::Items]);
    table.wants("Bera", [Package::Items]);
    asks(&mut table, "Bera", Ask::Contents(ids[0]));
    table.all_news("Bera");
    asks(&mut table, "Bera", Ask::Contents(ids[0]));
    assert_eq!(table.all_news("Bera"), [], "it is not in reach");
    table.all_news("Olad");
    asks(&mut table, "Olad", Ask::Contents(ids[1]));
    asks(&mut table, "Olad", Ask::Contents(ItemId(99_999)));
    assert_eq!(table.all_news("Olad"), [], "nothing is in a dagger, or in what is not there");
    asks(&mut table, "Olad", Ask::Contents(ids[0]));
    let place = format!("rep{}", ids[0]);
    assert_eq!(table.all_news("Olad"), [news("Char.Items.List", json!({"location": place, "items": []}))]);
    table.types("Olad", "put dagger in satchel");
    let dagger = json!({"id": ids[1].to_string(), "name": "a dagger", "icon": "weapon", "attrib": "t", "slot": "hand"});
    let at = |place: &str| json!({"location": place, "item": dagger});
    let put = [news("Char.Items.Remove", at("inv")), news("Char.Items.Add", at(&place))];
    assert_eq!(told(&mut table, "Olad", "Char."), put);
    table.types_all("Olad", &["drop satchel", "north"]);
    table.all_news("Olad");
    table.types("Bera", "get dagger from satchel");
    assert_eq!(told(&mut table, "Olad", "Char."), [], "out of reach");
    table.types("Olad", "south");
    assert_eq!(told(&mut table, "Olad", "Char.Items.Remove"), [], "it is not watched any more");
}

/// A8: the number of watched containers is limited; a request above the limit drops the oldest.
#[test]
fn a8_watched_containers_are_limited() {
    let limits = Limits { containers_watched: 1, ..Limits::default() };
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    let ids = grant(&mut table, "Olad", &[("satchel", 1), ("satchel", 1), ("dagger", 1), ("bread_crust", 1)]);
    table.wants("Olad", [Package::Items]);
    asks(&mut table, "Olad", Ask::Contents(ids[0]));
    asks(&mut table, "Olad", Ask::Contents(ids[1]));
    table.all_news("Olad");
    table.types_all("Olad", &["put dagger in satchel", "put crust in 2.satchel"]);
    let messages = told(&mut table, "Olad", "Char.Items.Add");
    let places: Vec<&str> = messages.iter().filter_map(|(_, body)| body["location"].as_str()).collect();
    assert_eq!(places, [format!("rep{}", ids[1])], "{messages:?}");
}

/// Protocols 6.2: creatures are listed with the items of a room, and the current enemy with its remaining hit points.
#[test]
fn protocols_6_2_creatures_and_enemy_are_reported() {
    let mut table = arena();
    let orc = crate::arena::enemy(&table);
    table.wants("Olad", [Package::Character, Package::Items]);
    let creature = json!({"id": format!("m{orc}"), "name": "an orc", "icon": "creature", "attrib": "m"});
    let lists = told(&mut table, "Olad", "Char.Items");
    let here = lists[0].1["items"].as_array().expect("a list");
    assert!(here.contains(&creature), "{here:?}");
    table.types("Olad", "kill orc");
    let status = told(&mut table, "Olad", "Char.Status");
    let last = &status.last().expect("a status").1;
    assert_eq!(last["enemy"], json!("an orc"));
    assert_eq!(last["enemypct"], json!(99));
    assert!(last.get("level").is_none() && last.get("party").is_none(), "only what has changed: {last}");
    for _ in 0..20 {
        table.types("Olad", "flee");
        table.waits(Span::secs(3));
    }
    let status = told(&mut table, "Olad", "Char.Status");
    let free = status.iter().find(|(_, body)| body["enemy"] == json!("")).expect("Olad has fled");
    assert_eq!(free.1["enemypct"], json!(0));
}

/// Protocols 6.2: affects are sent as afflictions and defences.
#[test]
fn protocols_6_2_affects_are_sent_as_afflictions_and_defences() {
    let mut table = crowd(&["Olad"]);
    let olad = table.body("Olad").id;
    let until = table.now() + Span::secs(30);
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&olad).expect("Olad");
        body.affects.push(Affect { key: "poisoned".into(), until });
        put(stored, "blessed_water", 1, Place::Holder(olad));
    });
    table.wants("Olad", [Package::Afflictions, Package::Defences]);
    let poisoned =
        json!({"name": "poisoned", "desc": "Something green is at work in your blood.", "secs": 30});
    let first = [news("Char.Afflictions.List", json!([poisoned])), news("Char.Defences.List", json!([]))];
    assert_eq!(told(&mut table, "Olad", "Char."), first);
    table.types("Olad", "use water");
    let added = told(&mut table, "Olad", "Char.");
    assert_eq!(
        (added.len(), added[0].0.as_str(), &added[0].1["name"]),
        (1, "Char.Defences.Add", &json!("blessed"))
    );
    table.waits(Span::mins(60));
    let gone = told(&mut table, "Olad", "Char.");
    let gone_of = |side: &str, name: &str| news(&format!("Char.{side}.Remove"), json!([name]));
    assert_eq!(gone, [gone_of("Afflictions", "poisoned"), gone_of("Defences", "blessed")]);
}

/// Protocols 6.2: a character that recovers at the well has lost its affects and has a wound, and the client is notified.
#[test]
fn protocols_6_2_affects_are_removed_after_a_fall() {
    let mut table = crowd(&["Olad"]);
    let olad = table.body("Olad").id;
    let until = table.now() + Span::mins(600);
    table.types_all("Olad", &["down", "north"]);
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&olad).expect("Olad");
        body.affects.push(Affect { key: "poisoned".into(), until });
        body.hp = 1;
    });
    table.wants("Olad", [Package::Afflictions]);
    told(&mut table, "Olad", "Char.");
    table.waits(Span::mins(20));
    assert!(table.body("Olad").affects.is_empty());
    let messages = told(&mut table, "Olad", "Char.");
    assert_eq!(messages[0], news("Char.Afflictions.Remove", json!(["poisoned"])));
    assert_eq!(
        (messages.len(), messages[1].0.as_str(), &messages[1].1["name"]),
        (2, "Char.Afflictions.Add", &json!("wounded"))
    );
}

/// Protocols 6.4: each kind of speech has a channel; its text is what the player reads.
#[test]
fn protocols_6_4_every_kind_of_speech_has_a_channel() {
    let mut table = crowd(&["Olad", "Bera"]);
    table.wants("Olad", [Package::Channels]);
    let list = told(&mut table, "Olad", "Comm.");
    assert_eq!(list[0].0, "Comm.Channel.List");
    assert_eq!(list[0].1[3], json!({"name": "tell", "caption": "Tells", "command": "tell"}));
    table.types("Olad", "party invite bera");
    table.types("Bera", "party accept");
    table.all_news("Olad");
    for (who, line, channel, text) in [
        ("Bera", "say hello", "say", "Bera says: hello"),
        ("Olad", "say hello", "say", "You say: hello"),
        ("Bera", "emote waves.", "emote", "Bera waves."),
        ("Bera", "tell olad hush", "tell Bera", "Bera tells you: hush"),
        ("Olad", "tell bera why", "tell Bera", "You tell Bera: why"),
        ("Bera", "shout here!", "shout", "Bera shouts: here!"),
        ("Bera", "ooc good night", "ooc", "[Ooc] Bera: good night"),
        ("Bera", "party say on we go", "party", "[Party] Bera: on we go"),
    ] {
        table.types(who, line);
        let body = json!({"channel": channel, "talker": who, "text": text});
        assert_eq!(told(&mut table, "Olad", "Comm."), [news("Comm.Channel.Text", body)], "{line}");
    }
    asks(&mut table, "Olad", Ask::ChannelPlayers);
    let both = json!([{"name": "Bera", "channels": ["newbie", "ooc"]}, {"name": "Olad", "channels": ["newbie", "ooc"]}]);
    assert_eq!(told(&mut table, "Olad", "Comm."), [news("Comm.Channel.Players", both)]);
    table.types("Olad", "ignore bera");
    table.waits(Span::mins(2));
    table.all_news("Olad");
    for line in
        ["say hello", "emote waves.", "tell olad hush", "shout here!", "ooc good night", "party say on"]
    {
        table.types("Bera", line);
        assert_eq!(told(&mut table, "Olad", "Comm."), [], "T4: who is ignored is not heard: {line}");
    }
}

/// Interface 6: after a reconnect, or a takeover by another client, the full state is sent again.
#[test]
fn reconnect_or_takeover_receives_the_full_state() {
    let mut table = crowd(&["Olad", "Bera"]);
    grant(&mut table, "Olad", &[("bread_crust", 2), ("dagger", 1)]);
    table.all_news("Olad");
    table.wants("Olad", Package::ALL.iter().copied().collect::<Packages>());
    let first = told(&mut table, "Olad", "");
    assert!(first.iter().map(|(package, _)| package.as_str()).eq([
        "Char.Name",
        "Char.StatusVars",
        "Room.Info",
        "Room.Map",
        "Comm.Channel.List",
        "Party.Info",
        "Room.Players",
        "Char.Items.List",
        "Char.Items.List",
        "Char.Afflictions.List",
        "Char.Defences.List",
        "Char.Vitals",
        "Char.Status",
        "Party.Invitations",
        "Room.Wares.List",
        "Room.Puzzle.List",
        "Room.Branches.List",
        "Room.Notes.List",
        "Char.Skills.List",
        "Char.Actions.List",
        "Char.Enemies.List",
        "Char.Guide.Step",
        "Char.Quests.List",
        "Char.Macros.List",
        "Char.Mail.Status",
        "Char.Mail.List",
        "World.Time",
        "group",
    ]));
    table.types("Olad", "drop dagger");
    table.types("Olad", "get dagger");
    table.comes_back("Olad");
    table.all_news("Olad");
    table.wants("Olad", Package::ALL.iter().copied().collect::<Packages>());
    assert_eq!(told(&mut table, "Olad", ""), first);
    table.restart();
    table.all_news("Olad");
    table.wants("Olad", Package::ALL.iter().copied().collect::<Packages>());
    assert_eq!(told(&mut table, "Olad", ""), first);
}

/// Model of a client that only reads packages.
#[derive(Default, PartialEq, Debug)]
struct Client {
    places: BTreeMap<String, BTreeMap<String, Value>>,
    people: BTreeMap<String, Value>,
    status: BTreeMap<String, Value>,
}

impl Client {
    fn reads(&mut self, news: Vec<(String, Value)>) {
        for (package, body) in news {
            let location = || body["location"].as_str().expect("a location").to_owned();
            let id = |item: &Value| item["id"].as_str().expect("an id").to_owned();
            match package.as_str() {
                "Char.Items.List" => {
                    let items = body["items"].as_array().expect("items").iter();
                    self.places.insert(location(), items.map(|item| (id(item), item.clone())).collect());
                }
                "Char.Items.Remove" => {
                    let gone = self.places.get_mut(&location()).and_then(|at| at.remove(&id(&body["item"])));
                    assert!(gone.is_some(), "told before: {body}");
                }
                "Char.Items.Add" | "Char.Items.Update" => {
                    let at = self.places.get_mut(&location()).expect("a list came first");
                    let known = at.insert(id(&body["item"]), body["item"].clone()).is_some();
                    assert_eq!(known, package.ends_with("Update"), "{package} {body}");
                }
                "Room.Players" => {
                    let people = body.as_array().expect("players").iter();
                    self.people = people.map(|who| (who["name"].to_string(), who.clone())).collect();
                }
                "Room.AddPlayer" => {
                    let known = self.people.insert(body["name"].to_string(), body.clone());
                    assert_ne!(known, Some(body), "nothing has changed");
                }
                "Room.RemovePlayer" => assert!(self.people.remove(&body.to_string()).is_some()),
                "Char.Status" => {
                    let body = body.as_object().expect("values").clone();
                    self.status.extend(body);
                }
                _ => {}
            }
        }
    }
}

/// Protocols 6.2, 6.3: the state built from differences equals the full state sent to a new client.
#[test]
fn differences_add_up_to_the_full_state() {
    const LINES: [&str; 25] = [
        "north",
        "south",
        "east",
        "west",
        "down",
        "up",
        "get all",
        "get lamp",
        "drop all",
        "drop 2 bread",
        "get bread",
        "wield dagger",
        "remove all",
        "wear all",
        "put bread in satchel",
        "get all from satchel",
        "drop satchel",
        "get satchel",
        "eat bread",
        "give lamp to bera",
        "recall",
        "drop 3 copper",
        "rest",
        "stand",
        "sleep",
    ];
    let names = ["Olad", "Bera"];
    let all = [Package::Character, Package::Room, Package::Items];
    for seed in 0..6 {
        let mut dice = Seed(seed).rng();
        let mut table = crowd(&names);
        for name in names {
            let things =
                [("clay_lamp", 1), ("dagger", 1), ("bread_crust", 6), ("satchel", 1), ("leather_armour", 1)];
            grant(&mut table, name, &things);
        }
        put_on_floor(&mut table, "Olad", &[("clay_lamp", 1), ("bread_crust", 2)]);
        table.all_news("Olad");
        table.wants("Olad", all);
        let mut client = Client::default();
        for _ in 0..60 {
            let who = dice.pick(&names).expect("a player");
            let line = dice.pick(&LINES).expect("a line");
            table.types(who, line);
            if dice.percent(10) {
                table.waits(Span::secs(20));
            }
            if dice.percent(5) {
                table.break_link("Bera");
                client.reads(table.all_news("Olad"));
                table.comes_back("Bera");
            }
            client.reads(table.all_news("Olad"));
        }
        table.wants("Olad", all);
        let mut fresh = Client::default();
        fresh.reads(table.all_news("Olad"));
        assert_eq!(client, fresh, "seed {seed}");
    }
}

/// Protocols 6.6: sounds are sent, with a caption, if the player enabled them and the client plays them; a command
/// stops them.
#[test]
fn protocols_6_6_sounds_need_player_setting_and_client_support() {
    let config = GameConfig { media_url: "https://example.org/sounds".into(), ..seeded(1) };
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    let media = [Package::Media];
    table.wants("Olad", media);
    table.types("Bera", "tell olad hush");
    assert_eq!(table.all_news("Olad"), [], "the player has not asked for sounds");
    assert!(table.types("Olad", "config sound on").contains("sound: on."));
    table.types_all("Bera", &["tell olad hush", "say hush"]);
    let play = json!({
        "name": "tell.ogg", "url": "https://example.org/sounds/", "type": "sound", "tag": "deepwell", "volume": 50,
        "loops": 1, "priority": 50, "caption": "somebody speaks to you",
    });
    assert_eq!(table.all_news("Olad"), [news("Client.Media.Play", play)]);
    table.types("Olad", "config sound off");
    assert_eq!(table.all_news("Olad"), [news("Client.Media.Stop", json!({}))]);
    table.types("Olad", "config sound on");
    table.wants("Olad", []);
    table.types("Bera", "tell olad hush");
    assert_eq!(table.all_news("Olad"), [], "the client does not play sounds");
}

/// Protocols 6.6: a blow plays a sound for the attacker and the victim, once per step, and without a URL unless one is
/// configured.
#[test]
fn protocols_6_6_blows_play_sounds_for_both_sides() {
    let mut table = arena();
    table.types("Olad", "config sound on");
    table.wants("Olad", [Package::Media]);
    table.types("Olad", "kill orc");
    table.waits(Span::secs(30));
    let sounds = table.all_news("Olad");
    for file in ["hit.ogg", "hurt.ogg"] {
        let (_, body) = sounds.iter().find(|(_, body)| body["name"] == json!(file)).expect("both are struck");
        assert!(body.get("url").is_none() && body["loops"] == json!(1), "{body}");
    }
}
