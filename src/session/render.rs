//! The client's screen: text and prompts to bytes, and where its cursor stands. What is said comes from others.

use crate::base::limits::Limits;
use crate::game::{Class, Repeats};
use crate::protocol::Terminal;
use crate::protocol::telnet::{Agreement, ClientCapabilities};
use crate::text::{self, Colours, Markup, grammar};
use crate::world::Settings;
use std::sync::Arc;

use super::client::{self, TextForm};
use super::pager::{self, Pager};
use super::{Link, Transport};

/// Where the client's cursor stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cursor {
    /// At the start of an empty line.
    LineStart,
    /// Behind a prompt that nothing has ended.
    AfterPrompt,
}

/// The client's side of the wire.
pub(super) struct Screen {
    terminal: Terminal,
    settings: Settings,
    cursor: Cursor,
    hidden: bool,
    prompt_due: bool,
    /// Whether a prompt is due because of something the client did, not only because others were heard.
    prompt_asked: bool,
    /// The last message, if the same again is only to be counted, and how often it has come again.
    counted: Option<(Arc<Markup>, u32)>,
    /// Pages of a long text that wait.
    pager: Pager,
    /// Reused for every text.
    buffer: String,
}

impl Screen {
    /// An empty screen; what the protocol says first is queued.
    pub(super) fn new(link: Link, limits: &Limits) -> Self {
        let terminal = match link.transport {
            Transport::Telnet if link.compress => Terminal::compressible(limits),
            Transport::Telnet => Terminal::telnet(limits),
            Transport::Web => Terminal::web(limits),
        };
        Self {
            terminal,
            settings: Settings::default(),
            cursor: Cursor::LineStart,
            hidden: false,
            prompt_due: false,
            prompt_asked: false,
            counted: None,
            pager: Pager::default(),
            buffer: String::new(),
        }
    }

    /// The protocol below.
    pub(super) fn terminal(&mut self) -> &mut Terminal {
        &mut self.terminal
    }

    /// What the client said of itself.
    pub(super) fn capabilities(&self) -> &ClientCapabilities {
        self.terminal.capabilities()
    }

    /// How far each option of the protocol has been agreed.
    pub(super) fn agreements(&self) -> Vec<Agreement> {
        self.terminal.agreements()
    }

    /// Malformed messages so far.
    pub(super) fn faults(&self) -> u32 {
        self.terminal.faults()
    }

    /// The player's choices: the settings made before login, the account's settings after it.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the player's choices. They count from the next text on.
    pub(super) fn set(&mut self, settings: Settings) {
        self.settings = settings;
        self.terminal.set_encoding(client::encoding(&self.settings));
    }

    /// Whether text is read aloud.
    pub(super) fn uses_screen_reader(&self) -> bool {
        client::uses_screen_reader(&self.settings, self.terminal.capabilities())
    }

    /// Whether text is read aloud because the client says so, while its player has not said anything.
    pub(super) fn uses_screen_reader_unasked(&self) -> bool {
        self.settings.screen_reader.is_none() && self.uses_screen_reader()
    }

    /// Hides what is typed from here on.
    pub(super) fn hide_input(&mut self) {
        self.hidden = true;
        self.terminal.hide_input();
    }

    /// Shows what is typed from here on.
    pub(super) fn show_input(&mut self) {
        self.hidden = false;
        self.terminal.show_input();
    }

    /// A line has come. Its end moved the cursor, unless the client hid it.
    pub(super) fn line_came(&mut self) {
        if !self.hidden {
            self.cursor = Cursor::LineStart;
        }
    }

    /// A prompt is to follow whatever is shown until the next [`Screen::prompt`].
    pub(super) fn want_prompt(&mut self) {
        self.prompt_due = true;
        self.prompt_asked = true;
    }

    /// Nothing has been shown that a prompt must follow.
    pub(super) fn drop_prompt(&mut self) {
        self.prompt_due = false;
        self.prompt_asked = false;
    }

    /// Whether a prompt is due because the client did something, and not only because it heard of others.
    pub(super) fn is_prompt_asked(&self) -> bool {
        self.prompt_asked
    }

    /// Whether a prompt is to follow.
    pub(super) fn wants_prompt(&self) -> bool {
        self.prompt_due
    }

