//! The client's screen: renders text and prompts to bytes, and tracks the cursor.

use crate::protocol::Terminal;
use crate::protocol::telnet::{Agreement, ClientCapabilities};
use deepwell_core::base::ColourLevel;
use deepwell_core::base::limits::Limits;
use deepwell_core::text::{Markup, TextForm, grammar, highlight};
use deepwell_core::world::Settings;
use deepwell_game::{Class, Repeats};
use std::sync::Arc;

use crate::session::client::pager::{self, Pager};
use crate::session::{ConnectionInfo, Transport, client};

/// Number of references to a text from which its renderings are kept with it. Scrollback keeps texts for long, so that
/// few listeners should not enlarge one.
const SHARED_BY: usize = 8;

/// Position of the client's cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CursorPosition {
    /// At the start of an empty line.
    LineStart,
    /// After a prompt, on the same line.
    AfterPrompt,
}

/// Output state of one client.
pub(in crate::session) struct Screen {
    terminal: Terminal,
    settings: Settings,
    cursor: CursorPosition,
    hidden: bool,
    prompt_due: bool,
    /// Set if a prompt is due because of the client's own input, not only because of output caused by others.
    prompt_asked: bool,
    /// Last message and the number of repetitions, if repetitions are only counted.
    counted: Option<(Arc<Markup>, u32)>,
    /// Pending pages of a long text.
    pager: Pager,
}

impl Screen {
    /// Creates an empty screen and queues the opening negotiation.
    pub(in crate::session) fn new(connection: ConnectionInfo, limits: &Limits) -> Self {
        let terminal = match connection.transport {
            Transport::Telnet if connection.compress => Terminal::compressible(limits),
            Transport::Telnet => Terminal::telnet(limits),
            Transport::Web => Terminal::web(limits),
        };
        Self {
            terminal,
            settings: Settings::default(),
            cursor: CursorPosition::LineStart,
            hidden: false,
            prompt_due: false,
            prompt_asked: false,
            counted: None,
            pager: Pager::default(),
        }
    }

    /// Returns the protocol layer.
    pub(in crate::session) fn terminal(&mut self) -> &mut Terminal {
        &mut self.terminal
    }

    /// Returns the client's capabilities.
    pub(in crate::session) fn capabilities(&self) -> &ClientCapabilities {
        self.terminal.capabilities()
    }

    /// Returns the negotiated state of each telnet option.
    pub(in crate::session) fn agreements(&self) -> Vec<Agreement> {
        self.terminal.agreements()
    }

    /// Returns the number of malformed messages so far.
    pub(in crate::session) fn faults(&self) -> u32 {
        self.terminal.faults()
    }

    /// Returns the player's settings: those made before login, then the account's.
    pub(in crate::session) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the player's settings. They apply from the next text on.
    pub(in crate::session) fn set(&mut self, settings: Settings) {
        self.settings = settings;
        self.terminal.set_encoding(client::encoding(&self.settings));
    }

    /// Returns `true` in screen reader mode.
    pub(in crate::session) fn uses_screen_reader(&self) -> bool {
        client::uses_screen_reader(&self.settings, self.terminal.capabilities())
    }

    /// Returns `true` if screen reader mode is on because of the client's announcement, without a choice of the player.
    pub(in crate::session) fn uses_screen_reader_unasked(&self) -> bool {
        self.settings.screen_reader.is_none() && self.uses_screen_reader()
    }

    /// Hides further input.
    pub(in crate::session) fn hide_input(&mut self) {
        self.hidden = true;
        self.terminal.hide_input();
    }

    /// Shows further input.
    pub(in crate::session) fn show_input(&mut self) {
        self.hidden = false;
        self.terminal.show_input();
    }

    /// Records the end of an input line. It has moved the cursor, unless the client hid it.
    pub(in crate::session) fn record_line_end(&mut self) {
        if !self.hidden {
            self.cursor = CursorPosition::LineStart;
        }
    }

    /// Requests a prompt after the pending output.
    pub(in crate::session) fn want_prompt(&mut self) {
        self.prompt_due = true;
        self.prompt_asked = true;
    }

    /// Cancels a requested prompt.
    pub(in crate::session) fn drop_prompt(&mut self) {
        self.prompt_due = false;
        self.prompt_asked = false;
    }

    /// Returns `true` if a prompt is due because of the client's own input, not only because of output caused by
    /// others.
    pub(in crate::session) fn is_prompt_asked(&self) -> bool {
        self.prompt_asked
    }

    /// Returns `true` if a prompt is due.
    pub(in crate::session) fn wants_prompt(&self) -> bool {
        self.prompt_due
    }

