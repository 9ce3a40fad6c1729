//! Commands that newcomers type in their first session: each runs the intended command or names the right one.

use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::game::GameConfig;

/// Lines typed in sequence, each with a part of its expected answer.
const LINES: &[(&str, &str)] = &[
    // Speech and socials.
    ("hello", "You lift a hand in greeting."),
    ("hi everyone", "You lift a hand in greeting."),
    ("hello bera", "You greet Bera."),
    ("hi bera!", "You greet Bera."),
    ("smile", "You smile."),
    ("smile bera", "You smile at Bera."),
    ("smile at bera", "You smile at Bera."),
    ("smile happily", "type emote and those words"),
    ("hug", "You hold out both arms."),
    ("hug bera", "You hug Bera."),
    ("hug me", "You wrap your arms around yourself."),
    ("hug chandler", "Nobody called \"chandler\" is here"),
    ("wave to bera", "You wave to Bera."),
    ("laugh at bera", "You laugh at Bera."),
    ("lol", "You laugh."),
    ("haha", "You laugh."),
    ("thanks", "You say thanks to all."),
    ("thank bera", "You thank Bera."),
    ("yes", "You nod."),
    ("no", "You shake your head."),
    ("nod", "You nod."),
    ("dance", "You dance a few steps"),
    ("bow bera", "You bow to Bera."),
    ("poke bera", "You poke Bera with one finger."),
    ("tickle myself", "You tickle yourself. It does not work."),
    ("kneel", "You go down on one knee, and rise."),
    ("sing", "You sing the verse about the rope."),
    ("cry", "You cry without hiding it."),
    ("bye", "You wave."),
    ("ok", "put say or an apostrophe before it"),
    ("sorry bera", "put say or an apostrophe before it"),
    ("act happy", "emote and words of your own"),
    ("emotes", "socials lists"),
    ("say hello", "You say: hello"),
    ("'hi", "You say: hi"),
    (":waves", "Olad waves"),
    ("whisper bera hi there", "You tell Bera: hi there"),
    ("tell bera hi", "You tell Bera: hi"),
    ("page bera hi", "To speak to one person"),
    ("msg bera hi", "To speak to one person"),
    ("pm bera hi", "To speak to one person"),
    ("yell hello", "You shout: hello"),
    ("gossip hi", "ooc by everybody who plays"),
    ("chat hi", "ooc by everybody who plays"),
    ("newbie how do i fight", "[Newbie] Olad: how do i fight"),
    ("anybody know a shop", "To speak, begin with say"),
    ("where's the nearest shop", "Did you mean where?"),
    // Questions and wishes.
    ("what do i do", "help and a word explains it"),
    ("how do i play", "help and a word explains it"),
    ("why", "help and a word explains it"),
    ("where am i", "You are in Well Square."),
    ("i want to go north", "Begin with what you want to do: go north."),
    ("please go east", "Begin with what you want to do: go east."),
    ("can i buy a sword", "Begin with what you want to do: buy a sword."),
    ("i would like a sword please", "To speak, begin with say."),
    ("let me in", "Begin with what you want to do"),
    ("i am new here", "as in go north"),
    ("please help", "Begin with what you want to do: help."),
    // Looking.
    ("look", "Well Square"),
    ("l bera", "Bera"),
    ("look me", "rope burns on both hands"),
    ("inspect rope", "look and a word"),
    ("check rope", "look and a word"),
    ("see", "look and a word"),
    ("desc", "look describes the room again"),
    ("description", "look describes the room again"),
    ("smell", "listen what can be heard"),
    ("touch well", "listen what can be heard"),
    ("map", "One step north, Climbers' Lodge."),
    // Movement.
    ("back", "recall brings you to the town"),
    ("home", "recall brings you to the town"),
    ("town", "recall brings you to the town"),
    ("left", "Exits:"),
    ("forward", "north, east, south, west"),
    ("ne", "north, east, south, west"),
    ("run", "flee breaks out of a fight"),
    ("hide", "You cannot hide"),
    ("sneak west", "You have not learnt to sneak"),
    ("fly", "You go on foot"),
    ("travel north", "You go on foot"),
    ("move north", "type a direction"),
    ("nroth", "Did you mean north?"),
    ("flip switch", "pull lever works a lever"),
    ("tie rope", "The rope at the well needs no tying."),
    // Trade and items.
    ("shop", "path shop leads to the shop"),
    ("trade bera", "path shop leads to the shop"),
    ("price", "list names the prices"),
    ("worth", "balance counts your money"),
    ("gold", "balance counts your money"),
    ("bank", "path bank leads there"),
    ("steal rope", "Nobody is robbed here."),
    ("rob bera", "Nobody is robbed here."),
    ("loot", "get picks things up"),
    ("grab cap", "get picks things up"),
    ("pick up cap", "get picks things up"),
    ("hold cap", "wield takes a weapon in hand"),
    ("equip cap", "wield takes a weapon in hand"),
    ("unequip cap", "remove takes off"),
    ("junk cap", "drop puts a thing down"),
    ("fill bottle", "There is nothing like that to do."),
    ("craft sword", "Nothing is made or gathered here"),
    // Character stats.
    ("stats", "score shows what you are"),
    ("health", "hp tells your hit points"),
    ("level", "score xp tells your level"),
    ("xp", "score xp tells your level"),
    ("exp", "score xp tells your level"),
    ("skills", "You have learnt none yet. A new level offers some"),
    ("practice", "Nothing is practised here."),
    ("learn", "Nothing is practised here."),
    ("spells", "There are no spells."),
    ("magic", "There are no spells."),
    ("cast fireball", "There are no spells."),
    ("class", "There are no classes and no races."),
    ("race", "There are no classes and no races."),
    ("age", "Others know you by your name alone"),
    // Combat.
    ("hit bera", "that is for the dungeon"),
    ("fight bera", "that is for the dungeon"),
    ("duel bera", "Duels are fought in a ring."),
    ("pvp", "Climbers do not fight each other, except in a ring"),
    ("stab bera", "kill and a creature's name"),
    ("shoot rat", "kill and a creature's name"),
    ("parry", "What you wear turns blows away by itself"),
    ("respawn", "help death tells what it costs"),
    ("bandage", "rest lets wounds close"),
    // Parties and other players.
    ("invite bera", "People go together in a party"),
    ("friend bera", "Type friends, friends add NAME"),
    ("team", "People go together in a party"),
    ("mail bera", "You have no mail bera."),
    ("admin", "report and a name tells staff"),
    ("vote", "Nothing here costs money."),
    // Client and account.
    ("save", "Everything is kept by itself"),
    ("exit", "quit leaves the game"),
    ("leave", "quit leaves the game"),
    ("options", "config lists every setting"),
    ("toggle brief", "config lists every setting"),
    ("macro f1 look", "f1 stands for: look"),
    ("trigger", "alias makes a word of yours stand for commands, macro a key"),
    ("quest", "You have none."),
    ("mission", "quests lists what you have undertaken."),
    ("start", "guide leads you through the first minutes"),
    ("stuck", "guide leads you through the first minutes"),
    ("version", "This is Deepwell."),
    ("xyzzy", "nothing happens"),
    ("asdf", "There is no command \"asdf\"."),
    // Help pages.
    ("help spells", "There are no spells to learn or to cast"),
    ("help magic", "There are no spells to learn or to cast"),
    ("help potions", "Things that are used up when you use them."),
    ("help class", "There are none. Everybody begins alike"),
    ("help race", "There are none. Everybody begins alike"),
    ("help north", "Type a direction to walk"),
    ("help fight", "Attacks a creature here."),
    ("help smile", "smile bera: You smile at Bera."),
    ("help hello", "A social: something that you are seen doing."),
    ("help steal", "Nobody is robbed here."),
    ("help whisper", "Speaks to one climber"),
    ("help socials", "socials lists all such words"),
    ("help movment", "There is no help on \"movment\". Nearest to it:\nhelp movement: Moving about"),
    ("help qwzx", "There is no help on \"qwzx\", and nothing that comes near."),
    ("help changes", "What is new"),
    ("help telnet", "Programs to play with"),
    ("help browser", "The game's page in the browser"),
    ("help themes", "What the dungeons are like"),
    ("help builders", "Builders make places by hand, best from a room of their own"),
    ("socials", "applaud, bark, beam"),
    // Commands with an argument.
    ("sleep", "rest lets wounds close"),
    ("open door", "There is no door to open"),
    ("open well", "There is no door to open"),
    ("close door", "There is no door to open"),
    ("time", "In the town it is"),
    ("news", "What is new"),
    ("rules", "What is asked of you"),
    ("title", "Nothing stands behind your name."),
    ("title the Wet", "You are known as Olad, the Wet."),
    ("afk dinner", "You are away."),
    ("hp", "You are back."),
    ("whois bera", "Level 1."),
    ("finger bera", "Awake just now."),
    ("top", "1. "),
    ("who bera", "One climber is awake:"),
    ("who is here", "2 climbers are awake:"),
    ("brief", "brief: on."),
    ("brief off", "brief: off."),
    ("wimpy 20", "below 20 percent"),
    ("wimpy", "below 20 percent"),
    ("assist bera", "Nobody fights Bera here."),
    ("inventory weapons", "You carry nothing like that."),
    ("inv potion", "You carry nothing like that."),
    ("read", "read board"),
    ("read rope", "It runs over a pulley"),
    ("talk", "Nobody here answers"),
    ("talk to bera", "To speak to a climber, type say or tell"),
    ("enter fire", "You can't go that way. Nothing here leads to \"fire\"."),
    ("climb", "climb up, or climb down"),
    ("enter the shop", "Chandler's Shop"),
    ("talk to the chandler", "The chandler says: Forty-one"),
    ("ask chandler about the well", "Nobody is below just now."),
    ("ask chandler oil", "The chandler says: It burns yellow"),
    ("ask chandler about cheese", "I do not know things"),
    ("hug chandler", "The chandler is too busy for that."),
    ("east", "Well Square"),
    ("go to the lodge", "Climbers' Lodge"),
    ("read board", "Go in together"),
    ("go south", "Well Square"),
    ("climb down", "Bottom of the Well"),
    ("climb up", "Well Square"),
    ("climb ladder", "Bottom of the Well"),
    ("climb the rope", "Well Square"),
    ("jump into the well", "Bottom of the Well"),
];

