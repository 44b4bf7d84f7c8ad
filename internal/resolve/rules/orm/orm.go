// Package orm holds what methods of classes, managers and queries give that libraries
// declare which keep objects in databases.
package orm

import (
	"espy/internal/resolve/infer"
	"espy/internal/wordset"
)

// Python are the methods of Django, SQLAlchemy, Peewee and Pydantic.
var Python = gives(`
	get create first last latest earliest aget acreate afirst alast get_or_none get_or_404 first_or_404
	get_object_or_404 aget_object_or_404 get_by_id one one_or_none scalar_one scalar_one_or_none
	ForeignKey OneToOneField model_validate model_construct parse_obj from_orm`, `
	all filter filter_by exclude order_by reverse distinct select_related prefetch_related select_for_update
	annotate only defer using iterator bulk_create select where limit offset scalars query objects`, `
	get_or_create update_or_create aget_or_create aupdate_or_create`)

// gives are the methods that give a value of a class, what holds such values, and a pair of
// one and something else.
func gives(one, many, pairs string) map[string]infer.Gives {
	all := map[string]infer.Gives{}
	for words, how := range map[string]infer.Gives{one: infer.AnElement, many: infer.AllElements, pairs: infer.AllEntries} {
		for name := range wordset.Of(words) {
			all[name] = how
		}
	}
	return all
}
