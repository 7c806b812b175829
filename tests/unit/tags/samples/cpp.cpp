#include <vector>
namespace geo::tree {

template <typename T, int N = 2> class Node;
enum class Axis : char { X, Y };
using Index = std::vector<Node<int>>;
typedef std::map<Key, Value> Table;
constexpr int kLimit = 3;

template <typename T, int N>
class Node final : public Base<T>, private detail::Tag {
public:
    explicit Node(T v) : Base<T>(v), value_(v) { track(this); }
    ~Node() override;
    T &value() noexcept { return value_; }
    Node *child(int i) const;
    virtual std::string name() const = 0;
    Node &operator=(const Node &) = default;
    bool operator<(const Node &o) const { return less(value_, o.value_); }
    operator bool() const { return true; }
    template <class F> auto visit(F &&f) -> decltype(f(value_)) { return f(value_); }
    struct Iter { Node *at; };
private:
    T value_;
};

template <typename T, int N> Node<T, N> *Node<T, N>::child(int i) const { return lookup<T>(i); }
template <typename T, int N> Node<T, N>::~Node() { untrack(this); }
template <> struct Traits<int> { int a; };
template <typename T> concept Small = sizeof(T) < 4;

std::vector<int> &shared() {
    static std::vector<int> v;
    auto *p = new Widget(1);
    p->draw<int>(geo::origin());
    try { throw Broken("x"); } catch (const Failure &e) { log(e); }
    return v;
}
int Registry::count = 0;
bool Registry::has(const Key &key) { return std::find(begin(), key) != end(); }
extern "C" int entry(int argc) { return [&] { return sum(Index{}); }() + argc; }
}  // namespace geo::tree
