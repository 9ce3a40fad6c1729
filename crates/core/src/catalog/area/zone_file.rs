//! Areas as text, and descriptions of the differences between two areas. Each field is a line and the order is fixed:
//! equal areas give equal text, and changing a field changes only its line. [`Area::parse`] reads the text.

use crate::base::Direction;
use crate::catalog::area::script::{AreaScript, AreaSpawn, AreaTrigger};
use crate::catalog::area::{Area, AreaExit, AreaRoom};
use crate::catalog::script::variable::{AreaVariable, ResetRule, VariableDeclaration, VariableValue};
use crate::data::WrittenField;
use crate::data::edit::quoted;
use std::collections::BTreeMap;

/// A table of the file.
struct Block {
    /// Header line; empty for the first block.
    header: &'static str,
    /// Description for builders.
    words: String,
    /// Key of the room that the block belongs to.
    room: Option<String>,
    fields: Vec<WrittenField>,
}

/// Writes the area as text. Rooms are sorted by key, exits by direction and then by name.
pub fn write(area: &Area) -> String {
    let mut text = write_head(area);
    text.extend(sorted(&area.rooms).into_iter().map(write_room));
    text
}

/// Writes what comes before the rooms: the text of an area without rooms.
pub fn write_head(area: &Area) -> String {
    let head = "# A zone of the game, written by `zone export`. What is changed here comes into the world by `zone import`;\n\
         # docs/build/zones.md says what may stand here.\n";
    head.to_owned() + &write_blocks(head_blocks(area))
}

/// Writes a room.
pub fn write_room(room: &AreaRoom) -> String {
    write_blocks(room_blocks(room))
}

fn write_blocks(blocks: Vec<Block>) -> String {
    let mut text = String::new();
    for block in blocks {
        if !block.header.is_empty() || !block.fields.is_empty() {
            text.push('\n');
        }
        if !block.header.is_empty() {
            text.push_str(block.header);
            text.push('\n');
        }
        for (key, value) in block.fields {
            text.extend([key, " = ", &value, "\n"]);
        }
    }
    text
}

fn sorted(rooms: &[AreaRoom]) -> Vec<&AreaRoom> {
    let mut rooms: Vec<&AreaRoom> = rooms.iter().collect();
    rooms.sort_by_key(|room| &room.key);
    rooms
}

/// Describes how a file or draft differs from the world: a sentence for each difference, in file order.
pub fn differences(world: &Area, file: &Area, called: &str) -> Vec<String> {
    let by_words = |area: &Area| {
        blocks(area).into_iter().map(|block| (block.words.clone(), block)).collect::<BTreeMap<_, _>>()
    };
    let (before, after) = (by_words(world), by_words(file));
    let mut lines = Vec::new();
    for (words, block) in &before {
        if !after.contains_key(words) && is_whole(block, file) {
            lines.push(format!("The {called} has no {words}."));
        }
    }
    for (words, block) in &after {
        let Some(old) = before.get(words) else {
            if is_whole(block, world) {
                lines.push(format!("The {called} has {words}, which the world has not."));
            }
            continue;
        };
        let was: BTreeMap<_, _> = old.fields.iter().map(|(key, value)| (key, value)).collect();
        let is: BTreeMap<_, _> = block.fields.iter().map(|(key, value)| (key, value)).collect();
        // A missing `rooms` key is implied by the rooms reported as added or removed.
        let keys = was.keys().chain(is.keys().filter(|key| !was.contains_key(*key)));
        for key in keys.filter(|key| ***key != "rooms") {
            let place = format!("{key} of {words}");
            match (was.get(key), is.get(key)) {
                (Some(was), Some(is)) if was == is => {}
                (Some(was), Some(is)) => {
                    lines.push(format!("{place}: the world says {was}, the {called} says {is}."));
                }
                (Some(was), None) => {
                    lines.push(format!("{place}: the world says {was}, the {called} nothing."));
                }
                (None, is) => {
                    let is = is.map_or("", |is| is.as_str());
                    lines.push(format!("{place}: the world says nothing, the {called} says {is}."));
                }
            }
        }
    }
    for room in &file.rooms {
        let before = world.rooms.iter().find(|other| other.key == room.key);
        if before.is_some_and(|before| has_reordered_triggers(before, room)) {
            lines.push(format!("The triggers of room `{}` stand in another order.", room.key));
        }
    }
    lines
}

