// Cart of the shop. class Fake {} in a comment.
import Foundation
import struct Shop.Money
@testable import Store

/* outer /* nested class Fake2 {} */ still comment */
public protocol Source: AnyObject, Sendable {
    associatedtype Item: Hashable
    var count: Int { get }
    static var shared: Self { get }
    init(name: String)
    func load(page: Int) async throws -> [Item]
    subscript(index: Int) -> Item { get set }
}

@frozen
public struct Page<Element: Codable>: Equatable where Element: Equatable {
    static let limit = 10
    let items: [Element], total: Int
    @Published var title: String = makeTitle()
    lazy var first: Element? = { items.first }()
    var isEmpty: Bool { items.isEmpty }
    var size: Int {
        get { measure(items) }
        set { resize(newValue) }
    }
    static func == (lhs: Page, rhs: Page) -> Bool { same(lhs.items, rhs.items) }
    subscript(i: Int) -> Element { items[i] }
    init(_ items: [Element]) { self.items = items; self.total = tally(items) }
    init?(json: Data) { return nil }
    mutating func grow<T>(_ extra: T) where T: Source { append(contentsOf: extra) }
    struct Cursor { var at: Int }
    typealias Pair = (Element, Element)
}

indirect enum Tree: Int, CaseIterable {
    case leaf(Int), node(Tree, Tree)
    case empty = 3
    func depth() -> Int { walk(self) }
}

@MainActor
final class Feed: BaseFeed, Source {
    @objc(refreshAll:)
    override func refresh(_ done: @escaping Handler) {
        guard let c = makeCache() else { return }
        let local = 3
        func inner() -> Int { helper(local) }
        Task { [weak self] in self?.apply(try? await c.load(page: 1)) }
        switch inner() {
        case .zero: report(.failure(MyError.bad))
        default: Logger.shared.note("class Fake3 {}: \(describe(c))")
        }
        #if DEBUG
        debugOnly()
        #endif
    }
    class func make() -> Feed { Feed() }
    deinit { logEnd() }
    private static func `default`() -> Tree { .leaf(zero()) }
}

actor Cache<Key>: Source {
    private var pages: [Int: Page<String>] = [:]
    nonisolated func peek() -> Int { 0 }
}

extension Cache: CustomStringConvertible where Key: Hashable {
    nonisolated var description: String { "cache" }
    func flush() { pages.removeAll() }
}

extension Shop.Money { func rounded() -> Money { self } }

public typealias Handler = (Result<Int, MyError>) -> Void
let globalLimit = 100, otherLimit = 5
var größe: Int { berechne() }
let handler: (Int) -> Int = { n in double(n) }
infix operator <+>: AdditionPrecedence
precedencegroup Pipe { higherThan: AdditionPrecedence }
func <+> (a: Int, b: Int) -> Int { plus(a, b) }
@available(iOS 13, *) func makeCache() -> Cache<Int>? { Cache<Int>() }
func größer(als n: Int) -> some View { VStack { Text("a").padding() } }
macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "M", type: "S")
let s = #stringify(make())
