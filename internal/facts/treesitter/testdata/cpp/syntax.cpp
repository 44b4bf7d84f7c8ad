#include <vector>
#include "a/b.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FLAG 1
#if defined(FOO) && BAR > 1
#endif
#ifdef QUX
int dd;
#endif
using namespace std;
using std::string;
using Al = std::vector<int>;
typedef struct foo_s { int x; struct bar *b; } foo_t, *foo_p;
typedef int (*cb_t)(int, void *);
namespace ns::in { 
template <typename T, class U = int, int N> class C : public B<T>, private virtual ns2::D {
 public:
  C(int a, const std::string &b = "x") : B<T>(a), m_(b) {}
  explicit C() = default; ~C(); C(const C&) = delete;
  virtual int f(T *t, ...) const override = 0;
  static int s; int m_, n_[3] = {1}; int *p, **q;
  bool operator==(const C &o) const { return this->m_ == o.m_ && m_ > 0; }
  enum class E : int { A, B = 2 };
  friend class Fr; friend void ff(int);
  using B<T>::g;
  struct In { int z; } in_;
  operator bool() const;
  template <class V> void tm(V v) { v.go(); auto l = [&, this](int k) -> int { return k + m_; }; }
};
}
int ns::in::C::f(int *t) { for (auto &x : v) { x.y()->z(1); } return ns::g<int>(t)->h; }
static inline unsigned long *h(struct foo_s *f, int n[], cb_t cb) { foo_t v = {.x = 1}; f->b->c = n[0]; cb(1, &v); goto end; end: return (unsigned long *)f; }
extern "C" { int ext(void); }
struct foo_s gv = { 1 }; 
enum Color { RED, GREEN = RED }; union Un { int i; float f; };
int proto(int a, char *);
int arr[MAX(1, 2)], *ptr = &gv.x;
void k() { int i = 0; ns::in::C<int> c(1), d{2}; auto p = new C<int>(3); delete p; std::unique_ptr<C> u = std::make_unique<C>(1); switch (i) { case RED: break; default: ; } try { throw E(1); } catch (const Ex &e) { e.what(); } auto [a, b] = pr; if (auto it = m.find(1); it != m.end()) {} do { i++; } while (i); static_cast<D *>(p)->q(); sizeof(foo_t); (void)i; }
template <> struct Spec<int> { };
class Fwd;
extern int evar;
int (*fp)(int) = h;
concept Cn = requires { typename T; };
