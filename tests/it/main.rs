//! What the outside of the game sees, played in process and in virtual time: no sockets, no sleeping, no wall clock.
//! Each test names in its doc comment the rules it proves. Unit tests stand beside the code they test.

/// What one learns to type with a level: T15, T18.
mod abilities;
/// Whom staff keep out, and what they lock: A5, A6, A8, W2.
mod bans;
/// What staff do against a nuisance: A5, A8, W2.
mod moderation;
/// What is typed behind a command: articles, both orders of a gift, help and reading.
mod arguments;
/// Areas of other servers come in, by the program and by the game.
mod area_files;
/// The map of lasting rooms that clients load.
mod atlas;
/// What belongs to an account: aliases, the prompt, the password, recovery: A8, T6.
mod account;
/// A room to fight in, with friends and orcs as a test needs them.
/// What flies from room to room: R23.
mod archery;
mod arena;
/// Rooms, coordinates and exits of a growing branch: C1 to C5, E1 to E3, E10 to E22, E34 to E37, E41, E58.
mod branch;
/// Playing by ear: protocols 10.
mod by_ear;
/// Beginners who know only what they read: how far they come.
mod beginners;
/// People who go together and know only what they hear.
mod company;
/// An evening of two who only hear: protocols 10.
mod screen_reader_evening;
/// How they solve a puzzle.
mod screen_reader_puzzle;
/// Words for builders, and dungeons they make: E4, E5, E38, E52 to E54.
mod building;
/// The end of branches, and crashes around it: E47 to E50.
mod collapse;
/// What is written on walls, and the chains of clues: E27, E40.
mod clues;
/// Traps, what betrays them, and how one gets past: E40.
mod traps;
/// The minds of creatures, webs and hooks: E28, E57, R1, R16 to R21.
mod creatures;
/// The page for builders, as the game sees it: A3, A5, A6, D1.
mod desk;
/// Rooms cut to measure, for tests that need a certain shape.
mod den;
/// What ships: creatures, things, affects and loot as a whole: R1 to R5, R16, R18, R22, T8, T13, T19.
mod content;
/// Structured data for clients: interface 6, protocols 6.
mod data;
/// The branch dump: C3, E11, E13, E31, E35, E37.
mod dump;
/// No hit points left: down, rescue, out: N14.
mod down;
mod drawn_rooms;
/// Finds a room of a wished kind by walking, for tests that need one.
/// Refusals that builders read: each names what is wrong and what to type instead.
mod cures;
mod explorer;
/// Whole floors and other level types in play: E4, E11, E38, P3-P7, P15, P23, P30, R6, R14.
mod first_evening;
mod floors;
/// What is behind the four exits of the well: E4, E22.
mod four_exits;
/// A look around the town without an account: A5, A8, D2, O3.
mod guests;
/// Coming back without a password: A3, A8, O3, T6.
mod returning;
/// Inputs changed at random, and what must hold of each: N6, N10, N11, T1, T3, A8, D6, O2.
mod fuzz;
/// What long runs came to.
#[path = "../figures/mod.rs"]
mod figures;
/// Files that tests write anew.
mod generated;
/// The blocks and commands of the pages.
#[path = "../docs/fences.rs"]
#[expect(dead_code, reason = "tests/docs reads more of the pages")]
mod fences;
/// The guided start, tips, the town, help: what the first ten minutes are made of.
mod guide;
/// What the town hears of the well, and the board of the highest levels: D2, A8.
mod tidings;
/// What `help` answers, to words that have a page and to words that have none.
mod help;
/// Sessions joined to a game, for tests that type bytes and read bytes.
mod host;
/// Things and money for tests that need some.
mod hoard;
/// Things worn, stowed, stacked, used and lost: R2 to R4, R25, D7, D8, A7, A8, E49.
mod items;
/// Creatures at the edges of their rules, and what scripts must not do: E30, E57, R21, T1.
mod minds;
/// A player who only hears, for tests of what is read aloud.
mod listener;
/// Places of hand-built rooms: interface 6.
mod maps;
/// What each remembers of a branch, and nobody else: T7, A8.
mod memories;
/// Coins, purses, shops, banks and healers: R5, D8, A7, A8.
mod money;
/// Who is told that there is news, and when.
mod news;
mod nuisance;
/// What the pages say to type: the manuals can be followed.
mod pages;
/// Names, logins, takeover, link death, and what others may read of what one types: N12, N14, T1, T4, T5.
mod people;
/// The puzzle that docs/puzzles.md teaches, word for word.
mod lamps;
/// Every command as somebody hears it who has the text read aloud: protocols 10.
mod screen_reader;
/// Who types every command and listens.
mod listeners;
/// Parties: shares, following, the rope, and what survives what: T3, T10, T16, E9, N14, A8.
mod parties;
/// Blocked rooms, fights, fleeing, death: E24 to E27, E30 to E33, E55, T9, T15, T16.
mod peril;
mod personal;
/// Drafts of zones: who may be in one, and how they become what everybody sees.
mod rehearsal;
/// Other content while everybody plays: A5, O3.
mod reload;
/// Experience, levels and what one learns with them: T9 to T16, T18.
mod presence;
/// Rooms and branches as others will see them: nothing changes by looking.
mod preview;
mod progress;
/// Camps, merchants, shrines, riddles, captives, landmarks and signs: E24, E26, E27, T19.
mod places;
/// A branch made again from its dump, and anew by staff: C3, E42, P3, R14.
mod replay;
/// Reading again what was said, to one and on channels: A8.
mod scrollback;
/// Scripts of builders, those that mean harm among them: A8, A9, C3, H1, H6.
mod scripts;
/// Scripts that triggers call: R21, A8, D5.
mod script_calls;
/// Nothing is lost or done twice by a restart: D2, D7, D15, W2, W4, N14.
mod restart;
/// Fights in numbers and words: E25, E30, E55, N14, T8, T9, T16, T17, T20.
mod fights;
/// Shouts, channels, ignoring, reports to staff: T4, N1.
mod talk;
/// Gates, puzzles in play and on trial: H2 to H4, H7, H8, H11, H13, H16, H18, H20, E26.
mod puzzles;
/// The dungeon seed catalogue: C3.
mod seeds;
/// Looking closer, and what a branch remembers of its words: C3.
mod sights;
/// Stairs, floors, and what is remembered of rooms: C5, E14, E41, E58, T1 to T7, P15.
mod stairs;
/// What start rooms set, and that the way to them stays: E4, E5, E38, E46, E47, E52.
mod start_rooms;
/// What staff may, asked by everybody else: A5.
mod rights;
/// A whole evening of two players, kept as it reads.
mod story;
/// What says in words what a colour says: protocols 7.3.
mod style_words;
/// The harness: a game, players by name, virtual time.
mod table;
/// Plays `tests/data/transcripts`: typed lines and what one reads.
mod transcripts;
/// Follows docs/puzzles.md from an empty file to a solved puzzle: H1 to H5, H16, H17, H19, H20.
mod tutorial;
mod undo;
/// What the game says, as clients of every width, colour and character set get it: T3, protocols 7.2 to 7.4, 10, 14.8.
mod widths;
/// Start exits: who lands with whom, and when the way changes: E6 to E9, E12, E42 to E46, E51.
mod window;
/// What is said in level files and themes, as players meet it.
mod shipped;
/// Puzzles that are folders of content.
mod written;
/// Broken files of content, and what is told of them.
mod broken;
/// What builders are told of mistakes in what they built, and how they find rooms.
mod survey;
/// What comes to rooms by itself, and how much of it.
mod spawning;
/// One builder at a time writes a text.
mod text_locks;
/// Builders who dig by walking.
mod digging;
/// Creatures and things that are made in the game.
mod making;
/// Pages of help made in the game.
mod making_pages;
/// Themes made in the game: E4.
mod making_themes;
/// A table of builders with the folder of their files.
mod workshop;
/// What of a zone its file holds, and how several come in at once.
mod zone_files;
mod zones;
/// Set pieces of branches.
mod vaults;
