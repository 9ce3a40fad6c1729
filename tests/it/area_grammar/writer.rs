//! Generator of area files: every kind of record in both dialects, with whitespace, comments and texts that are unusual but
//! follow the published grammar.

use std::fmt::Write as _;

/// Source of choices, from a seed.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `sides`.
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Lines that a text may contain although they look like something else.
const ODD: [&str; 20] = [
    "$",
    "$~ is no end",
    "#12",
    "#101",
    "#99999",
    "#x",
    "S",
    "E",
    "D0",
    "T 300",
    "* no comment",
    "0 0 0",
    "",
    "M 0 1 1 1",
    "a ~ within",
    "   +------+",
    "  /+------+--+",
    "| N |",
    "    Indented prose here.",
    "Ends in \\ and \"quotes\".",
];
const PROSE: [&str; 8] = [
    "Walls of old stone rise here.",
    "A cold wind blows through the caf\u{e9}, and out again",
    "You see nothing of note.",
    "Moss grows where nobody walks; it is green.",
    "one two three",
    "The bell has not rung for years.",
    "Someone has left.",
    "Mind the step!",
];
const COMMANDS: [&str; 10] = [
    "%echo% The floor shakes.",
    "wait 12 sec",
    "%send% %actor% You shiver.",
    "* a comment",
    "if %actor.level% > 3",
    "%echoaround% %actor% A draught.",
    "end",
    "set text[1] #12",
    "#101",
    "return 0",
];

/// A set of area files of one zone.
pub(super) struct Writer {
    dice: Dice,
    text: String,
    /// Set for the dialect with four words for each set of flags.
    is_new: bool,
    /// Number of the first record of each kind, and how many there are.
    base: usize,
    count: usize,
}

