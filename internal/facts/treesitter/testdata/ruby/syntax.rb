# frozen_string_literal: true

require "json"
require_relative "shape"
require_relative "../lib/other"

# Doc of the module.
module Shapes
  LIMIT = 10
  Point = Struct.new(:x, :y) do
    def norm = x + y
  end
  Size = Data.define(:width)
  Odd = Class.new(StandardError)

  # Doc of the class.
  class Circle::Small < ::Shapes::Base
    include Comparable, Named
    extend Finder
    attr_reader :radius, :name
    attr_accessor "label"
    attr_writer :secret
    mattr_accessor :registry
    delegate :area, to: :shape
    belongs_to :owner
    scope :big, -> { where(size: LIMIT) }
    before_action :check, only: [:show], if: -> { ready? }
    validate :check
    define_method(:dynamic) { |a, (b, c), d: 1| a + b + radius }
    alias_method :old_area, :area
    alias old new_area
    @@count = 0
    $shapes ||= []

    class << self
      def make(a, b = 1, *rest, key:, other: 2, **opts, &block)
        new(a, b, key: key).tap { |made| made.label = other }
      end

      private

      def secretly; make(1, key: 2); end
    end

    def self.load(path) = JSON.parse(File.read(path))

    def Finder.lookup; end

    def initialize(radius, label: nil)
      @radius, @label = radius, label
      @owner ||= Owner.new
      @@count += 1
    end

    def label=(text)
      @label = text
    end

    def area
      return 0 if radius.nil?

      total = radius * LIMIT
      total += helper(1, scale: 2) { |x| x }
      total unless empty? && !ready?
    end

    def walk(list)
      for item in list do item.area end
      list.each_with_index do |shape, i; local|
        shape.area
        local = i
        break if local > 1
      end
      list.map(&:area).reduce(0) { _1 + it }
      list[0].area
      first, (second, *others) = list
      first&.area(*others, **{})
      owner.name = second
      self.label = second
      self.class.make(1, key: 3)
      send(:area)
      owner.public_send(:name, 1)
      method(:walk)
      ->(x, y = 2) { x.area }.call(1)
    end

    def match(value)
      case value
      when String, Numeric then value.size
      else value
      end
      case value
      in { name: String => named, age: } if named
        named + age
      in [Integer, *tail] | nil
        tail
      in Point(x:)
        x
      end
      value => { key: }
      value in [a]
      key
    rescue KeyError, Shapes::Odd => e
      e.message
      raise Odd, "no #{e.message} here" unless e
    else
      1
    ensure
      done
    end

    private def hidden?; yield 1; super; end

    private

    def check!
      while true do next end
      <<~TEXT
        text with #{radius} and #{owner.name}
      TEXT
    end

    undef check!
  end
end

refine String do
  def shout = upcase
end

def helper(text)
  puts text
  text.shout
end

describe Shapes::Circle do
  let(:circle) { Shapes::Circle.new }
  it("has an area") { expect(circle.area).to eq(helper("a")) }
end

module Given
  def self.included(base)
    base.extend Defaults
    config.chain.prepend Load
  end
end

{ a: 1, "b": 2, :c => 3, helper: }
%w[a b].each(&:upcase)
%i[a b]
BEGIN { puts 1 }
# The keyword super, and what is mixed in from elsewhere.
module Above
  class Upper < Shapes::Small
    prepend Named
    class << self
      include Kept
      def build(*args, **keys, &block)
        super { |made| made.radius }
      end
    end

    def area(scale, unit: "cm")
      wider = super(scale, unit: unit) do |n|
        n + super
      end
      super.to_s + wider + [super()].first
    end
    define_method(:outline) { |a| super(a) }
    [:top, :left].each { |side| define_method(side) { super() } }

    def loose
      other = Object.new
      def other.area = super
    end
  end
end
Shapes::Small.include(Above::Named, Kept)
Shapes.singleton_class.prepend Above
::Shapes.send(:extend, Above)
list.include(Shapes)

# Types as Sorbet writes them.
class Typed
  sig { returns(T::Array[Shapes::Small]) }
  attr_reader :all
  sig(:final) do
    override.params(a: Shapes::Small, b: T.nilable(T.any(Shapes, Kept)), c: T::Hash[Symbol, Kept], d: T.proc.params(x: Kept).void).returns(T::Boolean)
  end
  def self.check(a, b = nil, c: {}, &d)
    e = T.let(a, T.nilable(Kept))
    T.must(e).run
  end
  sig { void }
  def none; end
  sig
end
__END__
not code
