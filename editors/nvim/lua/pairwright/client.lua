-- The connection: how the server is started, which client a buffer has, commands to it, and edits from it.
local M = {}

local last ---@type integer? id of the client that answered last

--- The folder a buffer belongs to; nil where that would be a whole home folder.
---@param buffer integer
---@return string?
local function root_of(buffer)
  local found = vim.fs.root(buffer, require('pairwright.config').get().root_markers)
  if found then
    return found
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  local folder, cwd = vim.fs.dirname(name), assert(vim.uv.cwd())
  if vim.startswith(name, cwd .. '/') then
    folder = cwd
  end
  local home = vim.uv.os_homedir()
  return folder ~= home and folder ~= '/' and folder or nil
end

--- A request document lies in the cache folder and has no root of its own: it belongs to the running server.
local function reuse(client, config)
  if client.name ~= config.name or client:is_stopped() then
    return false
  end
  return config.root_dir == nil or config.root_dir == client.root_dir
end

--- What a request document or the plan of a task says of itself: its folder, and the task it is the plan of. Nil for
--- every other buffer.
---@param buffer integer
---@return { root: string, task?: string }?
function M.origin(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if not name:find('/requests/[^/]*%.md$') and not name:find('/tasks/[%d%-]+%-%x+%-%d+%.md$') then
    return
  end
  for _, row in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, 5, false)) do
    local found, value = pcall(vim.json.decode, row:match('^<!%-%- pairwright[%-%a]* ({.*}) %-%->') or '')
    if found and type(value) == 'table' then
      return { root = value.root, task = value.task }
    end
  end
end

---@param buffer integer
---@param on_dir fun(root?: string)
local function choose_root(buffer, on_dir)
  local name = vim.api.nvim_buf_get_name(buffer)
  -- An unnamed buffer has no URI of its own, and `scheme://` is some other plugin's.
  if name == '' or name:find('^%a[%w+.-]*://') then
    return
  end
  local own = M.origin(buffer)
  if own and M.get() then
    -- It lies in the cache folder, and belongs to the server that has its folder, else to any.
    local is_served = vim.iter(vim.lsp.get_clients({ name = 'pairwright' })):any(function(one)
      return one.root_dir == own.root
    end)
    return on_dir(is_served and own.root or nil)
  end
  on_dir(root_of(buffer))
end

--- The configuration for vim.lsp.config().
---@return vim.lsp.Config
function M.config()
  local options = require('pairwright.config').get()
  return {
    cmd = options.cmd,
    filetypes = options.filetypes,
    root_dir = choose_root,
    reuse_client = reuse,
    init_options = options.settings,
    settings = { pairwright = vim.tbl_isempty(options.settings) and vim.empty_dict() or options.settings },
    capabilities = { experimental = { pairwright = { protocol = 1 } } },
    -- What is typed is with the server soon, and at once before every request (`vim.lsp.Client:request` flushes).
    flags = { debounce_text_changes = 20 },
    handlers = M.handlers(),
    commands = require('pairwright.commands').actions(),
    on_attach = function(client, buffer)
      last = client.id
      require('pairwright.hunks').attach(client, buffer)
    end,
    on_exit = function(code, signal, id)
      vim.schedule(function()
        require('pairwright.turns').lost(id)
        require('pairwright.hunks').changed(nil, id)
        require('pairwright.task').lost(id)
        require('pairwright.status').lost(id, code, signal)
      end)
    end,
  }
end

