/** Reads from requests what they write: the intents that `write/` receives. */
import type { Context, ModelContext, Request } from '../context.ts';
import { flagOf, namesOf } from '../query/parameter-tree.ts';
import type { ChangeIntent, PatchIntent, RemoveIntent, UpsertIntent, ValuesIntent } from '../write/intents.ts';
import { jsonPatchType, mergePatchType } from '../write/patch/media-types.ts';

export const valuesIntent = (context: Context): ValuesIntent => ({
  input: context.body,
  assignments: context.assignments,
  passwords: flagOf(context.query, 'password_override') ? 'hashed' : 'plain',
  silent: isSilent(context),
});

export const changeIntent = (context: ModelContext): ChangeIntent => ({
  id: context.params['id'],
  grant: context.grant,
  ...valuesIntent(context),
});

export const patchIntent = (context: ModelContext): PatchIntent => ({
  ...changeIntent(context),
  format: formatOf(context),
});

function formatOf({ headers }: ModelContext): PatchIntent['format'] {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === mergePatchType) return 'mergePatch';
  return type === jsonPatchType ? 'jsonPatch' : 'fields';
}

export const upsertIntent = (context: ModelContext): UpsertIntent => ({
  on: namesOf(context.query['on'], 'on'),
  ...valuesIntent(context),
});

export const removeIntent = (context: ModelContext): RemoveIntent => ({
  id: context.params['id'],
  grant: context.grant,
  permanently: flagOf(context.query, '_permaDelete'),
  cascades: flagOf(context.query, '_cascade'),
  silent: isSilent(context),
});

/**
 * Whether a request asks for `_silence`, in its query or its body: a write of which subscribers are not notified, and which no post-hook sees.
 * @throws 400 for an invalid flag
 */
export function isSilent({ query, body }: Pick<Request, 'query' | 'body'>): boolean {
  const inBody = typeof body === 'object' && body !== null && '_silence' in body ? body._silence : undefined;
  return flagOf(query, '_silence') || inBody === true || inBody === 1 || inBody === 'true' || inBody === '1';
}
