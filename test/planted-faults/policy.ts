/** Planted faults of `src/policy`. */
import type { FaultyFile } from './contract.ts';

export const faultsOfPolicy: readonly FaultyFile[] = [
  {
    file: 'policy/policy.ts',
    tests: [
      'test/caching/cache.test.ts',
      'test/permissions/patches.test.ts',
      'test/permissions/policies.test.ts',
      'test/permissions/written.test.ts',
      'test/security/own-paths.test.ts',
    ],
    faults: [
      [
        "model.name === 'user' ? '_id' : '_owner_id'",
        "model.name === 'user' ? '_owner_id' : '_owner_id'",
        'users do not own themselves',
      ],
      [
        "if (allowed === 'all') return allOf(filters);",
        "if (allowed !== 'none') return allOf(filters);",
        'row rules do not limit filters',
      ],
      [
        "filter((name) => readRight(name) === 'none'), ...own]",
        "filter((name) => readRight(name) === 'none')]",
        'own fields of the server are shown',
      ],
      [
        'ruleFor: (letter) => (access[letter].hasRules ?',
        'ruleFor: (letter) => (!access[letter].hasRules ?',
        'row rules do not guard what is written',
      ],
      [
        "`${own} ${hidden.paths.join()}${inScope === undefined ? '' : ` scope ${inScope}`}`",
        "`${inScope === undefined ? '' : ` scope ${inScope}`}`",
        'cached answers are shared by callers who see other fields',
      ],
      ['u: bothAccesses(access.u, readable)', 'u: access.u', 'a caller changes documents that they may not read'],
      ['d: bothAccesses(access.d, readable)', 'd: access.d', 'a caller deletes documents that they may not read'],
    ],
  },
  {
    file: 'policy/row-rules.ts',
    tests: [
      'test/permissions/attacks.test.ts',
      'test/permissions/generated.test.ts',
      'test/permissions/user-addresses.test.ts',
      'test/unit/policy/row-rules.test.ts',
    ],
    faults: [
      [
        "if (key === '$nor' && hasVoid) return nothing;",
        '',
        'a rule with $nor and a missing value of the user matches everything',
      ],
      [
        'filters.includes(undefined) ? undefined',
        'filters.every((one) => one === undefined) ? undefined',
        'a condition whose value the user lacks is dropped',
      ],
      [
        'filter === undefined || hasVoid ? nothing',
        'filter === undefined ? nothing',
        'a negated condition whose value the user lacks in part matches',
      ],
      [
        "list.hasVoid && name !== '$in'",
        "list.hasVoid && name === '$in'",
        '$nin with a value that the user lacks matches more',
      ],
      [
        'own[path] === value ? {} : { $nor: [{}] }',
        'own[path] === value ? { $nor: [{}] } : {}',
        'a rule by $user.verified is reversed',
      ],
      ['compiling.isTimed = true;', '', 'a rule with the time keeps the time of its first use'],
    ],
  },
  {
    file: 'policy/row-access.ts',
    tests: ['test/permissions/attacks.test.ts', 'test/permissions/policies.test.ts'],
    faults: [
      ['(own && isOwn(row)) ||', 'own ||', 'every row is admitted as own'],
      ['ownRows && allOf([ownRows, ofOwnRule])', 'ofOwnRule', 'the rule of owners holds for the rows of others'],
      [
        "if (one === 'none' || other === 'none') return 'none';",
        "if (one === 'none' || other === 'none') return one;",
        'rows that may not be read are changed',
      ],
      ['own || all.length > 0,', 'own && all.length > 0,', 'a letter for owners alone is not given'],
      [
        'admits: (row) => one.admits(row) && other.admits(row)',
        'admits: (row) => one.admits(row) || other.admits(row)',
        'a row passes where one of two rights admits it',
      ],
    ],
  },
  {
    file: 'policy/hidden.ts',
    tests: [
      'test/aggregation/stray-passwords.test.ts',
      'test/functions/documents.test.ts',
      'test/security/departed-fields.test.ts',
    ],
    faults: [
      [
        '!this.#shown.has(key) && (this.#others === undefined || this.#anywhere.hides(key))',
        '!this.#shown.has(key) && this.#anywhere.hides(key)',
        'fields that no schema declares are shown',
      ],
      ['| 0x20) !== name[at]', '| 0x00) !== name[at]', 'passwords in other letter cases are shown'],
      [
        'return paths.length === 0 ? anywhere : openPart(paths, anywhere);',
        'return anywhere;',
        'hidden fields of open documents are shown',
      ],
    ],
  },
  {
    file: 'policy/grants.ts',
    tests: ['test/api/api.test.ts', 'test/security/rights.test.ts'],
    faults: [
      [
        'return policy.permits(letter) ? grantOf(policy, letter) : undefined;',
        'return grantOf(policy, letter);',
        'everyone has every letter',
      ],
      [
        'of.some((letter) => policy.permits(letter))',
        'of.length > 0',
        'everyone may use what needs one of several letters',
      ],
      [
        'principal.user === undefined && principal.hasAllRights !== true ? signInFirst() : forbidden(reason)',
        'forbidden(reason)',
        'a caller without a login gets a 403',
      ],
    ],
  },
  {
    file: 'policy/field-writes.ts',
    tests: ['test/permissions/letters.test.ts', 'test/permissions/patches.test.ts', 'test/permissions/places.test.ts'],
    faults: [
      [
        'if (refused.length > 0) throw',
        'if (refused.length > 1) throw',
        'one field is written without the right on it',
      ],
      [
        'return [path, ...namesIn(policy, inner, `${path}.`)];',
        'return [path];',
        'fields below others are written without the right on them',
      ],
      [
        'filter((inner) => inner.startsWith(within)) : [];',
        'filter(() => false) : [];',
        'a whole is replaced without the right on a part',
      ],
      [
        'String(row[path]) === id ? undefined',
        'String(row[path]) !== id ? undefined',
        'fields of owners are written by others',
      ],
    ],
  },
  {
    file: 'policy/own-document.ts',
    tests: ['test/permissions/attacks.test.ts'],
    faults: [
      [
        "path === '' || isSecretPath(path) || !isStored(path)",
        "path === '' || !isStored(path)",
        'a rule compares with the password of the user',
      ],
    ],
  },
  {
    file: 'policy/principal.ts',
    tests: ['test/permissions/attacks.test.ts', 'test/permissions/scopes.test.ts'],
    faults: [
      [
        'user.groups.filter((group) => !reservedGroups.has(group))',
        'user.groups.filter(() => true)',
        'a group named admin is the role of admins',
      ],
      [
        'scopes && [...scopes].map(([name, letters]) => [name, [...letters].sort()]).sort(),',
        '',
        'the description of the endpoints is shared by keys with other scopes',
      ],
    ],
  },
  {
    file: 'policy/result-view.ts',
    tests: ['test/functions/documents.test.ts'],
    faults: [
      [
        "part.hides(first) ? 'all' : below",
        'part.hides(first) ? part : below',
        'a part of a hidden value is shown in results of functions',
      ],
      [
        'parts.some((part) => part.hides(key))',
        'parts.every((part) => part.hides(key))',
        'a result of several models shows what one of them hides',
      ],
    ],
  },
];
