/** The built-in user model, and the fields that are added to the user model of a file `user.*`. */
import { Schema } from 'mongoose';
import { emailRule, isEmail } from '../../text/email.ts';
import { compileSchema } from '../fields/compile-schema.ts';
import type { PathType } from '../fields/model-schema.ts';
import { typeAt } from '../fields/path-type.ts';
import { addField } from '../loading/loaded-schema.ts';
import { addIncarnation, incarnationPath } from './incarnation.ts';
import { completeLogin, isUnique } from './login-field.ts';
import { clearVerification } from './verification.ts';

/** The fields of a user that signing in and permissions require. */
const fields = {
  name: { type: String, trim: true, maxlength: 200 },
  email: { type: String, required: true, unique: true, lowercase: true, trim: true, maxlength: 254 },
  email_verified: { type: Boolean, default: false },
  password: { type: String },
  admin: { type: Boolean, default: false },
  groups: { type: [String], default: [] },
} as const;

const { required: _required, unique: _unique, ...optionalEmail } = fields.email;
/** The index of emails where users may have none. */
const uniqueIfAny = { unique: true, partialFilterExpression: { email: { $gt: '' } } };

export const userSchema = (): Schema => new Schema({ ...fields }, { perms: { admin: 'crud', owner: 'ru' } } as object);

/**
 * Adds the missing fields to a user schema of a model file, because signing in and permissions require them. Emails are always
 * stored in lower case and are unique, because logins look them up. Each is one address, and a change of it clears
 * `email_verified`.
 * @param loginField by which users sign in; where it is another field, an email is optional
 * @throws Error naming a field that has another type
 */
export function completeUser(schema: Schema, loginField: string): void {
  const given = compileSchema(schema);
  if (typeAt(given, incarnationPath).kind !== 'unknown') throw new Error(`${incarnationPath} is set by the server`);
  const own = userSchema();
  for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
    const type = own.path(name).instance;
    if (typeAt(given, name).kind === 'unknown')
      addField(schema, name, name === 'email' && loginField !== 'email' ? optionalEmail : fields[name]);
    // a name may be anything, such as one of several parts
    else if (name !== 'name' && schema.path(name)?.instance !== type)
      throw new Error(`${name} of a user must be of type ${type}`);
  }
  if (!isListOfTexts(typeAt(compileSchema(schema), 'groups')))
    throw new Error('groups of a user must be a list of String');
  const email = schema.path('email');
  (email as Schema.Types.String).lowercase(true).trim(true);
  email.validate({ validator: isAbsentOrEmail, message: `email ${emailRule}`, type: 'email' });
  if (!isUnique(schema, 'email')) email.index(loginField === 'email' ? { unique: true } : uniqueIfAny);
  if (loginField !== 'email') completeLogin(schema, loginField);
  clearVerification(schema);
  addIncarnation(schema);
}

/** An email may be absent: the schema decides whether it is required. */
const isAbsentOrEmail = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isEmail(value));

/** Whether a type is a list of strings; a list without a type also accepts strings. */
const isListOfTexts = (type: PathType): boolean =>
  type.kind === 'mixed' || (type.kind === 'leaf' && type.array && type.field.typeName === 'String');
