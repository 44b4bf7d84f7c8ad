@file:JvmName("Shapes")
package shapes.model

import other.Foo
import other.Bar as Baz
import other.Outer.Companion.made
import other.helpers.*

/** A type alias. */
typealias Index<K> = Map<K, Shape>

const val LIMIT = 10
private val cache: MutableMap<String, Shape> = mutableMapOf()
var counter = 0
    private set

/** Doc of the interface. */
interface Shape : Comparable<Shape> {
    val area: Double
    fun name(): String
    fun describe() = "shape ${name()} of $area"
}

@Deprecated("use Disc", level = DeprecationLevel.WARNING)
internal data class Circle<T : Any>(
    val radius: Double,
    private var label: String = "circle",
    owner: T,
) : Base<T>(label), Shape by delegate, Named {
    constructor(radius: Int) : this(radius.toDouble(), "x", Foo()) {
        register(this)
    }

    init {
        require(radius > 0) { "bad $radius for ${owner.name}" }
    }

    lateinit var late: Foo
    val lazily by lazy { Foo() }
    override val area: Double get() = radius * radius
    var title: String = "a"
        set(value) {
            field = value.trim()
        }

    override fun name(): String = label

    operator fun plus(other: Circle<T>) = copy(radius = radius + other.radius)

    suspend fun <R> List<R>.visit(a: Int, vararg rest: String, f: (R) -> Unit, g: Foo.() -> Unit = {}): R? {
        forEach { f(it) }
        return firstOrNull()
    }

    inner class Part(val at: Int) {
        fun whole() = this@Circle.radius
    }

    companion object Factory : Maker {
        const val MAX = 1

        @JvmStatic
        fun make(): Circle<Foo> = Circle(1.0, owner = Foo())
    }
}

enum class Color(val rgb: Int) {
    RED(1) {
        override fun mix(o: Color) = o
    },
    GREEN(2);

    abstract fun mix(o: Color): Color
}

object Registry : Base<Foo>("registry") {
    val all = mutableListOf<Shape>()
    fun add(s: Shape) {
        all += s
    }
}

fun interface Visitor {
    fun visit(s: Shape): Boolean
}

sealed class Result {
    data class Ok(val value: Shape) : Result()
    object None : Result()
}

val String.shout: String get() = this.uppercase()
fun <T> first(list: List<T>): T where T : Shape = list.first()

fun Shape?.orEmpty(): Shape = this ?: Registry.all.first()

fun main(args: Array<String>) {
    val (first, second) = args.toPair()
    val circle = Circle(2.0, label = "c", owner = Foo())
    circle.radius.toInt()
    circle.late?.run(1) { it.bar }
    circle.apply { title = "z"; name() }.also { it.area }
    val named = circle.let { c -> c.name() }
    with(circle) { println(title) }
    Registry.all.map { s -> s.area }.filter { a -> a > 1 }.forEach(::println)
    for ((i, shape) in Registry.all.withIndex()) shape.name()
    for (s: Shape in Registry.all) s.area
    when (val r = find()) {
        is Result.Ok -> r.value
        Result.None, null -> null
        in listOf() -> first
        !is Foo -> second
        else -> r as Baz
    }
    when {
        circle is Shape && circle.area > 1 -> circle.name()
        else -> circle
    }
    val x: Any = circle
    if (x is Circle<*> && x.radius > 1) x.area else x.hashCode()
    if (x !is Foo) return
    x.bar()
    try {
        x.bar()
    } catch (e: IOException) {
        e.message
    } finally {
        counter++
    }
    circle.title = "b"
    cache["a"] = circle
    val f = fun(n: Int): Int { return n }
    f(1)
    val o = object : Shape, Visitor {
        override val area = 1.0
        override fun name() = named
        override fun visit(s: Shape) = s.area == area
    }
    Circle::class.java
    circle::name
    Circle.make() + Circle.Factory.make()
    circle to Circle.MAX
    "a $circle and ${circle.area} ${made()}".shout
    val g: (Int) -> String = { "$it" }
    listOf<Foo>().map { (a, b) -> a }
    fun local(n: Int = 1): Int = if (n > 1) local(n - 1) else n
    outer@ while (true) { if (local() > 1) break@outer else continue@outer }
    do { counter-- } while (counter > 0 || first == null)
    throw IllegalStateException("`quoted` $first")
}

fun `quoted name`() = `quoted name`()

enum class Turn { LEFT { override fun by() = -1 }, RIGHT { override fun by() = 1 }; abstract fun by(): Int }

class Tight(val turn: Turn) { lateinit var name: String }

class Loose : Any() { override fun toString() = "loose" }

fun turned(open: Int): Int {
    val in1 = Tight(Turn.LEFT)
    in1.turn.by()
    return in1.turn.by() + open
}

class Apart
@Inject
private constructor(val rank: Int) {
    @Value($$"${a.b:}")
    private lateinit var filled: String

    val level: Int
        @Suppress("x")
        get() = rank

    context(bag: Bag)
    fun guarded(shape: Any) = when (shape) {
        is Apart if shape.rank > level -> shape.level
        else -> 0
    }
}

context(Bag)
fun <T> bagged(a: context(Bag, T) (Int) -> T, b: suspend context(Bag) () -> T) = made(size)

context(bag: Bag, _: Foo)
val Apart.taken: Int get() = bag.size

open class Given(first: Int, val kept: Int = first + 1) : Base<Int>(first) {
    val twice = first * 2
    val later by lazy { first }

    init {
        register(first)
    }

    fun again() = first + kept

    fun Shape.unlike(other: Any, pair: Tight?) = when (this) {
        is Circle<*> -> radius + this.radius
        else -> if (other is Tight && other.turn is Turn && pair?.turn is Turn) other.turn.by() else this@unlike.area
    }

    fun widest(): Int {
        if (this !is Loose) return 0
        return Foo().Baz(late).let { this@Given.kept + it.run { this@run.width } }
    }
}
