-- Window at the right of the text: map, gauges, state, buttons, surroundings and talk. Every click sends a command that players can
-- also type, and no information is given by colour or length alone.

deepwell = deepwell or {}

-- Maximum number of stored lines of talk, shown again after a change of colours.
local TALK_KEPT = 100

-- Exits with a fixed place in the list; others follow in alphabetical order.
local ORDER = { "n", "e", "s", "w", "u", "d" }

local WAYS = {
  n = "north", e = "east", s = "south", w = "west", u = "up", d = "down",
  ne = "northeast", nw = "northwest", se = "southeast", sw = "southwest",
}

-- States of an exit in words.
local STATES = { unexplored = "unexplored", one_way = "one way only", locked = "locked" }

-- Colours for dark and light profiles: background of the consoles and the map, and text.
local DARK = { ground = { 12, 20, 20 }, text = { 219, 232, 227 }, head = { 247, 200, 115 }, link = { 111, 220, 205 } }
local LIGHT = { ground = { 251, 247, 236 }, text = { 31, 45, 44 }, head = { 122, 68, 0 }, link = { 10, 97, 93 } }

-- Returns the colours that suit the profile's background.
local function look()
  local red, green, blue = getBackgroundColor("main")
  return (red or 0) + (green or 0) + (blue or 0) > 382 and LIGHT or DARK
end

local function css(rgb) return string.format("rgb(%d,%d,%d)", unpack(rgb)) end

local function gauge(name, y, rgb)
  local made = Geyser.Gauge:new({ name = name, x = 0, y = y, width = "100%", height = "3%" }, deepwell.window)
  local shape = "border-radius: 3px; padding-left: 4px; background-color: "
  made.front:setStyleSheet(shape .. css(rgb) .. ";")
  made.back:setStyleSheet(shape .. "rgb(60,70,70);")
  made.text:setStyleSheet("color: white; padding-left: 4px;")
  made:setValue(0, 1, "")
  return made
end

-- Sets a gauge to a value between zero and its maximum.
local function fill(into, value, most, text)
  most = math.max(most, 1)
  into:setValue(math.min(math.max(value, 0), most), most, text)
end

local function console(name, y, height)
  local made = Geyser.MiniConsole:new(
    { name = name, x = 0, y = y, width = "100%", height = height, fontSize = 10, autoWrap = true, scrollBar = true },
    deepwell.window)
  made:enableAutoWrap()
  return made
end

-- Applies the colours for the profile.
local function paint()
  local colours = look()
  if deepwell.colours == colours then return end
  deepwell.colours = colours
  for _, one in ipairs({ deepwell.legend, deepwell.state, deepwell.around, deepwell.talk }) do
    one:setColor(unpack(colours.ground))
    setBgColor(one.name, unpack(colours.ground))
  end
  if setMapBackgroundColor then setMapBackgroundColor(unpack(colours.ground)) end
  local border = string.format("background-color: %s; border: 1px solid %s; color: %s;",
    css(colours.ground), css(colours.link), css(colours.head))
  deepwell.window.adjLabel:setStyleSheet(border)
  deepwell.window:setTitle("Deepwell", "nocolor")
  deepwell.paint_fight()
  deepwell.show_talk()
  deepwell.show_legend()
  deepwell.show_state()
  deepwell.show_around()
end

-- Creates the window. It reserves its space: Mudlet reports the remaining width to the server, and the text wraps
-- beside it.
function deepwell.build()
  if deepwell.window then return paint() end
  deepwell.window = Adjustable.Container:new({
    name = "deepwell", x = "-32%", y = 0, width = "32%", height = "100%", titleText = "Deepwell", attached = "right",
  })
  deepwell.map = Geyser.Mapper:new({ name = "deepwell.map", x = 0, y = 0, width = "100%", height = "33%" }, deepwell.window)
  deepwell.legend = console("deepwell.legend", "33.5%", "4.5%")
  deepwell.hp = gauge("deepwell.hp", "38.5%", { 136, 52, 46 })
  deepwell.xp = gauge("deepwell.xp", "42%", { 50, 90, 130 })
  deepwell.state = console("deepwell.state", "45.5%", "8%")
  deepwell.build_fight()
  deepwell.around = console("deepwell.around", "54%", "32%")
  deepwell.talk = console("deepwell.talk", "86.5%", "13.5%")
  paint()
