// Models that the editor lends to the server: which one is meant, and what its failures are. Pure: knows no editor.

/** A model as `vscode.lm` describes it. */
export interface Offered {
  vendor: string;
  id: string;
  family: string;
  name: string;
  maxInputTokens: number;
}

export interface Piece {
  role: 'user' | 'assistant';
  content: string;
}

/** `pairwright/model/stream`. */
export interface Wanted {
  id: string;
  model: string;
  messages: Piece[];
  maxTokens: number;
}

export type Ended = { finish: 'stop' } | { error: { kind?: string; message: string } };

/** What a model is called in `pairwright.model.name`, behind `client/`. Ids may hold slashes, vendors do not. */
export function called(model: Offered): string {
  return `${model.vendor}/${model.id}`;
}

/** The model of that name: as `called` says it, else by its id or family alone. Without a name Copilot's first, else the
 * first of all. */
export function meant<T extends Offered>(models: readonly T[], name: string): T | undefined {
  if (name === '') return models.find(({ vendor }) => vendor === 'copilot') ?? models[0];
  return (
    models.find((one) => called(one) === name) ??
    models.find((one) => `${one.vendor}/${one.family}` === name) ??
    models.find((one) => one.id === name || one.family === name)
  );
}

const KINDS: Record<string, string> = { NoPermissions: 'auth', NotFound: 'refused', Blocked: 'rate' };

/** A failure of `vscode.lm` as the server takes it; one of no known kind is read by the server. */
export function failed(error: unknown): Ended {
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: { message?: unknown } };
  const words = [message, cause?.message].filter((one) => typeof one === 'string' && one !== '');
  const kind = typeof code === 'string' ? (KINDS[code] ?? (/quota|rate/i.test(code) ? 'rate' : undefined)) : undefined;
  return { error: { ...(kind ? { kind } : {}), message: words.join(': ') || String(error) } };
}
