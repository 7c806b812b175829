// A small parser.
module Demo.Parser

open System
open Demo.Shared.Lexer

[<Literal>]
let Limit = 10

type Token =
    | Num of int
    | Plus
    | Word of text: string * at: int

type Id = int
type Status = Open | Closed of string

type Parser<'a> = { Run: string -> 'a option; mutable Name: string }

[<Struct>]
type Point = { X: float; Y: float }

type Colour =
    | Red = 0
    | Green = 1

exception ParseError of string

type IVisitor =
    abstract Visit: Token -> unit
    abstract member Leave: unit -> unit

type Printer(width: int) =
    inherit Base(width)
    let mutable count = 0
    let bump n = count <- count + n
    new() = Printer(80)
    member this.Print(t: Token) = writeToken t width
    member val Size = width with get, set
    member _.Count with get () = count and set v = count <- v
    static member Create() = Printer(80)
    override x.ToString() = sprintf "type Fake = %d" x.Size
    abstract Draw: unit -> unit
    default _.Draw() = draw ()
    static member (+) (a: Printer, b: Printer) = merge a b
    interface IVisitor with
        member _.Visit t = visit t
        member _.Leave() = ()

and Helper() =
    class
    end

type Handler = delegate of obj * EventArgs -> unit

type String with
    member s.Shout() = s.ToUpper()

let private digits (s: string) = s |> Seq.filter isDigit

let rec parse tokens =
    match tokens with
    | Num n :: rest -> combine n (parse rest)
    | _ -> failwith "no"

and parseAll all = List.map parse all

let inline (|>>) p f = pipe p f
let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd

let run = digits >> tokenise >> parse
let größe liste = länge liste
let ``name with blanks`` () = 1

let outer x =
    let inner y = y + x
    let local = inner 3
    use file = File.OpenRead "x"
    async {
        let! r = fetchAsync local
        do! save r
        return Word("a", 1)
    }

module Inner =
    let helper a = Demo.Shared.trim a
    type Nested = Nested of int

[<EntryPoint>]
let main argv =
    let p = new Printer(3)
    p.Print(Plus)
    exit 0
