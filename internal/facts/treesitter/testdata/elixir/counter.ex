defmodule Counter do
  use GenServer

  def start_link(initial), do: GenServer.start_link(__MODULE__, initial)
  def add(pid, n \\ 1), do: GenServer.call(pid, {:add, n})

  @impl true
  def init(count), do: {:ok, count}

  @impl true
  def handle_call({:add, n}, _from, count) do
    total = sum(count, n)
    {:reply, total, total}
  end

  defp sum(a, b), do: a + b
end
