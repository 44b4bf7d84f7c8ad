// class NotThis {};
#include <string>

namespace app::store {
namespace {

constexpr int kLimit = 10;
int helper(int x) { return x; }

}  // namespace

class Forward;
template <typename T> class List;
enum class Mode : int { Read, Write };
using Names = std::vector<std::string>;
typedef std::map<int, std::string> Index;

template <typename K, typename V>
class EXPORT_API Cache final : public Base<K, V> {
 public:
  Cache() : size_(0), map_{} {}
  explicit Cache(int n);
  ~Cache() override = default;
  virtual void Evict(const K& key) = 0;
  V* Get(const K& key) const { return nullptr; }
  bool operator==(const Cache& other) const { return true; }
  static constexpr int kMax = 5;
  struct Entry {
    K key;
  };

 private:
  int size_;
};

Store::Store(std::string name)
    : name_(std::move(name)),
      size_{0} {
  if (ready()) {
    run();
  }
}

Store::~Store() { close(); }

const char* text = R"(
  int fake() {
  }
)";

std::unique_ptr<Store>
Store::Open(const Options& options,
            std::string path) noexcept {
  auto f = [&](int a) { return a; };
  return f(1'000);
}

std::ostream& operator<<(std::ostream& out, const Store& s) {
  return out;
}

TEST(StoreTest, OpensTwice) {
  EXPECT_TRUE(true);
}

extern "C" {
int c_entry(void) { return 0; }
}

}  // namespace app::store
