/** Checks names from callers against the schema, and finds what the schema has at a path. */
import { didYouMean, nearestName } from '../../text/nearest.ts';
import { incarnationPath } from '../built-in/incarnation.ts';
import { isSecretPath } from '../secrets.ts';
import type { ModelSchema, PathType } from './model-schema.ts';
import { withoutPositions } from './numbered-names.ts';
import { typeAt } from './path-type.ts';

/**
 * The meaning of a path in a schema: stored (free-form fields contain any path), computed for answers, the name under which
 * answers show a linked document, or unknown.
 */
export type PathState =
  | { readonly kind: 'stored' | 'virtual' | 'unknown' }
  /** `isInside`: a path in the linked document. */
  | { readonly kind: 'link'; readonly idPath: string; readonly isInside: boolean };

/** The use of a name: in filters and sorts of stored documents, in the selection of an answer's fields, or in writes. */
export type NameUse = 'stored' | 'shown' | 'written';

const stored: PathState = { kind: 'stored' };
const unknown: PathState = { kind: 'unknown' };

/** The meaning of a path in a schema or one of its discriminators. @param path with aliases resolved */
export const pathState = (schema: ModelSchema, path: string): PathState =>
  stateIn(schema, path, () => placesAt(schema, path));

/** The meaning of a path in the documents of a schema itself, without those of its discriminators. @param path with aliases resolved */
export const ownPathState = (schema: ModelSchema, path: string): PathState =>
  stateIn(schema, path, () => {
    const place = innermostOf(schema, path);
    return place.schema === schema ? [place] : inKinds(place);
  });

function stateIn(schema: ModelSchema, path: string, placesOf: () => readonly Place[]): PathState {
  if (typeAt(schema, path).kind !== 'unknown') return stored;
  const places = placesOf();
  if (places.some(({ schema: inner, rest }) => inner.isOpen || typeAt(inner, rest).kind !== 'unknown')) return stored;
  for (const { schema: inner, prefix, rest } of places) {
    const parts = withoutPositions(inner, rest).split('.');
    for (let length = parts.length; length > 0; length--) {
      const name = parts.slice(0, length).join('.');
      const idPath = inner.links.get(name);
      if (idPath !== undefined) return { kind: 'link', idPath: prefix + idPath, isInside: length < parts.length };
      if (inner.virtuals.has(name)) return { kind: 'virtual' };
    }
  }
  return unknown;
}

/**
 * The fault of a name, as a sentence that begins with the name; undefined for a valid name.
 * @param path with aliases resolved @param shows whether the caller may see a path
 */
export function nameFault(
  schema: ModelSchema,
  path: string,
  use: NameUse,
  shows: (path: string) => boolean = () => true,
): string | undefined {
  const found = shows(path) ? pathState(schema, path) : unknown;
  const state = found.kind === 'link' && !shows(found.idPath) ? unknown : found;
  if (state.kind === 'stored' || (use !== 'stored' && state.kind !== 'unknown')) return undefined;
  if (state.kind === 'virtual')
    return `${path} is a virtual: answers show it, but the database does not store it, so it cannot be used here`;
  if (state.kind === 'link' && state.isInside)
    return `${path} is in the linked document, which only filters of lists, counts, CSV and queries reach: use ${state.idPath}`;
  if (state.kind === 'link')
    return `${path} is the name under which answers show the linked document: use ${state.idPath}`;
  const shown = path.length > maxShown ? `${path.slice(0, maxShown)}…` : path;
  return `${shown} is not in the schema${nearestPath(schema, path, use, shows)}`;
}

/** Characters of an unknown name that a message repeats. */
const maxShown = 100;

/** A schema on the way of a path, and the rest of the path in it. */
interface Place {
  readonly schema: ModelSchema;
  /** Empty, or the path of the nested documents with a dot at its end. */
  readonly prefix: string;
  readonly rest: string;
}

