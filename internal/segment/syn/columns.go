package syn

// counts are the rows of the tables of a file.
type counts [numTables]int

// The tables of a file, in the order in which they stand in it.
const (
	tableLines = iota
	tableSymbols
	tableUses
	tableImports
	tableExprs
	numTables
)

// tableColumns are the columns of each table.
var tableColumns = [numTables]int{lineColumns, symbolColumns, useColumns, importColumns, exprColumns}

// What a file has under a name. The number of calls is above the bits.
const (
	hasGlobal uint32 = 1 << iota // a symbol that other files can mean
	hasLocal                     // a symbol that they cannot
	hasUse
	hasImport // its module, name or local name
	hasCall

	hasBits = iota
	oneCall = 1 << hasBits
	hasMask = oneCall - 1
)

// The columns of lines.
const (
	lineSkipped = iota // lines before it without a place
	lineStart
	lineColumns
)

// The columns of symbols. Bytes are relative to others near them.
const (
	symbolName = iota
	symbolKind
	symbolFlags
	symbolStart
	symbolAt       // from Start
	symbolEnd      // from At
	symbolEndLine  // from Line
	symbolSigStart // from Start
	symbolSigEnd   // from SigStart
	symbolDocEnd   // back from Start; 0 without documentation
	symbolDoc      // bytes
	symbolParent   // plus 1
	symbolOwner    // plus 1
	symbolType     // plus 1
	symbolMinArgs
	symbolMaxArgs
	symbolComplexity
	symbolColumns
)

// The columns of uses.
const (
	useName = iota
	useRole // and Bind above bindShift
	useAt
	useIn     // plus 1
	useTarget // plus 1
	useArgs   // plus 1
	useColumns
)

const bindShift = 4

// The columns of imports.
const (
	importModule = iota // plus 1
	importName          // plus 1
	importLocal         // plus 1
	importAt
	importIn // plus 1
	importFlags
	importColumns
)

// The columns of expressions.
const (
	exprOp = iota
	exprX  // plus 1
	exprY  // plus 1
	exprColumns
)
