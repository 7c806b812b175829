import React, { memo, useState as state } from "react";
import * as ns from "./ns";
export { helper, other as renamed } from "./helper";

const LIMIT = 3, STEP = 1;
let counter;
var legacy = function () { return counter; }, later = () => 2;

export const Panel = memo(forwardRef(({ title }, ref) => (
  <section className="x">
    <Header title={title} onClick={() => save(title)} />
    <Layout.Row>{items.map(render)}</Layout.Row>
  </section>
)));

export function usePanel(id) {
  const local = 1;
  const [s, set] = state(() => load(id));
  const inner = () => set(local);
  return { s, reset: () => inner(), stop() { halt(); } };
}

function* walk(tree) { yield* walk(tree.left); }
export async function main() { await ns.run(new Engine(), new ns.Wheel()); }

export class Board extends React.Component {
  #size = 1;
  handle = (e) => this.#grow(e);
  static of() { return new Board(); }
  #grow() { return e instanceof Event; }
  get width() { return LIMIT; }
  render() { return <Footer />; }
}

export default class extends Board {}
const Local = class { go() {} };
module.exports.build = function () { return tag`a`; };
exports.clean = () => rm?.all?.();
Board.prototype.paint = function () {};

describe('Cart', () => {
  it("adds an item", async function () {
    expect(add(cart, item)).toBe(1)
  }, 1000)
})
app.get('/carts/:id', function (request, response) {
  response.send(cart)
})
readFile('cart.json', data => parse(data))
