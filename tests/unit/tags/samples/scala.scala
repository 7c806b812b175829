// class Fake
package shop.cart

import scala.collection.mutable
import shop.models.{Item, Money => Cash}
import shop.util.*
import cats.syntax.all._

/* object Fake2 /* nested */ */
type Id = Long
val TopLimit = 10
def topLevel(x: Int): Int = helper(x)

sealed trait Priced[+A] extends HasName with Serializable {
  type Out <: Base
  val currency: String
  def price(qty: Int): Money
  def note(msg: String): Unit = log(msg)
}

abstract class Base(val id: Int)

@deprecated("x", "1.0")
case class Cart[F[_]: Monad](items: List[Item], private val total: Money)(implicit ec: ExecutionContext)
    extends Base(1) with Priced[Cart[F]] {
  private[this] var count: Int = 0
  lazy val sum = items.map(_.price).sum
  val (first, second) = split(items)
  def this() = this(Nil, Money.zero)
  @tailrec
  final def add(item: Item)(using ctx: Context): Cart[F] = {
    val local = item
    def inner(n: Int): Int = double(n)
    count += inner(1)
    val f = (x: Int) => lambda(x)
    item match {
      case Special(x, _) => register(x)
      case other: Other => other.handle("class Fake3")
      case _ => new Listener { override def fire(): Unit = go() }
    }
    for { i <- items; j = price(i) } yield j
    copy(items = item :: items) combine this
  }
  def +(other: Cart[F]): Cart[F] = merge(other)
  def unary_! : Boolean = isEmpty
  def `type`: String = s"cart ${describe(this)}"
  def größe: Int = items.size
}

object Cart extends Factory[Cart] {
  val Max = 10
  implicit val ordering: Ordering[Cart] = Ordering.by(_.total)
  def apply(): Cart = new Cart(Nil, Money.zero)
  implicit class Rich(val c: Cart) extends AnyVal { def twice = c + c }
  object Inner
}

case object Empty extends Priced[Nothing]

enum Color(val rgb: Int) derives Eq:
  case Red extends Color(1)
  case Green, Blue
  def mix(o: Color): Color = blend(this, o)

given Ordering[Item] with
  def compare(a: Item, b: Item): Int = cmp(a, b)
given intOrd: Ord[Int] = makeOrd()

extension (c: Cart)
  def doubled: Cart = c.add(c.head)

opaque type Token = String

@main def run(args: String*): Unit =
  println(topLevel(3))
  val x = if check then one else two

package object util { def helper2 = 1 }
