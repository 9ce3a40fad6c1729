//! Translation of the commands of a DG script into the lines of a trigger. A command or a condition that no line can say is
//! left out, and reported with its place and the reason.

use super::commands::ScriptOwner;
use super::condition::{self, AnyOf, AskedTerm};
use super::tree::{IfBranch, ScriptNode};
use crate::circle::place::FileLine;
use crate::circle::records::trigger::TriggerCommand;
use crate::circle::report::{ImportReport, NoteKind};
use deepwell_core::catalog::Script;
use deepwell_core::catalog::script::{ScriptDeed, ScriptLine};

/// Line without an effect, which keeps the place of a branch whose commands were left out.
const NOTHING: &str = "reset nothing";

/// Translator of one script.
pub(super) struct Translator<'a, 'r> {
    pub(super) scene: ScriptOwner<'a>,
    pub(super) whose: String,
    pub(super) report: &'r mut ImportReport,
}

impl Translator<'_, '_> {
    fn left_out(&mut self, place: &FileLine, what: &str, why: &str) {
        let remark = format!("`{what}` left out: {why}");
        self.report.note(NoteKind::Script, place, &self.whose, &remark);
    }

    /// Translates a script; `first` are lines before it. Empty if no line is left.
    pub(super) fn translate_script(
        &mut self,
        place: &FileLine,
        first: Option<String>,
        nodes: &[ScriptNode],
    ) -> Vec<String> {
        let mut lines = Vec::new();
        self.translate_nodes(nodes, None, &mut lines);
        if lines.is_empty() {
            self.report.note(
                NoteKind::Script,
                place,
                &self.whose,
                "left out: none of its commands can be said",
            );
            return lines;
        }
        let lines = without_overlap(first.into_iter().chain(lines).collect());
        match Script::parse(lines.iter().map(String::as_str)) {
            Ok(_) => lines,
            Err(mistakes) => {
                let mistake = mistakes.first().map(ToString::to_string).unwrap_or_default();
                self.report.note(NoteKind::Script, place, &self.whose, &format!("left out: {mistake}"));
                Vec::new()
            }
        }
    }

    /// Translates nodes whose lines all stand under a condition, if there is one.
    fn translate_nodes(&mut self, nodes: &[ScriptNode], under: Option<&AnyOf>, lines: &mut Vec<String>) {
        let mut is_open = false;
        let mut rest = nodes.iter().peekable();
        while let Some(node) = rest.next() {
            match node {
                ScriptNode::Left { place, what, why } => self.left_out(place, what, why),
                ScriptNode::Block(branches) => {
                    is_open = false;
                    self.translate_block(branches, under, lines);
                }
                ScriptNode::Line(command) => {
                    let gift = match rest.peek() {
                        Some(ScriptNode::Line(next)) => self.scene.loaded_gift(command, next),
                        _ => None,
                    };
                    if gift.is_some() {
                        rest.next();
                    }
                    for deed in gift.map_or_else(|| self.translate_command(command), |deed| vec![deed]) {
                        let guard = match under {
                            Some(_) if is_open => "then ".to_owned(),
                            Some(under) => format!("if {}: ", under.words()),
                            None => String::new(),
                        };
                        is_open = true;
                        lines.push(format!("{guard}{deed}"));
                    }
                }
            }
        }
    }

    /// Translates an `if` with its branches.
    fn translate_block(&mut self, branches: &[IfBranch], under: Option<&AnyOf>, lines: &mut Vec<String>) {
        let Some(first) = branches.first() else { return };
        let mut read = Vec::new();
        for branch in branches {
            let condition = branch.condition.as_deref();
            let asked = condition
                .map_or_else(|| Ok(AnyOf::always()), |text| condition::translate(text, self.scene.items));
            match asked {
                Ok(asked) => read.push((branch, asked)),
                Err(why) => {
                    let count = branches.iter().map(IfBranch::count).sum::<usize>();
                    let why = format!("{why}; with it go {count} commands below");
                    return self.left_out(&branch.place, condition.unwrap_or("else"), &why);
                }
            }
        }
        for (branch, _) in read.extract_if(.., |(_, asked)| asked.is_never()) {
            let what = branch.condition.as_deref().unwrap_or("else");
            self.left_out(&branch.place, what, "this never happens here");
        }
        if let Some(end) = read.iter().position(|(_, asked)| asked.is_always()) {
            for (branch, _) in read.drain(end + 1..) {
                self.left_out(&branch.place, "else", "this never happens here");
            }
        }
        match &read[..] {
            [] => {}
            [(branch, asked)] => self.translate_only_branch(branch, asked, under, lines),
            _ => self.translate_chain(&first.place, &read, under, lines),
        }
    }

