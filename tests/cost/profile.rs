//! Reader of the dumps of callgrind.

use std::collections::{BTreeMap, HashMap};

/// Instructions of a series of commands.
pub(crate) struct Profile {
    /// Instructions of the whole process.
    pub(crate) total: u64,
    /// Instructions of each function with those of the functions that it called.
    functions: BTreeMap<String, u64>,
}

impl Profile {
    /// Reads a dump. In its format, `fn=` begins the lines of a function; `cfn=` names a function that it calls, and the
    /// line after `calls=` ends with the instructions of these calls. A name follows its number where it is first used.
    pub(crate) fn read(dump: &str) -> Self {
        let (mut names, mut functions) = (HashMap::new(), BTreeMap::new());
        let (mut total, mut callee) = (0, "");
        let mut lines = dump.lines();
        while let Some(line) = lines.next() {
            if let Some(function) = line.strip_prefix("cfn=") {
                callee = name_of(function, &mut names);
            } else if let Some(function) = line.strip_prefix("fn=") {
                name_of(function, &mut names);
            } else if line.starts_with("calls=") {
                let cost = lines.next().map_or(0, last_number);
                *functions.entry(callee.to_owned()).or_default() += cost;
            } else if line.starts_with("summary:") {
                total = last_number(line);
            }
        }
        Self { total, functions }
    }

    /// Returns the instructions of a function with those of the functions that it called; `None` if it was not called.
    pub(crate) fn of(&self, function: &str) -> Option<u64> {
        self.functions.get(function).copied()
    }
}

fn name_of<'a>(function: &'a str, names: &mut HashMap<&'a str, &'a str>) -> &'a str {
    match function.split_once(' ') {
        Some((number, name)) => {
            names.insert(number, name);
            name
        }
        None => names.get(function).copied().unwrap_or_default(),
    }
}

fn last_number(line: &str) -> u64 {
    line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[test]
fn calls_are_added_to_their_function() {
    let dump = "summary: 60\n\nfn=(1) main\n1 10\ncfn=(2) step\ncalls=2 5\n* 30\n+1 5\ncfn=(3) write\ncalls=1 9\n+2 15\n\
        \nfn=(2)\n5 20\ncfn=(3)\ncalls=4 9\n-1 10\n";
    let profile = Profile::read(dump);
    assert_eq!(profile.total, 60);
    assert_eq!(["main", "step", "write"].map(|name| profile.of(name)), [None, Some(30), Some(25)]);
}
