import type { Options } from "./options";
import legacy = require("legacy");
import Base, { mixin } from "./base";

export interface Repo<T extends Entity> extends Reader<T>, Closer {
  find(id: Key): Promise<T | undefined>;
  onChange: (item: T) => void;
  size: number;
}
export type Handler = (event: Events[keyof Events]) => Result;
export enum Color { Red, Green = "g" }
export const enum Flag { A = 1 }
declare module "plugin" { export function install(host: Host): void; }
namespace Outer.Inner { export const depth = 1; export function go() {} }
declare const VERSION: string;
declare function external(a: number): string;

export abstract class Shape<T> {
  abstract area(unit: Unit): number;
  protected constructor(private readonly store: Store<T>) {}
}

@Component({ selector: "app", providers: [Service] })
export class App extends Shape<Item> implements OnInit, api.Closable {
  @Input() name: Label = new Label();
  private handle = async (e: MouseEvent) => this.emit(e);
  static #count = 0;
  @HostListener("click")
  onClick<K>(this: App, key: K): asserts key is Known {
    super.area(legacy.unit());
    return this.store!.put(<Wrapped>key, defaults as Options);
  }
  get title(): string { return format(this.name); }
}

export function over(a: string): void;
export function over(a: unknown) { run<Task>(a); }
export const pick = <T,>(list: T[]): T => first(list);
const table: Record<string, typeof pick> = { pick };
export default over;
