defmodule MyApp.Accounts.User do
  @moduledoc "Users of MyApp."
  use Ecto.Schema, with: Other
  alias MyApp.{Repo, Mailer}
  alias MyApp.Other.Thing, as: T
  alias MyApp.Long
  import Ecto.Query, only: [from: 2]
  require Logger
  @behaviour MyApp.Store

  @limit 10
  @other @limit + 1
  @type t :: %__MODULE__{name: String.t(), long: Long.t()}
  @typep pair(a) :: {a, t}
  defstruct [:id, name: nil, age: @limit]

  @doc "Finds one."
  @spec get(integer, keyword) :: t | nil
  def get(id, opts \\ [])
  def get(id, opts) when is_integer(id) and id > @limit, do: Repo.get(T, id, opts)

  def get(%{id: id} = user, _opts) do
    user |> T.update(id) |> Enum.map(&do_it/1) |> local()
    Enum.each([1], fn {k, v} -> IO.puts("#{k} #{v + @limit} #{id}") end)
    case user do
      %__MODULE__{name: n} when n != nil -> n
      ^id -> id
      [head | tail] -> {head, tail}
      _ -> nil
    end
    x = get(1)
    x = get(x, [])
    x.name
  end

  # Comment of it.
  defp do_it(a), do: a
  defp local(list), do: Enum.map(list, &Long.Deep.run/1)
  defp local, do: local([])
  defmacro twice(q) do
    quote do
      unquote(q)
    end
  end
  defguard is_big(n) when n > 10

  @impl true
  def save(%User{} = user, %T{age: age}) do
    with {:ok, a} <- get(user.id), b = do_it(a) do
      if is_big(b) && age, do: local, else: twice(a)
    end
    for i <- [1, 2], do: __MODULE__.get(i)
    Mailer.send(&(&1 + 1), key: do_it(1))
    user.name
    __MODULE__.Inner.go()
    Inner.go()
  end

  defmodule Inner do
    def go, do: Logger.info("User.get")
  end

  defimpl String.Chars, for: MyApp.Accounts.User do
    def to_string(u), do: u.name
  end
end

defprotocol MyApp.Size do
  @doc "The size."
  @callback max(t) :: integer
  def size(data)
end
