%% A small server.
-module(srv).
-behaviour(gen_server).
-export([start/0, handle/2]).
-export_type([id/0]).
-import(lists, [map/2, foldl/3]).
-include("srv.hrl").
-include_lib("kernel/include/logger.hrl").
-compile({parse_transform, lager_transform}).

-define(LIMIT, 10).
-define(LOG(X), logger:info(X)).
-define(empty, undefined).
-record(state, {count = 0 :: integer(), items = [] :: [item()], name}).
-record('odd name', {x}).
-type id() :: integer() | 'fake()'.
-opaque item(T) :: {item, T, id()}.
-callback init(Args :: term()) -> {ok, #state{}}.
-spec start() -> ok.
-deprecated({old, 1}).
-author("nobody").

-ifdef(TEST).
-include("test.hrl").
-endif.

start() -> spawn_link(fun loop/1).

-spec handle(term(), #state{}) -> #state{}.
handle(stop, S) -> {stop, S};
handle(Msg, #state{count = C} = S) when C < ?LIMIT, is_record(S, state) ->
    ?LOG(Msg),
    process(Msg, S#state{count = bump(C)});
handle(_, S) ->
    ets:insert(?MODULE, S#state.items),
    "fake() -> ok.".

loop(S) ->
    receive
        M -> loop(handle(M, S))
    after ?TIMEOUT ->
        exit(timeout)
    end.

bump(N) -> N + 1.

'quoted fun'(X) -> X.

größe(X) ->
    F = fun(Y) -> scale(Y) end,
    G = fun lists:reverse/1,
    try F(G(X)) of
        Ok -> Ok
    catch
        error:Reason:Stack -> report(Reason, Stack)
    end.

pipeline(L) ->
    [map(fun bump/1, X) || X <- L, keep(X)].

later() ->
    Mod = srv_backend,
    Mod:run(),
    ?MODULE:start(),
    apply(srv_other, call_it, [1]),
    case maps:get(key, #{key => value_of()}) of
        undefined -> begin throw(badarg) end;
        _ -> ok
    end.
