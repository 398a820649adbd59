/** Stored rows in the form of answers, and what callers may read about themselves. */
import type { ModelEntry } from '../models/entry.ts';
import { computedRow } from '../models/mongoose/computed-row.ts';
import type { Json } from '../models/plain-object.ts';
import { defaultFields, type Fields } from '../query/fields.ts';
import { type Policy, policyFor } from './policy.ts';
import type { Principal, SignIn } from './principal.ts';
import { shape } from './shape.ts';
import type { ShapedDocument } from './shaped.ts';

/** A row in the default form: with the schema's virtuals and getters, without `select: false`. */
export function present(policy: Policy, row: Readonly<Record<string, unknown>>): ShapedDocument {
  const { model } = policy;
  const whole = model.computed ? computedRow(model, { ...row }) : row;
  const shown = model.unselected.length === 0 ? whole : withFields(whole, defaultFields(model), []);
  return shape(shown, { hidden: policy.hiddenIn(row), fields: undefined, withId: !model.schema.hasOwnId });
}

/**
 * Reduces a plain document to the requested fields, where the database could not (virtuals and getters require whole documents).
 * @param also paths that are needed to place linked documents
 */
export function withFields(row: Json, fields: Fields | undefined, also: readonly string[]): Json {
  if (fields === undefined || fields.mode === 'stored') return row;
  const paths =
    fields.mode === 'only' ? [...fields.paths, '_id', ...also] : fields.paths.filter((path) => !also.includes(path));
  return cut(
    row,
    fields.mode,
    paths.map((path) => path.split('.')),
  ) as Json;
}

function cut(value: unknown, mode: 'only' | 'without', paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(value)) return value.map((member) => cut(member, mode, paths));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const here = paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
    const whole = here.some((rest) => rest.length === 0);
    if (mode === 'only' ? whole : here.length === 0) result[key] = inner;
    else if (!whole && here.length > 0) result[key] = cut(inner, mode, here);
  }
  return result;
}

interface Identity {
  /** The caller's own data, without the fields that they may not read. */
  readonly user: ShapedDocument;
  /** What the caller signs in with, where that is not the email. */
  readonly login?: string;
  readonly roles: readonly string[];
  readonly method: NonNullable<SignIn['method']> | null;
  /** The ids of the session and of the stored key that the credential belongs to. */
  readonly session: string | null;
  readonly key: string | null;
  /** When the credential expires; null if it does not. */
  readonly expires: Date | null;
  /** Id of the admin who acts as the user; absent where users act for themselves. */
  readonly by?: string;
}

/** @param users the model of users */
export function identityOf(principal: Principal, users: ModelEntry): Identity {
  const { user, roles, method, session, key, by, expires } = principal;
  const { id: _, login, ...row } = { ...user };
  return {
    user: shape(row, {
      hidden: policyFor(principal, users).hiddenIn(row),
      fields: undefined,
      withId: !users.schema.hasOwnId,
    }),
    ...(login === undefined ? {} : { login }),
    roles,
    method: method ?? null,
    session: session ?? null,
    key: key ?? null,
    expires: expires ?? null,
    ...(by === undefined ? {} : { by }),
  };
}
