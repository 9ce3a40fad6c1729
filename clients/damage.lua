-- Damaged copies of a message, for the checks of the client packages.

local WRONG = { "", "text", -1, 1e300, true, false, {}, { "text" }, { {} }, { key = 1 }, print }

-- Calls a function with each copy of a value in which one part is missing or of another type.
local function each_damage(value, use)
  use(nil)
  for _, wrong in ipairs(WRONG) do use(wrong) end
  if type(value) ~= "table" then return end
  for key, part in pairs(value) do
    each_damage(part, function(damaged)
      local copy = {}
      for name, kept in pairs(value) do copy[name] = kept end
      copy[key] = damaged
      use(copy)
    end)
  end
end

return each_damage
