#define BASE_EXPORT
#define TEST(suite, name) void suite##_##name()

namespace base {
BASE_BEGIN

// Holds a value.
class BASE_EXPORT Box final : public Holder {
 public:
  BASE_EXPORT int value() const { return value_; }

 private:
  int value_ = 0;
};

BASE_EXPORT std::string name(const Box& box);

}  // namespace base
BASE_END

TEST(BoxTest, HoldsNothing) {
  base::Box box;
  EXPECT_EQ(box.value(), 0);
}
