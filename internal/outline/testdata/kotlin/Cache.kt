package com.acme.cache

import kotlin.math.max

/* fun notThis() {} /* nested */ class Nope */
const val LIMIT = 10
val shared: Cache<String> by lazy { Cache() }
typealias Loader<T> = suspend (String) -> T

@Serializable
data class Entry<T>(val key: String, val value: T)

sealed interface Result

enum class Level(val n: Int) {
    LOW(1), HIGH(2);

    fun next(): Level = HIGH
}

open class Cache<T>(
    private val size: Int = 3,
) : Base(), Closeable {
    private val map = mutableMapOf<String, T>()

    init {
        require(size > 0) { "bad" }
    }

    override suspend fun get(key: String): T? {
        val local = 1
        fun helper(x: Int) = x
        return map[key]
    }

    companion object {
        @JvmStatic
        fun <K> create(): Cache<K> = Cache()
    }

    inner class Cursor
}

fun <T : Any> List<Map<String, T>>.firstOf(key: String): T? = null
fun String?.orDash() = this ?: "-"
val String.half: Int get() = length / 2

object Registry {
    val text = """
        fun fake() { "
    """
}

fun interface Action { fun run() }
