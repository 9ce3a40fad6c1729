-- Checks of the package with a stand-in for Mudlet: what it shows for each message, malformed messages, and installing
-- and uninstalling.
--
-- lua5.1 clients/mudlet/checks.lua

local here = arg[0]:gsub("[^/]*$", "")
local fake = dofile(here .. "stand_in.lua")
local each_damage = dofile(here .. "../damage.lua")

local function equal(found, wanted)
  if found ~= wanted then error(string.format("%s\ninstead of\n%s", tostring(found), tostring(wanted)), 2) end
end

local function contains(text, part)
  if not (text or ""):find(part, 1, true) then error(string.format("no %s in\n%s", part, tostring(text)), 2) end
end

local function shown(name) return (fake.consoles["deepwell." .. name] or ""):gsub("%s*\n%s*", " / ") end

local function count(of) return #fake.sorted(of) end

local ALT = 0x08000000 + 0x30

local CHECKS = {}

function CHECKS.actions_are_buttons_with_keys()
  fake.receive("Char.Actions.List", {
    { kind = "answer", label = "Step aside", command = "aside", ready = true, about = "It lowers its head." },
    { kind = "ability", label = "Bash", command = "bash", ready = false, secs = 4 },
    { kind = "strike", label = "Attack <rat>", command = "kill rat", ready = false },
  })
  equal(shown("action1"), "1 Step aside")
  equal(shown("action2"), "2 Bash, 4 s")
  equal(shown("action3"), "3 Attack &lt;rat&gt;, not ready")
  equal(shown("action4"), "")
  fake.elapse(2)
  equal(shown("action2"), "2 Bash, 2 s")
  fake.keys[ALT + 1]()
  fake.clicks["deepwell.action1"]()
  fake.keys[ALT + 2]()
  fake.keys[ALT + 9]()
  equal(table.concat(fake.sent, " "), "aside aside")
  equal(fake.printed, "Bash, 2 s.\n")
  fake.receive("Char.Actions.List", { { kind = "puzzle", label = "Answer", command = "answer", ready = true, asks = true } })
  fake.keys[ALT + 1]()
  equal(fake.line, "answer ")
  equal(#fake.sent, 2)
  fake.receive("Char.Actions.List", {})
  equal(shown("action1"), "")
end

function CHECKS.keys_and_buttons_end_with_nine()
  local many = {}
  for number = 1, 12 do many[number] = { label = "Way " .. number, command = "way " .. number, ready = true } end
  fake.receive("Char.Actions.List", many)
  equal(shown("action9"), "9 Way 9")
  equal(count(fake.keys), 9)
end

function CHECKS.enemies_have_frames_and_announcements()
  local rat = { id = "m31", name = "a clay rat", pct = 60, target = "you", mine = true,
    announces = "The clay rat lowers its head.", answer = "aside" }
  fake.receive("Char.Enemies.List", { rat, { id = "m32", name = "a bat", pct = 140, target = "Bera" } })
  equal(shown("enemy1"), "a clay rat 60 percent, your target, fights you")
  equal(shown("enemy2"), "a bat 100 percent, fights Bera")
  contains(shown("around"), "Announced: / The clay rat lowers its head.  [aside]")
  fake.receive("Char.Enemies.List", {})
  equal(shown("enemy1") .. shown("enemy2"), "")
  assert(not shown("around"):find("Announced"), shown("around"))
end

function CHECKS.dialogue_has_choices_until_it_ends()
  fake.receive("Char.Dialogue", { name = "The old climber", text = "Back, Olad? Sit.",
    choices = { { number = 1, text = "Tell me how to stay alive.", command = "1" } } })
  contains(shown("around"), "The old climber: Back, Olad? Sit. / 1. [Tell me how to stay alive.]")
  fake.receive("Char.Dialogue", { name = "", text = "", choices = {} })
  assert(not shown("around"):find("alive"), shown("around"))
end

function CHECKS.state_shows_purse_and_mail()
  fake.receive("Char.Status", { gold = 1243 })
  contains(shown("state"), "Purse: 1 platinum, 2 gold, 4 silver, 3 copper.")
  fake.receive("Char.Status", { gold = 0 })
  contains(shown("state"), "Purse: no money.")
  fake.receive("Char.Mail.Status", { mails = 5, unread = 2 })
  contains(shown("state"), "Mail: 2 unread of 5  [mail]")
end

function CHECKS.surroundings_show_branches_notes_and_states()
  fake.receive("Room.Branches.List", { { exit = "north", players = { "Bera", "Cato" } }, { exit = "east", players = {} } })
  contains(shown("around"), "Open branches: / north: Bera, Cato  [go] / east: nobody is there  [go]")
  fake.receive("Room.Notes.List", { { number = 3, from = "Bera", title = "Lamp lost", command = "board read 3" } })
  contains(shown("around"), "On the board: / Bera: Lamp lost  [read]")
  fake.receive("Room.Players", { { name = "Eda", fullname = "Eda", commands = { "look Eda" }, state = "asleep" } })
  contains(shown("around"), "Eda (asleep)  [look]")
  fake.receive("Room.AddPlayer", { name = "Eda", fullname = "Eda", commands = { "look Eda" }, state = "ready" })
  contains(shown("around"), "Eda  [look]")
  fake.receive("World.Time", { hour = 20, part = "evening" })
  contains(shown("state"), "Time: evening.")
end

function CHECKS.macros_are_listed_and_bound_to_no_key()
  local keys = count(fake.keys)
  fake.receive("Char.Macros.List", { keys = { "f1", "kp5" }, macros = { kp5 = "rest", f1 = "bash;guard" }, highlights = {} })
  contains(shown("around"), "Macros: / f1: bash;guard  [send] / kp5: rest  [send]")
  equal(count(fake.keys), keys)
end

function CHECKS.effects_count_down()
  fake.receive("Char.Afflictions.List", { { name = "poisoned", desc = "Green.", secs = 40 } })
  fake.receive("Char.Afflictions.Add", { name = "webbed", desc = "Sticky." })
  fake.receive("Char.Defences.List", { { name = "blessed", desc = "Light." } })
  contains(shown("state"), "Afflictions: poisoned (40 s), webbed / Defences: blessed")
  fake.elapse(10)
  contains(shown("state"), "poisoned (30 s)")
  fake.receive("Char.Afflictions.Remove", { "poisoned", "webbed" })
  assert(not shown("state"):find("Afflictions"), shown("state"))
end

function CHECKS.legend_explains_the_signs_of_the_area()
  local function room(num, area, details)
    fake.receive("Room.Info", { num = num, name = "Cell", area = area, coord = { x = num, y = 0, z = 0 },
      details = details, clear = true, exitsv2 = {} })
  end
  room(1, "well/branch 1", { "stairs" })
  room(2, "well/branch 1", { "mirror" })
  room(3, "well/branch 1", { "merchant" })
  equal(shown("legend"), "Map: stub: an unseen exit, bar: a shut one, > stairs down, M mirror or merchant")
  room(2, "well/branch 1", { "mirror" })
  contains(shown("legend"), "M mirror or merchant")
  room(4, "well/branch 2", {})
  equal(shown("legend"), "Map: stub: an unseen exit, bar: a shut one")
  fake.receive("Room.Puzzle.List", { { num = 4, contents = { { kind = "enemy", name = "a rat", power = 14 } } } })
  contains(shown("legend"), "number the power of an enemy")
end

-- Each message with all its fields.
local MESSAGES = {
  ["Char.Actions.List"] = { { kind = "answer", label = "Step", command = "aside", ready = false, secs = 3, about = "x", asks = true } },
  ["Char.Enemies.List"] = {
    { id = "m1", name = "a rat", pct = 60, target = "you", mine = true, announces = "It waits.", answer = "aside" },
  },
  ["Char.Dialogue"] = { name = "The cook", text = "Well?", choices = { { number = 1, text = "Yes.", command = "1" } } },
  ["Char.Macros.List"] = { keys = { "f1" }, macros = { f1 = "rest" }, highlights = { "rat" } },
  ["Char.Mail.Status"] = { mails = 5, unread = 2 },
  ["Char.Skills.List"] = {
    skills = { { name = "bash", desc = "a blow", learnt = true, ready = true, command = "bash" } },
  },
  ["Room.Branches.List"] = { { exit = "north", players = { "Bera" } } },
  ["Room.Notes.List"] = { { number = 3, from = "Bera", title = "Lamp lost", command = "board read 3" } },
  ["World.Time"] = { hour = 20, part = "evening" },
  ["Char.Afflictions.List"] = { { name = "poisoned", desc = "Green.", secs = 40 } },
  ["Char.Afflictions.Add"] = { name = "webbed", desc = "Sticky.", secs = 40 },
  ["Char.Afflictions.Remove"] = { "webbed" },
  ["Char.Defences.List"] = { { name = "blessed", desc = "Light.", secs = 40 } },
  ["Char.Defences.Add"] = { name = "hidden", desc = "Dark.", secs = 40 },
  ["Char.Defences.Remove"] = { "hidden" },
  ["Char.Status"] = { gold = 12 },
  ["Char.Vitals"] = { hp = 1, maxhp = 2, xp = 3, nextxp = 4, level = 5 },
}

function CHECKS.malformed_messages_raise_no_error()
  local tried = 0
  for package, body in pairs(MESSAGES) do
    each_damage(body, function(damaged)
      fake.receive(package, damaged)
      fake.keys[ALT + 1]()
      fake.elapse(1)
      tried = tried + 1
    end)
    fake.receive(package, body)
  end
  assert(tried > 500, tried)
end

function CHECKS.package_leaves_nothing_when_it_is_uninstalled()
  equal(fake.map_info.Short, false)
  equal(mudlet.mapper_script, true)
  fake.uninstall()
  equal(deepwell, nil)
  equal(count(fake.handlers) + count(fake.timers) + count(fake.keys), 0)
  equal(fake.map_info.Short, true)
  equal(fake.map_info.Full, false)
  equal(mudlet.mapper_script, nil)
  fake.elapse(5)
end

function CHECKS.package_restores_map_info_of_an_earlier_session()
  deepwell = nil
  fake.handlers, fake.timers, fake.keys = {}, {}, {}
  fake.load() -- The profile is opened again; Mudlet has stored that its text is hidden.
  fake.uninstall()
  equal(fake.map_info.Short, true)
end

function CHECKS.package_can_be_installed_again()
  local handlers, keys, timers = count(fake.handlers), count(fake.keys), count(fake.timers)
  for _ = 1, 2 do
    fake.uninstall()
    fake.install("/downloads/deepwell.mpackage")
    equal(count(fake.handlers), handlers)
    equal(count(fake.keys), keys)
    equal(count(fake.timers), timers)
    equal(fake.printed, "")
  end
  fake.receive("Char.Mail.Status", { mails = 1, unread = 1 })
  contains(shown("state"), "Mail: 1 unread of 1")
end

function CHECKS.package_that_the_server_brings_back_stays_asleep()
  fake.uninstall()
  fake.gmcp_sent = {}
  fake.install("/profile/deepwell.mpackage")
  equal(count(fake.keys) + count(fake.timers) + #fake.gmcp_sent, 0)
  equal(fake.map_info.Short, true)
  contains(fake.printed, "The Deepwell package was removed from this profile, so it does nothing. [Use it again]")
  fake.printed = ""
  fake.load() -- The profile is opened again.
  equal(fake.printed, "")
  fake.uninstall() -- The server has a newer version.
  equal(count(fake.handlers), 0)
  fake.install("/profile/deepwell.mpackage")
  equal(count(fake.keys), 0)
  fake.links["Use it again"]()
  fake.elapse(1)
  equal(count(fake.keys), 9)
  equal(fake.map_info.Short, false)
end

function CHECKS.package_is_updated_by_the_server()
  fake.files["/profile/deepwell_profile.lua"] = { removed = "1" }
  deepwell = nil
  fake.handlers, fake.timers, fake.keys = {}, {}, {}
  fake.install("/profile/deepwell.mpackage")
  equal(count(fake.keys), 9)
  equal(fake.printed, "")
end

function CHECKS.versions_are_equal()
  dofile(here .. "config.lua")
  fake.uninstall()
  equal(fake.files["/profile/deepwell_profile.lua"].removed, version)
end

for _, name in ipairs(fake.sorted(CHECKS)) do
  if deepwell then fake.uninstall() end
  gmcp, fake.files, fake.sent, fake.printed = {}, {}, {}, ""
  fake.map_info.Short, fake.map_info.Full = true, false
  mudlet.mapper_script = nil
  fake.load()
  local done, message = xpcall(CHECKS[name], debug.traceback)
  if not done then
    io.stderr:write(name .. ": " .. message .. "\n")
    os.exit(1)
  end
  print(name)
end
