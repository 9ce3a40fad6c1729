-- Buttons for what the player can do now, each with a key, and frames for the enemies. Both take space only while
-- there is something to show.

deepwell = deepwell or {}

-- Maximum number of buttons: one for each of the keys Alt+1 to Alt+9.
local BUTTONS, COLUMNS = 9, 3
-- Maximum number of frames; further enemies are among the creatures of the room.
local FRAMES = 4

-- Heights in percent of the window.
local TOP, ROW, BOTTOM = 54, 3.4, 86

-- Code of the key 0 in Mudlet; the other digits follow.
local KEY_0 = 0x30

local ACTION = {
  kind = "string", label = "string", command = "string", ready = "boolean", secs = "number?", about = "string?",
  asks = "boolean",
}
local ENEMY = {
  name = "string", pct = "number", target = "string?", mine = "boolean", announces = "string?", answer = "string?",
}

local function percent(value) return string.format("%.1f%%", value) end

-- Escapes text for labels, which interpret HTML.
local function escape(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

-- Returns the label of an action and, if it cannot be done now, for how long.
local function words_of(action)
  local label = action.label ~= "" and action.label or action.command
  if action.ready then return label end
  return label .. (action.ends and string.format(", %d s", deepwell.seconds_to(action.ends)) or ", not ready")
end

-- Does the action of a key or button. One that asks for the player's own words begins the command line.
function deepwell.act(number)
  local action = deepwell.actions[number]
  if not action then return end
  if action.ready and action.asks then return printCmdLine(action.command .. " ") end
  if action.ready then return send(action.command) end
  echo(words_of(action) .. ".\n")
end

-- Creates the buttons and frames, hidden.
function deepwell.build_fight()
  local ui = deepwell.ui
  deepwell.buttons, deepwell.frames = {}, {}
  for number = 1, BUTTONS do
    local column, row = (number - 1) % COLUMNS, math.floor((number - 1) / COLUMNS)
    local button = Geyser.Label:new({
      name = "deepwell.action" .. number, x = percent(column * 100 / COLUMNS), y = percent(TOP + row * ROW),
      width = percent(100 / COLUMNS - 1), height = percent(ROW - 0.4),
    }, deepwell.window)
    button:setClickCallback(function() deepwell.act(number) end)
    button:hide()
    deepwell.buttons[number] = button
  end
  for number = 1, FRAMES do
    deepwell.frames[number] = ui.gauge("deepwell.enemy" .. number, percent(TOP), { 110, 60, 120 })
    deepwell.frames[number]:hide()
  end
end

-- Colours the buttons for the profile.
function deepwell.paint_fight()
  local colours, css = deepwell.colours, deepwell.ui.css
  for _, button in ipairs(deepwell.buttons) do
    button:setStyleSheet(string.format(
      "background-color: %s; color: %s; border: 1px solid %s; border-radius: 3px; padding-left: 4px;",
      css(colours.ground), css(colours.link), css(colours.link)))
  end
end

-- Binds Alt+1 to Alt+9. The keypad stays free for walking.
function deepwell.bind_keys()
  for number = 1, BUTTONS do
    table.insert(deepwell.keys, tempKey(mudlet.keymodifier.Alt, KEY_0 + number, function() deepwell.act(number) end))
  end
end

-- Moves the frames below the buttons in use, and lets the surroundings fill the rest.
local function arrange()
  local rows = math.ceil(math.min(#deepwell.actions, BUTTONS) / COLUMNS)
  local shown = math.min(#deepwell.enemies, FRAMES)
  if deepwell.arranged == rows * 10 + shown then return end
  deepwell.arranged = rows * 10 + shown
  local y = TOP + rows * ROW
  for number, frame in ipairs(deepwell.frames) do
    if number <= shown then
      frame:move("0%", percent(y))
      y = y + ROW
    end
  end
  deepwell.around:move("0%", percent(y + 0.4))
  deepwell.around:resize("100%", percent(BOTTOM - 0.4 - y))
end

function deepwell.show_actions()
  deepwell.build()
  deepwell.actions_count = false
  for number, button in ipairs(deepwell.buttons) do
    local action = deepwell.actions[number]
    if action then
      button:echo(escape(number .. " " .. words_of(action)))
      button:setToolTip(escape(action.about or action.command))
      button:show()
      deepwell.actions_count = deepwell.actions_count or action.ends ~= nil
    else
      button:hide()
    end
  end
  arrange()
end

local function show_enemies()
  deepwell.build()
  local ui = deepwell.ui
  for number, frame in ipairs(deepwell.frames) do
    local enemy = deepwell.enemies[number]
    if enemy then
      local pct = math.min(math.max(enemy.pct, 0), 100)
      local parts = { string.format("%s %d percent", enemy.name, pct) }
      if enemy.mine then table.insert(parts, "your target") end
      if enemy.target then table.insert(parts, "fights " .. enemy.target) end
      frame:show()
      ui.fill(frame, pct, 100, escape(table.concat(parts, ", ")))
    else
      frame:hide()
    end
  end
  arrange()
  deepwell.show_around()
end

function deepwell.fight_handlers(on)
  on["gmcp.Char.Actions.List"] = function()
    deepwell.actions = deepwell.records(deepwell.body("Char.Actions.List"), ACTION, "command")
    for _, action in ipairs(deepwell.actions) do action.ends = deepwell.ends(action.secs) end
    deepwell.show_actions()
  end
  on["gmcp.Char.Enemies.List"] = function()
    deepwell.enemies = deepwell.records(deepwell.body("Char.Enemies.List"), ENEMY, "name")
    show_enemies()
  end
end
