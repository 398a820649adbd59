/** Rights that are wider than they look: one row each, with the test that finds it in a model, and its notice (docs/command.md, "Check"). */
import type { ModelEntry } from '../models/entry.ts';
import { fieldAt } from '../models/fields/path-type.ts';
import { type Letter, letters, verbs } from '../models/letters.ts';
import { defaultPerms } from '../models/options/permissions.ts';
import { mayCall } from './calls.ts';
import { ruleOf } from './model-rules.ts';
import { verifiedPath } from './own-document.ts';
import { type Policy, policyFor } from './policy.ts';
import { groupsIn, type Principal } from './principal.ts';
import { callerOf } from './roles.ts';

/** A right of a model that gives more than its text shows. */
export interface WideRight {
  /** The row that found it. */
  readonly code: WideRightCode;
  readonly model: string;
  /** A sentence with the role and letter, or the path, and the cure, without the name of the model. */
  readonly message: string;
  /** Whether a start warns of it. `dossier check` lists all. */
  readonly atStart: boolean;
}

/** What a row reads: a model, and callers who have one role each. */
interface Asked {
  readonly model: ModelEntry;
  readonly users: ModelEntry | undefined;
  readonly signUp: boolean;
  /** The policy of the callers with a role for a model, by default this one. */
  readonly of: (role: string, model?: ModelEntry) => Policy;
  readonly caller: (role: string) => Principal;
}

interface Row {
  readonly atStart: boolean;
  readonly find: (asked: Asked) => readonly string[];
}

/** A row: what a model has that is wide, and the sentence about each. */
const row = <Found>(given: {
  readonly atStart?: true;
  readonly test: (asked: Asked) => readonly Found[];
  readonly message: (found: Found, asked: Asked) => string;
}): Row => ({
  atStart: given.atStart === true,
  find: (asked) => given.test(asked).map((found) => given.message(found, asked)),
});

const rows = {
  'owner-creates': row({
    atStart: true,
    test: ownersCreate,
    message: () =>
      'perms.owner has "c", so every signed-in user may create; grant "c" to a group instead, or to "user" to make that explicit',
  }),
  'idle-rule': row({
    atStart: true,
    test: idleRules,
    message: ({ role, given, by }) =>
      by === undefined
        ? `the rule of ${place(role, given)} matches all documents; compare a path in it, or give the letter without a rule`
        : `the rule of ${place(role, given)} limits nothing: ${place(by, given)} is given for all documents; take the letter from "${by}", or remove the rule`,
  }),
  'chosen-rows': row({
    atStart: true,
    test: chosenRows,
    message: ({ role, given, path, isAtSignUp }) =>
      `the rule of ${place(role, given)} compares with $user.${path}, which users ${isAtSignUp ? 'choose when they sign up' : 'may set in their own user document'}, and so choose these documents; give ${path} of the user model letters of its own, such as perms: { admin: 'cru', owner: 'r' }`,
  }),
  'unverified-address': row({
    atStart: true,
    test: unverifiedAddresses,
    message: ({ role, given }) =>
      `the rule of ${place(role, given)} trusts $user.email, and any user may take any free address by PUT /login/email; add '$user.verified': true to the rule, or let addresses be verified by SIGNUP=verified`,
  }),
  'idle-owner': row({
    test: idleOwners,
    message: ({ role, given }) =>
      `${place('owner', given)} limits nothing: ${place(role, given)} lets ${everyone(role)} ${doing(given)} the documents of others; take ${quoted(given)} from "${role}", or from "owner" to make that explicit`,
  }),
  'open-writes': row({
    test: openWrites,
    message: (given) =>
      `${place('all', given)} lets callers who have not signed in ${doing(given)} documents; give ${quoted(given)} to "user" to require that they sign in`,
  }),
  'open-bulk': row({
    test: openBulk,
    message: (given) =>
      `advanced_queries.bulkwrite is on, so callers who have not signed in may ${doing(given)} any number of documents in one request; set it to false, or give ${quoted(given)} to "user"`,
  }),
  'open-functions': row({
    test: openFunctions,
    message: ({ names, given }) =>
      `callable_statics: callers who have not signed in may call ${names.join(', ')}, because ${place('all', given)} is enough; rights do not limit what a function reads and writes. Where that is not meant, require a letter that "all" does not have`,
  }),
  'shared-accounts': row({
    test: sharedAccounts,
    message: ({ role, paths }) =>
      `${place(role, ['r'])} shows ${paths.join(' and ')} of other users to ${everyone(role)}; give ${paths.join(' and ')} letters of their own, such as perms: { admin: 'cru', owner: 'ru' }`,
  }),
  'shown-unselected': row({
    test: shownUnselected,
    message: ({ paths, by }) =>
      `select: false does not hide ${paths.join(', ')}: requests with fields and filters read it by ${by.join(', ')}; give such a path letters of its own, such as perms: { admin: 'cru' }`,
  }),
  'no-perms': row({
    test: ({ model }) => (model.options.perms === defaultPerms ? [model.name] : []),
    message: () =>
      `there are no perms, so the model is for admins only; add them, such as perms: { user: 'r', owner: 'crud' }`,
  }),
} as const satisfies Readonly<Record<string, Row>>;

