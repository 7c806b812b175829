module Shop.Orders exposing (Model, Msg(..), view)

{-| Orders of a small shop.

    fake x = 1
-}

import Browser
import Dict exposing (Dict, get)
import Html.Attributes as Attr exposing (class)
import Json.Decode as Decode

port save : String -> Cmd msg
port loaded : (String -> msg) -> Sub msg

type alias Model =
    { items : List Item
    , total : Float
    }

type Msg
    = Add Item
    | Remove Int
    | Clear

type Tree a = Leaf | Node (Tree a) a (Tree a)

type alias Pair a b = ( a, b )

limit : Int
limit =
    10

{- fake y = 2 -}
init : Flags -> ( Model, Cmd Msg )
init flags =
    ( emptyModel flags, Cmd.none )

update : Msg -> Model -> ( Model, Cmd Msg )
update msg model =
    case msg of
        Add item ->
            let
                inner x =
                    priceOf x

                local =
                    inner item
            in
            ( { model | total = local }, saveAll model )

        Remove id ->
            ( removeItem id model, Cmd.none )

        Clear ->
            init defaultFlags

view model =
    Html.div [ Attr.class "x", onClick Clear ]
        [ text <| String.fromInt model.total
        , model.items |> List.map viewItem |> ul []
        ]

größe xs = List.map länge xs

decoder : Decode.Decoder Item
decoder =
    Decode.map2 Item
        (Decode.field "id" Decode.int)
        itemDecoder

main =
    Browser.element { init = init, view = view }
