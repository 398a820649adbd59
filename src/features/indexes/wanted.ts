/** The body of a request that builds or drops an index. */
import { badBody, isPlainObject, type ModelEntry, policyFor, type Principal, type Services } from '../../core.ts';
import { secretPath } from '../../errors/errors.ts';
import { isPosition } from '../../models/fields/path-type.ts';
import { visibleModel } from '../../policy/served-models.ts';
import { checkKnown, checkParts, hasHiddenKey } from '../../query/key-checks.ts';
import { withOneList } from './shape.ts';

/** The paths of an index in their order, each with its direction. */
export type KeyPattern = Record<string, 1 | -1>;

/** What is to be done with an index of a model: it is built by its key, or dropped by its name. */
export type IndexChange = { readonly model: ModelEntry } & (
  { readonly key: KeyPattern; readonly drop?: undefined } | { readonly key?: undefined; readonly drop: string }
);

/** Maximum paths of an index: https://www.mongodb.com/docs/manual/reference/limits/ */
const maxPaths = 32;
/** Maximum characters of a name, as the embedded store has them. */
const maxName = 1500;

const example = 'send {"model": "film", "index": {"year": 1}}, or "drop" with the name of an index in place of "index"';

/** @throws 400 for another body, 404 for a model that the caller may not see */
export function indexChange(
  body: unknown,
  { registry }: Pick<Services, 'registry'>,
  principal: Principal,
): IndexChange {
  if (!isPlainObject(body)) throw badBody(example);
  const { model: name, index, drop } = body;
  if (typeof name !== 'string' || (index === undefined) === (drop === undefined)) throw badBody(example);
  const model = visibleModel(registry, name, principal);
  if (index !== undefined) return { model, key: keyFrom(index, model, principal) };
  if (typeof drop !== 'string' || drop === '' || drop.length > maxName)
    throw badBody('"drop" must be the name of an index, as GET /server/indexes lists it');
  return { model, drop };
}

function keyFrom(index: unknown, model: ModelEntry, principal: Principal): KeyPattern {
  const entries = isPlainObject(index) ? Object.entries(index) : [];
  if (entries.length === 0 || entries.length > maxPaths)
    throw badBody(`"index" must be an object with 1 to ${maxPaths} paths, such as {"genre": 1, "year": -1}`);
  for (const [path, way] of entries) {
    checkPath(path, model, principal);
    if (way !== 1 && way !== -1)
      throw badBody(`"index" must have 1 or -1 for ${path}: the model file declares indexes of other types`);
  }
  const { schema } = model;
  const together = withOneList(
    schema,
    entries.map(([path]) => path),
  );
  if (together.length < entries.length) throw badBody('"index" must not go through two lists');
  return Object.fromEntries(entries) as KeyPattern;
}

/** @throws 400 for a path that cannot be in an index, or that the caller may not see */
function checkPath(path: string, model: ModelEntry, principal: Principal): void {
  checkParts(path);
  const { view } = policyFor(principal, model);
  if (hasHiddenKey(view, path)) throw secretPath(path);
  // an object would also put such names first
  if (path.split('.').some(isPosition)) throw badBody(`"index" must not have a position in a list: ${path}`);
  checkKnown(view, path, 'index');
}
