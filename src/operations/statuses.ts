/** When each status of a failure is answered. */
export const statusRows: readonly (readonly [number, string])[] = [
  [
    400,
    'The request is not well formed: JSON, an id, a value, a parameter, an operator, a limit, a schema’s validation',
  ],
  [401, 'Nobody is signed in where that is needed, or credentials that were sent are not valid'],
  [403, 'The caller is known and may not do this'],
  [404, 'No such path, model or document for this caller, or the document is deleted'],
  [405, 'The path has no such method'],
  [409, 'A unique value exists already, or setup is done'],
  [410, 'The position from which events are asked for is not known any more'],
  [408, 'The request took too long to arrive'],
  [412, 'The document has changed since the revision that If-Match names'],
  [413, 'The body or the answer is too large'],
  [415, 'The body is neither JSON nor a form'],
  [417, 'An Expect header asks for something else than 100-continue'],
  [429, 'Too many requests; Retry-After says when to come back'],
  [431, 'The URL or the headers are too large'],
  [500, 'A fault of the server; request_id finds it in the log'],
  [503, 'The database cannot be reached, or the time limit was reached; Retry-After says when to try again'],
  [507, 'The disk of the database is full, or the embedded store has reached one of its limits'],
];
