package org.shop;

import java.util.List;
import static org.shop.Money.cents;
import org.other.*;

/** A shop. */
@Service(name = "shop", type = Kind.class)
public abstract class Shop<T extends Item> extends base.Store<T> implements Reader, Closer {
    static final int LIMIT = 10;
    public static final List<String> NAMES = List.of();
    final static int Least = 1;
    @Inject private Clock clock;

    public Shop(Clock clock) {
        super(clock);
        this.clock = new SystemClock<>();
    }

    @Override
    public T find(List<? extends Key> keys) throws NotFound {
        Map.Entry<Key, T> entry = index.get(keys).first();
        Runnable task = () -> audit(entry);
        return Mapper.map(entry, Result::of, this::local, Limits.MAX);
    }

    protected abstract void local();

    enum State { OPEN, CLOSED { void shut() { bolt(); } }; int code; }

    record Point(int x, Unit unit) { Point { check(x); } }

    @interface Marked { int value() default 1; }

    interface Visitor<R> { R visit(Node node); default void done() {} }
}