fn two(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.sit("Olad");
    table.sit("Bera");
    table.hears("Olad");
    table
}

/// Interface 4: each line runs the intended command or names the right one.
#[test]
fn newcomer_commands_run_or_name_the_right_one() {
    let mut table = two(seeded(1));
    let mut astray = Vec::new();
    for (line, expected) in LINES {
        let answer = table.types("Olad", line);
        if !answer.contains(expected) {
            astray.push(format!("> {line}\n{answer}\n  expected: {expected}"));
        }
    }
    assert!(astray.is_empty(), "{}", astray.join("\n\n"));
}

/// T4: a social has separate texts for actor, target and observers.
#[test]
fn social_has_text_for_actor_target_and_observers() {
    let mut table = two(seeded(1));
    table.sit("Cato");
    table.hears("Bera");
    assert_eq!(table.types("Olad", "pinch bera"), "You pinch Bera's sleeve.");
    assert_eq!(table.hears("Bera"), "Olad pinches your sleeve.");
    assert_eq!(table.hears("Cato"), "Olad pinches Bera's sleeve.");
    assert_eq!(table.types("Olad", "shake me"), "You shake yourself like a wet dog.");
    assert_eq!(table.hears("Bera"), "Olad shakes themself like a wet dog.");
}

/// Every social has text for each viewer, without unfilled placeholders.
#[test]
fn every_social_fills_its_text_for_every_viewer() {
    let mut table = two(seeded(1));
    let words: Vec<String> = crate::table::CATALOG.socials.iter().map(|social| social.word.clone()).collect();
    table.hears("Bera");
    for word in words {
        for behind in ["", " bera", " me"] {
            let own = table.types("Olad", &format!("{word}{behind}"));
            let seen = table.hears("Bera");
            assert!(
                own.to_lowercase().contains("you") && !own.contains(['{', '}', '|']),
                "{word}{behind}: {own}"
            );
            assert!(seen.contains("Olad") && !seen.contains(['{', '}', '|']), "{word}{behind}: {seen}");
            assert_eq!(behind == " bera", seen.to_lowercase().contains("you"), "{word}{behind}: {seen}");
        }
    }
}

/// Socials follow the rules of speech: not shown to players who ignore the actor, refused while muted.
#[test]
fn socials_obey_ignore_and_mute() {
    let mut table = two(seeded(1));
    table.types("Bera", "ignore olad");
    assert_eq!(table.types("Olad", "hug bera"), "You hug Bera.");
    assert_eq!(table.hears("Bera"), "");
    table.types("Bera", "unignore olad");
    table.make_owner("Bera");
    table.types("Bera", "mute olad for 1h noise");
    table.hears("Olad");
    assert!(table.types("Olad", "hug bera").starts_with("You are muted"));
    assert_eq!(table.hears("Bera"), "");
}

/// A social that needs a standing character is refused while it sits.
#[test]
fn standing_socials_are_refused_while_sitting() {
    let mut table = two(seeded(1));
    table.types("Olad", "rest");
    assert_eq!(table.types("Olad", "bow"), "You would have to stand up for that.");
    assert_eq!(table.types("Olad", "shrug"), "You shrug.");
}

/// A social's name is refused as a character name.
#[test]
fn social_name_is_refused_as_character_name() {
    let mut table = Table::new(GameConfig { limits: Limits::default(), ..seeded(1) });
    assert!(table.applies("Giggle").is_err());
}
