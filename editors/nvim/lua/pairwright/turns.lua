-- Requests to a model: started here, followed by the server's notifications until they end.
local client = require('pairwright.client')

local M = {}

---@class pairwright.Turn
---@field id string
---@field client integer
---@field mode string
---@field request string
---@field args table what it was started with, for a second time
---@field text string the answer so far
---@field pieces [string, string][] pieces not shown yet: kind and text
---@field status string
---@field known boolean whether start() has heard of it
---@field task? string the long task it is a plan or a run of
---@field step? string what it said last of where it is
---@field waiting? table the end of it, where that came before its number did

local turns = {} ---@type table<string, pairwright.Turn>
local last ---@type pairwright.Turn?
local suggested = {} ---@type string[]

-- The command of the server behind a mode.
local VERBS = {
  ask = 'asking',
  edit = 'editing',
  refine = 'refining',
  architect = 'planning',
  context = 'choosing files',
  help = 'reading the manual',
  apply = 'reading the reply',
  instruct = 'working on the comment',
  send = 'answering',
  ['task.plan'] = 'planning',
  ['task.run'] = 'working on the task',
  ['task.resume'] = 'working on the task',
  ['task.redo'] = 'working on the task',
}

local function turn_of(id, client_id)
  turns[id] = turns[id]
    or {
      id = id,
      client = client_id,
      mode = 'edit',
      request = '',
      args = {},
      text = '',
      pieces = {},
      status = '',
      known = false,
    }
  return turns[id]
end

local function announce(pattern, data)
  vim.api.nvim_exec_autocmds('User', { pattern = pattern, modeline = false, data = data })
end

local function changed()
  require('pairwright.status').redraw()
end

