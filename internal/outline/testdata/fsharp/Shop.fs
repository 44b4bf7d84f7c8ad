namespace Giraffe.Shop

open System

(* type Commented = int *)
[<AutoOpen>]
module Cart =
    let private limit = 10
    let inline total (items: int list) =
        let local x = x + 1
        items |> List.sumBy local

    let rec walk n = if n = 0 then 0 else walk (n - 1)

    let ``adds two items`` () =
        "let written = 1"

type Item = { Name: string; Price: decimal }

and Basket(items: Item list) =
    let mutable count = 0
    static let shared = 1
    member this.Add(item: Item) = count <- count + 1
    member _.Count with get () = count
    static member Create() = Basket []
    override __.ToString() = @"\let x"
    interface IDisposable with
        member _.Dispose() = ()

exception ShopError of string

type IStore =
    abstract member Find: string -> Item option
