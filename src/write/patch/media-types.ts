/** The media types of PATCH: fields or update operators, RFC 7396, and RFC 6902. */
export const mergePatchType = 'application/merge-patch+json';
export const jsonPatchType = 'application/json-patch+json';
export const patchTypes: readonly string[] = ['application/json', mergePatchType, jsonPatchType];
