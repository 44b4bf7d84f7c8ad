port module Main exposing (Model, main)

{-| Counts.
type Commented = A
-}

import Html exposing (Html)


type alias Model =
    { count : Int }


type Msg
    = Increment
    | Decrement


port save : String -> Cmd msg


main : Program () Model Msg
main =
    Browser.sandbox { init = init, update = update, view = view }


init =
    { count = 0 }


update : Msg -> Model -> Model
update msg model =
    let
        local x =
            x + 1
    in
    case msg of
        Increment ->
            { model | count = local model.count }

        Decrement ->
            model -- written = 1


text_ : String
text_ =
    """
view x = 1
"""
