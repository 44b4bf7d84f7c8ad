defmodule Shop.Cart do
  @moduledoc """
  A cart.

      def not_this(x), do: x
  """
  use GenServer

  @type t :: %__MODULE__{items: list}
  @typep id :: integer
  @callback total(t) :: integer

  defstruct items: []

  @doc "Adds."
  @spec add(t, term) :: t
  def add(cart, item) do
    %{cart | items: [item | cart.items]}
  end

  def empty?(%{items: []}), do: true
  def empty?(_), do: false

  def save!(cart), do: ~s(def fake do "quoted" end)

  # def commented(x), do: x
  defp price(%{price: p}) when p > 0, do: p

  defmacro with_cart(do: block) do
    quote do: unquote(block)
  end

  defguard is_cart(x) when is_map(x)
  defdelegate size(cart), to: Enum, as: :count
end

defprotocol Shop.Priced do
  def price(item)
end

defimpl Shop.Priced, for: Shop.Cart do
  def price(cart), do: 0
end
