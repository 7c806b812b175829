/// Orders of a small shop.
module shop.orders;

import std.stdio : writeln, File;
import shop.db;
static import std.conv;
public import money = shop.money;

alias Handler = void delegate(Order o);
alias int OldStyle;
enum limit = 10;
enum LIMIT_TWO = 11, OTHER = 3;
enum Color : ubyte { red, green = 2, blue }
enum { loose, free }
immutable string name = "class Fake {}";
__gshared int counter = 0;
Order[] cache;

struct Point(T)
{
    T x, y;
    this(T x) { this.x = x; }
    ~this() { release(x); }
    T norm() const @property { return sqrt(x * x); }
    Point opBinary(string op)(Point other) if (op == "+") { return merge(this, other); }
    static Point zero() { return Point(0); }
    unittest { assert(Point!int(1).norm == 1); }
}

interface Printable { string render(); }

abstract class Entity : Base, Printable
{
    private int id_;
    enum Max = 3;
    this(int id) { super(id); }
    override string render() const { return format("%s", id_); }
    abstract void draw();
    @property int id() { return id_; }
    alias value this;
    class Inner { void deep() {} }
    invariant { check(id_); }
}

final class Order : Entity { int total(Cart cart) @safe pure nothrow { return cart.items.map!(i => priceOf(i)).sum; } }

union Bits { int i; float f; }

template Twice(T) { alias Twice = T[2]; T make() { return T.init; } }
mixin template Logged() { void log(string m) { writeLog(m); } }

T add(T)(T a, T b) { return combine(a, b); }
auto quick(int a) => scale(a);
extern (C) int c_func(const char* s);
void größe(int[] liste) { länge(liste); }
@nogc nothrow:
pure int marked() { return 1; }

version (Windows) { void onWindows() { winCall(); } }
else { void elsewhere() {} }

static if (is(T == int)) { int conditional() { return 1; } }

void main(string[] args)
{
    int nested(int y) { return y + helper(y); }
    auto p = new Order(3);
    scope (exit) cleanup();
    foreach (i; 0 .. 10) nested(i);
    mixin Logged;
    mixin("int generated;");
    auto q = cast(Entity) p;
    writeln(q.render(), Point!int.zero());
    try { risky(); } catch (ShopException e) { report(e); }
    throw new NotFound("x");
}

unittest { assert(add(1, 2) == 3); }
