package bank

class BankSpec extends Specification {
  @Shared def bank = new Bank("one")

  def setup() { bank.open() }

  def "a payment (in cents) of #amount is booked"() {
    given:
    def account = bank.account('x')
    expect:
    account.pay(amount) == "paid"
    where:
    amount << [1, 2]
  }

  void 'nothing is lost'() {
    expect: true
  }

  String helper(String name) { "def no()" }
}
