// The names of the editor's API that the units under test use, over plain values that a test sets.

interface Model {
  vendor: string;
  id: string;
  family: string;
  name: string;
  maxInputTokens: number;
  sendRequest(messages: unknown[], options: unknown, token: unknown): Promise<{ text: AsyncIterable<string> }>;
}

/** `inputs`: what the user types, in order, undefined for Escape; `questions`: what was asked. */
export const user = { models: [] as Model[], inputs: [] as (string | undefined)[], questions: [] as string[] };

export const lm = { selectChatModels: (): Promise<Model[]> => Promise.resolve(user.models) };

export const LanguageModelChatMessage = {
  User: (content: string) => ({ role: 'user', content }),
  Assistant: (content: string) => ({ role: 'assistant', content }),
};

export const LanguageModelError = {
  NotFound: (message: string) => Object.assign(new Error(message), { code: 'NotFound' }),
};

export const window = {
  showInputBox({ prompt }: { prompt: string }): Promise<string | undefined> {
    user.questions.push(prompt);
    return Promise.resolve(user.inputs.shift());
  },
};

export const workspace = { getConfiguration: () => ({ get: (_name: string, otherwise: unknown): unknown => otherwise }) };
