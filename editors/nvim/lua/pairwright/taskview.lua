-- A task as a buffer that follows it: the server's page of it, drawn anew as it goes on, with keys for the file of a
-- line. It never takes the focus by itself.
local client = require('pairwright.client')

local M = {}

local space = vim.api.nvim_create_namespace('pairwright.task')
local HINT = '<CR> opens, p shows its proposal, r writes anew, x leaves out, c carries on, <C-c> stops, e edits the plan'
local MARKS = {
  { '^applied', 'PairwrightDone' },
  { '^proposed', 'PairwrightWaits' },
  { '^failed', 'PairwrightLost' },
  { '^left out', 'PairwrightLost' },
  { '^changed by hand', 'PairwrightLost' },
}

---@class pairwright.View
---@field task string
---@field buffer integer
---@field client integer
---@field asking boolean a page is on its way
---@field again boolean it is older than the task by now

local views = {} ---@type table<string, pairwright.View> by task

--- The file of a row of the page.
local function path_in(row)
  return row:match('^%- %[[ x]%] %a+ `(.-)`: ')
end

--- The proposals of the files of lines `first` to `last` (from 0) of a view, by path.
---@return table<string, string>
function M.proposals(buffer, first, last)
  local found = {}
  for _, row in ipairs(vim.api.nvim_buf_get_lines(buffer, first, last + 1, false)) do
    local path = path_in(row)
    if path then
      found[path] = require('pairwright.task').proposal(vim.b[buffer].pairwright_task, path)
    end
  end
  return found
end

--- The file of the line at the cursor.
---@return string?
function M.path_here()
  return path_in(vim.api.nvim_get_current_line())
end

--- The files that the running turn writes, and what it says of them.
---@return string[] paths, string status
local function working(task)
  for _, turn in ipairs(require('pairwright.turns').running()) do
    if turn.task == task and turn.step then
      -- A step begins by naming its files: `a.py, b.py: why it is tried again`.
      local head = turn.step:match('^[^:]*')
      return vim.split(head, ', ', { plain = true }), (turn.status:gsub('^' .. vim.pesc(head) .. '[:,]?%s*', ''))
    end
  end
  return {}, ''
end

