//! The commands of a DG script as a tree: lines, and conditions with their branches. Loops have no counterpart here.

use crate::circle::place::FileLine;
use crate::circle::records::trigger::TriggerCommand;

/// Maximum depth of conditions inside others.
const DEPTH_MAX: usize = 8;

/// Part of a script.
#[derive(Clone, Debug)]
pub(super) enum ScriptNode {
    /// A command.
    Line(TriggerCommand),
    /// An `if` with its branches.
    Block(Vec<IfBranch>),
    /// A part without a counterpart, with the reason.
    Left { place: FileLine, what: String, why: String },
}

/// Branch of an `if`.
#[derive(Clone, Debug)]
pub(super) struct IfBranch {
    pub(super) place: FileLine,
    /// Condition; `None` for `else`.
    pub(super) condition: Option<String>,
    pub(super) nodes: Vec<ScriptNode>,
}

impl IfBranch {
    /// Returns the number of commands in the branch, with those inside other conditions.
    pub(super) fn count(&self) -> usize {
        self.nodes
            .iter()
            .map(|node| match node {
                ScriptNode::Line(_) | ScriptNode::Left { .. } => 1,
                ScriptNode::Block(branches) => branches.iter().map(Self::count).sum(),
            })
            .sum()
    }
}

/// State of the parsing: the nodes outside of conditions, and the conditions that are open.
#[derive(Default)]
struct TreeParser {
    nodes: Vec<ScriptNode>,
    open: Vec<Vec<IfBranch>>,
}

impl TreeParser {
    fn add(&mut self, node: ScriptNode) {
        let nodes = self.open.last_mut().and_then(|branches| branches.last_mut());
        nodes.map_or(&mut self.nodes, |branch| &mut branch.nodes).push(node);
    }

    fn leave_out(&mut self, command: &TriggerCommand, why: &str) {
        let (place, what) = (command.place.clone(), command.words.chars().take(60).collect());
        self.add(ScriptNode::Left { place, what, why: why.to_owned() });
    }

    fn close(&mut self) -> bool {
        let branches = self.open.pop();
        let was_open = branches.is_some();
        if let Some(branches) = branches {
            self.add(ScriptNode::Block(branches));
        }
        was_open
    }
}

/// Parses the commands of a script.
pub(super) fn parse(commands: &[TriggerCommand]) -> Vec<ScriptNode> {
    let mut tree = TreeParser::default();
    let mut at = 0;
    while let Some(command) = commands.get(at) {
        at += 1;
        let (word, rest) = command.words.split_once(char::is_whitespace).unwrap_or((&command.words, ""));
        let branch = |condition: Option<&str>| IfBranch {
            place: command.place.clone(),
            condition: condition.map(|text| text.trim().to_owned()),
            nodes: Vec::new(),
        };
        match word.to_lowercase().as_str() {
            "if" if tree.open.len() >= DEPTH_MAX => {
                tree.leave_out(command, "it is too deep inside other conditions");
                at = behind(commands, at, "if", "end");
            }
            "if" => tree.open.push(vec![branch(Some(rest))]),
            "elseif" | "else" => {
                let rest = rest.trim();
                let condition = rest.strip_prefix("if ").or((word.len() > 4).then_some(rest));
                match tree.open.last_mut() {
                    Some(branches) => branches.push(branch(condition)),
                    None => tree.leave_out(command, "there is no `if` above it"),
                }
            }
            "end" => {
                if !tree.close() {
                    tree.leave_out(command, "there is no `if` above it");
                }
            }
            "while" | "switch" => {
                tree.leave_out(command, "there are no loops and no switches; it goes with its commands");
                at = behind(commands, at, word, "done");
            }
            _ => tree.add(ScriptNode::Line(command.clone())),
        }
    }
    while tree.close() {}
    tree.nodes
}

/// Returns the index behind the end of a block that begins before `from`.
fn behind(commands: &[TriggerCommand], from: usize, begin: &str, end: &str) -> usize {
    let mut depth = 1_usize;
    for (at, command) in commands.iter().enumerate().skip(from) {
        let word = command.words.split_whitespace().next().unwrap_or_default().to_lowercase();
        let begins = word == begin || (end == "done" && (word == "while" || word == "switch"));
        depth += usize::from(begins);
        depth -= usize::from(word == end);
        if depth == 0 {
            return at + 1;
        }
    }
    commands.len()
}
