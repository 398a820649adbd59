/** Planted faults of `src/write`. */
import type { FaultyFile } from './contract.ts';

export const faultsOfWrite: readonly FaultyFile[] = [
  {
    file: 'write/commit.ts',
    tests: [
      'test/rules/changed.test.ts',
      'test/writing/commit.test.ts',
      'test/history/entries.test.ts',
      'test/realtime/sockets.test.ts',
      'test/bulk-writes',
      'test/writing/written-again.test.ts',
    ],
    faults: [
      [
        'inOwnUnit(writer, true, work)',
        'inOwnUnit(writer, false, work)',
        'a unit with middleware begins again without end',
      ],
      [
        'if (writer.unit !== undefined || recorders.length === 0) return writeOne(one);',
        'return writeOne(one);',
        'a single write with recorders has no transaction',
      ],
      [
        'if (unit === undefined) publish(services, [effects]);',
        'if (unit === undefined) publish(services, []);',
        'a write outside of a unit of work publishes nothing',
      ],
      [
        'error: error as Error, ...(await writeSome(mutations.slice(0, done)))',
        '...nothingDone, error: error as Error',
        'the commands before a refused one are not written',
      ],
      ["(after ?? before)?.['_id']", "after?.['_id']", 'a deletion is published without its id'],
      [
        'else await react({ ...writer, unit }, writing, effects);',
        'else void react({ ...writer, unit }, writing, effects);',
        'a write does not wait for its reactions',
      ],
      ['skipsReactions === true && isReaction(one)', 'false', 'an import calls the reactions of the project'],
      ["'event' in mutation && mutation.event === undefined", 'true', 'no write is recorded'],
      [
        'first.error === undefined ? joinedOutcome(first, await writeSome(mutations.slice(half))) : first',
        'first',
        'the second half of a bulk write that a reaction refuses is not written',
      ],
    ],
  },
  {
    file: 'write/transaction.ts',
    tests: [
      'test/caching/cache.test.ts',
      'test/writing/commit.test.ts',
      'test/history',
      'test/outbox',
      'test/webhooks',
      'test/idempotency',
      'test/rules/stories.test.ts',
    ],
    faults: [
      ['bus.publish(changes);', 'bus.publish([...changes, ...changes]);', 'a change is published twice'],
      [
        '    if (unit.session === undefined) await publishRemaining',
        '    if (unit.session !== undefined) publish(services, unit.effects);\n    else await publishRemaining',
        'the changes of a unit that is rolled back are published',
      ],
      [
        '        await writeEntries(unit.effects, session);\n',
        '        void writeEntries(unit.effects, session);\n',
        'a unit of work does not wait for its recordings',
      ],
      [
        'if (unit.session === undefined) await publishRemaining',
        'if (unit.session !== undefined) await publishRemaining',
        'what remains of a failed unit of work without transactions is not published',
      ],
      ['if (invalidated !== undefined) bus.invalidate(invalidated);', '', 'caches keep what a bulk write has changed'],
    ],
  },
  {
    file: 'write/mutation/reactions.ts',
    tests: ['test/rules/changed.test.ts', 'test/rules/at-once.test.ts', 'test/rules/stories.test.ts'],
    faults: [
      ['await recorder.react?.(', 'for (const _ of [1, 2]) await recorder.react?.(', 'reactions are called twice'],
      [
        'await recorder.react?.(entries, writer)',
        'await recorder.react?.(entries, { ...writer, unit: { session: undefined, effects: [] } })',
        'reactions write outside of the unit',
      ],
      [
        'if (undo === undefined) effects.undo =',
        'if (undo !== undefined) effects.undo =',
        'what a reaction refuses stays where there are no transactions',
      ],
      ['refusals.add(error);', '', 'a bulk write that a reaction refuses does not say which operation it was'],
      ['return own.unit.effects;', 'return [];', 'what reactions write beside other requests is not published'],
    ],
  },
  {
    file: 'write/mutation/execute.ts',
    tests: [
      'test/writing/shared-units.test.ts',
      'test/writing',
      'test/bulk-writes',
      'test/history',
      'test/caching',
      'test/permissions',
      'test/models/own-ids',
      'test/rules/stories.test.ts',
    ],
    faults: [
      [
        'isMade ? undefined : await imageOf(model, filter, writer)',
        '!isMade ? undefined : await imageOf(model, filter, writer)',
        'the image before a save is missing',
      ],
      [
        'stateOf(before.get(id), after.get(id))',
        'stateOf(before.get(id) && after.get(id), after.get(id))',
        'a bulk write has the documents after it as those before it',
      ],
      [
        '[...idsOf(before), ...made.values()]',
        '[...idsOf(before)]',
        'a bulk write that changes some documents records none that it makes',
      ],
      ["if (mayLackId) checkNewId(model, row['_id']);", '', 'a document is stored with an id that no address can name'],
      ['guard?.(row);', '', 'the guard of a row is not asked where a document is saved'],
      ['states: row === null ? [] : [state(row)]', 'states: []', 'a deletion has no state'],
      [
        'invalidates: matched > 0 || error !== undefined',
        'invalidates: error !== undefined',
        'a bulk update invalidates nothing',
      ],
      [
        '(narrowed) => sendTo(model, writer)({ $and: [filter, narrowed] }',
        '() => sendTo(model, writer)({ $and: [filter] }',
        'a guarded update is sent without what its guard has compared',
      ],
      ['ordered: true', 'ordered: false', 'a bulk write goes on after a refused command'],
      [
        "refused === 'all' || refused.has(at) ? ",
        "refused === 'all' ? ",
        'of creates that share a command, a refused one is answered as created',
      ],
    ],
  },
  {
    file: 'write/mutation/execute-all.ts',
    tests: ['test/writing/shared-units.test.ts', 'test/history', 'test/writing', 'test/webhooks', 'test/unit/write'],
    faults: [
      [
        'const setting = seen.has(document) ? undefined : settingOf(execution);',
        'const setting = settingOf(execution);',
        'two changes of one document are written by one command',
      ],
      [
        "'document' in mutation || mutation.guard !== undefined",
        "'document' in mutation",
        'a guarded update is written with others, without its guard',
      ],
      [
        'if (after !== undefined) latest.set(document, after);',
        'if (after !== undefined && !latest.has(document)) latest.set(document, after);',
        'the third change of a document in one transaction has the document before the second',
      ],
      [
        'states.slice(next, (next += rows.length))',
        'states.slice(0, rows.length)',
        'creates that share a command get the state of the first',
      ],
    ],
  },
  {
    file: 'write/mutation/row-changes.ts',
    tests: ['test/history/entries.test.ts', 'test/unit/write/row-changes.test.ts'],
    faults: [
      [
        "return isDeleted(after) ? 'delete' : 'restore';",
        "return isDeleted(after) ? 'restore' : 'delete';",
        'deletions are recorded as restorations',
      ],
      [
        'from.length === to.length',
        'from.length >= to.length',
        'a list that has become shorter loses its end from the changes',
      ],
      ['else delete holder[last];', '', 'a removed field stays in a past state'],
    ],
  },
  {
    file: 'write/mutation/shared-transactions.ts',
    tests: ['test/writing/concurrent-writes.test.ts'],
    faults: [
      [
        'for (let end = ends.get(key); end !== undefined; end = ends.get(key)) await end;\n    return this.#during',
        'return this.#during',
        'two transactions of one document run at once',
      ],
      [
        'if (!mayShare) return this.oneByOne',
        'if (mayShare) return this.oneByOne',
        'writes that run code of the model share a transaction',
      ],
    ],
  },
  {
    file: 'write/unit.ts',
    tests: ['test/batch', 'test/writing', 'test/bulk-writes'],
    faults: [
      [
        'unit.isExclusive !== true',
        'unit.isExclusive === true',
        'work that must run alone runs beside others in a unit of work',
      ],
      [
        '    if (!needsExclusiveRun(error)) throw error;\n',
        '    throw error;\n',
        'a unit of work that must run alone is refused',
      ],
      [
        'actor.unit?.session === undefined ? actor.services.shares.keyedMutex(name, work, actor) : work();',
        'work();',
        'writes of one document without a transaction are not serialised',
      ],
    ],
  },
  {
    file: 'write/plan/change.ts',
    tests: ['test/writing', 'test/permissions', 'test/api', 'test/bulk-writes'],
    faults: [
      ['__v: 1 } };', '__v: 0 } };', 'a change does not raise the version'],
      [
        'if (flag === undefined) return { filter: activeFilter,',
        'if (flag === undefined) return { filter: undefined,',
        'deleted documents can be changed',
      ],
      [
        "  const grant = requireFurtherLetter(actor, 'd', 'setting _deleted needs the right to delete');\n",
        "  const grant = requireFurtherLetter(actor, 'u', 'setting _deleted needs the right to delete');\n",
        'who may change may delete by _deleted',
      ],
      [
        "filter: grant.policy.filter('d', activeFilter)",
        'filter: activeFilter',
        'rows are deleted by _deleted that the caller may not delete',
      ],
      [
        'covers(one, path) || covers(path, one)',
        'covers(one, path)',
        'two operators change a path and what is below it',
      ],
    ],
  },
  {
    file: 'write/restore.ts',
    tests: ['test/links/rights-behind-links.test.ts', 'test/api', 'test/writing', 'test/links', 'test/history'],
    faults: [
      [
        "if (!coversAll(actor, 'u', model, rows))",
        'if (false as boolean)',
        'a restoration changes documents that the caller may not change',
      ],
      ['await removeRecords(actor, records);', '', 'the records of a deletion stay after its restoration'],
      [
        '? { _id: { $in: ids }, _deleted: true, updatedAt: at }',
        '? { _id: { $in: ids }, _deleted: true }',
        'a restoration restores what was deleted at another time',
      ],
    ],
  },
  {
    file: 'write/cascade.ts',
    tests: ['test/links/rights-behind-links.test.ts', 'test/api', 'test/links', 'test/writing', 'test/history'],
    faults: [
      [
        '  mayDelete(actor, model, rows);\n  await record',
        '  await record',
        'a cascade unlinks documents that the caller may not change',
      ],
      ['$inc: { __v: 1 } } as Row', '$inc: { __v: 0 } } as Row', 'a document that loses a link keeps its version'],
      [
        "if (mark === undefined && model.name === 'user')",
        "if (mark !== undefined && model.name === 'user')",
        'the sessions of a removed user stay',
      ],
    ],
  },
  {
    file: 'write/upsert.ts',
    tests: ['test/writing/if-match.test.ts', 'test/writing/upsert.test.ts'],
    faults: [
      [
        "if (row['_deleted'] === true && !restores)",
        "if (row['_deleted'] === true && restores)",
        'an upsert changes a deleted document',
      ],
      [
        "requireLetter(principal, 'c', model);",
        "requireLetter(principal, 'r', model);",
        'an upsert creates without the right to create',
      ],
      [
        "if (!policy.admits('r', row) && !policy.reaches('u', row)) return false;",
        '',
        'an upsert shows a document that the caller may not know',
      ],
      ['if (actor.restrictions.mustExist === true) throw preconditionFailed();', '', 'an upsert with If-Match creates'],
      [
        '? isGone(error) : row === null && isTaken(error)',
        '? isGone(error) : isGone(error)',
        'two upserts at once: one is refused',
      ],
    ],
  },
  {
    file: 'write/rules/update.ts',
    tests: [
      'test/bulk-writes/refused-updates.test.ts',
      'test/writing',
      'test/api',
      'test/security',
      'test/bulk-writes',
    ],
    faults: [
      [
        'withOperators.length > 0 && withOperators.length < names.length',
        'withOperators.length > names.length',
        'an update may mix operators and fields',
      ],
      [
        '  refuseUnwritableUpdate(actor.model, actor.principal, update);\n',
        '',
        'operators change fields that the caller may not write',
      ],
      [
        'if (isSetOnly(model, path)) throw',
        "if (isSetOnly(model, path) && name === '$set') throw",
        'operators change the fields that only $set may',
      ],
      ['if (isSecretPath(path) || (!adds', 'if ((!adds', 'operators touch passwords'],
      ['if (isSecretPath(at.path)) throw secretPath(key);', '', 'a value within an operand sets a password in clear'],
      [
        "(name === '$addToSet' && key !== '$each')",
        "(name === '$addToSet' && key === '$slice')",
        '$addToSet takes the modifiers of $push',
      ],
      ["if (path === '_deleted' ||", "if (path === '' ||", 'operators change _deleted'],
      [
        "if (operand === 'any') checkMember(null, schema, path);",
        '',
        'a member that may not be null is removed by its position',
      ],
    ],
  },
  {
    file: 'write/rules/passwords.ts',
    tests: [
      'test/writing/ids-and-secrets.test.ts',
      'test/authentication',
      'test/writing',
      'test/security',
      'test/bulk-writes',
    ],
    faults: [
      [
        "passwords === 'hashed' && !principal.admin",
        "passwords === 'hashed' && principal.admin",
        'callers other than admins store hashes of their own',
      ],
      [
        "if (typeof value !== 'string') throw badValue(path, 'String', 'must be text');",
        '',
        'a password that is no text',
      ],
      [
        'for (const [at, member] of value.entries()) members.push(await walk(member, `${path}.${at}`, how));',
        'for (const member of value) members.push(member);',
        'passwords in lists are stored in clear',
      ],
      [
        '/password/i.test(key) || (hasNames',
        '/password/.test(key) || (hasNames',
        'passwords in other letter cases are stored in clear',
      ],
    ],
  },
  {
    file: 'write/rules/check-links.ts',
    tests: ['test/links/rights-behind-links.test.ts', 'test/links', 'test/writing', 'test/bulk-writes'],
    faults: [
      ['?? []) }, ...activeFilter };', '?? []) } };', 'a link to a deleted document is accepted'],
      [
        "policy.hasRules('r') ? policy.filter('r', these) : these",
        'these',
        'links tell which documents exist that a rule hides',
      ],
      [
        'link.model !== model.name || !ownIds.has(id)',
        'link.model !== model.name || ownIds.has(id)',
        'a new document may not link to itself',
      ],
      [
        "if (path[passed] === part || path[passed] === '$*')",
        'if (path[passed] === part)',
        'links in maps are not checked',
      ],
    ],
  },
  {
    file: 'write/rules/own-id.ts',
    tests: ['test/writing/ids-and-secrets.test.ts', 'test/writing', 'test/api', 'test/bulk-writes', 'test/models'],
    faults: [
      [
        "if (String(documentId(model, '_id', given)) !== String(documentId(model, 'id', id)))",
        'if (String(given) !== String(id) && false as boolean)',
        'a body changes the id',
      ],
    ],
  },
  {
    file: 'write/rules/referenced.ts',
    tests: ['test/links', 'test/api', 'test/writing'],
    faults: [
      [
        'if (links.length > 0) throw',
        'if (links.length > 1) throw',
        'a document that another model links to is deleted',
      ],
      ['policy.view.shows(link.path) &&', '', 'a refusal names a model whose links the caller may not read'],
      [
        'if (!deletedIds.has(String(_id))) return true;',
        'return true;',
        'documents that are deleted together prevent each other',
      ],
    ],
  },
  {
    file: 'write/rules/unique-index.ts',
    tests: ['test/writing', 'test/api', 'test/transfer'],
    faults: [
      [
        'options.partialFilterExpression === undefined &&',
        '',
        'an upsert uses an index that does not cover all documents',
      ],
      ['one.length === other.length && one.every', 'one.every', 'an upsert is by a part of the fields of an index'],
    ],
  },
];
