/** Why the server ends a subscription, as its subscriber reads it. */

export const costlyFilter =
  'Filter too costly: matching a document took longer than 500 ms; use fewer or simpler conditions and patterns';