export type WideRightCode = keyof typeof rows;

/** All codes; the documentation lists them. */
export const wideRightCodes = Object.keys(rows) as readonly WideRightCode[];

/**
 * The wide rights of models that files define. Rules are compiled before (`prepareRules`).
 * @param models all models @param signUp whether people may create an account of their own
 */
export function wideRights(models: readonly ModelEntry[], signUp: boolean): readonly WideRight[] {
  const callers = new Map(['all', 'user', 'owner', 'admin', ...groupsIn(models)].map((role) => [role, callerOf(role)]));
  const caller = (role: string): Principal => callers.get(role) ?? callerOf(role);
  const users = models.find(({ name }) => name === 'user');
  return models
    .filter(({ file, options }) => file !== undefined && !options.internal)
    .flatMap((model) => {
      const asked: Asked = {
        model,
        users,
        signUp,
        caller,
        of: (role, other = model) => policyFor(caller(role), other),
      };
      return wideRightCodes.flatMap((code) =>
        rows[code].find(asked).map((message) => ({ code, model: model.name, message, atStart: rows[code].atStart })),
      );
    });
}

/** The place of letters in a model file, such as `perms.user.r`. */
const place = (role: string, given: readonly Letter[]): string => `perms.${role}.${given.join('')}`;
const quoted = (given: readonly Letter[]): string => `"${given.join('')}"`;
const everyone = (role: string): string => (role === 'all' ? 'every caller' : 'every user');
const doing = (given: readonly Letter[]): string =>
  given
    .map((letter) => verbs[letter])
    .join(', ')
    .replace(/, (\w+)$/, ' and $1');

/** Since the creator becomes the owner, every signed-in user may create documents. */
function ownersCreate({ model: { options } }: Asked): readonly true[] {
  const creates = (role: string): boolean => options.perms.get(role)?.has('c') === true;
  return creates('owner') && !creates('user') && !creates('all') ? [true] : [];
}

interface RoleFound {
  readonly role: string;
  readonly given: readonly Letter[];
}

const ruledLetters = ({ model }: Asked, role: string): readonly Letter[] =>
  letters.filter((letter) => ruleOf(model, role, letter) !== undefined);

const rolesIn = ({ model }: Asked): readonly string[] => [...model.options.perms.keys()];

/** The widest role of all users, or of all callers, that has letters without a rule. */
const plainRole = ({ model }: Asked, letter: Letter): 'all' | 'user' | undefined =>
  (['all', 'user'] as const).find((role) => model.options.perms.get(role)?.get(letter) === 'all');

/** Rules of roles whose callers have the letter for all documents anyway. */
function idleRules(asked: Asked): readonly (RoleFound & { readonly by: 'all' | 'user' | undefined })[] {
  return rolesIn(asked).flatMap((role) => {
    const idle = ruledLetters(asked, role).filter((letter) => asked.of(role).extent(letter) === 'all');
    return ([undefined, 'all', 'user'] as const)
      .map((by) => ({ role, by, given: idle.filter((letter) => plainRole(asked, letter) === by) }))
      .filter(({ given }) => given.length > 0);
  });
}

/** The letters whose rules limit what callers with a role may do. */
const effectiveRules = (asked: Asked, role: string): readonly Letter[] =>
  ruledLetters(asked, role).filter((letter) => asked.of(role).extent(letter) !== 'all');

/** Rules that compare with addresses which need not be verified. */
function unverifiedAddresses(asked: Asked): readonly RoleFound[] {
  if (asked.signUp) return [];
  const trusts = (userPaths: readonly string[]): boolean =>
    userPaths.includes('email') && !userPaths.includes(verifiedPath);
  return rolesIn(asked)
    .filter((role) => role !== 'admin')
    .map((role) => ({
      role,
      given: effectiveRules(asked, role).filter((letter) => trusts(ruleOf(asked.model, role, letter)?.userPaths ?? [])),
    }))
    .filter(({ given }) => given.length > 0);
}

