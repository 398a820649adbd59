/** The validators that options of schema types make, such as `min`. */
import type { SchemaType } from 'mongoose';
import { idRule } from '../../fields/document-id.ts';
import { typeParts } from '../internals.ts';

/** The validators that options of a path create; they need nothing but the value. */
export const optionChecks: ReadonlySet<unknown> = new Set([
  ...['required', 'min', 'max', 'enum', 'regexp', 'minlength', 'maxlength', idRule],
]);

/** Whether a type has validators of the model file. */
export const hasOwnChecks = (type: SchemaType): boolean =>
  typeParts(type).validators.some((one) => !optionChecks.has(one.type)) ||
  // set by an option, or by `required()` of the type
  typeof typeParts(type).originalRequiredValue === 'function' ||
  [typeParts(type).options['required']].flat().some((required) => typeof required === 'function');