    /// Translates an `if` with one branch, which may contain others.
    fn translate_only_branch(
        &mut self,
        branch: &IfBranch,
        asked: &AnyOf,
        under: Option<&AnyOf>,
        lines: &mut Vec<String>,
    ) {
        let what = branch.condition.as_deref().unwrap_or("else");
        let whole = match under {
            None => Some(asked.clone()),
            Some(under) => under.and(asked),
        };
        let Some(whole) = whole else {
            return self.left_out(&branch.place, what, "the condition is too long");
        };
        if whole.is_always() {
            return self.translate_nodes(&branch.nodes, under, lines);
        }
        let parts = branch.nodes.len();
        let blocks = branch.nodes.iter().filter(|node| matches!(node, ScriptNode::Block(_))).count();
        if blocks > 0 && parts > 1 && !whole.is_stable() {
            return self.left_out(
                &branch.place,
                what,
                "a second look at its condition could find another answer",
            );
        }
        self.translate_nodes(&branch.nodes, Some(&whole), lines);
    }

    /// Translates an `if` with several branches, which contain no others.
    fn translate_chain(
        &mut self,
        place: &FileLine,
        branches: &[(&IfBranch, AnyOf)],
        under: Option<&AnyOf>,
        lines: &mut Vec<String>,
    ) {
        let is_nested = |(branch, _): &(&IfBranch, AnyOf)| {
            branch.nodes.iter().any(|node| matches!(node, ScriptNode::Block(_)))
        };
        if branches.iter().any(is_nested) {
            return self.left_out(place, "if", "there is a condition inside another one that has an else");
        }
        if under.is_some_and(AnyOf::has_chance) {
            return self.left_out(place, "if", "a second roll of the dice could find another answer");
        }
        let mut translated: Vec<(AnyOf, Vec<String>)> = Vec::new();
        for (branch, asked) in branches {
            let mut deeds = Vec::new();
            self.translate_nodes(&branch.nodes, None, &mut deeds);
            translated.push((asked.clone(), deeds));
        }
        while translated.pop_if(|(_, deeds)| deeds.is_empty()).is_some() {}
        for (at, (asked, deeds)) in translated.into_iter().enumerate() {
            let whole = match under {
                None => Some(asked),
                Some(under) => under.and(&asked),
            };
            let Some(whole) = whole else { return self.left_out(place, "if", "the condition is too long") };
            let mut guard = match (at, whole.is_always()) {
                (0, _) => format!("if {}: ", whole.words()),
                (_, true) => "else ".to_owned(),
                (_, false) => format!("else if {}: ", whole.words()),
            };
            let deeds = if deeds.is_empty() { vec![NOTHING.to_owned()] } else { deeds };
            for deed in deeds {
                lines.push(format!("{guard}{deed}"));
                "then ".clone_into(&mut guard);
            }
        }
    }

    /// Translates a command into lines; a command that cannot be said is reported.
    fn translate_command(&mut self, command: &TriggerCommand) -> Vec<String> {
        match self.scene.deed(&command.words) {
            Ok(deed) if deed.chars().count() > ScriptLine::CHARS_MAX / 2 => {
                self.left_out(&command.place, &beginning(&command.words), "it is too long");
                Vec::new()
            }
            Ok(deed) => Some(deed).filter(|deed| !deed.is_empty()).into_iter().collect(),
            Err(why) => {
                self.left_out(&command.place, &beginning(&command.words), &why.to_string());
                Vec::new()
            }
        }
    }

    /// Splits a script whose only command asks for the words said or the item given into one script for each answer.
    pub(super) fn split_by_choice<'n>(
        &mut self,
        nodes: &'n [ScriptNode],
    ) -> Option<Vec<(AskedTerm, &'n IfBranch)>> {
        let [ScriptNode::Block(branches)] = nodes else { return None };
        let mut chosen = Vec::new();
        for branch in branches {
            match branch.condition.as_deref() {
                Some(text) => chosen.push((condition::choice(text, self.scene.items)?, branch)),
                None => self.left_out(&branch.place, "else", "no event stands for all other answers"),
            }
        }
        Some(chosen)
    }
}

/// Returns the lines of a script with those that keep it from beginning again while it waits, also at its end. The other
/// servers run no script that waits a second time.
fn without_overlap(lines: Vec<String>) -> Vec<String> {
    let Ok(script) = Script::parse(lines.iter().map(String::as_str)) else { return lines };
    let waits = |line: &ScriptLine| matches!(line.deed, ScriptDeed::Wait(_));
    let alone = script.lines().iter().any(waits).then(|| ScriptDeed::Alone.to_string());
    let end = script.lines().last().is_some_and(waits).then(|| NOTHING.to_owned());
    alone.into_iter().chain(lines).chain(end).collect()
}

/// Returns the first letters of a command.
fn beginning(text: &str) -> String {
    text.chars().take(60).collect()
}
