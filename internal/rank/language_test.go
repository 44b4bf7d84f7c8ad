package rank

import "testing"

func TestStopwordsOf(t *testing.T) {
	for _, c := range []struct {
		name, text, word string
		want             bool
	}{
		{"German", "wie wird der Cache geleert, wenn die Verbindung nicht mehr da ist", "der", true},
		{"a word of German code", "wie wird der Cache geleert, wenn die Verbindung nicht mehr da ist", "cache", false},
		{"French", "où est-ce que la taille de la file est limitée dans le code", "est", true},
		{"Spanish", "dónde se cierra la conexión cuando el servidor no responde", "se", true},
		{"Portuguese", "onde a conexão é fechada quando o servidor não responde", "quando", true},
		{"Italian", "dove viene chiusa la connessione quando il server non risponde più", "il", true},
		{"Dutch", "waar wordt de verbinding gesloten als de server niet meer antwoordt", "wordt", true},
		{"English", "where does the der reader die when it was asked as a server is on", "der", false},
		{"code", "for die in dice:\n    total += die.value if die.up else 0\n    print(die, total, dice)", "die", false},
		{"a few words", "der die das", "der", false},
		{"English words everywhere", "dove viene chiusa la connessione quando il server non risponde più", "the", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := StopwordsOf(c.text).Has(c.word); got != c.want {
				t.Errorf("%q says nothing in %q: %v, want %v", c.word, c.text, got, c.want)
			}
		})
	}
}
