/** Parses `populate`: the links to show, with the requested fields and nested links. */
import { badParameter, tooDeep, tooMany } from '../errors/errors.ts';
import { isDangerous } from './key-checks.ts';
import { isTree, namesOf, type Parameter } from './parameter-tree.ts';

/** A link to show, by the name that the caller has given; `inner` contains links of the linked document. */
export interface Population {
  readonly name: string;
  readonly fields: string | undefined;
  readonly inner: readonly Population[];
}

const maxNames = 10;
const maxLevels = 3;

interface Building {
  fields: string | undefined;
  readonly inner: Map<string, Building>;
}

/** The links that a caller requests. @throws 400 */
export function populationsFrom(value: Parameter | undefined): readonly Population[] {
  if (value === undefined || value === '') return [];
  const root = new Map<string, Building>();
  refuseBothForms(value);
  const wanted = isTree(value) ? fromTree(value) : namesOf(value, 'populate').map((path) => [path, undefined] as const);
  if (wanted.length > maxNames) throw tooMany('names in populate', maxNames);
  for (const [path, fields] of wanted) add(root, path, fields);
  return built(root);
}

/** @throws 400 where names stand beside names in brackets, with the form that takes both */
function refuseBothForms(value: Parameter): void {
  if (typeof value === 'string' || isTree(value) || !value.some(isTree)) return;
  const links = value.flatMap((one): (readonly [string, Parameter])[] =>
    isTree(one) ? Object.entries(one) : namesOf(one, 'populate').map((name) => [name, '1']),
  );
  const form = links.map(([name, fields]) => `populate[${name}]=${typeof fields === 'string' ? fields : '1'}`);
  throw badParameter('populate', `takes all links in one form, such as ${form.join('&').slice(0, 200)}`);
}

function fromTree(tree: Readonly<Record<string, Parameter>>): (readonly [string, string | undefined])[] {
  return Object.entries(tree).map(([path, fields]) => {
    if (typeof fields !== 'string') throw badParameter('populate', `populate[${path}] takes names of fields`);
    if (/^\d+$/.test(path)) return [fields, undefined];
    return [path, fields === '' || fields === '1' || fields === 'true' ? undefined : fields];
  });
}

function add(root: Map<string, Building>, path: string, fields: string | undefined): void {
  const parts = path.split('.');
  if (parts.length > maxLevels) throw tooDeep('populate', maxLevels);
  let level = root;
  parts.forEach((name, at) => {
    if (isDangerous(name)) throw badParameter('populate', `no link is named ${JSON.stringify(name)}`);
    const building = level.get(name) ?? { fields: undefined, inner: new Map<string, Building>() };
    if (at === parts.length - 1 && fields !== undefined) building.fields = fields;
    level.set(name, building);
    level = building.inner;
  });
}

const built = (level: ReadonlyMap<string, Building>): Population[] =>
  [...level].map(([name, { fields, inner }]) => ({ name, fields, inner: built(inner) }));
