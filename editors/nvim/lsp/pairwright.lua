-- What vim.lsp.enable('pairwright') starts; vim.lsp.config('pairwright', ...) changes it as for any server.
return require('pairwright.client').config()