    /// Tells a message of the game as its kind is told to this client: to who listens, the same that comes again
    /// within a batch is counted.
    pub(super) fn tell(&mut self, class: Class, text: &Arc<Markup>) {
        let form = class.screen_reader_form();
        let counts = form.repeats == Repeats::Counted && self.uses_screen_reader();
        if counts
            && let Some((last, again)) = &mut self.counted
            && last == text
        {
            *again += 1;
            return;
        }
        if self.settings.cues {
            let mut cued = Markup::plain(form.cue).and(": ");
            cued.append(text);
            self.text(&cued);
        } else {
            self.text(text);
        }
        self.counted = counts.then(|| (Arc::clone(text), 0));
    }

    /// Says how often the last message has come again.
    fn say_again(&mut self) {
        match self.counted.take() {
            None | Some((_, 0)) => {}
            Some((_, 1)) => self.write(&"The same again.".into(), true),
            Some((_, more)) => {
                let words = format!("The same {} times more.", grammar::number(more));
                self.write(&words.into(), true);
            }
        }
    }

    /// Shows a text on lines of its own; a prompt is to follow.
    pub(super) fn text(&mut self, text: &Markup) {
        self.fresh_line();
        self.write(text, true);
        self.prompt_due = true;
    }

    /// The same for plain words.
    pub(super) fn say(&mut self, words: &str) {
        self.text(&Markup::plain(words));
    }

    /// Shows the prompt that was wanted, and marks its end for the client. An empty one shows nothing.
    pub(super) fn prompt(&mut self, prompt: &Markup) {
        self.drop_prompt();
        if prompt.is_empty() {
            return;
        }
        self.fresh_line();
        self.write(prompt, false);
        // A prompt that fills its line to the last cell has lost the space that triggers wait for.
        if prompt.text().ends_with(' ') && !self.buffer.ends_with(' ') {
            self.terminal.write(" ");
        }
        self.terminal.end_prompt();
        self.cursor = Cursor::AfterPrompt;
    }

    /// Goes to a new line if a prompt stands on this one.
    pub(super) fn fresh_line(&mut self) {
        self.say_again();
        if self.cursor == Cursor::AfterPrompt {
            self.terminal.write("\n");
            self.cursor = Cursor::LineStart;
        }
    }

    /// Sends ASCII with network line ends, and leaves the cursor at the start of a line.
    pub(super) fn raw(&mut self, ascii: &str) {
        self.say_again();
        self.terminal.raw(ascii);
        self.cursor = Cursor::LineStart;
    }

    /// Moves everything that is to be sent to `out`; false if there was nothing.
    pub(super) fn send(&mut self, out: &mut Vec<u8>) -> bool {
        self.say_again();
        let before = out.len();
        self.terminal.drain_output(out);
        out.len() > before
    }

    /// Whether pages of a long text wait.
    pub(super) fn is_paging(&self) -> bool {
        self.pager.prompt().is_some()
    }

    /// What stands before the cursor while they do.
    pub(super) fn page_prompt(&self) -> Option<Markup> {
        self.pager.prompt()
    }

    /// Shows the next of them.
    pub(super) fn next_page(&mut self) {
        self.fresh_line();
        let rows = self.page_rows().unwrap_or(usize::MAX);
        let page = self.pager.next(rows);
        self.terminal.write(&page);
    }

    /// Forgets them.
    pub(super) fn leave_pages(&mut self) {
        self.pager.leave();
    }

    fn page_rows(&self) -> Option<usize> {
        pager::rows(&self.settings, self.terminal.capabilities(), self.uses_screen_reader())
    }

    fn write(&mut self, text: &Markup, ends: bool) {
        self.buffer.clear();
        match client::text_form(&self.settings, self.terminal.capabilities()) {
            TextForm::ScreenReader => text::plain::render(text, &mut self.buffer),
            TextForm::Screen { colour, width } => {
                let colours = Colours { colour, palette: self.settings.palette };
                let links = client::shows_links(&self.settings, self.terminal.capabilities());
                self.terminal.show_links(links);
                if links {
                    text::render_with_links(text, colours, width, &mut self.buffer);
                } else {
                    text::render(text, colours, width, &mut self.buffer);
                }
            }
        }
        if ends {
            self.buffer.push('\n');
            if let Some(rows) = self.page_rows() {
                self.pager.cut(&mut self.buffer, rows);
            }
        }
        self.terminal.write(&self.buffer);
    }
}