end

-- Wraps text that arrived before the window existed at the remaining width, so that none is hidden behind the window.
function deepwell.wrap_text()
  local usual = getWindowWrap("main")
  setWindowWrap("main", getColumnCount("main"))
  for line = getLineCount("main"), 0, -1 do wrapLine("main", line) end
  setWindowWrap("main", usual)
end

-- Removes the window and frees its space.
function deepwell.remove()
  if not deepwell.window then return end
  deepwell.window:detach()
  deepwell.window:hide()
  Adjustable.Container.all[deepwell.window.name] = nil
  deepwell.window, deepwell.colours, deepwell.arranged = nil, nil, nil
end

local function write(where, rgb, text)
  setFgColor(where.name, unpack(rgb))
  where:echo(text)
end

-- Functions that the other scripts of the package draw with.
deepwell.ui = { css = css, gauge = gauge, fill = fill }
local ui = deepwell.ui

-- Writes a heading in the form of a sentence: "Ways out: ".
function ui.head(where, text) write(where, deepwell.colours.head, text .. ": ") end

function ui.plain(where, text) write(where, deepwell.colours.text, text) end

-- Writes a link that sends a command.
function ui.press(where, label, command)
  setFgColor(where.name, unpack(deepwell.colours.link))
  setUnderline(where.name, true)
  where:echoLink(label, string.format("send(%q)", command), command, true)
  setUnderline(where.name, false)
end

function ui.sorted(from)
  local keys = {}
  for id in pairs(from) do table.insert(keys, id) end
  table.sort(keys)
  return keys
end

local function head(text) ui.head(deepwell.around, text) end
local function plain(text) ui.plain(deepwell.around, text) end
local function press(label, command) ui.press(deepwell.around, label, command) end
local sorted = ui.sorted