/** The schemas in which a path could be declared: the innermost schema on its way, and its kinds. */
export function placesAt(schema: ModelSchema, path: string): readonly Place[] {
  return withKinds(schema).flatMap((kind) => inKinds(innermostOf(kind, path)));
}

/** The types that documents have at a path, those of some kinds included; none for an unknown path. @param path with aliases resolved */
export function typesAt(schema: ModelSchema, path: string): readonly PathType[] {
  const type = typeAt(schema, path);
  if (type.kind !== 'unknown') return [type];
  return placesAt(schema, path)
    .map((place) => typeAt(place.schema, place.rest))
    .filter(({ kind }) => kind !== 'unknown');
}

const inKinds = (place: Place): readonly Place[] => withKinds(place.schema).map((kind) => ({ ...place, schema: kind }));

function innermostOf(schema: ModelSchema, path: string): Place {
  const parts = path.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const above = parts.slice(0, length).join('.');
    const type = typeAt(schema, above);
    if (type.kind === 'document' && type.schema !== undefined)
      return { schema: type.schema, prefix: `${above}.`, rest: parts.slice(length).join('.') };
  }
  return { schema, prefix: '', rest: path };
}

const withKinds = (schema: ModelSchema): readonly ModelSchema[] => [schema, ...schema.kinds.map((kind) => kind.schema)];

/** The top-level names that a suggestion may have. */
function suggestedFor(use: NameUse, { declared, nested, aliases, virtuals, links }: ModelSchema): readonly string[] {
  const names = [...declared.keys(), ...nested, ...Object.keys(aliases)];
  return (use === 'shown' ? [...names, ...virtuals, ...links.keys()] : names).filter(isSuggested);
}

const isSuggested = (path: string): boolean =>
  !isSecretPath(path) && path !== incarnationPath && !path.split('.').includes('$*');

/** `; did you mean "parts.0.name"?` for a misspelt path, or nothing. The first unknown part is replaced. */
function nearestPath(schema: ModelSchema, path: string, use: NameUse, shows: (path: string) => boolean): string {
  const places = placesAt(schema, path);
  const [{ prefix, rest, schema: inner } = { prefix: '', rest: path, schema }] = places;
  const parts = rest.split('.');
  const wrong = parts.findIndex((_, at) => typeAt(inner, parts.slice(0, at + 1).join('.')).kind === 'unknown');
  const candidates = places.flatMap((place) =>
    suggestedFor(use, place.schema).filter((name) => {
      const idPath = place.schema.links.get(name) ?? name;
      return shows(place.prefix + name) && shows(place.prefix + idPath);
    }),
  );
  const found = nearestName(parts.slice(0, wrong + 1).join('.'), candidates);
  if (found === undefined) return '';
  const whole = [prefix + found, ...parts.slice(wrong + 1)].join('.');
  return didYouMean(pathState(schema, whole).kind === 'unknown' ? prefix + found : whole);
}

/** The schema of the documents with a value of the key: that of the kind, or the schema itself where no kind has the value. */
export const schemaOfKind = (schema: ModelSchema, value: unknown): ModelSchema =>
  (value === undefined ? undefined : schema.kinds.find((kind) => kind.value === value)?.schema) ?? schema;

/** The value of the key in a document. */
export const kindIn = ({ kindKey }: ModelSchema, document: Readonly<Record<string, unknown>>): unknown =>
  Object.hasOwn(document, kindKey) ? document[kindKey] : undefined;

/** Whether a path is the key of a nested document that may be of several kinds. @param path with aliases resolved */
export function isKeyOfPart(schema: ModelSchema, path: string): boolean {
  const end = path.lastIndexOf('.');
  if (end === -1) return false;
  return typesAt(schema, path.slice(0, end)).some(
    (type) =>
      type.kind === 'document' && type.schema?.kindKey === path.slice(end + 1) && type.schema.kindValues.length > 0,
  );
}