/// Returns `true` if two rooms have the same triggers in a different order.
fn has_reordered_triggers(one: &AreaRoom, other: &AreaRoom) -> bool {
    let events = |room: &AreaRoom| room.triggers.iter().map(AreaTrigger::label).collect::<Vec<_>>();
    let (mut one, mut other) = (events(one), events(other));
    let differ = one != other;
    one.sort();
    other.sort();
    differ && one == other
}

/// Returns `true` if a block that the other side lacks is reported. Parts of a missing room are not.
fn is_whole(block: &Block, other: &Area) -> bool {
    block.room.as_ref().is_none_or(|room| other.has(room))
}

fn blocks(area: &Area) -> Vec<Block> {
    let rooms = sorted(&area.rooms).into_iter().flat_map(room_blocks);
    head_blocks(area).into_iter().chain(rooms).collect()
}

fn head_blocks(area: &Area) -> Vec<Block> {
    let mut head = Vec::new();
    add(&mut head, "start", area.start.as_ref().map(|(_, start)| quoted(start)));
    if area.rooms.is_empty() {
        head.push(("rooms", "[]".into()));
    }
    let mut blocks =
        vec![Block { header: "", words: "the zone as a whole".into(), room: None, fields: head }];
    let mut variables: Vec<&AreaVariable> = area.variables.iter().collect();
    variables.sort_by_key(|variable| &variable.name.1);
    blocks.extend(variables.into_iter().map(|variable| Block {
        header: "[[variables]]",
        words: format!("variable `{}`", variable.name.1),
        room: None,
        fields: variable_fields(variable),
    }));
    blocks
}

fn room_blocks(room: &AreaRoom) -> Vec<Block> {
    let mut blocks = Vec::new();
    let within = |header, words: String, fields| {
        let words = format!("{words} of room `{}`", room.key);
        Block { header, words, room: Some(room.key.clone()), fields }
    };
    blocks.push(Block {
        header: "[[rooms]]",
        words: format!("room `{}`", room.key),
        room: None,
        fields: room.written(),
    });
    for (noun, words) in &room.sheet.details {
        let fields = vec![("noun", quoted(noun)), ("text", quoted(words))];
        blocks.push(within("[[rooms.details]]", format!("detail `{noun}`"), fields));
    }
    let mut spawns: Vec<&AreaSpawn> = room.spawns.iter().collect();
    spawns.sort_by_key(|spawn| (spawn.creature.is_none(), spawn.what().map(|(_, key)| key)));
    for spawn in spawns {
        let key = spawn.what().map_or("nothing", |(_, key)| key);
        blocks.push(within("[[rooms.spawns]]", format!("spawn `{key}`"), spawn.written()));
    }
    for trigger in &room.triggers {
        let on = trigger.on.as_ref().map(ToString::to_string).unwrap_or_default();
        let mut fields = vec![("on", quoted(&on))];
        add(
            &mut fields,
            "name",
            Some(&trigger.name).filter(|name| !name.is_empty()).map(|name| quoted(name)),
        );
        add(&mut fields, "lines", script(&trigger.lines));
        let label = trigger.label().unwrap_or_default();
        blocks.push(within("[[rooms.triggers]]", format!("trigger `{label}`"), fields));
    }
    let mut exits: Vec<&AreaExit> = room.exits.iter().collect();
    exits.sort_by_key(|exit| {
        (Direction::parse_any(&exit.name).is_none(), Direction::parse_any(&exit.name), &exit.name)
    });
    for exit in exits {
        blocks.push(within("[[rooms.exits]]", format!("exit `{}`", exit.name), exit.written()));
    }
    blocks
}

