-- `:Pairwright` and its completion, and the commands of code actions and lenses.
local client = require('pairwright.client')

local M = {}

local function edit()
  return require('pairwright.edit')
end

local function rest(call)
  return table.concat(vim.list_slice(call.fargs, 2), ' ')
end

local function ask_by(mode)
  return function(call)
    edit().request(mode, rest(call), edit().selection(call))
  end
end

local function choose_by(verb)
  return function(call)
    require('pairwright.choose').choose(verb, call.fargs[2] or '', edit().selection(call))
  end
end

local function change_by(verb)
  return function()
    local connection = client.get()
    client.command(verb, {}, function(result)
      local good = result.state == 'done'
      client.say(result.message, good and vim.log.levels.INFO or vim.log.levels.WARN)
      require('pairwright.hunks').took(result, connection)
      require('pairwright.hunks').refresh(connection)
    end, { client = connection })
  end
end

local function show(uri)
  return function()
    require('pairwright.documents').show(uri)
  end
end

--- Change the files of the conversation; without names those of the current buffer.
local function files_by(key)
  return function(call)
    local names = vim.list_slice(call.fargs, 2)
    if #names == 0 then
      names = { vim.uri_from_bufnr(0) }
    end
    client.command('chat', { [key] = names }, function(result)
      client.say(result.text)
    end)
  end
end

local function chat(call)
  local words = rest(call)
  if words ~= '' then
    return edit().request('ask', words, edit().selection(call))
  end
  require('pairwright.chat').open(true)
end

local function preset(call)
  local name = rest(call)
  local selection = edit().selection(call)
  local mode = name == 'explain' and 'ask' or 'edit'
  local more = { preset = name }
  if name == 'fix' then
    more.diagnostics = edit().diagnostics(selection)
    if #more.diagnostics == 0 then
      return client.say('there is no diagnostic here.', vim.log.levels.WARN)
    end
  end
  edit().request(mode, '', selection, more)
end

local function apply(call)
  if call.range > 0 then
    local rows = vim.api.nvim_buf_get_lines(0, call.line1 - 1, call.line2, false)
    return require('pairwright.chat').apply_lines(rows)
  end
  require('pairwright.chat').apply()
end

--- Another model until Neovim ends; without a name the one that answers now.
local function model(call)
  local connection = client.get()
  if not connection then
    return client.say('no server is running for this buffer; see :checkhealth pairwright', vim.log.levels.ERROR)
  end
  local name = rest(call)
  if name ~= '' then
    local settings = vim.deepcopy(connection.settings)
    settings.pairwright = vim.tbl_deep_extend('force', settings.pairwright or {}, { model = { name = name } })
    connection.settings = settings
    connection:notify('workspace/didChangeConfiguration', { settings = settings })
  end
  client.command('tokens', { text = '?' }, function(result)
    client.say(('%s, %d tokens of context'):format(result.model, result.window))
  end, { client = connection })
end

local function commit(call)
  local words = rest(call)
  local args = words ~= '' and { message = words } or {}
  client.command('commit', args, function(result)
    client.say(result.message ~= '' and result.message or result.text)
  end)
end

local function restore(call)
  client.command('restore', { checkpoint = call.fargs[2] or '' }, function(result)
    client.say(result.message)
  end)
end

local function tokens(call)
  local selection = edit().selection(call)
  local args = vim.tbl_extend('force', edit().subject(selection), { text = rest(call) })
  client.command('tokens', args, function(result)
    require('pairwright.documents').show_text('tokens', result.text, 'markdown')
  end)
end

local function sent()
  client.command('sent', {}, function(result)
    require('pairwright.documents').show(result.uri)
  end)
end

local function blast()
  local subject = edit().subject(edit().selection({ range = 0 }))
  client.command('blast', subject, function(result)
    require('pairwright.documents').show_text('blast', result.text, 'text')
  end)
end

local function instruct(call)
  local subject = edit().subject(edit().selection(call))
  local args = { uri = subject.uri, range = call.range > 0 and subject.range or nil }
  require('pairwright.turns').start('instruct', args, {})
end

local function restart()
  vim.lsp.enable('pairwright', false)
  vim.wait(3000, function()
    return #vim.lsp.get_clients({ name = 'pairwright' }) == 0
  end, 20)
  vim.lsp.enable('pairwright', true)
end

local WHICH = { 'file', 'all' }
local PRESETS = { 'document', 'explain', 'fix', 'tests' }

---@class pairwright.Subcommand
---@field run fun(call: table)
---@field words? string[]|'file'|fun(before: string[], lead: string): string[] what completes it