local function decorate(view)
  local paths, work = working(view.task)
  vim.api.nvim_buf_clear_namespace(view.buffer, space, 0, -1)
  local rows = vim.api.nvim_buf_get_lines(view.buffer, 0, -1, false)
  vim.api.nvim_buf_set_extmark(view.buffer, space, math.min(2, #rows - 1), 0, {
    virt_text = { { '  ' .. HINT, 'PairwrightHint' } },
  })
  for number, row in ipairs(rows) do
    local path = path_in(row)
    local _, start = row:find('`: ', 1, true)
    for _, mark in ipairs(path and MARKS or {}) do
      if row:sub(start + 1):find(mark[1]) then
        vim.api.nvim_buf_set_extmark(view.buffer, space, number - 1, start, { end_col = #row, hl_group = mark[2] })
      end
    end
    if path and vim.startswith(row, '- [ ]') and vim.list_contains(paths, path) then
      vim.api.nvim_buf_set_extmark(view.buffer, space, number - 1, 0, {
        virt_text = { { work ~= '' and '  writing, ' .. work or '  writing', 'PairwrightHint' } },
      })
    end
  end
end

local function fill(view, text)
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, 0, -1, false, vim.split(text:gsub('\n$', ''), '\n'))
  vim.bo[view.buffer].modifiable = false
  decorate(view)
end

local function valid(task)
  local view = views[task]
  if view and not vim.api.nvim_buf_is_loaded(view.buffer) then
    views[task] = nil
  end
  return views[task]
end

--- The task has changed: its page is read again, one at a time.
---@param task string
function M.refresh(task)
  local view = valid(task)
  if not view then
    return
  elseif view.asking then
    view.again = true
    return
  end
  view.asking, view.again = true, false
  local function over()
    view.asking = false
    if view.again then
      M.refresh(task)
    end
  end
  client.command('task.show', { task = task }, function(result)
    if valid(task) == view then
      fill(view, result.text)
    end
    over()
  end, { client = vim.lsp.get_client_by_id(view.client), quiet = true, failed = over })
end

local drawing = false

--- The running turn has come further. Drawn ten times a second at most.
function M.progress()
  if drawing or not next(views) then
    return
  end
  drawing = true
  vim.defer_fn(function()
    drawing = false
    for _, task in ipairs(vim.tbl_keys(views)) do
      local view = valid(task)
      if view then
        decorate(view)
      end
    end
  end, 100)
end

--- Go to a window beside the view for what is opened from it.
local function aside()
  local before = vim.fn.win_getid(vim.fn.winnr('#'))
  if before == 0 or before == vim.api.nvim_get_current_win() or vim.bo[vim.api.nvim_win_get_buf(before)].buftype ~= '' then
    vim.cmd('aboveleft split')
  else
    vim.api.nvim_set_current_win(before)
  end
end

--- The proposal of the file at the cursor: its first hunk that waits, else all of it as a diff.
local function review(view)
  local path = M.path_here()
  if not path then
    return
  end
  local proposal = require('pairwright.task').proposal(view.task, path)
  for _, item in ipairs(require('pairwright.hunks').items()) do
    if item.proposal == proposal and item.file.path == path then
      aside()
      return require('pairwright.choose').visit(item)
    end
  end
  if proposal ~= '' then
    return require('pairwright.documents').show(('pairwright:/proposal/%s.diff'):format(proposal))
  end
  client.say(('nothing is proposed for %s yet.'):format(path))
end

--- Open the file of the line; one that is not there yet is shown as it is proposed.
local function open_file(view)
  local path = M.path_here()
  local connection = vim.lsp.get_client_by_id(view.client)
  if path and connection and connection.root_dir then
    local name = vim.fs.joinpath(connection.root_dir, path)
    if not vim.uv.fs_stat(name) then
      return review(view)
    end
    local buffer = vim.fn.bufadd(name)
    vim.bo[buffer].buflisted = true
    aside()
    vim.api.nvim_win_set_buf(0, buffer)
  end
end

local function keys(view)
  local function map(lhs, run, desc)
    vim.keymap.set('n', lhs, run, { buffer = view.buffer, nowait = true, desc = 'Pairwright: ' .. desc })
  end
  local function command(words)
    return function()
      require('pairwright.commands').run({ fargs = vim.split(words, ' '), range = 0 })
    end
  end
  map('<CR>', function()
    open_file(view)
  end, 'open the file')
  map('p', function()
    review(view)
  end, 'show its proposal')
  map('r', command('task redo'), 'write the file anew')
  map('x', command('task skip'), 'leave the file out')
  map('c', command('task resume'), 'carry the task on')
  map('<C-c>', command('task stop'), 'stop the task')
  map('e', command('task show plan'), 'edit the plan')
end

---@return pairwright.View
local function view_of(task, connection)
  local view = valid(task)
  if view then
    return view
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, 'pairwright://task/' .. task)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].modifiable = false
  vim.b[buffer].pairwright_task = task
  vim.b[buffer].pairwright_client = connection.id
  views[task] = { task = task, buffer = buffer, client = connection.id, asking = false, again = false }
  keys(views[task])
  return views[task]
end

--- Show a task; `focus` also goes there.
---@param task string
---@param connection vim.lsp.Client
---@param focus boolean
function M.open(task, connection, focus)
  local view = view_of(task, connection)
  local window = vim.fn.bufwinid(view.buffer)
  if window < 0 then
    local height = math.max(5, math.floor(vim.o.lines / 3))
    window = vim.api.nvim_open_win(view.buffer, false, { split = 'below', win = -1, height = height })
    vim.wo[window].number, vim.wo[window].relativenumber, vim.wo[window].signcolumn = false, false, 'no'
    vim.wo[window].wrap = false
  end
  if focus then
    vim.api.nvim_set_current_win(window)
  end
  M.refresh(task)
end

return M