fn variable_fields(variable: &AreaVariable) -> Vec<WrittenField> {
    let VariableDeclaration { of, default, reset } = &variable.declaration;
    let kind = default.kind();
    let mut fields =
        vec![("name", quoted(&variable.name.1)), ("of", quoted(of.name())), ("type", quoted(kind.name()))];
    let value = (*default != kind.empty()).then(|| match default {
        VariableValue::Number(number) => number.to_string(),
        VariableValue::Flag(yes) => yes.to_string(),
        VariableValue::Text(text) => quoted(text),
    });
    add(&mut fields, "default", value);
    add(&mut fields, "reset", (*reset != ResetRule::Never).then(|| quoted(reset.name())));
    fields
}

fn add(fields: &mut Vec<WrittenField>, key: &'static str, value: Option<impl ToString>) {
    fields.extend(value.map(|value| (key, value.to_string())));
}

/// Returns a script as a list with one text per line.
fn script(script: &AreaScript) -> Option<String> {
    let texts: Vec<String> = script.script.clone().into();
    let lines: Vec<String> = texts.iter().map(|one| format!("  {},\n", quoted(one))).collect();
    (!texts.is_empty()).then(|| format!("[\n{}]", lines.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Coordinates, ExitKind, Span};
    use crate::catalog::area::{AreaSettings, PlacedReference};
    use crate::catalog::creature::route::Appointment;
    use crate::catalog::item::shop::WareTerms;
    use crate::catalog::{
        AreaShop, Bid, Catalog, CreatureRoute, Hours, RoomFlag, RoomKind, RoomSheet, Script, Setting,
        SettingValue, SettingValues, SpawnBounds, SpawnCondition, StartSetting, StartSettings, StartText,
        TriggerEvent, VariableScope, Ware,
    };
    use crate::data::Position;
    use proptest::prelude::*;

    fn parse(text: &str) -> Area {
        let mut mistakes = Vec::new();
        let area = Area::parse("zones/mill.toml", text, &mut mistakes);
        assert_eq!(mistakes, []);
        area.expect("an area")
    }

    /// Returns the lines that only one of the two texts has.
    fn changed_lines<'t>(before: &'t str, after: &'t str) -> (Vec<&'t str>, Vec<&'t str>) {
        let same_front = before.lines().zip(after.lines()).take_while(|(one, other)| one == other).count();
        let (before, after): (Vec<_>, Vec<_>) =
            (before.lines().skip(same_front).collect(), after.lines().skip(same_front).collect());
        let same_end =
            before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
        let without_end = |mut lines: Vec<&'t str>| {
            lines.truncate(lines.len() - same_end);
            lines
        };
        (without_end(before), without_end(after))
    }

    /// Unusual texts, with all characters that need escaping.
    fn words() -> impl Strategy<Value = String> {
        prop_oneof!["[A-Z][a-z ]{0,20}[a-z]", "[\"'\\\\#=\\[\\]{}a-z.,\n\t\u{85}äß石😀]{0,12}[a-z\"\\\\]",]
    }

    /// Texts of several lines, in the form in which they are kept.
    fn text() -> impl Strategy<Value = String> {
        words().prop_map(|words| crate::text::sanitise::text_form(&words))
    }

    /// Something with a value of each setting, in its range, or none.
    fn with_settings<T: Clone + std::fmt::Debug>(
        all: &'static [Setting<T>],
        bare: T,
    ) -> impl Strategy<Value = T> {
        let values = all.iter().map(|setting| {
            let value = match &setting.values {
                SettingValues::LevelType | SettingValues::Layout => {
                    words().prop_map(SettingValue::Word).boxed()
                }
                SettingValues::Word(..) => "[a-z_]{1,9}".prop_map(SettingValue::Word).boxed(),
                SettingValues::Number(range) => range.clone().prop_map(SettingValue::Number).boxed(),
                SettingValues::Percent => (0..=1_000_u32).prop_map(SettingValue::Number).boxed(),
                SettingValues::YesNo => any::<bool>().prop_map(SettingValue::YesNo).boxed(),
                SettingValues::Secs(range) => {
                    range.clone().prop_map(|secs| SettingValue::Time(Span::secs(secs.into()))).boxed()
                }
            };
            proptest::option::of(value)
        });
        values.collect::<Vec<_>>().prop_map(move |values| {
            let mut one = bare.clone();
            for (setting, value) in all.iter().zip(values) {
                setting.set(&mut one, value);
            }
            one
        })
    }

    fn settings() -> impl Strategy<Value = AreaSettings> {
        with_settings(StartSetting::all(), StartSettings::default()).prop_map(AreaSettings::from)
    }

    prop_compose! {
        fn sheet()(
            (name, description, aliases) in (words(), text(), proptest::collection::vec(words(), 0..3)),
            kind in proptest::sample::select(vec![RoomKind::Room, RoomKind::Start, RoomKind::Shop]),
            details in proptest::collection::btree_map(words(), text(), 0..3),
            tags in proptest::collection::btree_set(words(), 0..3),
            flags in proptest::collection::btree_set(proptest::sample::select(RoomFlag::ALL.to_vec()), 0..3),
            set in with_settings(RoomSheet::settings(), RoomSheet::new(RoomKind::Room, String::new())),
        ) -> RoomSheet {
            RoomSheet {
                kind, name, description,
                aliases: aliases.into(), details: details.into(), tags: tags.into(), flags: flags.into(),
                ..set
            }
        }
    }

    fn lines(least: usize) -> impl Strategy<Value = AreaScript> {
        let line = prop_oneof!["tell [a-z\"]{1,9}", "move [a-z_/]{1,9}", "if has [a-z]{4,9}: 5% once"];
        proptest::collection::vec(line, least..3)
            .prop_map(|lines| Script::parse(lines.iter().map(String::as_str)).expect("a script").into())
    }

    fn event() -> impl Strategy<Value = TriggerEvent> {
        prop_oneof![
            Just(TriggerEvent::Enter),
            Just(TriggerEvent::Leave),
            Just(TriggerEvent::Clear),
            (10..=86_400_u32).prop_map(TriggerEvent::Timer),
            "[a-z\"][a-z;' ]{0,9}[a-z]".prop_map(TriggerEvent::Say),
            "[a-z_]{1,9}".prop_map(TriggerEvent::Use),
            "[a-z]{1,9}(;[a-z]{1,9})?".prop_map(TriggerEvent::Command),
        ]
    }

    fn placed(words: String) -> PlacedReference {
        (Position::default(), words)
    }

    prop_compose! {
        fn exit()(
            name in prop_oneof![Just("north".to_owned()), Just("down".to_owned()), words()],
            to in words(),
            aliases in proptest::collection::vec(words(), 0..3),
            branch in any::<bool>(),
            description in proptest::option::of(text()),
            settings in settings(),
            door in (proptest::option::of(words()), proptest::option::of("[a-z_]{1,9}"), any::<bool>()),
            puzzle in proptest::option::of("[a-z_]{1,9}"),
        ) -> AreaExit {
            let kind = if branch { ExitKind::Branch } else { ExitKind::Exit };
            let to = (!branch).then(|| placed(to));
            let (door, door_key, door_open) = door;
            let hidden = door_open;
            let door = door.map(placed);
            let (door_key, door_open) = (door_key.map(placed).filter(|_| door.is_some()), door_open && door.is_some());
            let place = Position::default();
            let puzzle = puzzle.map(placed);
            AreaExit {
                place, name, aliases, kind, to, description, hidden, door, door_key, door_open, puzzle, settings,
            }
        }
    }

    /// Returns a route that depends on a number.
    fn route(number: u32) -> CreatureRoute {
        let schedule =
            ["6: at up", "22: sleep at a/b", "23: sleep", "8: patrol"].iter().take(number as usize % 5);
        let schedule = schedule.map(|words| Appointment::parse(words).expect("a part of a schedule"));
        CreatureRoute { patrol: vec!["loft".to_owned(); number as usize % 3], schedule: schedule.collect() }
    }

    fn shop() -> impl Strategy<Value = AreaShop> {
        let number = || proptest::option::of(1..=1_000_u32);
        let wares = proptest::collection::vec(("[a-z_]{1,9}", number(), number()), 0..3);
        let hours = (0..=11_u32, 12..=23_u32).prop_map(|(from, to)| Hours { from, to });
        (wares, proptest::collection::vec(hours, 0..3), words(), 0..=23_u32).prop_map(
            |(wares, open, closed, refill)| {
                let bids =
                    wares.iter().map(|(item, price, _)| Bid::Item { item: item.clone(), price: *price });
                let buys = bids.chain([Bid::Rate { percent: refill, class: None }]);
                let ware = |(item, price, most)| Ware { item, terms: WareTerms { price, most } };
                AreaShop {
                    buys: buys.map(|bid| (Position::default(), bid)).collect(),
                    stock: wares.into_iter().map(|terms| (Position::default(), ware(terms))).collect(),
                    open,
                    closed,
                    refill,
                }
            },
        )
    }

    prop_compose! {
        fn room()(
            (key, sheet) in ("[a-z]{1,4}", sheet()),
            (shop, supplies) in (shop(), proptest::collection::vec(words(), 0..2)),
            at in proptest::option::of((-9..9_i32, -9..9_i32, -9..9_i32)),
            spawns in proptest::collection::vec((any::<bool>(), "[a-z]{1,9}", 1..=9_u32, 10..=999_u32, proptest::option::of(1..=99_u32)), 0..3),
            triggers in proptest::collection::vec((event(), prop_oneof![Just(String::new()), "[a-z_]{1,9}"], lines(1)), 0..3),
            exits in proptest::collection::vec(exit(), 0..4),
            settings in settings(),
            texts in proptest::collection::btree_map(proptest::sample::select(StartText::ALL.to_vec()), words(), 0..3),
        ) -> AreaRoom {
            AreaRoom {
                place: Position::default(),
                key, sheet, exits,
                settings: StartSettings { texts, ..settings.set }.into(),
                at: at.map(|(x, y, z)| Coordinates { z, at: crate::base::Point::new(x, y) }),
                shop,
                supplies: supplies.into_iter().map(placed).collect(),
                spawns: spawns.into_iter().map(|(lives, key, count, every_secs, zone_most)| {
                    let (creature, item) = if lives { (Some(placed(key)), None) } else { (None, Some(placed(key))) };
                    let only_if = zone_most.and_then(|most| SpawnCondition::parse(&format!("not count a {most}")).ok());
                    let bounds = SpawnBounds { zone_most, world_most: zone_most.map(|most| most + 3), only_if };
                    AreaSpawn { place: Position::default(), creature, item, count, every_secs, bounds, route: route(if lives { count } else { 0 }) }
                }).collect(),
                triggers: {
                    let trigger = |(on, name, lines)| AreaTrigger { place: Position::default(), on: Some(on), name, lines };
                    let mut triggers: Vec<AreaTrigger> = triggers.into_iter().map(trigger).collect();
                    AreaTrigger::put_in_order(&mut triggers);
                    triggers
                },
            }
        }
    }

    fn declaration() -> impl Strategy<Value = VariableDeclaration> {
        let value = prop_oneof![
            (-9..9_i64).prop_map(VariableValue::Number),
            any::<bool>().prop_map(VariableValue::Flag),
            words().prop_map(VariableValue::Text),
        ];
        let of = proptest::sample::select(VariableScope::ALL.to_vec());
        let reset = proptest::sample::select(vec![ResetRule::Never, ResetRule::Daily, ResetRule::Weekly]);
        (of, value, reset).prop_map(|(of, default, reset)| VariableDeclaration { of, default, reset })
    }

    prop_compose! {
        fn area()(
            start in proptest::option::of(words()),
            variables in proptest::collection::vec(("[a-z_0-9]{1,9}", declaration()), 0..3),
            rooms in proptest::collection::vec(room(), 0..5),
        ) -> Area {
            let variables = variables.into_iter().map(|(name, declaration)| {
                AreaVariable { place: Position::default(), name: placed(name), declaration }
            });
            Area { start: start.map(placed), variables: variables.collect(), rooms, ..Area::empty("mill") }
        }
    }

    proptest! {
        /// Written text that is read and written again stays the same, without differences.
        #[test]
        fn zone_file_round_trip_is_identical(area in area()) {
            let text = write(&area);
            let read = parse(&text);
            prop_assert_eq!(&write(&read), &text);
            prop_assert_eq!(differences(&read, &parse(&text), "file"), Vec::<String>::new());
        }

        /// Renaming a room changes one line and yields one sentence.
        #[test]
        fn edit_changes_only_its_line(area in area(), at in any::<proptest::sample::Index>(), name in "[A-Z]{9}") {
            prop_assume!(!area.rooms.is_empty());
            let mut edited = area.clone();
            let room = at.index(area.rooms.len());
            prop_assume!(area.rooms.iter().filter(|other| other.key == area.rooms[room].key).count() == 1);
            edited.rooms[room].sheet.name.clone_from(&name);
            let (before, after) = (write(&area), write(&edited));
            let (gone, new) = changed_lines(&before, &after);
            prop_assert_eq!(gone.len(), 1);
            prop_assert_eq!(new, vec![format!("name = \"{name}\"")]);
            let told = differences(&area, &edited, "file");
            prop_assert_eq!(told.len(), 1, "{:?}", told);
            let begin = format!("name of room `{}`: the world says ", area.rooms[room].key);
            prop_assert!(told[0].starts_with(&begin));
        }

        /// Any text yields an area or errors.
        #[test]
        fn any_text_yields_an_area_or_errors(text in "(?s).{0,200}") {
            let mut mistakes = Vec::new();
            let read = Area::parse("zones/mill.toml", &text, &mut mistakes);
            prop_assert!(read.is_some() || !mistakes.is_empty());
        }
    }

    /// The shipped areas survive a round trip, too.
    #[test]
    fn shipped_areas_survive_text_round_trip() {
        for area in Catalog::builtin().areas.values() {
            let text = write(area);
            assert_eq!(write(&parse(&text)), text);
            assert_eq!(differences(area, &parse(&text), "file"), Vec::<String>::new());
        }
    }

    #[test]
    fn differences_are_described_in_sentences() {
        let mill = |rooms: &str| parse(rooms);
        let floor = "[[rooms]]\nkey = \"floor\"\nname = \"Floor\"\nenvironment = \"wood\"\ndescription = \"Flour.\"\n";
        let exit = "[[rooms.exits]]\nname = \"up\"\nto = \"floor\"\n";
        let loft = floor.replace("floor", "loft");
        let told = differences(
            &mill(&format!("{floor}{exit}{loft}")),
            &mill(&floor.replace("Flour.", "Dust.").replace("wood\"", "wood\"\nkind = \"shop\"")),
            "file",
        );
        assert_eq!(
            told,
            [
                "The file has no exit `up` of room `floor`.",
                "The file has no room `loft`.",
                "description of room `floor`: the world says \"Flour.\", the file says \"Dust.\".",
                "kind of room `floor`: the world says nothing, the file says \"shop\".",
            ]
        );
    }
}
