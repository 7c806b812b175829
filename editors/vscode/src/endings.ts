// What becomes of the server when its process ends: started again, unless it keeps ending.

import type { CloseAction, CloseHandlerResult, ErrorAction, ErrorHandler, ErrorHandlerResult } from 'vscode-languageclient/node';

const MOST = 5;
const WITHIN = 3 * 60 * 1000;
// The values of the library's enums: this module is tested without it.
const GO_ON = 1 as ErrorAction.Continue;
const STAY = 1 as CloseAction.DoNotRestart;
const AGAIN = 2 as CloseAction.Restart;

export class Endings implements ErrorHandler {
  private readonly at: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** A write to a process that has just ended fails, and typing writes often: only the end itself counts. The library's
   * own handler gives the server up at the fourth such write. */
  error(): ErrorHandlerResult {
    return { action: GO_ON, handled: true };
  }

  closed(): CloseHandlerResult {
    const now = this.now();
    this.at.push(now);
    if (this.at.length > MOST) this.at.shift();
    if (this.at.length < MOST || now - (this.at[0] ?? now) > WITHIN) return { action: AGAIN };
    return {
      action: STAY,
      message: `Pairwright: the server ended ${MOST} times in three minutes. Command "Pairwright: Restart Server" starts it again; the log says why.`,
    };
  }
}
