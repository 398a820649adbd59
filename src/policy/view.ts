/** The paths of a schema that a caller may name and see. Password-named paths are hidden from every caller. */
import { anySchema } from '../models/fields/compile-schema.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { isSecretName, isSecretPath, secretNames } from '../models/secrets.ts';
import type { HiddenNames, SchemaView } from '../query/schema-view.ts';
import { isOpenAt } from './hidden-parts.ts';
import { declaresSecrets, holdsSecrets } from './hidden-parts.ts';

const views = new WeakMap<ModelSchema, Map<string, SchemaView>>();

/** The view of a schema that hides password-named paths only. */
export const viewOf = (schema: ModelSchema): SchemaView => fieldViewOf(schema, []);

/** The view of a schema for those who do not see some paths, created once: callers that see the same share it. */
export function fieldViewOf(schema: ModelSchema, paths: readonly string[]): SchemaView {
  const known = views.get(schema) ?? new Map<string, SchemaView>();
  views.set(schema, known);
  // a path that is hidden covers those below it
  const hidden = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`))).sort();
  const key = hidden.join();
  const view = known.get(key) ?? makeView(schema, hidden);
  known.set(key, view);
  return view;
}

/** @param paths dotted paths that are hidden besides password-named ones */
export function makeView(schema: ModelSchema, paths: readonly string[]): SchemaView {
  const hidden: HiddenNames = {
    keys: secretNames,
    paths,
    // discriminators are complete only when the model is compiled
    get names() {
      return schema.shownNames;
    },
  };
  const covered = (path: string): boolean => paths.some((one) => path === one || path.startsWith(`${one}.`));
  const holdsHidden = (path: string): boolean =>
    holdsSecrets(schema, path) || paths.some((one) => one.startsWith(`${withoutPositions(schema, path)}.`));
  const view: SchemaView = {
    schema,
    hidden,
    shows: (path) => !isSecretPath(path) && (paths.length === 0 || !covered(withoutPositions(schema, path))),
    showsKey: (key) => !isSecretName(key),
    holdsHidden,
    mayHoldHidden: (path) => isOpenAt(schema, path) || typeAt(schema, path).kind === 'document' || holdsHidden(path),
    declaresHidden: declaresSecrets(schema) || paths.length > 0,
    get storedNames() {
      return schema.storedNames;
    },
    get free() {
      return freeView;
    },
  };
  return view;
}

/** The view of documents that no schema describes. */
export const freeView = makeView(anySchema, []);
