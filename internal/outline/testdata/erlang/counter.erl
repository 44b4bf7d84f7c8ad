%% @doc A counter.
-module(counter).
-behaviour(gen_server).
-export([start_link/0, add/2]).

-record(state, {count = 0 :: integer(), name = "f(X) ->"}).
-define(LIMIT, 100).
-type mode() :: up | down.
-opaque handle() :: pid().
-callback changed(integer()) -> ok.

start_link() ->
    gen_server:start_link(?MODULE, [], []).

%% ignored(X) ->
add(0, S) -> S;
add(N, S) when N > 0 ->
    Quote = $",
    add(N - 1, S);
add(_, S) ->
    S.

'quoted name'(X) ->
    X.

handle_call({add, N}, _From, State) ->
    {reply,
     ok,
     State}.

%% Of one name, with more arguments.
find(Key) ->
    find(Key, []). %% see 100 % of it
find(Key, Default) when is_atom(Key) ->
    Default;
%% A clause of the same one.

find(Key, _) ->
    io:format("~p%.", [Key]);
find(_, _) ->
    ok. % done

-spec find(atom(), list(), list()) -> ok.
find(_, _, _) ->
    ok.

twice(X) -> add(X, X).

odd("(", [$) | Rest]) when Rest =/= [] -> twice(Rest).

io:format("~p~n", [twice(2)]).
twice(lists:map(fun(X) -> odd(X, []) end, [])).
