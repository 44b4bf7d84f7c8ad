package config

// Reference is for the tests of the package from outside.
var Reference = reference
