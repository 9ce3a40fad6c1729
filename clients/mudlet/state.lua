-- Purse, mail, afflictions and defences in a console below the gauges. Effects that end count their seconds down.

deepwell = deepwell or {}

local COINS = { { "platinum", 1000 }, { "gold", 100 }, { "silver", 10 }, { "copper", 1 } }

local EFFECT = { name = "string", desc = "string", secs = "number?" }

-- Formats an amount in copper: "3 gold, 4 silver".
local function money(copper)
  local parts = {}
  for _, coin in ipairs(COINS) do
    local count = math.floor(copper / coin[2])
    copper = copper - count * coin[2]
    if count > 0 then table.insert(parts, string.format("%d %s", count, coin[1])) end
  end
  return #parts > 0 and table.concat(parts, ", ") or "no money"
end

-- Stores an effect under its name, with the time at which it ends.
local function add(effects, effect)
  if effect.name == "" then return end
  effect.ends = deepwell.ends(effect.secs)
  effects[effect.name] = effect
end

-- Registers the handlers of `Char.Afflictions` or `Char.Defences`, whose effects are stored in the named field.
local function effect_handlers(on, package, field)
  on["gmcp." .. package .. ".List"] = function()
    deepwell[field] = {}
    for _, effect in ipairs(deepwell.records(deepwell.body(package .. ".List"), EFFECT, "name")) do
      add(deepwell[field], effect)
    end
    deepwell.show_state()
  end
  on["gmcp." .. package .. ".Add"] = function()
    add(deepwell[field], deepwell.record(deepwell.body(package .. ".Add"), EFFECT))
    deepwell.show_state()
  end
  on["gmcp." .. package .. ".Remove"] = function()
    local names = deepwell.body(package .. ".Remove")
    for _, name in ipairs(type(names) == "table" and names or {}) do deepwell[field][name] = nil end
    deepwell.show_state()
  end
end

function deepwell.state_handlers(on)
  effect_handlers(on, "Char.Afflictions", "afflictions")
  effect_handlers(on, "Char.Defences", "defences")
  on["gmcp.Char.Mail.Status"] = function()
    deepwell.mail = deepwell.record(deepwell.body("Char.Mail.Status"), { mails = "number", unread = "number" })
    deepwell.show_state()
  end
  on["gmcp.World.Time"] = function()
    deepwell.time = deepwell.record(deepwell.body("World.Time"), { part = "string" })
    deepwell.show_state()
  end
end

-- Writes a line of effects; returns true if one of them counts down.
local function write_effects(ui, title, effects)
  if next(effects) == nil then return false end
  local texts, counts = {}, false
  for _, name in ipairs(ui.sorted(effects)) do
    local ends = effects[name].ends
    counts = counts or ends ~= nil
    table.insert(texts, ends and string.format("%s (%d s)", name, deepwell.seconds_to(ends)) or name)
  end
  ui.head(deepwell.state, title)
  ui.plain(deepwell.state, table.concat(texts, ", ") .. "\n")
  return counts
end

function deepwell.show_state()
  deepwell.build()
  local ui = deepwell.ui
  deepwell.state:clear()
  local gold = deepwell.status.gold
  if type(gold) == "number" then
    ui.head(deepwell.state, "Purse")
    ui.plain(deepwell.state, money(gold) .. ". ")
  end
  if (deepwell.time.part or "") ~= "" then
    ui.head(deepwell.state, "Time")
    ui.plain(deepwell.state, deepwell.time.part .. ". ")
  end
  if deepwell.mail.mails > 0 then
    ui.head(deepwell.state, "Mail")
    ui.plain(deepwell.state, string.format("%d unread of %d  ", deepwell.mail.unread, deepwell.mail.mails))
    ui.press(deepwell.state, "mail", "mail")
  end
  ui.plain(deepwell.state, "\n")
  local afflicted = write_effects(ui, "Afflictions", deepwell.afflictions)
  local defended = write_effects(ui, "Defences", deepwell.defences)
  deepwell.effects_count = afflicted or defended
end
