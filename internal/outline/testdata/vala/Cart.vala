namespace Shop {
    /* class Commented {} */
    public class Cart : Object {
        public int limit { get; set; }
        public signal void changed (int n);

        public Cart (int limit) {
            this.limit = limit;
        }

        public async int total () throws Error {
            var text = """void written () {""";
            return 1;
        }
    }

    public interface Priced : Object {
        public abstract int price ();
    }

    public enum Kind { FOOD, TOY }

    public static int main (string[] args) {
        return 0;
    }
}
