package pgvector

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgres"
	"espy/internal/segment/vec"
)

// Held returns the models of those parts whose vectors are rows here.
func (s *Store) Held(ctx context.Context, parts []string) (models map[string]string, err error) {
	models = map[string]string{}
	err = postgres.Run(ctx, s.pool, func(c *pgxpool.Conn) error {
		if err := usable(ctx, c.Conn()); err != nil {
			return err
		}
		rows, err := c.Query(ctx, `SELECT DISTINCT part, name FROM espy.embedded JOIN espy.models ON models.number = model WHERE part = ANY($1)
			AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('espy.vectors_' || model) AND attname = 'row' AND NOT attisdropped)`, parts)
		if err != nil {
			return err
		}
		var part, model string
		_, err = pgx.ForEachRow(rows, []any{&part, &model}, func() error { models[part] = model; return nil })
		return err
	})
	return models, err
}

// span is the places of files of a part.
type span struct {
	low, high int64 // high is behind the last
	in        int   // of what is wanted
}

// Best returns the best chunk of each file of parts that a model gave vectors, and of
// its chunks that are told apart, in any order; none for a file without. exact is false where an index chose the files: then
// they are the nearest ones, keep of them where there are so many.
func (s *Store) Best(ctx context.Context, model string, wanted []vec.Wanted, keep int) (best []vec.Best, exact bool, err error) {
	err = postgres.Run(ctx, s.pool, func(c *pgxpool.Conn) error {
		best, exact = nil, true
		t, spans, err := find(ctx, c, model, wanted)
		if err != nil {
			return err
		}
		for _, of := range byQuery(wanted, spans) {
			q := &question{query: wanted[of[0].in].Query, table: t, wanted: wanted, spans: of}
			some, all, err := s.ask(ctx, c, q, keep)
			if err != nil {
				return err
			}
			best, exact = append(best, some...), exact && all
		}
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("ask the vectors in the database: %w", explain(err))
	}
	return best, exact, nil
}

// find returns the table of a model, and where the files of parts are in it.
func find(ctx context.Context, c *pgxpool.Conn, model string, wanted []vec.Wanted) (table pgx.Identifier, spans []span, err error) {
	number, dims, err := modelOf(ctx, c, model)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, w := range wanted {
		names = append(names, w.Part)
		if w.Query.Dims() != dims {
			return nil, nil, fmt.Errorf("a question of %d numbers to vectors of %d, those of %s", w.Query.Dims(), dims, model)
		}
	}
	rows, err := c.Query(ctx, `SELECT DISTINCT ON (part) part, number FROM espy.embedded WHERE part = ANY($1) AND model = $2 ORDER BY part, number`, names, number)
	if err != nil {
		return nil, nil, err
	}
	numbers, part, n := map[string]int64{}, "", int64(0)
	if _, err := pgx.ForEachRow(rows, []any{&part, &n}, func() error { numbers[part] = n; return nil }); err != nil {
		return nil, nil, err
	}
	for in, w := range wanted {
		n, ok := numbers[w.Part]
		if !ok {
			return nil, nil, &unusable{"the vectors of " + w.Part + " are not in the database any more"}
		}
		for _, f := range w.Files {
			spans = append(spans, span{n<<fileBits | int64(f.First), n<<fileBits | int64(f.End), in})
		}
	}
	return tableOf(number), spans, nil
}

func modelOf(ctx context.Context, c *pgxpool.Conn, model string) (number, dims int, err error) {
	rows, err := c.Query(ctx, `SELECT number, dims FROM espy.models WHERE name = $1`, model)
	if err != nil {
		return 0, 0, err
	}
	_, err = pgx.ForEachRow(rows, []any{&number, &dims}, func() error { return nil })
	if err == nil && number == 0 {
		err = &unusable{"the database has no vectors of " + model}
	}
	return number, dims, err
}

// byQuery groups files by the question that they are asked: repositories that taught
// an adapter turn it each in a way of their own.
func byQuery(wanted []vec.Wanted, spans []span) (groups [][]span) {
	at := map[*vec.Query]int{}
	for _, s := range spans {
		q := wanted[s.in].Query
		i, ok := at[q]
		if !ok {
			i = len(groups)
			at[q], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// question is one question to some of the rows of a model.
type question struct {
	query  *vec.Query
	table  pgx.Identifier
	wanted []vec.Wanted
	spans  []span
}

// maxSpans is up to how many runs of files an index is asked for: each row that it
// comes by is looked for among them.
const maxSpans = 2000

// ask compares a question with every row, or with the nearest ones.
func (s *Store) ask(ctx context.Context, c *pgxpool.Conn, q *question, keep int) (best []vec.Best, exact bool, err error) {
	chunks := 0
	for _, w := range q.wanted {
		for _, f := range w.Files {
			if w.Query == q.query {
				chunks += f.Chunks
			}
		}
	}
	if chunks > s.exactRows && len(q.spans) <= maxSpans {
		indexed, err := hasIndex(ctx, c, q.table)
		if err != nil {
			return nil, false, err
		}
		if indexed {
			best, err = q.nearest(ctx, c, keep)
			return best, false, err
		}
	}
	best, err = q.compare(ctx, c)
	return best, true, err
}

// cosine is the expression of the cosine of row v, whose arguments begin at $n, and
// those arguments. A text is read once, as what SELECT gives, and not for each row. The sums of products are whole numbers below 2^24, so exact in
// float32, and in any order.
func (q *question) cosine(n int) (expression string, args []any) {
	base, digits := q.query.Digits()
	var sum []string
	factor := 1
	for _, d := range digits {
		sum = append(sum, fmt.Sprintf("%d * -(v.row <#> (SELECT $%d::text::halfvec))", factor, n+len(args)))
		args, factor = append(args, text(d)), factor*base
	}
	return fmt.Sprintf("greatest(-1, least(1, (%s) * v.scale::float8 / $%d::float8))", strings.Join(sum, " + "), n+len(args)), append(args, q.query.Length())
}

func text(values []int16) string {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return string(append(b, ']'))
}

// compare compares every row: the best chunk of a file is the first of those with the
// highest cosine.
func (q *question) compare(ctx context.Context, c *pgxpool.Conn) ([]vec.Best, error) {
	cosine, args := q.cosine(3)
	low, high := make([]int64, len(q.spans)), make([]int64, len(q.spans))
	for i, s := range q.spans {
		low[i], high[i] = s.low, s.high
	}
	rows, err := c.Query(ctx, `SELECT v.place, v.chunk, `+cosine+` FROM unnest($1::bigint[], $2::bigint[]) s(low, high)
		JOIN `+q.table.Sanitize()+` v ON v.place >= s.low AND v.place < s.high`, append([]any{low, high}, args...)...)
	if err != nil {
		return nil, err
	}
	return q.collect(rows)
}

// collect reads chunks with their places and cosines, and keeps the best of each file.
func (q *question) collect(rows pgx.Rows) (best []vec.Best, err error) {
	slices.SortFunc(q.spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	defer rows.Close()
	type apart struct {
		place int64
		is    bool // one of those that are told apart
	}
	at := map[apart]int{} // in best
	be := binary.BigEndian
	for rows.Next() {
		raw := rows.RawValues() // binary, as their types are known: the many rows need no more
		if len(raw[0]) != 8 || len(raw[1]) != 4 || len(raw[2]) != 8 {
			return nil, fmt.Errorf("a row of %d, %d and %d bytes", len(raw[0]), len(raw[1]), len(raw[2]))
		}
		place, chunk, cosine := int64(be.Uint64(raw[0])), int(be.Uint32(raw[1])), math.Float64frombits(be.Uint64(raw[2]))
		in := q.in(place)
		_, is := slices.BinarySearch(q.wanted[in].Apart, uint32(chunk))
		i, seen := at[apart{place, is}]
		if !seen {
			i = len(best)
			at[apart{place, is}] = i
			best = append(best, vec.Best{In: in, File: int(place & (1<<fileBits - 1)), Chunk: chunk, Cosine: cosine})
		}
		if b := &best[i]; cosine > b.Cosine || cosine == b.Cosine && chunk < b.Chunk {
			b.Chunk, b.Cosine = chunk, cosine
		}
	}
	return best, rows.Err()
}

// in returns which part that is wanted holds a place.
func (q *question) in(place int64) int {
	i, _ := slices.BinarySearchFunc(q.spans, place, func(s span, place int64) int {
		if s.high <= place {
			return -1
		}
		return 1
	})
	return q.spans[i].in
}
