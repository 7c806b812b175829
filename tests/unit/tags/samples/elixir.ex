# Orders of a small shop.
defmodule Shop.Orders do
  @moduledoc """
  def not_code(x), do: x
  """
  use GenServer, restart: :transient
  import Ecto.Query, only: [from: 2]
  require Logger
  alias Shop.{Cart, Item}
  alias Shop.Repo, as: R

  @behaviour Shop.Storage
  @limit 10
  @type id :: integer()
  @typep pair(a) :: {a, Item.t()}
  @opaque token :: binary()
  @callback fetch(id) :: {:ok, term} | :error
  @spec total(Cart.t(), keyword) :: Money.t()

  defstruct [:id, items: [], state: :new]

  defmodule NotFound do
    defexception message: "not found"
  end

  defguard is_open(order) when order.state in [:new, :paid]
  defguardp is_mine(order) when is_open(order)

  defmacro route(path, do: block) do
    quote do
      register_route(unquote(path), fn -> unquote(block) end)
    end
  end

  defmacrop hidden, do: nil

  def total(cart, opts \\ [])
  def total(%Cart{items: []}, _opts), do: 0

  def total(%Cart{items: items}, opts) when is_list(items) do
    items
    |> Enum.map(&price/1)
    |> Enum.sort(&Cart.compare/2)
    |> sum_all
    |> round_to(opts)
  end

  defp price(%Item{} = i), do: lookup(i.id)

  def a <~> b, do: merge(a, b)
  def -a, do: negate(a)
  def unsafe! do
    raise NotFound
  end
  def ready?, do: :ets.info(:orders) != :undefined
  defdelegate size(cart), to: Cart, as: :count

  @impl GenServer
  def handle_call({:get, id}, _from, state) do
    case R.get(Item, id) do
      nil -> {:reply, :error, state}
      %Item{} = found -> {:reply, wrap(found), state}
    end
  end

  def größe(liste), do: länge(liste)
end

defprotocol Shop.Printable do
  @fallback_to_any true
  def print(term)
end

defimpl Shop.Printable, for: Shop.Orders do
  def print(r), do: IO.puts(inspect(r))
end

defmodule Shop.OrdersTest do
  use ExUnit.Case, async: true
  require Record

  Record.defrecord :user, name: "meg", age: 25

  setup :with_cart

  describe "totals" do
    test "of an empty cart", %{cart: cart} do
      assert Shop.Orders.total(cart) == 0
    end
  end
end
