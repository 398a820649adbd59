/** The JSON schemas of the bodies of PATCH, by media type. */
import { jsonPatchOperations, maxPatchOperations } from '../../write/patch/json-patch.ts';
import { update } from './advanced.ts';
import { changed } from './marks.ts';
import { type JsonSchema, listOf, text } from './shapes.ts';

/** Fields to set, or update operators. */
export const fieldsOrOperators: JsonSchema = { anyOf: [changed, update] };

/** RFC 7396: `null` removes a field. */
export const mergePatch: JsonSchema = { type: 'object', additionalProperties: {} };

/** RFC 6902, 4. */
export const jsonPatch: JsonSchema = {
  ...listOf({
    type: 'object',
    required: ['op', 'path'],
    properties: { op: { enum: jsonPatchOperations }, path: text, from: text, value: {} },
  }),
  maxItems: maxPatchOperations,
};
