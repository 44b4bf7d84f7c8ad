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
