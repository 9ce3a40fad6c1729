//! Paths of this crate that a source names, in imports and in its code, and the files that they refer to.

use crate::code::bare;
use crate::{ROOTS, Source};
use std::collections::BTreeMap;

/// Maximum number of re-exports between a path and its definition.
const REEXPORTS_MAX: usize = 8;

/// Returns the sources of the product, without tests.
pub(crate) fn product() -> Vec<Source> {
    let mut found = crate::product();
    let tests = ["/tests.rs", "_tests.rs", "/harness.rs", "/tests/", "/acceptance"];
    found.retain(|source| !tests.iter().any(|part| source.path.contains(part)));
    for source in &mut found {
        let tests = ["#[cfg(test)]\nmod tests {", "#[cfg(test)]\npub(super) mod tests {"];
        let end = tests.iter().filter_map(|start| source.text.find(start)).min();
        source.text.truncate(end.unwrap_or(source.text.len()));
    }
    found
}

/// Paths that a source names.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    /// Paths of imported names and declared modules, by the name that they have in the source.
    local: BTreeMap<String, String>,
    /// Paths of the product in imports and in the code, each beginning with a crate, `super` or `self`.
    named: Vec<String>,
}

impl Paths {
    /// Reads a source.
    pub(crate) fn of(text: &str) -> Self {
        let (code, mut paths) = (bare(text), Self::default());
        let modules = code.lines().filter_map(|line| {
            let (before, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
            is_visibility(before).then_some(name)
        });
        paths.local.extend(modules.map(|name| (name.to_owned(), format!("self::{name}"))));
        for import in imports(&code) {
            let (path, alias) = import.split_once(" as ").unwrap_or((&import, ""));
            let name = path.trim_end_matches("::self").rsplit("::").next().unwrap_or_default();
            if let Some(path) = paths.full(path) {
                paths.local.insert(if alias.is_empty() { name } else { alias }.to_owned(), path.clone());
                paths.named.push(path);
            }
        }
        let inline: Vec<String> = inline(&code).iter().filter_map(|path| paths.full(path)).collect();
        paths.named.extend(inline);
        paths
    }

    /// Returns a path from the root of a crate or from the source; `None` for paths of other crates.
    fn full(&self, path: &str) -> Option<String> {
        let (first, rest) = path.split_once("::")?;
        match self.local.get(first) {
            _ if ["crate", "super", "self"].contains(&first) || crate_of(first).is_some() => {
                Some(path.to_owned())
            }
            Some(local) => Some(format!("{local}::{rest}")),
            None => None,
        }
    }

    /// Returns the named paths as steps from the root of the product: of `deepwell`, which re-exports the others.
    pub(crate) fn absolute<'a>(&'a self, from: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
        self.named.iter().filter_map(|path| absolute(from, path))
    }
}

/// Paths of each file.
pub(crate) type Files<'a> = BTreeMap<&'a str, Paths>;

/// Returns the file that defines what a path leads to, from its steps. A file that re-exports a name does not define it.
pub(crate) fn target(path: &[&str], files: &Files<'_>) -> Option<String> {
    let mut steps: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
    for _ in 0..REEXPORTS_MAX {
        let (file, rest) = (1..=steps.len()).rev().find_map(|length| {
            let mut found = files_of(&steps[..length]);
            Some((found.find(|file| files.contains_key(file.as_str()))?, &steps[length..]))
        })?;
        let Some((name, rest)) = rest.split_first() else { return Some(file) };
        let Some(reexport) = files[file.as_str()].local.get(name) else { return Some(file) };
        let next = absolute(&file, reexport)?;
        steps = next.into_iter().chain(rest.iter().map(String::as_str)).map(str::to_owned).collect();
    }
    None
}

fn is_visibility(text: &str) -> bool {
    ["", "pub", "pub(super)", "pub(crate)"].contains(&text.trim())
}

/// Returns the paths that a code imports: `use super::{a, b::C as D};` gives two.
pub(crate) fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].rsplit('\n').next().unwrap_or_default();
        if is_visibility(before) {
            expand(code[at + 4..].split(';').next().unwrap_or_default(), &mut found);
        }
    }
    found
}

