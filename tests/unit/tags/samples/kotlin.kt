@file:JvmName("Shop")
package shop.orders

import kotlin.math.max
import shop.db.Repo as Store
import shop.events.*

typealias Handler<T> = (T) -> Unit

const val MAX_ITEMS = 10
val defaultCart by lazy { Cart.empty() }
private var counter: Int = nextCounter()
val (first, second) = splitPair()
val double = { x: Int -> x * 2 }
val String.initial: Char get() = first()

annotation class Audited(val level: Int)

fun interface Matcher {
    fun accepts(n: Int): Boolean
}

sealed interface Event {
    data class Added(val item: Item) : Event
    data object Cleared : Event
}

enum class State(val code: Int) : Coded {
    NEW(1),
    DONE(2) {
        override fun label() = describe(this)
    };

    abstract fun label(): String
}

@JvmInline
value class OrderId(val raw: Long)

/** A cart. */
@Audited(level = 3)
@Serializable
open class Cart<T : Any>(private val store: Store, val items: List<T>) : Base(store), Printable {
    val total: Int get() = items.sumOf { priceOf(it) }
    var note: String = ""
        set(value) { field = value.trim() }
    private lateinit var cache: Cache<String>

    init {
        register(this)
    }

    constructor(id: OrderId) : this(Store(id), emptyList())

    inner class Line(val at: Int)

    suspend inline fun <reified R : Any> load(crossinline map: (T) -> R): R? {
        fun helper(x: Int) = x + counter
        val local = helper(3)
        return store.fetch<R>(local)?.also(::publish)
    }

    operator fun plus(other: Cart<T>) = merge(other)

    override fun toString(): String = "class Fake { fun no() }"

    companion object {
        const val VERSION = "1"
        @JvmStatic
        fun empty(): Cart<Nothing> = build { add(MAX_ITEMS) }
    }

    companion object Named
}

object Registry : Closeable {
    override fun close() = Unit
}

fun Cart<*>.describeAll(): String = items.joinToString(transform = Item::label)

infix fun Int.upTo(other: Int): IntRange = this..max(this, other)

fun `name with blanks`() {}

fun größe(x: Any) = when (x) {
    is OrderId -> x.raw
    is Event.Added -> throw NotFound()
    else -> (x as Item).weight
}

@Retention(SOURCE) @Target(CLASS) annotation class Marked

@Suppress("x") @Marked
class Last {
    fun done() = Unit
}
