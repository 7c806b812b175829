/**
 * class Fake
 */
import javascript
import semmle.code.java.dataflow.TaintTracking as Taint
private import codeql.util.Option

module Config implements DataFlow::ConfigSig {
  predicate isSource(DataFlow::Node n) { isUser(n) }
}
module Flow = TaintTracking::Global<Config>;
signature module InputSig { predicate bar(int x); }
newtype TCart = TEmpty() or TItem(int n) { n in [1 .. 10] }
class Cart extends TCart, Base instanceof Other {
  int total;
  Cart() { this = TEmpty() and exists(total) }
  string toString() { result = "class Fake2" }
  abstract predicate isBig();
  final override int size(int x) {
    exists(Item i | i = this.getItem(x) | result = i.price().(Money).value())
    or result = count(Item j | valid(j))
    or result = super.size(x)
  }
}
abstract class Item extends Expr { }
class Alias = Item;
predicate valid(Item i) { i.isBig() and not bad(i) }
int add(int a, int b) { result = a + b }
predicate alias = valid/1;
cached private string name() { result = strictconcat(string s | s = helper()) }
pragma[noinline] predicate slow() { any() }
from Cart c, Item i
where c.isBig() and valid(i) and i instanceof Alias
select c, "message" + add(1, 2)
