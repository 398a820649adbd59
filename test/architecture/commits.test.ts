/** Only `write/mutation/execute.ts` writes, and only `write/transaction.ts` publishes documents of models. Checked in the syntax trees of the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

/** Methods of Mongoose and of the driver that write. */
const writing: ReadonlySet<string> = new Set([
  ...['insertOne', 'insertMany', 'save', 'bulkWrite', 'bulkSave', 'initializeOrderedBulkOp'],
  ...['updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'initializeUnorderedBulkOp'],
  ...['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete', 'findByIdAndUpdate', 'findByIdAndDelete'],
]);

/** Functions of `models/mongoose.ts` that call such a method. */
const callers: ReadonlySet<string> = new Set(['saveDocument', 'updateBy']);

const writer = 'write/mutation/execute.ts';

/** Other files that use a method with such a name, and why that writes no document of a model. */
const exceptions: readonly string[] = [
  'models/mongoose.ts', // creates the functions with which execute.ts saves and updates are prepared
  'models/mongoose/model-writes.ts', // wraps the methods that the code of models calls
  'transfer/copy/documents.ts', // fills another database, whose models are not served meanwhile
  'transfer/copy/mark.ts', // marks that database
  'write/plan/cast-update.ts', // lets Mongoose cast an update, which another function sends
];

/** The sources without those of the embedded store. */
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.startsWith('store/'));

const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** A node and all below it. */
function nodesOf(node: ts.Node, found: ts.Node[] = []): readonly ts.Node[] {
  found.push(node);
  node.forEachChild((child) => void nodesOf(child, found));
  return found;
}

/** The name and receiver of a method, also of one named by a string, such as `collection['insertOne']`. */
function memberOf(node: ts.Node): { name: string; receiver: ts.Expression } | undefined {
  if (ts.isPropertyAccessExpression(node)) return { name: node.name.text, receiver: node.expression };
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
    return { name: node.argumentExpression.text, receiver: node.expression };
  return undefined;
}

/** A call of `internalCollection`, which takes only names of the server's own models, or of a function that returns one. */
function isInternal(made: ts.Expression, source: ts.SourceFile): boolean {
  if (!ts.isCallExpression(made) || !ts.isIdentifier(made.expression)) return false;
  const { text: name } = made.expression;
  return name === 'internalCollection' || initializers(name, source).some((one) => returnsInternal(one, source));
}

const returnsInternal = (one: ts.Expression, source: ts.SourceFile): boolean =>
  ts.isArrowFunction(one) && !ts.isBlock(one.body) && isInternal(one.body, source);

/** The initializers of all variables of a name in a file; that of a destructured one counts as unknown. */
function initializers(name: string, source: ts.SourceFile): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  for (const node of nodesOf(source))
    if (ts.isVariableDeclaration(node) && node.name.getText(source).split(/\W+/).includes(name))
      found.push(
        ts.isIdentifier(node.name) && node.initializer !== undefined ? node.initializer : ts.factory.createNull(),
      );
  return found;
}

/** The values that a file assigns to a private field, such as `#rows`; undefined where any other use may change it. */
function assigned(field: string, source: ts.SourceFile): readonly (ts.Expression | undefined)[] {
  const found: (ts.Expression | undefined)[] = [];
  for (const node of nodesOf(source)) {
    if (!ts.isPrivateIdentifier(node) || node.text !== field) continue;
    const { parent: owner } = node;
    if (ts.isPropertyDeclaration(owner)) {
      if (owner.initializer !== undefined) found.push(owner.initializer);
      continue;
    }
    const { parent: use } = owner;
    const isAssignment =
      ts.isBinaryExpression(use) && use.left === owner && use.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (isAssignment) found.push(use.right);
    else if (memberOf(use)?.receiver !== owner) found.push(undefined);
  }
  return found;
}

