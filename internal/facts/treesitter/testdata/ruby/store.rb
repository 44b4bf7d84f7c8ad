require "set"

module Library
  # A book that can be lent.
  class Book
    attr_reader :title, :copies

    def initialize(title, copies = 1)
      @title = title
      @copies = copies
      @loans = []
    end

    def lend(reader)
      raise Unavailable.new(self) if available.zero?

      loan = Loan.new(self, reader)
      @loans << loan
      loan
    end

    def available
      copies - @loans.count(&:open?)
    end
  end

  class Loan
    attr_reader :book, :reader

    def initialize(book, reader)
      @book = book
      @reader = reader
      @open = true
    end

    def open? = @open

    def close
      @open = false
      book
    end
  end

  class Unavailable < StandardError
    def initialize(book)
      super("#{book.title} is not available")
    end
  end

  class Shelf
    include Enumerable

    def self.of(*titles)
      new.tap { |shelf| titles.each { |title| shelf.add(Book.new(title)) } }
    end

    def initialize
      @books = {}
    end

    def add(book)
      @books[book.title] = book
    end

    def each(&block)
      @books.each_value(&block)
    end

    def lend(title, reader)
      book = @books.fetch(title) { return nil }
      book.lend(reader)
    end
  end
end

shelf = Library::Shelf.of("A", "B")
loan = shelf.lend("A", "me")
puts loan.close.title if loan
