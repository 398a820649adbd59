/** The messages to subscribers whose subscription the server ends. */

export const costlyFilter =
  'Filter too costly: matching a document took longer than 500 ms; use fewer or simpler conditions and patterns';
