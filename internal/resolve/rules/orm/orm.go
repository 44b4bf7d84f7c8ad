// Package orm holds what methods of classes, managers and queries give that libraries
// declare which keep objects in databases.
package orm

import "espy/internal/resolve/infer"

// Python are the methods of Django, SQLAlchemy, Peewee and Pydantic.
var Python = func() map[string]infer.Gives {
	all := map[string]infer.Gives{"get_or_create": infer.AllEntries, "update_or_create": infer.AllEntries, "aget_or_create": infer.AllEntries, "aupdate_or_create": infer.AllEntries}
	for _, name := range []string{
		"get", "create", "first", "last", "latest", "earliest", "aget", "acreate", "afirst", "alast", "get_or_none", "get_or_404", "first_or_404",
		"get_object_or_404", "aget_object_or_404", "get_by_id", "one", "one_or_none", "scalar_one", "scalar_one_or_none", "ForeignKey", "OneToOneField", "model_validate", "model_construct", "parse_obj", "from_orm",
	} {
		all[name] = infer.AnElement
	}
	for _, name := range []string{
		"all", "filter", "filter_by", "exclude", "order_by", "reverse", "distinct", "select_related", "prefetch_related", "select_for_update", "annotate",
		"only", "defer", "using", "iterator", "bulk_create", "select", "where", "limit", "offset", "scalars", "query", "objects",
	} {
		all[name] = infer.AllElements
	}
	return all
}()
