-- Long tasks: what `:Pairwright task` does, how each task of a server stands, and what the user is told of it. The
-- view of one is taskview.lua, the document of its plan plan.lua.
local client = require('pairwright.client')

local M = {}

---@class pairwright.Task as in pairwright/task/changed
---@field task string
---@field title string
---@field request string
---@field status 'planned'|'running'|'waiting'|'stopped'|'done'|'undone'
---@field reason string
---@field review 'file'|'task'|'end'
---@field version integer
---@field summary string
---@field files { path: string, action: string, phase: string, reason: string, tries: integer, proposal: string }[]

local known = {} ---@type table<integer, table<string, pairwright.Task>> by client, by id
local told = {} ---@type table<string, boolean> proposals the user has heard of

local ID = '^%d%d%d%d%d%d%d%d%-%d%d%d%d%d%d%-%x+$'
local REVIEWS = { file = true, task = true, ['end'] = true }
local RUNS = { ['task.run'] = true, ['task.resume'] = true, ['task.redo'] = true }
local WRITTEN = { verified = true, proposed = true, applied = true }

local function is_id(word)
  return word:match(ID) ~= nil
end

--- The task that the buffer in front is of: its view or its plan. Nothing elsewhere, where the newest is meant.
---@return { task?: string, uri?: string }
local function here()
  local plan = require('pairwright.plan').of(0)
  if plan then
    return { task = plan.task, uri = vim.uri_from_bufnr(0) }
  end
  return { task = vim.b.pairwright_task }
end

