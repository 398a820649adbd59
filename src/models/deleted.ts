/** Soft-deleted documents are those with `_deleted` true; a document without the field is active. */
export const activeFilter: Readonly<Record<string, unknown>> = Object.freeze({
  _deleted: Object.freeze({ $ne: true }),
});
