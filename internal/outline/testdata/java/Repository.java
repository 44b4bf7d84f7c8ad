package com.acme.store;

import java.util.List;

/**
 * A repository. class NotThis { void fake() {} }
 * Returns the new Thing (really) {
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public abstract class Repository<T extends Comparable<T>> implements Closeable {
  private static final int LIMIT = 10;
  public static final Comparator<String> ORDER = new Comparator<String>() {
    @Override
    public int compare(String a, String b) {
      return a.compareTo(b);
    }
  };
  private int plain = 3;

  static {
    init();
  }

  public Repository(String name) throws IOException {
    super(name);
  }

  @Override
  public <R> List<R> findAll(
      String query, Function<T, R> mapper)
      throws IOException {
    if (query.isEmpty()) { return List.of("{"); }
    for (int i = 0; i < 3; i++) { call(i); }
    Runnable r = new Runnable() { public void run() { } };
    return null;
  }

  protected abstract T load(long id);

  String text() {
    return """
        class Fake { void nope() {} }
        """;
  }

  interface Visitor<R> {
    R visit(Node node);
    default void done() { }
  }

  enum Color {
    RED("r") { String hex() { return "f00"; } },
    BLUE("b");

    private final String code;
    Color(String code) { this.code = code; }
    String hex() { return code; }
  }

  record Point(int x, int y) {
    Point { check(x); }
    double length() { return 0; }
  }

  @interface Marker { }
}
