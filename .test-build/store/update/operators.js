/** The table of update operators, and how an update is read into changes at paths. */ import { StoreError, unknownName } from "../errors.js";
import { isDoc, kindOf } from "../values/kind.js";
import { show } from "../values/show.js";
import { arrayOperators } from "./arrays.js";
import { fieldOperators, readRename } from "./fields.js";
import { numberOperators } from "./numbers.js";
import { checkConflicts, comparePaths, readPath } from "./paths.js";
/** The update operators on a field, but for `$rename`. */ export const operators = new Map([
    ...fieldOperators,
    ...numberOperators,
    ...arrayOperators
]);
/**
 * Reads an update by operators.
 * @throws StoreError with MongoDB's code for what can't be read, 40 for paths that exclude each other
 */ export function readOperators(update, context) {
    const changes = [];
    const sources = [];
    for (const [name, fields] of Object.entries(update)){
        for (const [path, operand] of Object.entries(fieldsOf(name, fields))){
            if (name === '$rename') {
                const { source, target, change } = readRename(path, operand);
                sources.push(source);
                changes.push({
                    parts: target,
                    change
                });
            } else changes.push(readChange(name, path, operand, context));
        }
    }
    const paths = [
        ...changes.map(({ parts })=>parts),
        ...sources
    ];
    checkConflicts(paths.toSorted(comparePaths));
    return {
        changes: changes.toSorted((a, b)=>comparePaths(a.parts, b.parts)),
        paths
    };
}
function fieldsOf(name, fields) {
    if (name !== '$rename' && !operators.has(name)) {
        throw unknownName(9, `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`);
    }
    if (!isDoc(fields)) {
        throw new StoreError(9, `Modifiers operate on fields but we found type ${kindOf(fields).name} instead. For example: {$mod: {<field>: ...}} not {${name}: ${show(fields)}}`);
    }
    return fields;
}
function readChange(name, path, operand, context) {
    const read = operators.get(name);
    if (read === undefined) throw unknownName(9, `Unknown modifier: ${name}`);
    const parts = readPath(path);
    return {
        parts,
        change: read(operand, path, context)
    };
}
