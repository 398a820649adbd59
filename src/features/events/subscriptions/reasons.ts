/** The messages to subscribers whose subscription the server ends. */

export const costlyFilter =
  'Filter too costly: matching a document took longer than 500 ms; use fewer or simpler conditions and patterns';

/** Documents with which a subscription may begin: their ids are kept until all have been sent. */
export const maxDocuments = 100_000;

export const tooManyDocuments = `Too many documents: a subscription begins with ${maxDocuments} at most; use a filter, or GET /changes`;
