/** The paths of a schema that a caller may name and see. Password-named paths are hidden from every caller. */
import type { Schema } from 'mongoose';
import { noSchema } from '../models/object-id.ts';
import { isSecretName, isSecretPath, secretNames } from '../models/secrets.ts';
import type { Hidden, SchemaView } from '../query/schema-view.ts';
import { declaresSecrets, holdsSecrets, isOpenAt } from './hidden-parts.ts';

const views = new WeakMap<Schema, SchemaView>();

/** The view of a model's schema, created once: callers that see the same paths share it. */
export function viewOf(schema: Schema): SchemaView {
  const view = views.get(schema) ?? makeView(schema, []);
  views.set(schema, view);
  return view;
}

/** @param paths dotted paths that are hidden besides password-named ones */
export function makeView(schema: Schema, paths: readonly string[]): SchemaView {
  const hidden: Hidden = { keys: secretNames, paths };
  const covered = (path: string): boolean => paths.some((one) => path === one || path.startsWith(`${one}.`));
  const holdsHidden = (path: string): boolean =>
    holdsSecrets(schema, path) || paths.some((one) => one.startsWith(`${withoutPositions(path)}.`));
  const view: SchemaView = {
    schema,
    hidden,
    shows: (path) => !isSecretPath(path) && (paths.length === 0 || !covered(withoutPositions(path))),
    showsKey: (key) => !isSecretName(key),
    holdsHidden,
    mayHoldHidden: (path) => isOpenAt(schema, path) || holdsHidden(path),
    declaresHidden: declaresSecrets(schema) || paths.length > 0,
    get free() {
      return freeView;
    },
  };
  return view;
}

const withoutPositions = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, '');

/** The view of documents that no schema describes. */
export const freeView = makeView(noSchema(), []);
