/**
 * MongoDB Extended JSON, version 2 (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/): documents
 * from and to text, with their exact types.
 */
import { whereNotJson } from '../json-fault.ts';
import { mongo, type Row } from '../models/mongoose.ts';
import { isPlainObject } from '../models/plain-object.ts';

const { EJSON } = mongo.BSON;

/** Keeps types that JavaScript lacks, such as the difference between 1 and 1.0. */
const exactly = { promoteValues: false, promoteLongs: false, bsonRegExp: true } as const;

/** A document of BSON with a value of a class for each type. */
export const documentOf = (bson: Uint8Array): Row => mongo.BSON.deserialize(bson, exactly);

/** A document as a line of canonical Extended JSON. */
export const lineOf = (document: Readonly<Row>): string => `${EJSON.stringify(document, { relaxed: false })}\n`;

/** Maximum characters of a parser's message, which repeats what it has read. */
const maxMessage = 120;

/**
 * Parses a document in canonical or relaxed Extended JSON.
 * @returns values with classes for each type @throws Error with the reason
 */
export function parseDocument(text: string): Row {
  const parsed = parseValue(text);
  if (!isPlainObject(parsed)) throw new Error('is not an object');
  return parsed;
}

/** Parses any value in Extended JSON. @throws Error with the reason */
export function parseValue(text: string): unknown {
  try {
    return EJSON.parse(text, { relaxed: false }) as unknown;
  } catch (error) {
    if (error instanceof RangeError) throw new Error('is nested too deeply', { cause: error });
    if (error instanceof SyntaxError) throw new Error(`is not Extended JSON${whereNotJson(text)}`, { cause: error });
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`is not Extended JSON: ${message.slice(0, maxMessage)}`, { cause: error });
  }
}
