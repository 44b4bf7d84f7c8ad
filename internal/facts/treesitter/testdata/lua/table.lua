-- A module that is a table.
local log = require("log")

local function clamp(value, low, high)
  return math.max(low, math.min(high, value))
end

return {
  --- The widest that it may be.
  width = 80,
  clamp = clamp,
  -- Fits a text.
  fit = function(text, width)
    log.debug("fit", text)
    return text:sub(1, clamp(width, 1, 80))
  end,
}
