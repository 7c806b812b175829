// Tokens and money of the requests seen by this view.

import type { TurnEvent } from '../src/wire';

export class Cost {
  private model = '';
  private prompt = 0;
  private completion = 0;
  private cost = 0;
  private unpriced = false;

  take(event: TurnEvent): void {
    if (event.kind === 'started') this.model = String(event['model'] ?? '');
    if (event.kind !== 'usage') return;
    this.prompt += Number(event['prompt'] ?? 0);
    this.completion += Number(event['completion'] ?? 0);
    if (typeof event['cost'] === 'number') this.cost += event['cost'];
    else this.unpriced = true;
  }

  /** As `model · 1,234 + 56 tokens · $0.0123`. */
  words(): string {
    const count = (value: number): string => value.toLocaleString('en-US');
    const parts = [this.model];
    if (this.prompt + this.completion > 0) parts.push(`${count(this.prompt)} + ${count(this.completion)} tokens`);
    if (this.cost > 0) parts.push(`$${this.cost.toFixed(4)}${this.unpriced ? ' and unpriced ones' : ''}`);
    return parts.filter((part) => part !== '').join(' · ');
  }
}
