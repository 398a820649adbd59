/** Planted faults of `src/operations` and `src/models`. */
import type { FaultyFile } from './contract.ts';

export const faultsOfOperations: readonly FaultyFile[] = [
  {
    file: 'operations/invoke.ts',
    tests: [
      'test/authentication/setup.test.ts',
      'test/endpoints/body-names.test.ts',
      'test/hooks/hooks.test.ts',
      'test/workers/pair.test.ts',
    ],
    faults: [
      ['    checkBody?.(context.body);\n', '', 'bodies are not checked'],
      [
        'if (guard !== undefined) await guard(context);',
        'if (guard !== undefined) void guard(context);',
        'the guard of an open operation is not waited for',
      ],
      [
        'mayBeSilent && isSilent(context) ? undefined : tracedAfter',
        'isSilent(context) ? undefined : tracedAfter',
        'a read with _silence skips the post-hooks that remove data',
      ],
      ['invoke(...given).finally(settled)', 'invoke(...given)', 'the next request does not see the effects of a write'],
    ],
  },
  {
    file: 'operations/authorise.ts',
    tests: [
      'test/authentication/second-factor/required.test.ts',
      'test/security/rights.test.ts',
      'test/writing/if-match.test.ts',
    ],
    faults: [
      [
        'const needsFactor = !needsNoFactor(operation);',
        'const needsFactor = needsNoFactor(operation);',
        'a caller without the second factor may do everything',
      ],
      [
        'precondition: allOf([required, { $nor: [revisionsIn(noneMatch) ?? {}] }])',
        'precondition: required',
        'If-None-Match is ignored where it is beside If-Match',
      ],
      [
        'principal.user.id === params[access.parameter]',
        'principal.user.id !== params[access.parameter]',
        'users have rights on the paths of others',
      ],
      [
        "if (access.kind === 'signedIn' || principal.admin)",
        "if (access.kind === 'signedIn' || principal.user.admin === false)",
        'callers other than admins pass',
      ],
    ],
  },
  {
    file: 'operations/reading/intents.ts',
    tests: ['test/caching/cache.test.ts', 'test/history/trash.test.ts', 'test/queries/lists.test.ts'],
    faults: [
      ['      isConstant = false;\n', '', 'a query with the time is kept'],
      ['onlyDeleted ? allOf([given, { _deleted: true }]) : given', 'given', 'showDeleted=only shows the others, too'],
      ['isCredential(name) || ofPages.has(name)', 'ofPages.has(name)', 'addresses of pages contain the credential'],
    ],
  },
  {
    file: 'operations/body-check.ts',
    tests: ['test/unit/operations/body-check.test.ts'],
    faults: [
      [
        "return missing ? { path: below(path, name), keyword: 'required' } : undefined;",
        'return undefined;',
        'bodies lack required names',
      ],
    ],
  },
  {
    file: 'models/database-errors.ts',
    tests: ['test/authentication/sign-up.test.ts', 'test/unit/models/outcomes.test.ts'],
    faults: [
      [
        'error instanceof mongo.MongoServerError && error.code === 11000;',
        'error instanceof mongo.MongoServerError && error.code === 11001;',
        'a taken value is an error of the server',
      ],
      [
        '      return false;\n    if (at instanceof mongo.MongoWriteConcernError',
        '      return true;\n    if (at instanceof mongo.MongoWriteConcernError',
        'a write that was rolled back counts as unknown',
      ],
    ],
  },
  {
    file: 'models/mongoose/password-rules.ts',
    tests: ['test/authentication/password-rules.test.ts'],
    faults: [
      ['if (!isAsGiven(this) && isChecked(value, this)) return true;', '', 'validators of passwords judge the hash'],
    ],
  },
];
