// An extension that lends one model to others, as GitHub Copilot does: it says what `lender.say` gave it, in pieces.
const vscode = require('vscode');

const MODEL = { id: 'parrot', name: 'Parrot', family: 'parrot', version: '1', maxInputTokens: 30000, maxOutputTokens: 4000, capabilities: {} };
const asked = [];
let next = { text: '', delay: 0, fail: '' };

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('lender', {
      provideLanguageModelChatInformation: () => [MODEL],
      provideTokenCount: async (model, text) => String(text).length,
      provideLanguageModelChatResponse: async (model, messages, options, progress, token) => {
        const one = { model: model.id, cancelled: false, messages: messages.map((message) => ({
          role: message.role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
          text: message.content.map((part) => part.value ?? '').join(''),
        })) };
        asked.push(one);
        token.onCancellationRequested(() => (one.cancelled = true));
        if (next.fail) throw new Error(next.fail);
        for (let at = 0; at < next.text.length && !token.isCancellationRequested; at += 9) {
          progress.report(new vscode.LanguageModelTextPart(next.text.slice(at, at + 9)));
          if (next.delay) await new Promise((done) => setTimeout(done, next.delay));
        }
      },
    }),
    vscode.commands.registerCommand('lender.say', (said) => (next = { text: '', delay: 0, fail: '', ...said })),
    vscode.commands.registerCommand('lender.asked', () => asked),
  );
};
