-- function not_this() end
--[[ function nor_this()
end ]]
local M = {}
local http = require("http")
local LIMIT = 10

function M.open(path)
  local inner = function() end
  return path
end

function M:close() end

local function helper(x) return x end

M.parse = function(s)
  local text = [[
function fake() end
]]
  return [==[ ]] ]==]
end

VERSION = "1.0"
local handlers = {
  on_open = function() end,
  ["on-close"] = function() end,
}

return M
