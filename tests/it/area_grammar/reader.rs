//! Small parser of area files, written from the published description of the format and independent of the import.

/// A room: number, name, text, exits, details and scripts.
#[derive(Default, Debug)]
pub(super) struct Room {
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) text: String,
    /// Direction, text, keywords, then door, key and room.
    pub(super) exits: Vec<(usize, String, String, Vec<i64>)>,
    pub(super) details: Vec<(String, String)>,
    pub(super) scripts: Vec<i64>,
}

/// A creature or an item: number, texts and scripts.
#[derive(Default, Debug)]
pub(super) struct Item {
    pub(super) number: i64,
    pub(super) short: String,
    pub(super) texts: Vec<String>,
    /// Words of the line with the flags.
    pub(super) flags: Vec<String>,
    pub(super) scripts: Vec<i64>,
}

/// A shop: number, keeper, goods and rooms.
#[derive(Default, Debug)]
pub(super) struct Shop {
    pub(super) number: i64,
    pub(super) keeper: i64,
    pub(super) rooms: Vec<i64>,
}

/// The lines of a file.
pub(super) struct Lines<'t> {
    lines: Vec<&'t str>,
    at: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { lines: text.lines().collect(), at: 0 }
    }

    /// Returns the next line that is neither empty nor a comment, and its number.
    fn line(&mut self) -> (usize, &'t str) {
        while self.lines[self.at].starts_with('*') || self.lines[self.at].is_empty() {
            self.at += 1;
        }
        self.at += 1;
        (self.at, self.lines[self.at - 1])
    }

    fn words(&mut self) -> Vec<String> {
        self.line().1.split_whitespace().map(str::to_owned).collect()
    }

    fn numbers(&mut self) -> Vec<i64> {
        self.line().1.split_whitespace().map_while(|word| word.parse().ok()).collect()
    }

    /// Returns a text up to its `~`.
    fn string(&mut self) -> String {
        let mut text = Vec::new();
        loop {
            self.at += 1;
            let line = self.lines[self.at - 1];
            if let Some(line) = line.strip_suffix('~') {
                text.push(line);
                return text.join("\n");
            }
            text.push(line);
        }
    }

    /// Returns the number of the next record; `None` at the end.
    fn begins(&mut self) -> Option<i64> {
        let number: i64 = self.line().1.strip_prefix('#')?.split([' ', '~']).next()?.parse().ok()?;
        let ends = number >= 99_999 && self.lines.get(self.at).is_none_or(|line| line.starts_with('$'));
        (!ends).then_some(number)
    }

    /// Reads lines with the numbers of scripts.
    fn scripts(&mut self) -> Vec<i64> {
        let mut found = Vec::new();
        while let Some(number) = self.lines.get(self.at).and_then(|line| line.strip_prefix("T ")) {
            found.push(number.parse().expect("a number"));
            self.at += 1;
        }
        found
    }

    pub(super) fn rooms(mut self) -> Vec<Room> {
        let mut rooms = Vec::new();
        while let Some(number) = self.begins() {
            let mut room = Room { number, name: self.string(), text: self.string(), ..Room::default() };
            self.line();
            loop {
                let (_, line) = self.line();
                match line.split_at(1) {
                    ("D", direction) => {
                        let direction = direction.parse().expect("a direction");
                        room.exits.push((direction, self.string(), self.string(), self.numbers()));
                    }
                    ("E", _) => room.details.push((self.string(), self.string())),
                    ("T", number) => room.scripts.push(number.trim().parse().expect("a number")),
                    ("S", _) => break,
                    other => panic!("{other:?}"),
                }
            }
            room.scripts.extend(self.scripts());
            rooms.push(room);
        }
        rooms
    }

    pub(super) fn creatures(mut self) -> Vec<Item> {
        let mut creatures = Vec::new();
        while let Some(number) = self.begins() {
            self.string();
            let short = self.string();
            let texts = vec![self.string(), self.string()];
            let flags = self.words();
            (0..3).for_each(|_| _ = self.line());
            if flags.last().is_some_and(|kind| kind == "E") {
                while self.line().1 != "E" {}
            }
            creatures.push(Item { number, short, texts, flags, scripts: self.scripts() });
        }
        creatures
    }

    pub(super) fn objects(mut self) -> Vec<Item> {
        let mut objects = Vec::new();
        let mut next = self.begins();
        while let Some(number) = next {
            self.string();
            let short = self.string();
            let mut object = Item { number, short, texts: vec![self.string()], ..Item::default() };
            self.string();
            object.flags = self.words();
            (0..2).for_each(|_| _ = self.line());
            loop {
                let (at, line) = self.line();
                match line.split_at(1) {
                    ("E", _) => {
                        self.string();
                        object.texts.push(self.string());
                    }
                    ("A", _) => _ = self.line(),
                    ("T", number) => object.scripts.push(number.trim().parse().expect("a number")),
                    _ => {
                        self.at = at - 1;
                        break;
                    }
                }
            }
            objects.push(object);
            next = self.begins();
        }
        objects
    }

    /// Returns the scripts: number and lines of commands.
    pub(super) fn triggers(mut self) -> Vec<(i64, usize)> {
        let mut found = Vec::new();
        while let Some(number) = self.begins() {
            self.string();
            self.line();
            self.string();
            found.push((number, self.string().lines().count()));
        }
        found
    }

    /// Returns the quests: number and name.
    pub(super) fn quests(mut self) -> Vec<(i64, String)> {
        let mut found = Vec::new();
        while let Some(number) = self.begins() {
            found.push((number, self.string()));
            (0..4).for_each(|_| _ = self.string());
            while self.line().1 != "S" {}
        }
        found
    }

    pub(super) fn shops(mut self) -> Vec<Shop> {
        let is_new = self.lines[0].contains("v3.0");
        if is_new {
            self.string();
        }
        let mut found = Vec::new();
        while self.lines[self.at].starts_with('#') {
            let number = self.string()[1..].parse().expect("a number");
            let list = |lines: &mut Self| {
                let mut all: Vec<i64> = Vec::new();
                let goes_on = |all: &[i64]| if is_new { all.last() != Some(&-1) } else { all.len() < 5 };
                while goes_on(&all) {
                    all.extend(lines.numbers().first());
                }
                all.retain(|number| *number > 0);
                all
            };
            list(&mut self);
            (0..2).for_each(|_| _ = self.line());
            if is_new {
                while self.line().1 != "-1" {}
            } else {
                (0..5).for_each(|_| _ = self.line());
            }
            (0..7).for_each(|_| _ = self.string());
            (0..2).for_each(|_| _ = self.line());
            let keeper = self.numbers()[0];
            self.line();
            let rooms = if is_new { list(&mut self) } else { self.numbers() };
            (0..4).for_each(|_| _ = self.line());
            found.push(Shop { number, keeper, rooms });
        }
        found
    }

    /// Returns the commands of a zone: line, letter and numbers.
    pub(super) fn zone(mut self) -> Vec<(usize, char, Vec<i64>)> {
        self.line();
        while self.line().1.ends_with('~') {}
        let mut found = Vec::new();
        loop {
            let (at, line) = self.line();
            let line = line.trim_start();
            if line == "S" {
                return found;
            }
            let numbers = line[1..].split_whitespace().map_while(|word| word.parse().ok()).collect();
            found.push((at, line.chars().next().expect("a letter"), numbers));
        }
    }
}
