//! Pager for long texts, for plain telnet in a window without scrollback. Opt-in: clients with GMCP or MTTS have a
//! window of their own, and screen readers need no pages. Never active before login.

use std::collections::VecDeque;

use crate::protocol::telnet::ClientCapabilities;
use deepwell_core::text::Markup;
use deepwell_core::world::Settings;

use crate::session::{Secret, Session};

/// Rows assumed for a window of unknown height.
const ROWS_UNKNOWN: u16 = 24;

/// Rest of a long text that has not been shown yet.
#[derive(Debug, Default)]
pub(in crate::session) struct Pager {
    rest: VecDeque<String>,
    /// Number of lines of the whole text.
    total: usize,
}

/// Returns the lines per page, if the pager is active: two fewer than the window, for the prompt and the input.
pub(in crate::session) fn rows(
    settings: &Settings,
    capabilities: &ClientCapabilities,
    screen_reader: bool,
) -> Option<usize> {
    let plain = capabilities.telnet && !capabilities.gmcp && capabilities.mtts.is_none() && !screen_reader;
    let rows = usize::from(capabilities.height.unwrap_or(ROWS_UNKNOWN).saturating_sub(2).max(1));
    (settings.pager && plain).then_some(rows)
}

impl Pager {
    /// Returns the first page of a text without a line end at its end, and stores the rest. Returns the whole text while
    /// pages of another one are pending.
    pub(in crate::session) fn cut<'t>(&mut self, text: &'t str, rows: usize) -> &'t str {
        let lines = text.lines().count();
        if !self.rest.is_empty() || lines <= rows + 1 {
            return text;
        }
        self.total = lines;
        self.rest = text.lines().skip(rows).map(str::to_owned).collect();
        let first: usize = text.split_inclusive('\n').take(rows).map(str::len).sum();
        let page = text.get(..first).unwrap_or(text);
        page.strip_suffix('\n').unwrap_or(page)
    }

    /// Takes the next page.
    pub(in crate::session) fn next(&mut self, rows: usize) -> String {
        let count = rows.min(self.rest.len());
        self.rest.drain(..count).map(|line| line + "\n").collect()
    }

    /// Discards the rest.
    pub(in crate::session) fn leave(&mut self) {
        self.rest.clear();
    }

    /// Returns the prompt while pages are pending.
    pub(in crate::session) fn prompt(&self) -> Option<Markup> {
        let shown = (self.total - self.rest.len().min(self.total)) * 100 / self.total.max(1);
        (!self.rest.is_empty()).then(|| Markup::plain(&format!("[Enter: more, q: quit, {shown}%] ")))
    }
}

impl Session {
    /// Handles a line while pages are pending; returns it if it is not a pager command. Any other line leaves the
    /// pager.
    pub(in crate::session) fn page_line(&mut self, line: Secret) -> Option<Secret> {
        if !self.screen.is_paging() {
            return Some(line);
        }
        match line.0.trim() {
            "" => self.screen.next_page(),
            "q" | "Q" => self.screen.leave_pages(),
            _ => {
                self.screen.leave_pages();
                return Some(line);
            }
        }
        self.screen.want_prompt();
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::session::tests::harness::Table;
    use deepwell_core::world::Settings;
    use deepwell_game::Output;

    /// Answers of a telnet client that refuses all options except NAWS, with a window of six rows.
    const SMALL_WINDOW: &[u8] =
        b"\xff\xfc\x18\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x06\xff\xf0\xff\xfe\x19\xff\xfe\x2a\
                                  \xff\xfe\xc9\xff\xfc\x06";

    fn paging() -> Table {
        let mut table = Table::new();
        table.receive(SMALL_WINDOW);
        table.type_line("connect Olad correct horse");
        assert!(table.session.is_playing());
        table.output(Output::Settings(Box::new(Settings { pager: true, ..Settings::default() })));
        table
    }

    fn long() -> String {
        (1..=10).map(|n| n.to_string()).collect::<Vec<_>>().join("\n")
    }

    /// Protocols 7.6.
    #[test]
    fn long_text_stops_at_each_page() {
        let mut table = paging();
        table.hear(&long());
        assert!(table.flush().ends_with("1\n2\n3\n4\n[Enter: more, q: quit, 40%] <GA>"));
        assert_eq!(table.type_line(""), "5\n6\n7\n8\n[Enter: more, q: quit, 80%] <GA>");
        assert_eq!(table.type_line(""), "9\n10\nHP:27/30> <GA>");
        assert!(table.commands.is_empty());
    }

    #[test]
    fn pager_ends_with_q_or_any_command() {
        let mut table = paging();
        table.hear(&long());
        table.flush();
        assert_eq!(table.type_line("q"), "HP:27/30> <GA>");
        table.hear(&long());
        table.flush();
        assert_eq!(table.type_line("sing"), "You sing.\nHP:27/30> <GA>");
        table.hear("short");
        assert_eq!(table.flush(), "\nshort\nHP:27/30> <GA>");
    }

    #[test]
    fn gmcp_clients_get_no_pager() {
        let mut table = Table::playing();
        table.output(Output::Settings(Box::new(Settings { pager: true, ..Settings::default() })));
        let text = "line\n".repeat(60);
        table.hear(&text);
        assert_eq!(table.flush().matches("line\n").count(), 60);
    }
}
