-- The plan of a task as a document: an ordinary Markdown buffer that the server wrote, and what is wrong with it.
local client = require('pairwright.client')

local M = {}

local space = vim.api.nvim_create_namespace('pairwright.plan')
local REFUSED = 'The plan cannot be carried out:'

--- The task whose plan a buffer is, and the folder it is a task of.
---@param buffer integer
---@return { task: string, root: string }?
function M.of(buffer)
  local found = client.origin(buffer)
  return found and found.task and found or nil
end

--- The newest of the loaded plans of a task.
---@param task? string
---@return integer?
local function buffer_of(task)
  local best, newest
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local found = vim.api.nvim_buf_is_loaded(buffer) and M.of(buffer)
    if found and found.task == task then
      local version = tonumber(vim.api.nvim_buf_get_name(buffer):match('%-(%d+)%.md$')) or 0
      if not newest or version > newest then
        best, newest = buffer, version
      end
    end
  end
  return best
end

--- The row of the heading that a fault is about: faults begin with the path of a file.
local function row_of(fault, rows)
  local found, longest = 0, 0
  for row, line in ipairs(rows) do
    local path = line:match('^#+%s+%a+%s+`?([^`]+)`?%s*$')
    if path and vim.startswith(fault, path) and #path > longest then
      found, longest = row - 1, #path
    end
  end
  return found
end

local function put(faults, buffer)
  local rows = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local entries = vim.tbl_map(function(fault)
    local row = row_of(fault, rows)
    return {
      lnum = row,
      col = 0,
      end_lnum = row,
      end_col = #(rows[row + 1] or ''),
      message = fault,
      severity = vim.diagnostic.severity.ERROR,
      source = 'Pairwright',
    }
  end, faults)
  vim.diagnostic.set(space, buffer, entries)
end

--- A run was refused: the faults of a plan go to its lines, any other reason is said.
---@param message string
---@param task? string
---@param connection? vim.lsp.Client
function M.refused(message, task, connection)
  local faults = vim.split(message, '\n')
  if table.remove(faults, 1) ~= REFUSED then
    return client.say(message, vim.log.levels.ERROR)
  end
  local count = #faults == 1 and 'a fault' or ('%d faults'):format(#faults)
  client.say(('the plan has %s; the first: %s'):format(count, faults[1]), vim.log.levels.ERROR)
  client.command('task.show', { task = task }, function(result)
    local id = result.task.task
    local buffer = buffer_of(id)
    if buffer then
      return put(faults, buffer)
    end
    client.command('task.show', { task = id, plan = true }, function(shown)
      buffer = vim.uri_to_bufnr(shown.uri)
      vim.fn.bufload(buffer)
      put(faults, buffer)
    end, { client = connection })
  end, { client = connection })
end

--- What was wrong with plans is forgotten: of one task, or of all.
---@param task? string
function M.clear(task)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local found = vim.api.nvim_buf_is_loaded(buffer) and M.of(buffer)
    if found and (not task or found.task == task) then
      vim.diagnostic.reset(space, buffer)
    end
  end
end

--- Put the plan before the user, with what was changed in it.
---@param task? string default: the newest
---@param connection? vim.lsp.Client
function M.show(task, connection)
  client.command('task.show', { task = task, plan = true }, function(result)
    local buffer = vim.uri_to_bufnr(result.uri)
    local window = vim.fn.bufwinid(buffer)
    if window > 0 then
      return vim.api.nvim_set_current_win(window)
    end
    vim.cmd('split')
    vim.bo[buffer].buflisted = true
    vim.api.nvim_win_set_buf(0, buffer)
  end, { client = connection })
end

return M
