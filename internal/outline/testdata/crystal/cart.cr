# def commented
module Shop
  VERSION = "1.0"

  annotation Priced
  end

  abstract struct Item
    abstract def price : Int32

    def free? : Bool
      price == 0
    end
  end

  enum Kind
    Food
    Toy
  end

  private class Cart(T)
    getter items = [] of T
    DEFAULT = {name: "class Written"}

    def initialize(@items)
    end

    protected def add(item : T)
      'd'
    end

    def self.open(&)
      yield
    end
  end

  macro priced(name)
    def {{name}}; end
  end

  lib LibC
    fun getpid : Int32
  end

  alias Items = Array(Item)
end
