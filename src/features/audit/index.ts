/** The audit log: who did what to whom, when, and from where (docs/audit.md). */
import { accountListener } from '../../auth/ports.ts';
import {
  type AddedEvent,
  adminAccess,
  type Answer,
  bytes,
  type Context,
  crashGap,
  type Feature,
  type JsonSchema,
  type OperationGroup,
  type PlainOperation,
  provide,
  recorder,
  type RecorderParts,
  shapes,
} from '../../core.ts';
import { pageOf } from '../../docs/openapi/answers.ts';
import { listIntent } from '../../operations/reading/intents.ts';
import { requireLetter } from '../../policy/grants.ts';
import { listParameters } from '../../query/parameter-table.ts';
import * as read from '../../read/index.ts';
import { auditConfig } from './config.ts';
import { auditKinds } from './kinds.ts';
import { AuditLog } from './log.ts';
import { auditModel } from './model.ts';
import { auditOption } from './model-options.ts';

// `fields` may leave any of them out
const eventWith = (kinds: readonly string[]): JsonSchema =>
  shapes.object(
    {},
    {
      _id: shapes.id,
      id: shapes.id,
      who: shapes.orNull(shapes.id),
      whom: shapes.orNull(shapes.text),
      what: { enum: kinds },
      when: shapes.date,
      address: shapes.orNull(shapes.text),
      method: shapes.orNull(shapes.text),
      by: shapes.id,
      for: shapes.id,
      via: shapes.text,
      model: shapes.text,
      document: shapes.text,
      paths: shapes.listOf(shapes.text),
      count: shapes.count,
      expires: shapes.date,
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
