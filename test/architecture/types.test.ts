/** Which types a path can have is said in one table, so that a new type is one row. Checked in the syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { fieldTypes } from '../../src/models/fields/types/index.ts';

/** The uses that are searched for, and the files in which they are allowed, each with its reason. A final slash marks a folder. */
const rules = {
  'lists types': {
    'models/fields/': 'the table, and the one of the types of BSON',
    'jxp.ts': 'what the package of that name exports',
  },
  'compares the name of a type': {
    'models/': 'reads the schemas of model files',
    'policy/row-rules.ts': 'a caller who is compared with a text is compared by the text of the id',
    'auth/setup/first-admin.ts': 'a name that may have any type is given where it is a text',
    'write/rules/fits.ts': '$currentDate sets dates',
  },
} as const;
type Rule = keyof typeof rules;

interface Finding {
  readonly rule: Rule;
  readonly file: string;
  readonly line: number;
}

const names: ReadonlySet<string> = new Set(fieldTypes.map(({ name }) => name));

const isName = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isStringLiteral(node) || ts.isIdentifier(node)) && names.has(node.text);
const isQuotedName = (node: ts.Node | undefined): boolean =>
  isName(node) && node !== undefined && ts.isStringLiteral(node);

/** The names in a list, in the rows of a map, the keys of an object, or the cases of a switch. */
function namesIn(node: ts.Node): number {
  if (ts.isArrayLiteralExpression(node))
    return node.elements.filter((one) => isQuotedName(ts.isArrayLiteralExpression(one) ? one.elements[0] : one)).length;
  if (ts.isObjectLiteralExpression(node)) return node.properties.filter((one) => isName(one.name)).length;
  if (ts.isCaseBlock(node))
    return node.clauses.filter((one) => ts.isCaseClause(one) && isQuotedName(one.expression)).length;
  return 0;
}

/** What holds the name of a type: of Mongoose's, and of fields. */
const instances: ReadonlySet<string> = new Set(['instance', 'typeName']);
const isInstance = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node) && instances.has(node.name.text)) ||
  (ts.isIdentifier(node) && instances.has(node.text));

const isComparison = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
    node.operatorToken.kind,
  ) &&
  isInstance(node.left) &&
  isQuotedName(node.right);

function findingsIn(file: string, source: string): readonly Finding[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const rule: Rule | undefined =
      namesIn(node) > 1 ? 'lists types' : isComparison(node) ? 'compares the name of a type' : undefined;
    if (rule !== undefined)
      found.push({ rule, file, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));
const all = sources.flatMap((file) => findingsIn(file, readFileSync(join('src', file), 'utf8')));

const isAllowed = ({ rule, file }: Finding): boolean =>
  Object.keys(rules[rule]).some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));

test.each(Object.keys(rules) as Rule[])('no other file %s', (rule) => {
  expect(all.filter((one) => one.rule === rule && !isAllowed(one))).toEqual([]);
});

test('every exception is in use', () => {
  const unused = Object.entries(rules).flatMap(([rule, places]) =>
    Object.keys(places).filter(
      (place) =>
        !all.some(
          (one) => one.rule === rule && (place.endsWith('/') ? one.file.startsWith(place) : one.file === place),
        ),
    ),
  );
  expect(unused).toEqual([]);
});

test.each([
  ["const singles = new Set(['String', 'Number']);", 'lists types'],
  ["const all = [...['Int32', 'Double']];", 'lists types'],
  ["const readers = new Map([['Date', a], ['ObjectId', b]]);", 'lists types'],
  ['const readers = { Date: a, Boolean: b };', 'lists types'],
  ["const readers = { 'Date': a, Buffer(value) {} };", 'lists types'],
  ["switch (type.instance) { case 'Map': break; case 'Mixed': break; }", 'lists types'],
  ["if (type.instance === 'Array') run();", 'compares the name of a type'],
  ["if (field.typeName === 'Array') run();", 'compares the name of a type'],
  ["if (instance !== 'Decimal128') run();", 'compares the name of a type'],
])('finds %s', (source, rule) => {
  expect(findingsIn('x.ts', source).map((one) => one.rule)).toEqual([rule]);
});

test.each([
  "throw badValue(path, 'Number', 'must be finite');",
  "const one = ['String'];",
  'const ids = fieldTypeOf(type)?.id;',
  "const words = ['text', 'number'];",
])('accepts %s', (source) => {
  expect(findingsIn('x.ts', source)).toEqual([]);
});