---@type table<string, pairwright.Subcommand>
local COMMANDS = {
  accept = { run = choose_by('accept'), words = WHICH },
  add = { run = files_by('add'), words = 'file' },
  apply = { run = apply },
  architect = { run = ask_by('architect') },
  ask = { run = ask_by('ask') },
  blast = { run = blast },
  chat = { run = chat },
  checkpoints = {
    run = function()
      require('pairwright.documents').checkpoints()
    end,
  },
  commit = { run = commit },
  context = { run = ask_by('context') },
  drop = { run = files_by('drop'), words = 'file' },
  edit = { run = ask_by('edit') },
  help = { run = ask_by('help') },
  hunks = {
    run = function()
      require('pairwright.choose').list()
    end,
  },
  instruct = { run = instruct },
  map = { run = show('pairwright:/map') },
  model = { run = model, words = { 'embedded' } },
  new = {
    run = function()
      require('pairwright.chat').new()
    end,
  },
  next = {
    run = function()
      require('pairwright.choose').go(1)
    end,
  },
  preset = { run = preset, words = PRESETS },
  previous = {
    run = function()
      require('pairwright.choose').go(-1)
    end,
  },
  read = { run = files_by('read'), words = 'file' },
  redo = { run = change_by('redo') },
  reference = {
    run = function(call)
      require('pairwright.reference').run(call)
    end,
    words = function(...)
      return require('pairwright.reference').complete(...)
    end,
  },
  refine = {
    run = function(call)
      require('pairwright.choose').refine(rest(call), edit().selection(call))
    end,
  },
  reject = { run = choose_by('reject'), words = WHICH },
  resend = {
    run = function()
      require('pairwright.turns').resend()
    end,
  },
  restart = { run = restart },
  restore = { run = restore },
  run = {
    run = function()
      require('pairwright.turns').run_suggested()
    end,
  },
  send = {
    run = function()
      require('pairwright.chat').send()
    end,
  },
  sent = { run = sent },
  sessions = {
    run = function()
      require('pairwright.chat').resume()
    end,
  },
  show = {
    run = function(call)
      local item = require('pairwright.choose').at(edit().selection(call))[1]
        or require('pairwright.hunks').items()[1]
      if not item then
        return client.say('no proposal waits.', vim.log.levels.WARN)
      end
      require('pairwright.documents').show(('pairwright:/proposal/%s.diff'):format(item.proposal))
    end,
  },
  status = {
    run = function()
      require('pairwright.status').show()
    end,
  },
  stop = {
    run = function()
      require('pairwright.turns').stop()
    end,
  },
  tokens = { run = tokens },
  task = {
    run = function(call)
      require('pairwright.task').run(call)
    end,
    words = function(...)
      return require('pairwright.task').complete(...)
    end,
  },
  undo = { run = change_by('undo') },
}

--- Names of all subcommands.
---@return string[]
function M.names()
  local found = vim.tbl_keys(COMMANDS)
  table.sort(found)
  return found
end

--- Run a command line.
---@param call table as nvim_create_user_command gives it
function M.run(call)
  local name = call.fargs[1]
  if not name then
    return require('pairwright.chat').open(true)
  end
  local command = COMMANDS[name]
  if not command then
    local text = ('there is no :Pairwright %s; there are %s'):format(name, table.concat(M.names(), ', '))
    return client.say(text, vim.log.levels.WARN)
  end
  command.run(call)
end

--- Completion of a command line.
function M.complete(lead, line, position)
  local before = vim.split(line:sub(1, position):gsub('^.-Pairwright!?%s+', ''), '%s+')
  local words = M.names()
  if #before > 1 then
    local command = COMMANDS[before[1]]
    words = command and command.words or {}
    if words == 'file' then
      return vim.fn.getcompletion(lead, 'file')
    elseif type(words) == 'function' then
      words = words(vim.list_slice(before, 2, #before - 1), lead)
    end
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words --[[@as string[] ]])
end

--- Commands of code actions and lenses, run here so that their answers are shown and words asked for in place.
---@return table<string, fun(command: lsp.Command, ctx: table)>
function M.actions()
  local function args_of(command)
    return vim.deepcopy((command.arguments or {})[1] or {})
  end
  local function start(mode)
    return function(command, ctx)
      local args = args_of(command)
      local connection = vim.lsp.get_client_by_id(ctx.client_id)
      local function go(words)
        if words then
          args.text = words ~= '' and words or nil
          require('pairwright.turns').start(mode, args, { client = connection })
        end
      end
      if args.preset or args.text then
        return go(args.text or '')
      end
      vim.ui.input({ prompt = mode == 'ask' and 'Ask: ' or 'Edit: ' }, go)
    end
  end
  local function choose(verb)
    return function(command, ctx)
      local connection = vim.lsp.get_client_by_id(ctx.client_id)
      client.command(verb, args_of(command), function(result)
        client.say(result.message)
        require('pairwright.hunks').took(result, connection)
        require('pairwright.hunks').refresh(connection)
      end, { client = connection })
    end
  end
  return {
    ['pairwright.ask'] = start('ask'),
    ['pairwright.edit'] = start('edit'),
    ['pairwright.accept'] = choose('accept'),
    ['pairwright.reject'] = choose('reject'),
    ['pairwright.undo'] = choose('undo'),
    ['pairwright.refine'] = function(command, ctx)
      require('pairwright.choose').refine_with(args_of(command), '', ctx.client_id)
    end,
    ['pairwright.instruct'] = function(command, ctx)
      local connection = vim.lsp.get_client_by_id(ctx.client_id)
      require('pairwright.turns').start('instruct', args_of(command), { client = connection })
    end,
    ['pairwright.send'] = function(command, ctx)
      local connection = vim.lsp.get_client_by_id(ctx.client_id)
      require('pairwright.turns').start('send', args_of(command), { client = connection })
    end,
    ['pairwright.show'] = function(command)
      require('pairwright.documents').show(('pairwright:/proposal/%s.diff'):format(args_of(command).proposal))
    end,
  }
end

return M
