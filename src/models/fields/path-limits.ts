/** The limits that the validators of a path hold for its values, as plain values; other validators are code, which no description shows. */
import type { SchemaType } from 'mongoose';
import { messageText } from '../author/message-placeholders.ts';
import { hasOwnSetters, typeParts } from '../mongoose/internals.ts';
import type { PathBounds, PathLimits, Pattern } from './model-schema.ts';
import { fieldTypeOf } from './types/index.ts';

const bounds = ['min', 'max', 'minlength', 'maxlength'] as const;
const changes = ['trim', 'lowercase', 'uppercase'] as const;

/** The numbers and dates that limit values or lengths, by the name of their validator. */
export function boundsOf(type: SchemaType): PathBounds {
  const { validators } = typeParts(type);
  const boundOf = fieldTypeOf(type)?.boundOf ?? numberBound;
  return Object.fromEntries(
    validators.flatMap((validator): [string, number | Date][] => {
      const name = bounds.find((one) => one === validator['type']);
      const bound = name === undefined ? undefined : boundOf(validator[name]);
      return name === undefined || bound === undefined ? [] : [[name, bound]];
    }),
  );
}

const numberBound = (given: unknown): number | undefined => (typeof given === 'number' ? given : undefined);

/** The limits of the values that callers send; none for a path with setters of its own, whose results are what is limited. */
export function limitsOf(type: SchemaType): PathLimits {
  if (hasOwnSetters(type)) return {};
  const { validators, options } = typeParts(type);
  const rule = validators.find((validator) => validator['type'] === 'regexp');
  return {
    ...boundsOf(type),
    ...(rule?.['regexp'] instanceof RegExp ? { match: patternOf(rule['regexp'], rule['message']) } : {}),
    ...Object.fromEntries(changes.filter((name) => options[name] === true).map((name) => [name, true as const])),
  };
}

function patternOf({ source, flags }: RegExp, given: unknown): Pattern {
  const text = messageText(given);
  const message = text === undefined ? undefined : ownMessage(text);
  return { pattern: source, flags, ...(message === undefined ? {} : { message }) };
}

/** Maximum characters of a message from a model file. */
const maxMessageLength = 300;

/** A message of the model file, shortened; undefined for Mongoose's own, which names the path in backquotes. */
export const ownMessage = (message: string): string | undefined =>
  /\bpath `/i.test(message) ? undefined : message.slice(0, maxMessageLength);