impl Writer {
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let base = dice.pick(&[1, 100, 3_000, 65_000, 99_990, 120_000]);
        let is_new = dice.one_in(2);
        let count = 3 + dice.below(10);
        Self { dice, text: String::new(), is_new, base, count }
    }

    /// Returns all files: name and text.
    pub(super) fn files(mut self) -> Vec<(String, String)> {
        type Write = fn(&mut Writer, usize);
        let kinds: [(&str, Write); 6] = [
            ("wld", Self::room),
            ("mob", Self::creature),
            ("obj", Self::object),
            ("trg", Self::trigger),
            ("qst", Self::quest),
            ("shp", Self::shop),
        ];
        let mut files = Vec::new();
        for (ending, write) in kinds {
            if ending == "shp" && self.is_new {
                self.text.push_str("CircleMUD v3.0 Shop File~\n");
            }
            let count = if ending == "shp" { 2 } else { self.count };
            for number in self.base..self.base + count {
                write(&mut self, number);
            }
            files.push(self.finished(ending));
        }
        self.zone();
        files.push(self.finished("zon"));
        files
    }

    fn finished(&mut self, ending: &str) -> (String, String) {
        let ends: &[&str] = match ending {
            "shp" => &["$~\n"],
            _ => &["$\n", "$~\n", "$~", "#99999\n$~\n", "$\n\n"],
        };
        let end = self.dice.pick(ends);
        self.text.push_str(end);
        let mut text = std::mem::take(&mut self.text);
        if self.dice.one_in(3) {
            text = text.replace('\n', "\r\n");
        }
        (format!("7.{ending}"), text)
    }

    fn number(&mut self) -> usize {
        self.base + self.dice.below(self.count)
    }

    /// Writes lines that a reader of lines skips.
    fn skipped(&mut self) {
        while self.dice.one_in(5) {
            let line = self.dice.pick(&["\n", "* a comment\n", "*\n", "* #5\n", "*$\n"]);
            self.text.push_str(line);
        }
    }

    /// Writes a line that begins with a letter or a `#`.
    fn mark(&mut self, line: &str) {
        self.skipped();
        self.text.extend([line, "\n"]);
    }

    /// Writes a line of words, with any blanks between them.
    fn words(&mut self, line: &str) {
        self.skipped();
        for (at, word) in line.split(' ').enumerate() {
            let gap = if at == 0 { ["", "", " "] } else { [" ", "  ", "\t"] };
            let gap = self.dice.pick(&gap);
            self.text.extend([gap, word]);
        }
        let end = self.dice.pick(&["\n", "\n", "  \n"]);
        self.text.push_str(end);
    }

    fn string(&mut self, text: &str) {
        let end = if self.dice.one_in(3) { "\n~\n" } else { "~\n" };
        self.text.extend([text, end]);
    }

    /// Writes a text of some lines, the first of which is prose.
    fn prose(&mut self) {
        let mut text = self.dice.pick(&PROSE).to_owned();
        for _ in 0..self.dice.below(6) {
            let line = if self.dice.one_in(2) { self.dice.pick(&ODD) } else { self.dice.pick(&PROSE) };
            text = format!("{text}\n{line}");
        }
        text.truncate(text.trim_end().len());
        self.string(&text);
    }

    fn flags(&mut self, letters: &[&str]) -> String {
        let flags = self.dice.pick(letters);
        if self.is_new { format!("{flags} 0 0 0") } else { flags.to_owned() }
    }

    fn scripts(&mut self) {
        while self.dice.one_in(4) {
            let number = self.number();
            let _ = writeln!(self.text, "T {number}");
        }
    }

    fn room(&mut self, number: usize) {
        self.mark(&format!("#{number}"));
        let name = self.dice.pick(&["Hall", "The Old Mill", "Street", "#12 $ Yard"]);
        self.string(&format!("{name} {number}"));
        self.prose();
        let flags = self.flags(&["0", "d", "ad", "8", "abe"]);
        let sector = self.dice.below(10);
        self.words(&format!("0 {flags} {sector}"));
        for direction in 0..10 {
            if self.dice.one_in(3) {
                self.mark(&format!("D{direction}"));
                if self.dice.one_in(2) {
                    self.prose();
                } else {
                    self.string("");
                }
                let door = self.dice.below(5);
                let keywords = self.dice.pick(&["", "door", "gate iron"]);
                self.string(keywords);
                let to = self.number();
                let to = if self.dice.one_in(6) { "-1".to_owned() } else { to.to_string() };
                let key = if self.dice.one_in(2) { self.number().to_string() } else { "-1".to_owned() };
                self.words(&format!("{door} {key} {to}"));
            } else if self.dice.one_in(6) {
                self.mark("E");
                self.string(&format!("sign{direction} board"));
                self.prose();
            } else if self.dice.one_in(12) {
                self.scripts();
            }
        }
        self.mark("S");
        self.scripts();
    }

    fn creature(&mut self, number: usize) {
        self.mark(&format!("#{number}"));
        self.string(&format!("rat grey beast{number}"));
        self.string(&format!("the grey beast{number}"));
        self.prose();
        self.prose();
        let (flags, affects) = (self.flags(&["b", "0", "bd", "10"]), self.flags(&["0", "b"]));
        let is_enhanced = self.dice.one_in(2);
        self.words(&format!("{flags} {affects} -350 {}", if is_enhanced { "E" } else { "S" }));
        let level = 1 + self.dice.below(30);
        self.words(&format!("{level} 20 -9 6d6+{level} 1d4+0"));
        self.words("50 1000");
        let posture = self.dice.pick(&["8 8 1", "4 4 0", "5 5 2"]);
        self.words(posture);
        if is_enhanced {
            for field in ["Str: 17", "BareHandAttack: 4", "SavingSpell: 4"] {
                if self.dice.one_in(2) {
                    self.mark(field);
                }
            }
            self.mark("E");
        }
        self.scripts();
    }

    fn object(&mut self, number: usize) {
        self.mark(&format!("#{number}"));
        self.string(&format!("tool odd thing{number}"));
        self.string(&format!("an odd thing{number}"));
        self.prose();
        if self.dice.one_in(3) {
            self.prose();
        } else {
            self.string("");
        }
        let kind = self.dice.pick(&[1, 5, 8, 9, 12, 13, 15, 16, 18, 19]);
        let (flags, worn) = (self.flags(&["0", "g"]), self.flags(&["a", "a", "ad", "0", "an"]));
        if self.is_new {
            self.words(&format!("{kind} {flags} {worn} 0 0 0 0"));
        } else {
            self.words(&format!("{kind} {flags} {worn}"));
        }
        self.words("5 2 4 3");
        let end = self.dice.pick(&["3 120 10", "3 120 10 0", "3 120 10 0 0"]);
        self.words(end);
        for _ in 0..self.dice.below(4) {
            match self.dice.below(3) {
                0 => {
                    self.mark("E");
                    self.string(&format!("thing{number} mark"));
                    self.prose();
                }
                1 => {
                    self.mark("A");
                    self.words("18 2");
                }
                _ => {
                    let script = self.number();
                    self.mark(&format!("T {script}"));
                }
            }
        }
    }

    fn trigger(&mut self, number: usize) {
        self.mark(&format!("#{number}"));
        self.string(&format!("Script {number}"));
        let (attach, events) =
            self.dice.pick(&[(0, "b"), (0, "g"), (0, "d"), (1, "g"), (1, "j"), (2, "b"), (2, "g"), (2, "q")]);
        self.words(&format!("{attach} {events} 100"));
        self.string("hello");
        let mut text = String::from("%echo% A click.");
        for _ in 0..self.dice.below(8) {
            text = format!("{text}\n{}", self.dice.pick(&COMMANDS));
        }
        self.string(&text);
    }

    fn quest(&mut self, number: usize) {
        self.mark(&format!("#{number}"));
        self.string(&format!("Errand {number}"));
        for _ in 0..4 {
            self.prose();
        }
        let (kind, master, target) = (self.dice.pick(&[0, 1, 2, 3, 5]), self.number(), self.number());
        self.words(&format!("{kind} {master} 0 {target} -1 -1 -1"));
        let taker = self.number();
        self.words(&format!("0 0 1 30 -1 {taker} 1"));
        self.words("50 100 -1");
        self.mark("S");
    }

    fn shop(&mut self, number: usize) {
        let _ = writeln!(self.text, "#{number}~");
        let listed = |writer: &mut Self, most: usize| {
            let mut numbers: Vec<String> =
                (0..writer.dice.below(most)).map(|_| writer.number().to_string()).collect();
            numbers.resize(if writer.is_new { numbers.len() + 1 } else { most }, "-1".to_owned());
            for number in numbers {
                writer.words(&number);
            }
        };
        listed(self, 5);
        self.words("1.50");
        self.words("0.7");
        if self.is_new {
            for _ in 0..self.dice.below(3) {
                let line = self.dice.pick(&["WEAPON", "ARMOR", "5", "TRASH ; anything", "FOOD bread"]);
                self.mark(line);
            }
            self.mark("-1");
        } else {
            for number in ["5", "9", "0", "0", "0"] {
                self.words(number);
            }
        }
        for text in [
            "Not here.",
            "You have not got it.",
            "I do not buy that.",
            "I am poor.",
            "You are poor.",
            "%d coins.",
            "%d coins.\n#12\nFor you.",
        ] {
            self.string(&format!("%s {text}"));
        }
        self.words("0");
        self.words("0");
        let keeper = self.number();
        self.words(&keeper.to_string());
        self.words("0");
        if self.is_new {
            listed(self, 4);
        } else {
            let room = self.number();
            self.words(&room.to_string());
        }
        for hour in ["8", "12", "14", "20"] {
            self.words(hour);
        }
    }

    fn zone(&mut self) {
        let comment = self.dice.pick(&["", " * of the test"]);
        self.mark(&format!("#7{comment}"));
        if self.is_new || self.dice.one_in(2) {
            self.mark("Olad~");
        }
        self.mark("The Zone~");
        let numbers = if self.is_new {
            "0 999999 10 2 d 0 0 0 -1 -1"
        } else {
            self.dice.pick(&["999999 10 2", "0 999999 10 2"])
        };
        self.words(numbers);
        for _ in 0..self.dice.below(40) {
            let letter = self.dice.pick(&['M', 'M', 'O', 'G', 'E', 'P', 'D', 'R', 'T']);
            let (one, two) = (self.number(), self.number());
            let line = match letter {
                'M' | 'O' => format!("{letter} 0 {one} 3 {two}"),
                'G' => format!("G 1 {one} 9"),
                'E' => format!("E 1 {one} 9 5"),
                'P' => format!("P 1 {one} 9 {two}"),
                'D' => format!("D 0 {one} {} {}", self.dice.below(10), self.dice.below(3)),
                'R' => format!("R 0 {one} {two}"),
                _ => format!("T 0 2 {one} {two}"),
            };
            let comment = self.dice.pick(&["", " (a comment)"]);
            self.words(&format!("{line}{comment}"));
        }
        self.mark("S");
    }
}
