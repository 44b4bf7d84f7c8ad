package remote

import "strings"

// known is what is known of a model, as its makers document it: what stands before
// the texts that it was trained on.
type known struct {
	name            string
	dims            int // of its vectors; 0 where not known
	document, query string
}

// models are those that are often used for code.
var models = []known{
	{"nomic-embed-text", 768, "search_document: ", "search_query: "},
	{"nomic-embed-code", 3584, "", "Represent this query for searching relevant code: "},
	{"coderankembed", 768, "", "Represent this query for searching relevant code: "},
	{"mxbai-embed-large", 1024, "", "Represent this sentence for searching relevant passages: "},
	{"bge-large-en", 1024, "", "Represent this sentence for searching relevant passages: "},
	{"bge-base-en", 768, "", "Represent this sentence for searching relevant passages: "},
	{"bge-m3", 1024, "", ""},
	{"snowflake-arctic-embed2", 1024, "", "query: "},
	{"snowflake-arctic-embed", 1024, "", "Represent this sentence for searching relevant passages: "},
	{"multilingual-e5-large", 1024, "passage: ", "query: "},
	{"e5-large", 1024, "passage: ", "query: "},
	{"e5-base", 768, "passage: ", "query: "},
	{"embeddinggemma", 768, "title: none | text: ", "task: code retrieval | query: "},
	{"qwen3-embedding", 0, "", "Instruct: Given a question, retrieve the code that answers it\nQuery:"},
	{"all-minilm", 384, "", ""},
	{"jina-embeddings-v2-base-code", 768, "", ""},
	{"text-embedding-3-small", 1536, "", ""},
	{"text-embedding-3-large", 3072, "", ""},
	{"text-embedding-ada-002", 1536, "", ""},
}

// find returns what is known of a model: that of the longest name that its name
// holds, without the owner before it and the tag behind it.
func find(name string) known {
	lower := strings.ToLower(name)
	best := known{}
	for _, k := range models {
		if strings.Contains(lower, k.name) && len(k.name) > len(best.name) {
			best = k
		}
	}
	best.name = strings.TrimSuffix(name, ":latest")
	return best
}
