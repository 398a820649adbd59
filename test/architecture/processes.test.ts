/**
 * Only `start/place.ts` and `workers/` know whether a process is alone, a worker or one of several servers, and so where shared state is
 * kept. Checked in the syntax trees of the sources.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

/** Names by which code would ask for the place of its process, or for its maker of shared state. */
const places: ReadonlySet<string> = new Set([
  ...['isAlone', 'membership', 'Membership', 'peers', 'Peers', 'isPrimary', 'isWorker'],
  ...['ProcessState', 'DatabaseState', 'WorkerPeers', 'WorkerHub'],
]);
/** What only these files may import: all but the interface, and what handles errors of any process. */
const makers = /^(workers\/(?!(process-errors|unhandled-errors)\.ts$)|shared\/(?!contract\.ts$))/;

const knowing = ['start/place.ts', 'workers/', 'shared/'];

/** What other files use of these, and why. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'start/launch.ts': ['Membership', 'membership', 'workers/contract.ts'], // passes it to place.ts
  'realtime/changes/spanning-bus.ts': ['Peers', 'peers', 'workers/contract.ts'], // the bus of workers, which place.ts opens
  'auth/setup/moved-groups.ts': ['Membership'], // of a user in a group
  'cli/commands/start.ts': ['workers/serve.ts'], // begins as one process or as the primary of several
  'cli/options.ts': ['workers/serve.ts'], // a type
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !knowing.some((place) => file === place || file.startsWith(place)));

/** A node and all below it. */
function nodesOf(node: ts.Node, found: ts.Node[] = []): readonly ts.Node[] {
  found.push(node);
  node.forEachChild((child) => void nodesOf(child, found));
  return found;
}

/** The module of an import, a re-export, a type of an import or a dynamic import. */
function moduleOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
    return node.argument.literal.text;
  const [named] = ts.isCallExpression(node) ? node.arguments : [];
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic && named !== undefined && ts.isStringLiteralLike(named) ? named.text : undefined;
}

/** A name that a file uses: an identifier, or a property that a string names. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  return undefined;
}

/** What a file knows about the place of its process. */
function knowledgeOf(file: string, text: string): string[] {
  const found = new Set<string>();
  for (const node of nodesOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))) {
    const name = nameOf(node);
    if (name !== undefined && places.has(name)) found.add(name);
    const from = moduleOf(node);
    const target = from?.startsWith('.') === true ? posix.join(posix.dirname(file), from) : '';
    if (makers.test(target)) found.add(target);
  }
  return [...found].sort();
}

describe('where a process stands', () => {
  test('is known to place.ts only, and every exception is needed', () => {
    const found = files.flatMap((file) => {
      const known = knowledgeOf(file, readFileSync(join('src', file), 'utf8'));
      return known.length === 0 ? [] : [[file, known] as const];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(exceptions).map(([file, names]) => [file, [...names].sort()])),
    );
  });

  test.each([
    ['const { membership } = launch;', 'membership'],
    ['const { membership: worker } = launch;', 'membership'],
    ['if (launch.membership?.isFirst !== false) prepare();', 'membership'],
    ["if (launch['isAlone']) prepare();", 'isAlone'],
    ['interface Parts { readonly isAlone: boolean }', 'isAlone'],
    ['parts.peers?.broadcast(topic, message);', 'peers'],
    ['const counters = isAlone ? memory : database;', 'isAlone'],
    ["import { isPrimary } from 'node:cluster';", 'isPrimary'],
    ['if (shared instanceof DatabaseState) return 1;', 'DatabaseState'],
    ["import { Windows } from '../shared/process.ts';", 'shared/process.ts'],
    ["export { holdLease } from '../shared/leases.ts';", 'shared/leases.ts'],
    ["const made = await import('../shared/process.ts');", 'shared/process.ts'],
    ["type Rows = import('../shared/database-rows.ts').DatabaseRows;", 'shared/database-rows.ts'],
    ["import type { Needs } from '../workers/contract.ts';", 'workers/contract.ts'],
  ])('is asked for by %s', (text, name) => {
    expect(knowledgeOf('auth/example.ts', text)).toContain(name);
  });

  test.each([
    "import type { Shared } from '../shared/contract.ts';",
    'const memberships = object({ user_id: id });',
    '// alone, by its membership',
    "throw new Error('membership');",
    'await shared.count(key, window);',
  ])('is not asked for by %s', (text) => {
    expect(knowledgeOf('auth/example.ts', text)).toEqual([]);
  });
});
