/**
 * Fills the placeholders in messages of validators, such as `{PATH}` and `{VALUE}` (Mongoose's manual, "Error message templates"). Mongoose itself fills
 * the first of several equal ones, and takes `$&` in a value for a pattern.
 */
import type { Schema } from 'mongoose';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';

/** What a validator is given besides the value and the path: its limits by the names of their options. */
type Properties = Readonly<Record<string, unknown>>;

/** A message as Mongoose calls it, with the text that it is made of. */
interface Message {
  (properties: Properties): string;
  readonly text: string;
}

const placeholder = /\{([A-Z]+)\}/g;

/** Makes all placeholders be filled in the messages of a schema, at any depth. */
export function fillPlaceholders(schema: Schema): void {
  for (const { type } of placesOf(schema).flatMap(typesIn)) {
    const { validators } = typeParts(type);
    for (const [at, one] of validators.entries()) {
      const { message } = one;
      if (typeof message === 'string' && message.search(placeholder) !== -1)
        validators[at] = { ...one, message: messageOf(message) };
    }
  }
}

function messageOf(text: string): Message {
  return Object.assign((properties: Properties) => replacePlaceholders(text, properties), { text });
}

/** @param properties each of them fills the placeholder of its name in capital letters */
export function replacePlaceholders(text: string, properties: Properties): string {
  const byName = new Map(Object.entries(properties).map(([name, value]) => [name.toUpperCase(), value]));
  for (const name of notFilled) byName.delete(name);
  return text.replaceAll(placeholder, (whole, name: string) => {
    if (!byName.has(name)) return whole;
    const value = byName.get(name);
    // a bound of dates may be a function
    return String(typeof value === 'function' ? (value as () => unknown)() : value);
  });
}

const notFilled = ['MESSAGE', 'VALIDATOR'];

/** The text of a message, with its placeholders; undefined for one that the model file computes. */
export function messageText(message: unknown): string | undefined {
  if (typeof message === 'string') return message;
  const { text } = (typeof message === 'function' ? message : {}) as Partial<Message>;
  return text;
}
