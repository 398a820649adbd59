/** The audit log: who did what to whom, when, and from where (docs/audit.md). */
import type { AddedEvent } from '../../auth/events/contract.ts';
import { accountListener } from '../../auth/ports.ts';
import type { Context } from '../../context.ts';
import { pageOf } from '../../docs/openapi/answers.ts';
import { count, date, id, type JsonSchema, listOf, object, orNull, text } from '../../docs/openapi/shapes.ts';
import { type Answer, bytes } from '../../operations/answer.ts';
import { adminAccess, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';
import { listIntent } from '../../operations/reading/intents.ts';
import { requireLetter } from '../../policy/grants.ts';
import type { RecorderParts } from '../../ports/parts.ts';
import { provide } from '../../ports/port.ts';
import { listParameters } from '../../query/parameter-table.ts';
import * as read from '../../read/index.ts';
import type { Feature } from '../feature.ts';
import { crashGap, recorder } from '../ports.ts';
import { auditConfig } from './config.ts';
import { auditKinds } from './kinds.ts';
import { AuditLog } from './log.ts';
import { auditModel } from './model.ts';
import { auditOption } from './model-options.ts';

// `fields` may leave any of them out
const eventWith = (kinds: readonly string[]): JsonSchema =>
  object(
    {},
    {
      _id: id,
      id,
      who: orNull(id),
      whom: orNull(text),
      what: { enum: kinds },
      when: date,
      address: orNull(text),
      method: orNull(text),
      by: id,
      for: id,
      via: text,
      model: text,
      document: text,
      paths: listOf(text),
      count,
      expires: date,
    },
  );

/** @param added the kinds of events that other features report */
const auditOperations = (added: readonly AddedEvent[]): OperationGroup => ({
  title: 'Audit',
  after: 'Setup',
  secret: true,
  operations: [
    {
      name: 'audit.list',
      http: { method: 'GET', path: '/audit' },
      summary: 'Lists the events of the audit log',
      access: adminAccess,
      input: { query: listParameters, condition: 'If-None-Match' },
      answers: { 200: pageOf(eventWith([...auditKinds(added).keys()])) },
      run: list,
    },
  ] satisfies readonly PlainOperation[],
});

/** The log is an internal model, so that no other operation reads or writes it. */
async function list(context: Context): Promise<Answer> {
  const model = context.services.registry.internal(`_${auditModel.name}`);
  return bytes(await read.list(context, listIntent(context, requireLetter(context.principal, 'r', model).policy)));
}

const auditLog = (parts: RecorderParts): AuditLog => new AuditLog(parts);

export const audit: Feature = {
  name: 'audit',
  config: auditConfig,
  modelOptions: [auditOption],
  models: [auditModel],
  operations: ({ accountEvents }) => [auditOperations(accountEvents)],
  provides: [provide(recorder, auditLog), provide(accountListener, auditLog), provide(crashGap, () => 'the audit log')],
};