/** The expressions whose value a receiver may have; undefined for an unknown value. */
function makersOf(receiver: ts.Expression | undefined, source: ts.SourceFile): readonly (ts.Expression | undefined)[] {
  if (receiver === undefined) return [undefined];
  if (ts.isIdentifier(receiver)) return initializers(receiver.text, source);
  if (ts.isPropertyAccessExpression(receiver) && ts.isPrivateIdentifier(receiver.name))
    return assigned(receiver.name.text, source);
  return [receiver];
}

/** Where a file uses a method that may write documents of models, as `line: name`. */
function writesIn(file: string, text: string): string[] {
  const source = parse(file, text);
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    const caller = ts.isCallExpression(node) ? node.expression.getText(source) : '';
    const { name, receiver } = memberOf(node) ?? {};
    if (!callers.has(caller) && (name === undefined || !writing.has(name))) continue;
    const makers = makersOf(receiver, source);
    if (makers.length > 0 && makers.every((maker) => maker !== undefined && isInternal(maker, source))) continue;
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${name ?? caller}`);
  }
  return found;
}

describe('documents of models', () => {
  test('are not written by other files', () => {
    const others = files.filter((file) => file !== writer && !exceptions.includes(file));
    const writes = others.flatMap((file) =>
      writesIn(file, readFileSync(join('src', file), 'utf8')).map((line) => `${file}:${line}`),
    );
    expect(writes).toEqual([]);
  });

  test('are written by one file, and every exception is needed', () => {
    for (const file of [writer, ...exceptions])
      expect({ file, found: writesIn(file, readFileSync(join('src', file), 'utf8')).length > 0 }).toEqual({
        file,
        found: true,
      });
  });

  test.each([
    ['modelOf(entry).collection.insertOne({})', ['1: insertOne']],
    ['const { collection } = modelOf(entry); void collection.updateOne({}, {});', ['1: updateOne']],
    ["modelOf(entry).collection['deleteMany']({})", ['1: deleteMany']],
    ['await document.save()', ['1: save']],
    ['methods.save.call(document)', ['1: save']],
    ['saveDocument(document)', ['1: saveDocument']],
    ["const c = internalCollection(registry, '_session'); void c.deleteOne({});", []],
    ["internalCollection(registry, '_session').deleteOne({})", []],
    ["const c = internalCollection(registry, '_a'); { const c = users; c.deleteOne({}); }", ['1: deleteOne']],
    ["const of = () => internalCollection(registry, '_deletion'); void of().insertMany([]);", []],
    ['const of = () => modelOf(entry).collection; void of().insertMany([]);', ['1: insertMany']],
    ["class A { #c = internalCollection(registry, '_a'); f() { this.#c.deleteOne({}); } }", []],
    ["class A { #c; constructor() { this.#c = internalCollection(registry, '_a'); } f() { this.#c.save(); } }", []],
    ['class A { #c = modelOf(entry).collection; f() { this.#c.deleteOne({}); } }', ['1: deleteOne']],
    ["class A { #c = internalCollection(r, '_a'); f() { this.#c = users; this.#c.save(); } }", ['1: save']],
    ["class A { #c = internalCollection(r, '_a'); f() { [this.#c] = users; this.#c.save(); } }", ['1: save']],
    ["class A { #c = internalCollection(r, '_a'); f() { this.#c.users.save(); } }", ['1: save']],
    ['class A { #c; f() { this.#c.save(); } }', ['1: save']],
  ])('are recognised in %s', (text, found) => {
    expect(writesIn('example.ts', text)).toEqual(found);
  });
});

test('changes are published by the unit of work, and by receivers of changes of the database or another worker', () => {
  const publishing = files.filter((file) => /\bbus\.publish\(/.test(readFileSync(join('src', file), 'utf8')));
  expect(publishing.sort()).toEqual([
    'realtime/changes/model-writes.ts',
    'realtime/changes/shared-feed.ts',
    'realtime/changes/spanning-bus.ts',
    'write/transaction.ts',
  ]);
});