    /// Shows a game message in the form that its class has for this client. In screen reader mode repetitions within a
    /// batch are counted.
    pub(in crate::session) fn tell(&mut self, class: Class, text: &Arc<Markup>) {
        let form = class.screen_reader_form();
        let counts = form.repeats == Repeats::Counted && self.uses_screen_reader();
        if counts
            && let Some((last, again)) = &mut self.counted
            && last == text
        {
            *again += 1;
            return;
        }
        let marked = self.marked(text);
        let shown = marked.as_ref().unwrap_or(text);
        if self.settings.cues {
            let mut cued = Markup::plain(form.cue).and(": ");
            cued.append(shown);
            self.text(&cued);
        } else {
            self.show(shown, marked.is_none() && Arc::strong_count(text) >= SHARED_BY);
        }
        self.counted = counts.then(|| (Arc::clone(text), 0));
    }

    /// Returns the message with the player's phrases marked; `None` if it has none. Where no style is shown, a word before the
    /// line marks it.
    fn marked(&self, text: &Markup) -> Option<Markup> {
        let phrases = &self.settings.highlights;
        if phrases.is_empty() {
            return None;
        }
        let labelled = match client::text_form(&self.settings, self.terminal.capabilities()) {
            TextForm::ScreenReader => true,
            TextForm::Screen { colours, .. } => colours.colour == ColourLevel::None,
        };
        highlight::mark(text, phrases, labelled)
    }

    /// Writes the number of repetitions of the last message.
    fn say_again(&mut self) {
        match self.counted.take() {
            None | Some((_, 0)) => {}
            Some((_, 1)) => _ = self.write(&"The same again.".into(), true, false),
            Some((_, more)) => {
                let message = format!("The same {} times more.", grammar::number(more));
                _ = self.write(&message.into(), true, false);
            }
        }
    }

    /// Shows a text on its own lines and requests a prompt.
    pub(in crate::session) fn text(&mut self, text: &Markup) {
        self.show(text, false);
    }

    fn show(&mut self, text: &Markup, shared: bool) {
        self.fresh_line();
        self.write(text, true, shared);
        self.prompt_due = true;
    }

    /// Shows plain text on its own lines and requests a prompt.
    pub(in crate::session) fn say(&mut self, text: &str) {
        self.text(&Markup::plain(text));
    }

    /// Shows the requested prompt and marks its end for the client. An empty prompt shows nothing.
    pub(in crate::session) fn prompt(&mut self, prompt: &Markup) {
        self.drop_prompt();
        if prompt.is_empty() {
            return;
        }
        self.fresh_line();
        // A prompt is often shown again.
        let ends_in_space = self.write(prompt, false, true);
        // A prompt that fills the line to the last column has lost the trailing space that triggers match.
        if prompt.text().ends_with(' ') && !ends_in_space {
            self.terminal.write(" ");
        }
        self.terminal.end_prompt();
        self.cursor = CursorPosition::AfterPrompt;
    }

    /// Starts a new line if the cursor is after a prompt.
    pub(in crate::session) fn fresh_line(&mut self) {
        self.say_again();
        if self.cursor == CursorPosition::AfterPrompt {
            self.terminal.write("\n");
            self.cursor = CursorPosition::LineStart;
        }
    }

    /// Sends ASCII with CR LF line ends, and leaves the cursor at the start of a line.
    pub(in crate::session) fn raw(&mut self, ascii: &str) {
        self.say_again();
        self.terminal.raw(ascii);
        self.cursor = CursorPosition::LineStart;
    }

    /// Moves all pending output to `out`; returns `false` if there was none.
    pub(in crate::session) fn send(&mut self, out: &mut Vec<u8>) -> bool {
        self.say_again();
        let before = out.len();
        self.terminal.drain_output(out);
        out.len() > before
    }

    /// Returns `true` while pages of a long text are pending.
    pub(in crate::session) fn is_paging(&self) -> bool {
        self.pager.prompt().is_some()
    }

    /// Returns the pager's prompt while pages are pending.
    pub(in crate::session) fn page_prompt(&self) -> Option<Markup> {
        self.pager.prompt()
    }

    /// Shows the next page.
    pub(in crate::session) fn next_page(&mut self) {
        self.fresh_line();
        let rows = self.page_rows().unwrap_or(usize::MAX);
        let page = self.pager.next(rows);
        self.terminal.write(&page);
    }

    /// Discards the pending pages.
    pub(in crate::session) fn leave_pages(&mut self) {
        self.pager.leave();
    }

    fn page_rows(&self) -> Option<usize> {
        pager::rows(&self.settings, self.terminal.capabilities(), self.uses_screen_reader())
    }

    /// Writes a text, with a line end if it `ends`. Clients share the rendering of a `shared` text. Returns `true` if the
    /// last character written is a space.
    fn write(&mut self, text: &Markup, ends: bool, shared: bool) -> bool {
        let form = client::text_form(&self.settings, self.terminal.capabilities());
        if let TextForm::Screen { links, .. } = form {
            self.terminal.show_links(links);
        }
        let shown = form.render(text, shared);
        if ends {
            let page = self.page_rows().map_or(&*shown, |rows| self.pager.cut(&shown, rows));
            self.terminal.write(page);
            self.terminal.write("\n");
        } else {
            self.terminal.write(&shown);
        }
        shown.ends_with(' ')
    }
}