--- The running turns, the oldest first.
---@return pairwright.Turn[]
function M.running()
  local found = {}
  for _, turn in pairs(turns) do
    found[#found + 1] = turn
  end
  table.sort(found, function(a, b)
    return a.id < b.id
  end)
  return found
end

---@class pairwright.TurnOptions
---@field client? vim.lsp.Client
---@field place? { buffer: integer, row: integer } what it is about
---@field label? string the same in words
---@field begun? fun(result: table) it runs
---@field failed? fun(message: string) it was refused; says so instead of this module

-- What does not go to the chat: the answer to a request document stands in that, a task has a view of its own.
local function is_silent(turn)
  return turn.task ~= nil or turn.mode == 'send'
end

--- Start a turn.
---@param mode string a command of the server
---@param args table its argument
---@param options? pairwright.TurnOptions
function M.start(mode, args, options)
  options = options or {}
  local connection = options.client or client.get()
  client.command(mode, args, function(result)
    if not result.id then
      -- There were no words: the server has opened a document to write them in.
      return
    end
    local turn = turn_of(result.id, connection and connection.id or 0)
    turn.mode, turn.args, turn.known = mode, args, true
    turn.request = args.text or args.instruction or args.preset or ''
    turn.label, turn.task = options.label, result.task
    turn.status = VERBS[mode] or mode
    if options.place then
      require('pairwright.edit').mark(turn, options.place)
    end
    if not is_silent(turn) then
      last = turn
      require('pairwright.chat').begin(turn)
    end
    if options.begun then
      options.begun(result)
    end
    changed()
    if turn.waiting then
      M.ended(turn.waiting, turn.client)
    end
  end, { client = connection, quiet = options.failed ~= nil, failed = options.failed })
end

--- A piece of an answer.
function M.delta(params, client_id)
  local turn = turn_of(params.id, client_id)
  if params.kind == 'text' then
    turn.text = turn.text .. params.text
    turn.status = ('%s, %d characters'):format(turn.task and turn.step or VERBS[turn.mode] or turn.mode, #turn.text)
  else
    turn.status = 'thinking'
  end
  if turn.task then
    require('pairwright.taskview').progress()
  else
    turn.pieces[#turn.pieces + 1] = { params.kind, params.text }
    require('pairwright.chat').write(turn)
    require('pairwright.edit').progress(turn)
  end
  changed()
end

--- What else a turn says.
function M.event(params, client_id)
  local turn = turn_of(params.id, client_id)
  if params.kind == 'status' then
    turn.status, turn.step = params.text, params.text
    turn.text = turn.task and '' or turn.text
  elseif params.kind == 'started' then
    turn.status, turn.model = turn.task and turn.step or VERBS[turn.mode] or turn.mode, params.model
  elseif params.kind == 'reflected' then
    turn.status = 'asking again: ' .. params.reason
    turn.text = ''
    turn.pieces[#turn.pieces + 1] = { 'note', 'asked again: ' .. params.reason }
    require('pairwright.chat').write(turn)
  elseif params.kind == 'looked' then
    local wishes = {}
    for _, wish in ipairs(params.wishes or {}) do
      wishes[#wishes + 1] = table.concat(wish, ': ')
    end
    turn.pieces[#turn.pieces + 1] = { 'note', 'looked up ' .. table.concat(wishes, '; ') }
    require('pairwright.chat').write(turn)
  elseif params.kind == 'usage' then
    turn.usage = params
  end
  require('pairwright.edit').progress(turn)
  require('pairwright.taskview').progress()
  changed()
end

local function done(turn, params)
  local connection = vim.lsp.get_client_by_id(turn.client)
  suggested = params.shell or {}
  if params.accepted then
    client.say(params.accepted.message)
    require('pairwright.hunks').took(params.accepted, connection)
  elseif params.proposal then
    require('pairwright.hunks').refresh(connection, function()
      client.say(require('pairwright.hunks').summary(params.proposal))
      announce('PairwrightProposed', { proposal = params.proposal, turn = turn.id })
    end)
  elseif turn.mode == 'edit' or turn.mode == 'refine' or turn.mode == 'apply' then
    client.say('no edit in the answer; :Pairwright chat shows it.', vim.log.levels.WARN)
  end
  if #(params.missing or {}) > 0 then
    client.say('not placed: ' .. table.concat(params.missing, '; '), vim.log.levels.WARN)
  end
  if #suggested > 0 then
    client.say(('%d shell command(s) suggested; :Pairwright run'):format(#suggested))
  end
  if params.refine then
    vim.ui.input({ prompt = 'What is to be different: ' }, function(words)
      if words and words ~= '' then
        M.start('architect', { text = words }, { client = connection })
      end
    end)
  end
end

--- A turn is over.
function M.ended(params, client_id)
  local turn = turn_of(params.id, client_id)
  if not turn.known then
    turn.waiting = params
    -- The answer that names it may be on its way; a turn that the server began by itself has none.
    vim.defer_fn(function()
      if turns[params.id] == turn and not turn.known then
        turn.known, turn.mode = true, 'send'
        M.ended(params, client_id)
      end
    end, 2000)
    return
  end
  turns[params.id] = nil
  turn.status = ''
  require('pairwright.edit').progress(turn)
  require('pairwright.chat').finish(turn, params)
  changed()
  if params.task or turn.task then
    require('pairwright.task').ended(turn, params)
  elseif params.outcome == 'done' then
    done(turn, params)
  elseif params.reason ~= 'cancelled' then
    client.say(params.message, vim.log.levels.WARN)
  end
  announce('PairwrightTurnEnd', params)
end

--- The server of these turns is gone.
---@param client_id integer
function M.lost(client_id)
  for _, turn in ipairs(M.running()) do
    if turn.client == client_id then
      turn.known = true
      local message = 'the server has ended'
      local params = { id = turn.id, outcome = 'stop', reason = 'lost', message = message, text = turn.text }
      M.ended(params, client_id)
    end
  end
end

--- Stop every turn.
function M.stop()
  client.command('cancel', {}, function(result)
    if #(result.cancelled or {}) == 0 then
      client.say('nothing is running.')
    end
  end)
end

--- Send the last request once more.
function M.resend()
  if not last then
    return client.say('there is no request to send again.', vim.log.levels.WARN)
  end
  M.start(last.mode, last.args, { client = vim.lsp.get_client_by_id(last.client), label = last.label })
end

--- Offer the shell commands of the last answer; the server asks before it runs one.
function M.run_suggested()
  if #suggested == 0 then
    return client.say('the last answer suggests no shell command.')
  end
  vim.ui.select(suggested, { prompt = 'Run:' }, function(choice)
    if choice then
      client.command('run', { command = choice }, function(result)
        if result.state == 'ran' then
          client.say(('%s: exit code %s'):format(choice, result.code))
          require('pairwright.documents').show_text('output', result.output or '', '')
        end
      end)
    end
  end)
end

return M
