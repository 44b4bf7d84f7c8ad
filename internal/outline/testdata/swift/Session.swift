import Foundation

/* func notThis() {} /* nested */ class Nope {} */
let defaultLimit = 10
public typealias Handler = (Int) -> Void

@available(iOS 13, *)
public final class Session: NSObject, URLSessionDelegate {
    private(set) var count = 0
    static let shared = Session()
    weak var delegate: Delegate?

    public required init?(name: String) {
        let local = 1
        self.count = local
    }

    class func make() -> Session { return Session() }

    @objc override open func start<T: Codable>(
        _ value: T,
        completion: @escaping (Result<T, Error>) -> Void
    ) throws {
        let text = """
        func fake() {}
        """
        let raw = #"quote " { "#
        guard count > 0 else { return }
        func nested() {}
    }

    deinit { }
}

public protocol Delegate: AnyObject {
    associatedtype Item
    func session(_ s: Session, didLoad item: Item)
    var name: String { get }
}

indirect enum Tree<T> { case leaf, node(T) }
struct Point { let x: Int; var y: Int }
actor Counter { func add() async {} }

extension Session {
    func resume() {}
}

func == (a: Point, b: Point) -> Bool { true }
public func `default`() -> Int { 0 }
