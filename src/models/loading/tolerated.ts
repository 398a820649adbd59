/**
 * What model files of Mongoose applications have without effect: misspelt options, middleware of other versions, defaults that no document can
 * have, and `ref` to models that do not exist or have ids of another type. Mongoose ignores it, so it is a warning; in a model that `defineModel`
 * makes it is a fault.
 */
import type { Schema } from 'mongoose';
import { suggestion } from '../../text/nearest.ts';
import type { ModelWarning, UnservedLink } from '../entry.ts';
import { unknownMiddleware } from '../mongoose/idle-middleware.ts';
import type { AddedOptions } from '../options/added-option.ts';
import { isDefined } from '../options/define-model.ts';
import { misspeltOptions } from '../options/known-options.ts';
import { refusedDefaults } from '../options/refused-defaults.ts';
import { warningsOfMethods } from '../options/shadowed-methods.ts';
import type { DeclaredLink } from './links.ts';
import type { ModelNames } from './model-names.ts';
import type { DeclaredVirtual } from './virtual-links.ts';

/** @param schema as the file declares it @throws Error for what is a fault in any file */
export const warningsOfNames = (schema: Schema, file: string, added: AddedOptions): readonly ModelWarning[] => [
  ...[...misspeltOptions(schema, added), ...warningsOfDefaults(schema), ...warningsOfMethods(schema, file)].map(
    (message) => ({ kind: 'rule' as const, message }),
  ),
  ...unknownMiddleware(schema).map((message) => ({ kind: 'middleware' as const, message })),
];

function warningsOfDefaults(schema: Schema): readonly string[] {
  const found = refusedDefaults(schema);
  const [first] = found;
  if (first !== undefined && isDefined(schema)) throw new Error(first);
  return found;
}

/** A path or a virtual of `ref`, with the model that it names. */
interface Ref {
  readonly path: string;
  readonly model: string;
}

export const refsOf = (links: readonly DeclaredLink[], virtuals: readonly DeclaredVirtual[]): readonly Ref[] => [
  ...links.filter(({ option }) => option === 'ref'),
  ...virtuals.map(({ as, model }) => ({ path: as, model })),
];

/**
 * Whether requests follow a link: not a `ref` to a model that is not served. One to a model that does not exist at all is followed only where it
 * is a fault, which is reported with all others.
 */
export function isFollowed(link: DeclaredLink | DeclaredVirtual, schema: Schema, names: ModelNames): boolean {
  if ('option' in link && link.option === 'link') return true;
  return names.find(link.model) !== undefined || (isDefined(schema) && names.findUnserved(link.model) === undefined);
}

/** Those that name models which files compile and do not export. */
export const unservedLinksOf = (refs: readonly Ref[], names: ModelNames): readonly UnservedLink[] =>
  refs.flatMap(({ path, model: named }) => {
    const model = names.findUnserved(named);
    return model === undefined ? [] : [{ path, model }];
  });

/** Warns about those that name no model. */
export function warningsOfLinks(refs: readonly Ref[], schema: Schema, names: ModelNames): readonly ModelWarning[] {
  const isKnown = (model: string): boolean => (names.find(model) ?? names.findUnserved(model)) !== undefined;
  if (isDefined(schema)) return [];
  return refs
    .filter(({ model }) => !isKnown(model))
    .map(({ path, model }) => ({
      kind: 'populate',
      message: `populate does not show ${path}: it names the model ${model}, and no model has this name${suggestion(model, names.all)}`,
    }));
}
