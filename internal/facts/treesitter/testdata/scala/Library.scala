package store

import java.time.Instant

/** A book that can be lent. */
case class Book(title: String, private var copies: Int = 1) {
  private val loans = scala.collection.mutable.ListBuffer.empty[Loan]

  def available: Int = copies - loans.count(_.isOpen)

  /** Lends the book. */
  def lend(reader: String): Loan = {
    if (available == 0) throw new Unavailable(this)
    val loan = Loan(this, reader, Instant.now())
    loans += loan
    loan
  }
}

case class Loan(book: Book, reader: String, since: Instant) {
  var isOpen = true
  private[store] def close(): Book = { isOpen = false; book }
}

class Unavailable(book: Book) extends RuntimeException(s"${book.title} is not available")

class Shelf private (books: Map[String, Book]) extends Iterable[Book] {
  def add(book: Book): Shelf = new Shelf(books + (book.title -> book))
  override def iterator: Iterator[Book] = books.values.iterator
  def lend(title: String, reader: String): Option[Loan] = books.get(title).map(b => b.lend(reader))
}

object Shelf {
  val Empty = new Shelf(Map.empty)
  def of(titles: String*): Shelf = titles.map(Book(_)).foldLeft(Empty)((shelf, book) => shelf.add(book))
}

object Main extends App {
  val shelf = Shelf.of("A", "B")
  for (loan <- shelf.lend("A", "me")) println(loan.close().title)
}
