package kernel

// Violated is the constraint that an error of the database is about.
var Violated = violated

// ConstraintErrors are the errors of the core by constraint.
var ConstraintErrors = constraintErrors
