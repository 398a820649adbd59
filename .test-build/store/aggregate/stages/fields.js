/** Puts values at paths of documents, as `$addFields` does: arrays on the way are entered at every member. */ import { StoreError } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { field } from "../../values/path.js";
import { withField } from "../expressions/objects.js";
import { readPath } from "../expressions/paths.js";
import { docExpression } from "./stage.js";
/** Compiles new fields, `{ a: expression, 'b.c': expression, d: { e: expression } }`, all by the document as it was. */ export function compileFields(spec, compiler) {
    const { meter } = compiler.context;
    const tree = {
        children: new Map()
    };
    for (const { path, value } of leavesOf(spec, []))addLeaf(tree, path, docExpression(value, compiler));
    return (doc, frame)=>withFields(doc, tree, {
            meter,
            evaluate: (value)=>value(doc, frame)
        });
}
function leavesOf(spec, prefix) {
    return Object.entries(spec).flatMap(([name, value])=>{
        const path = [
            ...prefix,
            ...readPath(name)
        ];
        if (!isDoc(value)) return [
            {
                path,
                value
            }
        ];
        const [first] = Object.keys(value);
        if (first === undefined) {
            throw new StoreError(40180, `an empty object is not a valid value. Found empty object at path ${path.join('.')}`);
        }
        return first.startsWith('$') ? [
            {
                path,
                value
            }
        ] : leavesOf(value, path);
    });
}
function addLeaf(tree, path, value) {
    let branch = tree;
    for (const part of path.slice(0, -1)){
        const child = branch.children.get(part) ?? {
            children: new Map()
        };
        if ('value' in child) throw new StoreError(31249, `Path collision at ${path.join('.')}`);
        branch.children.set(part, child);
        branch = child;
    }
    const last = path.at(-1) ?? '';
    if (branch.children.has(last)) throw new StoreError(31250, `Path collision at ${path.join('.')}`);
    branch.children.set(last, {
        value
    });
}
/** Fields of a document that are copied in one step. */ const copiedAtOnce = 4;
function withFields(value, { children }, putting) {
    if (Array.isArray(value)) return value.map((member)=>withFields(member, {
            children
        }, putting));
    let made = isDoc(value) ? value : {};
    for (const [name, node] of children){
        const result = 'value' in node ? putting.evaluate(node.value) : withFields(field(made, name), node, putting);
        putting.meter.charge(1 + Object.keys(made).length / copiedAtOnce);
        made = withField(made, name, result);
    }
    return made;
}
/** A document with a value at a path; undefined takes the field away. */ export const withPath = (doc, path, value)=>put(doc, path, 0, value);
function put(old, path, at, value) {
    if (Array.isArray(old)) return old.map((member)=>put(member, path, at, value));
    const doc = isDoc(old) ? old : {};
    const name = path[at] ?? '';
    return withField(doc, name, at === path.length - 1 ? value : put(field(doc, name), path, at + 1, value));
}
/** The value at a path through documents only; arrays are not entered. */ export function plainAt(doc, path) {
    let value = doc;
    for (const part of path)value = isDoc(value) ? field(value, part) : undefined;
    return value;
}
