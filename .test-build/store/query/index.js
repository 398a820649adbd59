/** The door of the query language: a filter becomes a matcher, once, before any document is seen. */ import { isDoc } from "../values/kind.js";
import { badValue } from "./context.js";
import { readConditions } from "./operators.js";
import { isDocumentOperator, readFilter } from "./parse.js";
export { isConditions } from "./context.js";
export { isFieldOperator } from "./operators.js";
export { regexSteps } from "./regex.js";
export { textQueryOf } from "./text.js";
const read = {
    filter: readFilter,
    conditions: readConditions,
    isDocumentOperator
};
/**
 * Makes the matcher of a filter.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */ export function compileFilter(filter, options = {}) {
    if (!isDoc(filter)) throw badValue('a filter must be an object');
    return readFilter(filter, {
        ...options,
        wholeDocument: true,
        read
    });
}
