package store

import java.time.Instant

/** A book that can be lent. */
class Book(val title: String, private var copies: Int = 1) {
    private val loans = mutableListOf<Loan>()

    val available: Int
        get() = copies - loans.count { it.isOpen }

    fun lend(reader: String): Loan {
        if (available == 0) throw Unavailable(this)
        val loan = Loan(this, reader, Instant.now())
        loans.add(loan)
        return loan
    }
}

data class Loan(val book: Book, val reader: String, val since: Instant) {
    var isOpen = true
        private set

    fun close(): Book {
        isOpen = false
        return book
    }
}

class Unavailable(book: Book) : RuntimeException("${book.title} is not available")

class Shelf : Iterable<Book> {
    private val books = linkedMapOf<String, Book>()

    fun add(book: Book): Shelf {
        books[book.title] = book
        return this
    }

    override fun iterator(): Iterator<Book> = books.values.iterator()

    fun lend(title: String, reader: String): Loan? = books[title]?.lend(reader)

    companion object {
        fun of(vararg titles: String): Shelf =
            Shelf().apply { titles.forEach { add(Book(it)) } }
    }
}

fun Shelf.titles(): List<String> = map { it.title }

fun main() {
    val shelf = Shelf.of("A", "B")
    val loan = shelf.lend("A", "me") ?: return
    println(loan.close().title)
    println(shelf.titles().joinToString())
}
