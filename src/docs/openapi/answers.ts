/** The JSON schemas of answers with documents. */
import { count, documentMark, integer, type JsonSchema, listOf, message, object, text } from './shapes.ts';

/** A page of documents of one schema. @param added further members, which it may have */
export const pageOf = (document: unknown, added: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  object(
    { data: listOf(document) },
    {
      limit: integer,
      page: integer,
      limit_capped: { const: true },
      next: text,
      prev: text,
      next_cursor: text,
      prev_cursor: text,
      count,
      count_is: { enum: ['exact', 'at_least', 'estimate'] },
      page_count: count,
      ...added,
    },
  );

/** The same with the position from which its changes can be followed, where that is wanted. */
export const positionedPage: JsonSchema = pageOf(documentMark, { position: text });

/** A document that was created, which the answer has where the caller may read it. */
export const documentAnswer = object(message, { data: documentMark });

/** A document that was changed, with the immutable paths that stay as they are where the body has other values. */
export const replaceAnswer = object(message, { data: documentMark, ignored: listOf(text) });