-- Returns the name of a thing for use in commands: without article and number.
local function key(name)
  local rest = name:gsub("%s*%(.*%)$", "")
  for _, word in ipairs({ "an?", "the", "some", "%d+", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten" }) do
    local found = rest:match("^" .. word .. "%s+(.+)$")
    if found then return found end
  end
  return rest
end

-- Labels of commands whose first word is not a good label.
local LABELS = {
  kill = "attack", get = "take", ["get all"] = "take all", ["talk to"] = "talk", ["party invite"] = "invite",
}

-- Returns the commands offered by the server, each labelled with its verb.
local function offered(commands)
  local actions = {}
  for _, command in ipairs(commands) do
    local verb = command:match("^get all") or command:match("^talk to") or command:match("^party %S+") or command:match("^%S+")
    table.insert(actions, { LABELS[verb] or verb, command })
  end
  return actions
end

-- Writes the rows under a heading, each with its commands.
local function list(title, rows)
  if #rows == 0 then return end
  head(title)
  plain("\n")
  for _, row in ipairs(rows) do
    plain("  " .. row.text)
    for _, action in ipairs(row.actions) do
      plain("  ")
      press(action[1], action[2])
    end
    plain("\n")
  end
end

-- Writes the entries under a heading; `row` returns the text and the commands of one.
local function list_each(title, entries, row)
  local rows = {}
  for _, entry in ipairs(entries) do
    local text, actions = row(entry)
    table.insert(rows, { text = text, actions = actions })
  end
  list(title, rows)
end

local function ways()
  local exits = (gmcp.Room and gmcp.Room.Info or {}).exitsv2 or {}
  local names, others = {}, {}
  for _, name in ipairs(ORDER) do if exits[name] then table.insert(names, name) end end
  for name in pairs(exits) do if not table.contains(ORDER, name) then table.insert(others, name) end end
  table.sort(others)
  for _, name in ipairs(others) do table.insert(names, name) end
  head("Ways out")
  if #names == 0 then plain("none") end
  for at, name in ipairs(names) do
    local exit = exits[name]
    if at > 1 then plain(", ") end
    press(WAYS[name] or name, exit.cmd or WAYS[name] or name)
    local state = {}
    if STATES[exit.state] then table.insert(state, STATES[exit.state]) end
    if exit.back then table.insert(state, "the way back") end
    if #state > 0 then plain(" (" .. table.concat(state, ", ") .. ")") end
  end
  plain("\n")
end

-- Writes the choices of a new level: training, listed by `train`, and abilities.
local function offer()
  local status = deepwell.status
  if (status.training or 0) < 1 then return end
  head(status.training == 1 and "A choice to make" or status.training .. " choices to make")
  press("train", "train")
  for word in (status.offer or ""):gmatch("[^,%s]+") do
    plain(", ")
    press(word, "train " .. word)
  end
  plain("\n")
end

-- Returns the creatures or the items in the room, each with its name and actions.
local function in_room(alive, told)
  local rows = {}
  for _, id in ipairs(sorted(deepwell.things)) do
    local thing = deepwell.things[id]
    local function is(letter) return (thing.attrib or ""):find(letter, 1, true) ~= nil end
    if (is("m") and not is("d")) == alive then
      local actions = thing.commands and offered(thing.commands) or told(key(thing.name), is)
      table.insert(rows, { text = thing.name, actions = actions })
    end
  end
  return rows
end

local function creatures()
  list("Creatures", in_room(true, function(called, is)
    if is("x") then return { { "examine", "examine " .. called } } end
    return { { "consider", "consider " .. called }, { "attack", "kill " .. called } }
  end))
end

local function things()
  list("Things", in_room(false, function(called, is)
    local look = { "examine", "examine " .. called }
    return is("t") and { look, { "take", "take " .. called } } or { look }
  end))
end

-- Lists carried and worn items with their commands.
local function carried()
  local rows = {}
  for _, id in ipairs(sorted(deepwell.carried)) do
    local thing = deepwell.carried[id]
    local called = key(thing.name)
    local attrib = thing.attrib or ""
    local worn = attrib:find("l", 1, true) and " (wielded)" or attrib:find("w", 1, true) and " (worn)" or ""
    table.insert(rows, { text = thing.name .. worn, actions = offered(thing.commands or { "examine " .. called }) })
  end
  list("You carry", rows)
end

local function wares()
  list_each("For sale", deepwell.wares, function(ware)
    return ware.name .. ", " .. ware.cost, { { "buy", ware.command } }
  end)
end

-- Lists learnt abilities; those that are not usable now are marked.
local function abilities()
  local rows = {}
  for _, skill in ipairs(deepwell.skills) do
    if skill.learnt then
      local text = skill.name .. ": " .. skill.desc .. (skill.ready and "" or " (not ready)")
      table.insert(rows, { text = text, actions = skill.ready and { { "use", skill.command } } or {} })
    end
  end
  list("Abilities", rows)
end

-- Lists active quests, each with its next step.
local function quests()
  local rows = {}
  for _, quest in ipairs(deepwell.quests) do
    local text = quest.name
    for _, step in ipairs(quest.steps) do
      if not step.optional and step.count < step.of then
        text = text .. ": " .. step.text .. (step.of > 1 and string.format(" %d of %d.", step.count, step.of) or "")
        break
      end
    end
    table.insert(rows, { text = text, actions = { { "about", quest.about }, { "give up", quest.abandon } } })
  end
  list("Quests", rows)
end

-- Lists the macros of the account. The package binds no keys to them: the player's own key sends the name.
local function macros()
  local rows = {}
  for _, key in ipairs(sorted(deepwell.macros)) do
    table.insert(rows, { text = key .. ": " .. deepwell.macros[key], actions = { { "send", key } } })
  end
  list("Macros", rows)
end

local function invitations()
  list_each("Invitations", deepwell.invitations, function(one)
    return one.from .. " invites you", { { "accept", one.accept }, { "decline", one.decline } }
  end)
end

local function people()
  local rows = {}
  for _, name in ipairs(sorted(deepwell.people)) do
    local one = deepwell.people[name]
    local state = (one.state or "ready") ~= "ready" and " (" .. tostring(one.state) .. ")" or ""
    table.insert(rows, { text = one.fullname .. state, actions = offered(one.commands or { "look " .. name }) })
  end
  list("People", rows)
end

-- Lists the branches that can be entered here.
local function branches()
  list_each("Open branches", deepwell.branches, function(branch)
    return branch.exit .. ": " .. branch.who, { { "go", branch.exit } }
  end)
end

local function notes()
  list_each("On the board", deepwell.notes, function(note)
    return note.from .. ": " .. note.title, { { "read", note.command } }
  end)
end

local function party()
  local rows = {}
  for _, member in ipairs(deepwell.members) do
    local told = string.format("%s%s: %d of %d, %s, %s", member.name, member.leader and ", leads" or "", member.hp, member.maxhp,
      member.state, member.place)
    table.insert(rows, { text = told, actions = {} })
  end
  list("Party", rows)
end

-- Lists what enemies announce, with the answer to each.
local function announcements()
  local rows = {}
  for _, enemy in ipairs(deepwell.enemies) do
    if enemy.announces then
      local answers = enemy.answer and { { enemy.answer, enemy.answer } } or {}
      table.insert(rows, { text = enemy.announces, actions = answers })
    end
  end
  list("Announced", rows)
end

-- Writes what the partner in a dialogue says, and the choices.
local function dialogue()
  local talk = deepwell.dialogue
  if not talk or #talk.choices == 0 then return end
  head(talk.name)
  plain(talk.text .. "\n")
  for at, choice in ipairs(talk.choices) do
    plain(string.format("  %d. ", at))
    press(choice.text ~= "" and choice.text or choice.command, choice.command)
    plain("\n")
  end
end

-- Redraws the surroundings. The most used commands are last, where a window that is too small still shows them.
function deepwell.show_around()
  deepwell.build()
  deepwell.around:clear()
  macros()
  carried()
  wares()
  abilities()
  things()
  notes()
  branches()
  party()
  people()
  offer()
  quests()
  invitations()
  dialogue()
  creatures()
  announcements()
  ways()
end

-- Updates the gauges with their numbers.
function deepwell.show_vitals()
  deepwell.build()
  local vitals = deepwell.vitals
  if vitals.maxhp then
    ui.fill(deepwell.hp, vitals.hp, vitals.maxhp, string.format("Hit points %d of %d", vitals.hp, vitals.maxhp))
    local level = string.format("Level %d, experience %d of %d", vitals.level, vitals.xp, vitals.nextxp)
    ui.fill(deepwell.xp, vitals.xp, vitals.nextxp, level)
  end
end

-- Writes one line of talk.
local function speak(text)
  setFgColor(deepwell.talk.name, unpack(deepwell.colours.text))
  deepwell.talk:echo(text .. "\n")
end

function deepwell.show_talk()
  deepwell.talk:clear()
  for _, text in ipairs(deepwell.said) do speak(text) end
end

-- Adds a message of a player, including the player's own.
function deepwell.hear(text)
  deepwell.build()
  table.insert(deepwell.said, text)
  while #deepwell.said > TALK_KEPT do table.remove(deepwell.said, 1) end
  speak(text)
end
