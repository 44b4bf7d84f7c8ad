# class NotThis
=begin
def nor_this
end
=end
require 'set'

module Shop
  LIMIT = 10
  Point = Struct.new(:x, :y)

  class Order < ApplicationRecord
    attr_reader :items

    def initialize(items)
      @items = items
    end

    def self.build(*args)
      new(args)
    end

    def empty? = items.empty?

    def name=(value)
      @name = value =~ /["']/ ? 'it' : "x"
    end

    def save!
      sql = <<~SQL
        def fake
      SQL
      words = %w[class def end]
      sql << "text"
    end

    private def secret; end

    alias_method :size, :count
    define_method(:dynamic) { }

    class << self
      def shared; end
    end
  end

  class Error < StandardError; end
end

def top_level
  puts "unfinished #{1 + 2}"
end

class Shop::Refund
end
__END__
def in_data
end
