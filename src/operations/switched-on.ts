/** The operations of a server by its settings: those that are on, with what users sign in with in their bodies. */
import { type JsonSchema, text } from '../docs/openapi/shapes.ts';
import { badBody, badEmail, badValue, type Failure } from '../errors/errors.ts';
import type { Settings } from '../settings/types.ts';
import type { Fault } from './body-check.ts';
import type { Body, EmailBeside, Operation, OperationGroup } from './operation.ts';

/** The schema of a body with named parts. */
interface Parts {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The operations that the settings switch on. Paths of the others do not exist. */
export const enabledGroups = (groups: readonly OperationGroup[], settings: Settings): readonly OperationGroup[] =>
  groups.map((group) => ({
    ...group,
    operations: group.operations
      .filter(({ isOn }) => isOn?.(settings) !== false)
      .map((operation) => withLoginField(operation, settings)),
  }));

/** An operation as a server has it whose users sign in by another field than the email: its body has that field. */
function withLoginField<T extends Operation>(operation: T, settings: Settings): T {
  const { namesUser, input } = operation;
  const field = settings.login_field;
  if (namesUser === undefined || field === 'email' || input?.body === undefined) return operation;
  const schema = schemaWith(field, input.body.schema as JsonSchema & Parts, namesUser(settings));
  const body: Body = {
    ...input.body,
    schema,
    ...(input.body.refuse === undefined ? {} : { refuse: (fault: Fault) => refusal(fault, schema) }),
  };
  return { ...operation, input: { ...input, body } };
}

function schemaWith(
  field: string,
  { properties = {}, required = [], ...rest }: JsonSchema & Parts,
  email: EmailBeside,
): JsonSchema & Parts {
  const { email: login = text, ...others } = properties;
  const { format: _, ...plain } = login;
  const isNeeded = (name: string): boolean => (name === 'email' ? email === 'required' : true);
  const needed = [...(required.includes('email') ? [field] : []), ...required.filter(isNeeded)];
  return {
    ...rest,
    ...(needed.length === 0 ? {} : { required: needed }),
    properties: { [field]: plain, ...(email === 'none' ? {} : { email: login }), ...others },
  };
}

function refusal({ path }: Fault, { properties = {}, required = [] }: Parts): Failure {
  if (path === 'email') return badEmail();
  if (Object.hasOwn(properties, path)) return badValue(path, 'String', 'must be text');
  return badBody(`send ${required.join(' and ')}`);
}
