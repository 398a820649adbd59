/** The request ends at `operations/`: nothing below knows one, or reads its parts. Checked in the syntax trees of the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

/** The folders and files that receive intents, which are plain values; of a feature, all but its operations. */
const places: readonly string[] = [
  ...['read/', 'write/', 'transfer/'],
  ...['features/call/statics.ts', 'features/csv/csv.ts', 'features/csv/rows.ts'],
  ...['features/setup-data/insert.ts', 'features/bulk/bulk-write.ts'],
];

/** Other things whose parts have such names. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'read/contract.ts': ['body', 'headers'], // of an answer
  'read/index.ts': ['body', 'headers'],
  'read/aggregate.ts': ['body', 'headers'],
  'read/explain.ts': ['query'], // of the command `count`
  'features/csv/csv.ts': ['body'],
  'write/bulk/result.ts': ['headers'], // of a failure
  'write/deleted-holder.ts': ['headers'],
};

const types: ReadonlySet<string> = new Set(['Context', 'ModelContext', 'Request', 'IncomingHttpHeaders']);
const parts: ReadonlySet<string> = new Set(['query', 'params', 'headers', 'url', 'body']);

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && places.some((place) => file === place || file.startsWith(place)));

/** A node and all below it. */
function nodesOf(node: ts.Node, found: ts.Node[] = []): readonly ts.Node[] {
  found.push(node);
  node.forEachChild((child) => void nodesOf(child, found));
  return found;
}

/** The name of a property that a node reads, declares or makes. */
function propertyOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node)) return textOf(node.argumentExpression);
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
    return textOf(node.propertyName ?? node.name);
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isPropertySignature(node))
    return textOf(node.name);
  return undefined;
}

const textOf = (node: ts.Node): string | undefined =>
  ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : undefined;

/** Where a file names a request or a part of one, as `line: name`. */
function requestsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    const type = ts.isIdentifier(node) && types.has(node.text) ? node.text : undefined;
    const part = propertyOf(node);
    const name = type ?? (part !== undefined && parts.has(part) ? part : undefined);
    if (name === undefined) continue;
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${name}`);
  }
  return found;
}

const foundIn = (file: string): readonly string[] => requestsIn(file, readFileSync(join('src', file), 'utf8'));
const isExcepted = (file: string, line: string): boolean =>
  exceptions[file]?.some((name) => line.endsWith(`: ${name}`)) === true;

describe('requests', () => {
  test('are not known to files that receive intents', () => {
    const known = files.flatMap((file) =>
      foundIn(file)
        .filter((line) => !isExcepted(file, line))
        .map((line) => `${file}:${line}`),
    );
    expect(known).toEqual([]);
  });

  test('each place has sources', () => {
    expect(places.filter((place) => !files.some((file) => file.startsWith(place)))).toEqual([]);
  });

  test('each exception is needed', () => {
    const needless = Object.entries(exceptions).flatMap(([file, names]) => {
      const found = foundIn(file);
      return names
        .filter((name) => !found.some((line) => line.endsWith(`: ${name}`)))
        .map((name) => `${file}: ${name}`);
    });
    expect(needless).toEqual([]);
  });

  test.each([
    ["import type { ModelContext } from '../context.ts';", ['1: ModelContext']],
    ["import type { Context as Actor } from '../context.ts';", ['1: Context']],
    ["type Sent = import('../context.ts').Request;", ['1: Request']],
    ['const id = actor.params.id;', ['1: params']],
    ["const flag = actor['query'];", ['1: query']],
    ['const { body } = actor;', ['1: body']],
    ['const { url: from } = actor;', ['1: url']],
    ['const tags = ({ headers }) => headers;', ['1: headers']],
    ['work({ ...actor, body });', ['1: body']],
    ['const forged = { params: {} };', ['1: params']],
    ['interface Sent { readonly body: unknown }', ['1: body']],
    ['const { input, id } = intent; const query = model.find({}); void query.exec();', []],
    ["throw badBody('the body must be an object');", []],
  ])('are recognised in %s', (text, found) => {
    expect(requestsIn('example.ts', text)).toEqual(found);
  });
});
