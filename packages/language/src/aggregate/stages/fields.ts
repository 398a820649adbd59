/** Sets values at paths of documents, as `$addFields` does: an array on the path is entered at every member. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { field } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { withField } from '../expressions/objects.ts';
import { readPath } from '../expressions/paths.ts';
import type { Meter } from '../meter.ts';
import { type DocExpression, docExpression, type Each } from './stage.ts';

/** A node of the tree of new fields: a value or further fields. */
type Node = { readonly value: DocExpression } | Branch;

interface Branch {
  readonly children: Map<string, Node>;
}

/**
 * Compiles new fields, `{ a: expression, 'b.c': expression, d: { e: expression } }`. All of them read the original
 * document.
 */
export function compileFields(spec: Doc, compiler: Compiler): Each {
  const { meter } = compiler.context;
  const tree: Branch = { children: new Map() };
  for (const { path, value } of leavesOf(spec, [])) addLeaf(tree, path, docExpression(value, compiler));
  return (doc, frame) => withFields(doc, tree, { meter, evaluate: (value) => value(doc, frame) }) as Doc;
}

interface LeafOf {
  readonly path: readonly string[];
  readonly value: Value;
}

function leavesOf(spec: Doc, prefix: readonly string[]): readonly LeafOf[] {
  return Object.entries(spec).flatMap(([name, value]) => {
    const path = [...prefix, ...readPath(name)];
    if (!isDoc(value)) return [{ path, value }];
    const [first] = Object.keys(value);
    if (first === undefined) {
      throw new StoreError(40180, `an empty object is not a valid value. Found empty object at path ${path.join('.')}`);
    }
    return first.startsWith('$') ? [{ path, value }] : leavesOf(value, path);
  });
}

function addLeaf(tree: Branch, path: readonly string[], value: DocExpression): void {
  let branch = tree;
  for (const part of path.slice(0, -1)) {
    const child = branch.children.get(part) ?? { children: new Map<string, Node>() };
    if ('value' in child) throw new StoreError(31249, `Path collision at ${path.join('.')}`);
    branch.children.set(part, child);
    branch = child;
  }
  const last = path.at(-1) ?? '';
  if (branch.children.has(last)) throw new StoreError(31250, `Path collision at ${path.join('.')}`);
  branch.children.set(last, { value });
}

/** The values to set, and the meter of the copies. */
interface Putting {
  readonly evaluate: (value: DocExpression) => Value;
  readonly meter: Meter;
}

/** Fields of a document that are copied in one step. */
const copiedAtOnce = 4;

function withFields(value: Value, { children }: Branch, putting: Putting): Value {
  if (Array.isArray(value)) return value.map((member) => withFields(member, { children }, putting));
  let made: Doc = isDoc(value) ? value : {};
  for (const [name, node] of children) {
    const result = 'value' in node ? putting.evaluate(node.value) : withFields(field(made, name), node, putting);
    putting.meter.charge(1 + Object.keys(made).length / copiedAtOnce);
    made = withField(made, name, result);
  }
  return made;
}

/** A copy of a document with a value at a path; undefined removes the field. */
export const withPath = (doc: Doc, path: readonly string[], value: Value): Doc => put(doc, path, 0, value) as Doc;

function put(old: Value, path: readonly string[], at: number, value: Value): Value {
  if (Array.isArray(old)) return old.map((member) => put(member, path, at, value));
  const doc = isDoc(old) ? old : {};
  const name = path[at] ?? '';
  return withField(doc, name, at === path.length - 1 ? value : put(field(doc, name), path, at + 1, value));
}

/** The value at a path through documents only; arrays are not entered. */
export function plainAt(doc: Doc, path: readonly string[]): Value {
  let value: Value = doc;
  for (const part of path) value = isDoc(value) ? field(value, part) : undefined;
  return value;
}