--- `value` without its JSON nulls, which some versions of Neovim hand on as vim.NIL and others leave out.
---@generic T
---@param value T
---@return T
function M.plain(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == 'table' then
    for key, one in pairs(value) do
      value[key] = M.plain(one)
    end
  end
  return value
end

--- Handlers of what only this plugin is sent.
---@return table<string, lsp.Handler>
function M.handlers()
  local function later(module, name)
    return function(_, params, ctx)
      require('pairwright.' .. module)[name](M.plain(params), ctx.client_id)
    end
  end
  return {
    ['pairwright/chat/delta'] = later('turns', 'delta'),
    ['pairwright/turn/event'] = later('turns', 'event'),
    ['pairwright/turn/end'] = later('turns', 'ended'),
    ['pairwright/proposals/changed'] = later('hunks', 'changed'),
    ['pairwright/status'] = later('status', 'changed'),
    ['pairwright/document/changed'] = later('documents', 'changed'),
    ['pairwright/commit'] = later('status', 'committed'),
    ['pairwright/task/changed'] = later('task', 'changed'),
    ['workspace/applyEdit'] = M.apply,
  }
end

--- Why the text edits of `edit` must not be made: a document that is newer than the edit. Nothing is touched before
--- all are checked, and an edit that is not made is said to be not made.
---@param edit lsp.WorkspaceEdit
---@param client_id integer
---@return string?
function M.stale(edit, client_id)
  for _, change in ipairs(edit.documentChanges or {}) do
    local buffer = not change.kind and vim.uri_to_bufnr(change.textDocument.uri)
    if buffer and vim.lsp.buf_is_attached(buffer, client_id) then
      local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.')
      -- A buffer that was not changed since it was opened has version 0, which is sent as none. The number is
      -- changedtick at the last change of the text, also of one that is not sent yet.
      if vim.lsp.util.buf_versions[buffer] ~= (M.plain(change.textDocument.version) or 0) then
        return ('%s was changed meanwhile'):format(name)
      end
      if not vim.bo[buffer].modifiable then
        return ('%s cannot be modified'):format(name)
      end
    end
  end
end

--- workspace/applyEdit: all of an edit or nothing.
function M.apply(err, params, ctx)
  local reason = M.stale(params.edit, ctx.client_id)
  if reason then
    return { applied = false, failureReason = reason }
  end
  -- The label is printed by Neovim's own handler, where it may ask for a key; our messages say what was done.
  params.label = nil
  local answer = vim.lsp.handlers['workspace/applyEdit'](err, params, ctx)
  local connection = vim.lsp.get_client_by_id(ctx.client_id)
  if connection then
    -- Any notification takes the changes with it that wait for the end of a pause: the server is to see the text of
    -- its own edit before the user types into it. This one changes nothing.
    connection:notify('$/setTrace', { value = 'off' })
  end
  return answer
end

--- The client of a buffer, else the one used last, else any.
---@param buffer? integer default: the current one
---@return vim.lsp.Client?
function M.get(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local own = vim.lsp.get_clients({ bufnr = buffer, name = 'pairwright' })[1]
  if own then
    last = own.id
    return own
  end
  local kept = vim.b[buffer].pairwright_client or last
  local known = kept and vim.lsp.get_client_by_id(kept)
  if known and not known:is_stopped() then
    return known
  end
  return vim.lsp.get_clients({ name = 'pairwright' })[1]
end

--- Show a message of Pairwright.
---@param text string
---@param level? integer of vim.log.levels
function M.say(text, level)
  if text and text ~= '' then
    vim.notify('Pairwright: ' .. text, level or vim.log.levels.INFO)
  end
end

--- Run a command of the server. `done` gets its answer; a failure is shown, and told to `failed`.
---@param name string without `pairwright.`
---@param args table
---@param done? fun(result: table)
---@param options? { client?: vim.lsp.Client, failed?: fun(message: string), quiet?: boolean }
function M.command(name, args, done, options)
  options = options or {}
  local client = options.client or M.get()
  local function failed(message)
    if not options.quiet then
      M.say(message, vim.log.levels.ERROR)
    end
    if options.failed then
      options.failed(message)
    end
  end
  if not client then
    return failed('no server is running for this buffer; see :checkhealth pairwright')
  end
  last = client.id
  -- An empty Lua table would be sent as a list.
  local argument = vim.tbl_extend('force', { version = 1 }, args)
  local params = { command = 'pairwright.' .. name, arguments = { argument } }
  client:request('workspace/executeCommand', params, function(err, result)
    if err then
      return failed(err.message)
    end
    if done then
      done(M.plain(result) or {})
    end
  end)
end

--- The answer of a command, waited for as long as a completion may take; nil where it does not come.
---@param name string without `pairwright.`
---@param args table
---@return table?
function M.now(name, args)
  local client = M.get()
  local params = { command = 'pairwright.' .. name, arguments = { vim.tbl_extend('force', { version = 1 }, args) } }
  local answer = client and client:request_sync('workspace/executeCommand', params, 500)
  return answer and not answer.err and M.plain(answer.result) or nil
end

--- Ask the server something that is no command.
---@param method string
---@param params table
---@param done fun(result: table)
---@param client? vim.lsp.Client
function M.request(method, params, done, client)
  client = client or M.get()
  if client then
    client:request(method, params, function(err, result)
      if err then
        return M.say(err.message, vim.log.levels.ERROR)
      end
      done(M.plain(result))
    end)
  end
end

return M