/// Expands the braces of a path.
fn expand(path: &str, found: &mut Vec<String>) {
    let Some((head, list)) = path.split_once('{') else {
        return found.push(path.trim().to_owned());
    };
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    };
    let list = list.trim_end().strip_suffix('}').unwrap_or(list);
    for item in list.split(is_end).map(str::trim).filter(|item| !item.is_empty()) {
        expand(&format!("{head}{item}"), found);
    }
}

/// Returns the paths in a code, outside of imports.
fn inline(code: &str) -> Vec<String> {
    let is_import = |statement: &str| {
        statement.trim_start().split_once("use ").is_some_and(|(before, _)| is_visibility(before))
    };
    let (mut found, mut skips) = (Vec::new(), false);
    for statement in code.split_inclusive([';', '{', '}']) {
        skips |= is_import(statement);
        if !skips {
            let paths = statement.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
            found.extend(paths.map(|path| path.trim_end_matches(':').to_owned()));
        }
        skips &= !statement.ends_with(';');
    }
    found
}

/// Returns the steps from the root of the product to the module of a file.
pub(crate) fn module(file: &str) -> Option<Vec<&str>> {
    let (root, _, first) = ROOTS.into_iter().find(|(root, ..)| file.starts_with(root))?;
    let inner = file.strip_prefix(root)?.strip_suffix(".rs")?;
    let mut steps: Vec<&str> =
        [first].into_iter().chain(inner.split('/')).filter(|step| !step.is_empty()).collect();
    steps.pop_if(|last| ["mod", "lib"].contains(last));
    Some(steps)
}

/// Returns the first step of the paths of a crate of the product, by its name.
fn crate_of(name: &str) -> Option<&'static str> {
    ROOTS.into_iter().find(|(_, own, _)| *own == name).map(|(.., first)| first)
}

/// Returns the files that may hold a module.
fn files_of(steps: &[String]) -> impl Iterator<Item = String> {
    ROOTS.into_iter().flat_map(move |(root, _, first)| {
        let inner = match steps.split_first() {
            Some((step, inner)) if step == first => inner,
            _ => steps,
        };
        let path = format!("{root}{}", inner.join("/"));
        [format!("{path}.rs"), format!("{path}/mod.rs"), format!("{path}lib.rs")]
    })
}

/// Returns the steps from the root of the product of a path that a file names.
fn absolute<'a>(from: &'a str, path: &'a str) -> Option<Vec<&'a str>> {
    let mut module = module(from)?;
    let own = module.first().copied().filter(|first| ROOTS.iter().any(|(.., own)| own == first));
    for step in path.split("::") {
        if let Some(first) = crate_of(step) {
            module = [first].into_iter().filter(|first| !first.is_empty()).collect();
            continue;
        }
        match step {
            "crate" => module = own.into_iter().collect(),
            "super" => _ = module.pop(),
            "self" => {}
            name => module.push(name),
        }
    }
    Some(module)
}

#[test]
fn paths_are_found_in_every_form() {
    let text = "use std::fmt;\nuse crate::level::{self, Cell as Place, layout::{Layout, grow}};\n pub use super::x;\n";
    let paths = ["level::self", "level::Cell", "level::layout::Layout", "level::layout::grow"];
    let paths = paths.map(|path| format!("crate::{path}"));
    assert_eq!(Paths::of(text).named, [&paths[..], &["super::x".into()]].concat());
    let text = "pub(crate) use super::{a, b as c};\nmod d;\npub use d::E;\nfn f() {\n    self::g::h(\"crate::i\"); // super::j\n    \
                fmt::k(a::l(), c::M::N, d::o, E::P, \"a::q\");\n}\n";
    let named =
        ["super::a", "super::b", "self::d::E", "self::g::h", "super::a::l", "super::b::M::N", "self::d::o"];
    assert_eq!(Paths::of(text).named, [&named[..], &["self::d::E::P"]].concat());
}
