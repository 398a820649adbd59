/**
 * The table of operators. They are our own rather than mingo's, which loses BSON's types (longs, decimals, doubles without
 * a fraction) and its order, resolves paths differently and can't be bounded; a table of functions is as short.
 */ import { arithmeticOperators } from "./arithmetic.js";
import { arrayOperators } from "./arrays.js";
import { comparisonOperators } from "./comparison.js";
import { conditionOperators } from "./conditions.js";
import { conversionOperators } from "./conversions.js";
import { dateFormOperators } from "./date-forms.js";
import { dateOperators } from "./dates.js";
import { iterationOperators } from "./iteration.js";
import { literalOperators } from "./literals.js";
import { objectOperators } from "./objects.js";
import { regexOperators } from "./regex.js";
import { setOperators } from "./sets.js";
import { stringOperators } from "./strings.js";
import { summaryOperators } from "./summaries.js";
import { trigonometryOperators } from "./trigonometry.js";
/** Operators by name. */ export const operators = new Map([
    ...arithmeticOperators,
    ...arrayOperators,
    ...comparisonOperators,
    ...conditionOperators,
    ...conversionOperators,
    ...dateFormOperators,
    ...dateOperators,
    ...iterationOperators,
    ...literalOperators,
    ...objectOperators,
    ...regexOperators,
    ...setOperators,
    ...stringOperators,
    ...summaryOperators,
    ...trigonometryOperators
]);