/** Rules that compare with values which the callers themselves set. Admins set everything anyway. */
function chosenRows(asked: Asked) {
  return rolesIn(asked)
    .filter((role) => role !== 'admin')
    .flatMap((role) => {
      const ruled = effectiveRules(asked, role);
      const pathsOf = (letter: Letter): readonly string[] => ruleOf(asked.model, role, letter)?.userPaths ?? [];
      return [...new Set(ruled.flatMap(pathsOf))].flatMap((path) => {
        const given = ruled.filter((letter) => pathsOf(letter).includes(path));
        const by = setBy(path, role === 'all' ? 'user' : role, asked);
        return by === undefined ? [] : [{ role, given, path, isAtSignUp: by === 'signing up' }];
      });
    });
}

/** How callers with a role set a path of their own user document, or of one that they create. */
function setBy(path: string, role: string, { users, of, signUp }: Asked): 'writing' | 'signing up' | undefined {
  // users change their address by PUT /login/email only; no one verifies their own
  if (users === undefined || path === 'email' || path === verifiedPath) return undefined;
  const policy = of(role, users);
  const isOpen = (letter: 'c' | 'u'): boolean =>
    policy.writable(path, letter) && policy.pathRight(letter, path) !== 'none';
  const changes = policy.permits('u') && isOpen('u') && !isImmutable(users, path);
  if (changes || (policy.permits('c') && isOpen('c'))) return 'writing';
  return signUp && isOpen('c') ? 'signing up' : undefined;
}

const isImmutable = ({ schema }: ModelEntry, path: string): boolean => fieldAt(schema, path)?.immutable === true;

/** `u` and `d` of owners that all users, or all callers, have on every document. */
function idleOwners(asked: Asked): readonly RoleFound[] {
  const own = asked.model.options.perms.get('owner');
  const idle = (['u', 'd'] as const).filter((letter) => own?.get(letter) === 'all');
  return (['all', 'user'] as const)
    .map((role) => ({ role, given: idle.filter((letter) => plainRole(asked, letter) === role) }))
    .filter(({ given }) => given.length > 0);
}

/** The letters with which callers write who have not signed in. */
const openLetters = ({ of }: Asked): readonly Letter[] =>
  letters.filter((letter) => letter !== 'r' && of('all').permits(letter));

function openWrites(asked: Asked): readonly (readonly Letter[])[] {
  return [openLetters(asked)].filter((given) => given.length > 0);
}

function openBulk(asked: Asked): readonly (readonly Letter[])[] {
  return asked.model.options.advanced_queries.bulkwrite ? openWrites(asked) : [];
}

/** Functions that can be called without signing in, by the letter that they need. */
function openFunctions({ model, caller }: Asked) {
  const open = [...model.options.callable_statics].filter(([, rule]) =>
    (['document', 'model'] as const).some((target) => mayCall(caller('all'), model, rule, target)),
  );
  return letters
    .map((letter) => ({
      given: [letter],
      names: open.flatMap(([name, { needs }]) => (needs === letter ? [name] : [])),
    }))
    .filter(({ names }) => names.length > 0);
}

/** What shows which accounts there are, and what they may do. */
const accountPaths: readonly string[] = ['email', 'groups'];

/** Paths of accounts that users read of each other. */
function sharedAccounts({ model, users, of }: Asked) {
  if (model !== users) return [];
  return readersIn(model)
    .filter((role) => role === 'all' || role === 'user')
    .map((role) => ({ role, paths: accountPaths.filter((path) => of(role).view.shows(path)) }))
    .filter(({ paths }) => paths.length > 0)
    .slice(0, 1);
}

/** The roles with `r`, for all documents or for some; the widest first. */
const readersIn = ({ options }: ModelEntry): readonly string[] =>
  [...new Set(['all', 'user', ...options.perms.keys()])].filter((role) => options.perms.get(role)?.has('r') === true);

/** Paths that answers leave out by default, and the places of the right to read them. */
function shownUnselected({
  model,
  of,
}: Asked): readonly { readonly paths: readonly string[]; readonly by: readonly string[] }[] {
  const shown = (role: string): readonly string[] =>
    model.unselected.filter((path) => (role === 'owner' ? of(role).shownView : of(role).view).shows(path));
  const readers = readersIn(model).filter((role) => role !== 'admin' && shown(role).length > 0);
  if (readers.length === 0) return [];
  return [{ paths: [...new Set(readers.flatMap(shown))], by: readers.map((role) => place(role, ['r'])) }];
}