--- What the words of a command name, in any order; the rest are its own.
---@param words string[]
---@return { task?: string, uri?: string, review?: string }, string[]
local function read(words)
  local args, rest = here(), {}
  for _, word in ipairs(words) do
    if is_id(word) then
      args.task, args.uri = word, nil
    elseif REVIEWS[word] then
      args.review = word
    else
      rest[#rest + 1] = word
    end
  end
  return args, rest
end

--- A task as the server has just told it.
---@param state pairwright.Task
---@param client_id integer
local function keep(state, client_id)
  known[client_id] = known[client_id] or {}
  known[client_id][state.task] = state
end

--- The tasks that the servers have told of, the newest first.
---@return pairwright.Task[]
function M.all()
  local found = {}
  for _, states in pairs(known) do
    vim.list_extend(found, vim.tbl_values(states))
  end
  table.sort(found, function(a, b)
    return a.task > b.task
  end)
  return found
end

--- A task that a server has told of; nil where it is another one.
---@param task? string default: the newest
---@return pairwright.Task?
local function state_of(task)
  for _, state in ipairs(M.all()) do
    if not task or state.task == task then
      return state
    end
  end
end

--- The proposal that a file of a task is in; empty where there is none.
---@param task string
---@param path string
---@return string
function M.proposal(task, path)
  local state = state_of(task)
  for _, file in ipairs(state and state.files or {}) do
    if file.path == path then
      return file.proposal
    end
  end
  return ''
end

--- How many files of a task are written, and how many there are.
---@param state pairwright.Task
---@return integer, integer
function M.written(state)
  local count = 0
  for _, file in ipairs(state.files) do
    count = count + (WRITTEN[file.phase] and 1 or 0)
  end
  return count, #state.files
end

--- What a status line says of the tasks that run or wait.
---@return string[]
function M.parts()
  local found = {}
  for _, state in ipairs(M.all()) do
    if state.status == 'running' then
      found[#found + 1] = ('task %d/%d files'):format(M.written(state))
    elseif state.status == 'waiting' then
      found[#found + 1] = ('task waits, %d/%d files'):format(M.written(state))
    end
  end
  return found
end

--- Say once of each file that the run waits for a choice about it.
---@param state pairwright.Task
local function tell_of_waiting(state, client_id)
  for _, file in ipairs(state.files) do
    if file.phase == 'proposed' and not told[file.proposal] then
      told[file.proposal] = true
      if state.status == 'running' and state.review == 'file' then
        local proposal, written, total = file.proposal, M.written(state)
        require('pairwright.hunks').refresh(vim.lsp.get_client_by_id(client_id), function()
          local text = '%s (%d of %d) waits for your choice; :Pairwright accept all or reject all, and the task goes on'
          client.say(text:format(file.path, written, total))
          local data = { proposal = proposal, task = state.task }
          vim.api.nvim_exec_autocmds('User', { pattern = 'PairwrightProposed', modeline = false, data = data })
        end)
      end
    end
  end
end

--- pairwright/task/changed.
---@param state pairwright.Task
---@param client_id integer
function M.changed(state, client_id)
  keep(state, client_id)
  require('pairwright.taskview').refresh(state.task)
  require('pairwright.status').redraw()
  vim.api.nvim_exec_autocmds('User', { pattern = 'PairwrightTask', modeline = false, data = state })
  tell_of_waiting(state, client_id)
  require('pairwright.hunks').took(state, vim.lsp.get_client_by_id(client_id))
end

--- Something was chosen: what waited for it may be done.
---@param connection vim.lsp.Client
function M.chosen(connection)
  for id, state in pairs(known[connection.id] or {}) do
    if state.status == 'waiting' then
      client.command('task.show', { task = id }, function(result)
        keep(result.task, connection.id)
        require('pairwright.status').redraw()
      end, { client = connection, quiet = true })
    end
  end
end

--- The server of these tasks is gone.
---@param client_id integer
function M.lost(client_id)
  known[client_id] = nil
end

-- What the subcommands do.

local function warn(text)
  client.say(text, vim.log.levels.WARN)
end

--- The end of a plan or a run.
---@param turn pairwright.Turn
---@param params table of pairwright/turn/end
function M.ended(turn, params)
  local state = params.task
  if state then
    keep(state, turn.client)
  end
  require('pairwright.hunks').refresh(vim.lsp.get_client_by_id(turn.client))
  if params.outcome == 'done' and not RUNS[turn.mode] then
    local text = '%d files planned; change the plan as you like, then :Pairwright task run'
    client.say(text:format(#state.files))
  elseif params.outcome == 'done' then
    local waits = state.status == 'waiting' and '; it waits for your choice: :Pairwright hunks' or ''
    client.say(('task: %s%s'):format(state.summary, waits))
  elseif params.reason ~= 'cancelled' then
    warn(params.message)
  elseif not RUNS[turn.mode] then
    client.say('no plan: stopped.')
  else
    client.say(('task stopped: %s; :Pairwright task resume goes on'):format(state and state.summary or 'nothing written'))
  end
end

--- The words, documents and lines that a plan is to be made from.
---@param call table
---@param words string[]
local function wish(call, words)
  local args = { task = here().task }
  local files = {}
  for _, word in ipairs(words) do
    local name = word == '%' and vim.api.nvim_buf_get_name(0) or vim.fn.expand(word)
    files[#files + 1] = (word == '%' or vim.fn.filereadable(name) == 1) and vim.fn.fnamemodify(name, ':p') or nil
  end
  if #words > 0 and #files == #words then
    args.uris, words = vim.tbl_map(vim.uri_from_fname, files), {}
  end
  if call.range > 0 then
    local is_whole = call.line1 == 1 and call.line2 == vim.api.nvim_buf_line_count(0)
    if is_whole and #vim.lsp.get_clients({ bufnr = 0, name = 'pairwright' }) > 0 then
      args.uri = vim.uri_from_bufnr(0)
    else
      local rows = vim.api.nvim_buf_get_lines(0, call.line1 - 1, call.line2, false)
      words = { table.concat(words, ' ') .. '\n\n' .. table.concat(rows, '\n') }
    end
  end
  local text = vim.trim(table.concat(words, ' '))
  args.text = text ~= '' and text or nil
  return args
end

local function plan(call, words)
  local connection = client.get()
  local given = {}
  if words[1] and is_id(words[1]) then
    given.task = table.remove(words, 1)
  end
  local args = vim.tbl_extend('force', wish(call, words), given)
  require('pairwright.turns').start('task.plan', args, { client = connection })
end

--- Start or go on with a run, and show how it goes.
---@param verb 'task.run'|'task.resume'|'task.redo'
---@param args table
local function go(verb, args)
  local connection = client.get()
  local document = require('pairwright.plan')
  document.clear(args.task)
  require('pairwright.turns').start(verb, args, {
    client = connection,
    begun = function(result)
      require('pairwright.taskview').open(result.task, assert(connection), false)
    end,
    failed = function(message)
      document.refused(message, args.task, connection)
    end,
  })
end

local function run(verb)
  return function(_, words)
    go(verb, (read(words)))
  end
end

--- A path as the task has it.
local function path_of(name, connection)
  local root = connection and connection.root_dir
  local full = vim.fs.normalize(vim.fn.fnamemodify(name, ':p'))
  if root and vim.startswith(full, vim.fs.normalize(root) .. '/') and vim.uv.fs_stat(full) then
    return full:sub(#vim.fs.normalize(root) + 2)
  end
  return name
end

--- The file that a command is about: named, on the line of the view, or the buffer in front.
---@return table? args
local function one_file(words)
  local args, rest = read(words)
  local connection = client.get()
  if rest[1] then
    args.path = path_of(table.concat(rest, ' '), connection)
  elseif vim.b.pairwright_task then
    args.path = require('pairwright.taskview').path_here()
  elseif not args.uri and vim.bo.buftype == '' then
    args.path = path_of(vim.api.nvim_buf_get_name(0), connection)
  end
  args.uri = nil
  if not args.path or args.path == '' then
    return warn('name a file of the task.')
  end
  return args
end

local function redo(_, words)
  local args = one_file(words)
  if args then
    go('task.redo', args)
  end
end

local function skip(_, words)
  local args, connection = one_file(words), client.get()
  if args then
    client.command('task.skip', args, function(state)
      keep(state, assert(connection).id)
      client.say(('task: %s'):format(state.summary))
      require('pairwright.hunks').refresh(connection)
    end, { client = connection })
  end
end

local function stop(_, words)
  client.command('task.stop', { task = read(words).task }, function(result)
    if #result.stopped == 0 then
      client.say('no task is running.')
    end
  end)
end

local function undo(_, words)
  local connection = client.get()
  client.command('task.undo', { task = read(words).task }, function(result)
    keep(result.task, assert(connection).id)
    if result.state == 'done' then
      client.say(('task undone: %s'):format(result.task.summary))
    else
      warn(result.message)
    end
    require('pairwright.hunks').took(result, connection)
    require('pairwright.hunks').refresh(connection)
  end, { client = connection })
end

local function show(_, words)
  local args, rest = read(words)
  local connection = client.get()
  if rest[1] == 'plan' then
    return require('pairwright.plan').show(args.task, connection)
  end
  client.command('task.show', { task = args.task }, function(result)
    keep(result.task, assert(connection).id)
    require('pairwright.taskview').open(result.task.task, connection, true)
  end, { client = connection })
end

local function list()
  local connection = client.get()
  client.command('task.list', {}, function(result)
    if #result.tasks == 0 then
      return client.say('there is no task yet; :Pairwright task plan makes one.')
    end
    vim.ui.select(result.tasks, {
      prompt = 'Tasks:',
      format_item = function(one)
        return ('%s %s: %s, %d of %d files written'):format(one.task, one.title, one.status, M.written(one))
      end,
    }, function(choice)
      if choice then
        require('pairwright.taskview').open(choice.task, assert(connection), true)
      end
    end)
  end, { client = connection })
end

local VERBS = {
  list = list,
  plan = plan,
  redo = redo,
  resume = run('task.resume'),
  run = run('task.run'),
  show = show,
  skip = skip,
  stop = stop,
  undo = undo,
}

--- Run `:Pairwright task WORDS`; without words the newest task is shown.
---@param call table as nvim_create_user_command gives it
function M.run(call)
  local words = vim.list_slice(call.fargs, 2)
  local verb = table.remove(words, 1) or 'show'
  if not VERBS[verb] then
    local names = vim.tbl_keys(VERBS)
    table.sort(names)
    return warn(('there is no :Pairwright task %s; there are %s'):format(verb, table.concat(names, ', ')))
  end
  VERBS[verb](call, words)
end

--- What may follow on a command line: words behind `task` so far, without the one that is being typed.
---@param before string[]
---@param lead string
---@return string[]
function M.complete(before, lead)
  local verb = before[1]
  if not verb then
    local names = vim.tbl_keys(VERBS)
    table.sort(names)
    return names
  elseif verb == 'plan' then
    return vim.fn.getcompletion(lead, 'file')
  elseif verb == 'list' or not VERBS[verb] then
    return {}
  end
  local words = {}
  local answer = client.now('task.list', {})
  local wanted = here().task
  for _, word in ipairs(before) do
    wanted = is_id(word) and word or wanted
  end
  for index, state in ipairs(answer and answer.tasks or {}) do
    if (verb == 'redo' or verb == 'skip') and (wanted == state.task or not wanted and index == 1) then
      for _, file in ipairs(state.files) do
        table.insert(words, file.path)
      end
    end
  end
  if verb == 'run' or verb == 'resume' or verb == 'redo' then
    vim.list_extend(words, { 'file', 'task', 'end' })
  elseif verb == 'show' then
    words[#words + 1] = 'plan'
  end
  for _, state in ipairs(answer and answer.tasks or {}) do
    words[#words + 1] = state.task
  end
  return words
end

return M
