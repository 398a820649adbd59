/**
 * The face of the core: what features import of it, and plug-ins with features of their own (`dossier/core`, docs/plugins.md). A feature
 * names what this file names from here alone (test/architecture/face.test.ts). What is not here may change without notice.
 */

// what a feature is, and the ports that it may provide for
export type { Feature, Project } from './features/feature.ts';
export { adviser, crashGap, ownService, recorder } from './features/ports.ts';
export { jwtPurpose } from './auth/ports.ts';
export { appName, consolePath, monotonicClock, serverUrl } from './ports/core.ts';
export { answerCache } from './read/ports.ts';
export { provide } from './ports/port.ts';
export type { CacheParts, Core, RecorderParts } from './ports/parts.ts';

// what a server has
export type { Adviser, Services } from './services.ts';
export { SettingsError } from './settings/read.ts';
export { isLoopback, isOwnHost, isOwnOrigin } from './settings/own-host.ts';
export type { Settings } from './settings/types.ts';
export type { ConfigCheck, FeatureConfig } from './settings/row.ts';
export { packageVersion } from './adapters/package-root.ts';
export type { Log } from './ports/log.ts';

// operations: what is requested, who may, what is answered
export {
  adminAccess,
  letter,
  type ModelOperation,
  openAccess,
  type Operation,
  type OperationGroup,
  type PlainOperation,
  signedInAccess,
} from './operations/operation.ts';
export type { ServerDescription } from './operations/source.ts';
export type { Actor, Context, ModelActor, ModelContext } from './context.ts';
export type { ApiRequest } from './api/contract.ts';
export { actorOf } from './operations/session-client.ts';
export { parametersNamed } from './query/parameter-table.ts';
export { flagOf, textOf } from './query/parameter-tree.ts';
export { ownCheck, refusals } from './operations/body-check.ts';
export { pageLimit, readPage } from './operations/pages.ts';
export { type Answer, bytes, data, json, redirect, serverValue, success, text } from './operations/answer.ts';

// the descriptions of bodies and answers
export type { JsonSchema } from './docs/openapi/shapes.ts';
export * as shapes from './docs/openapi/shapes.ts';
export { functionsOf, modelsOf } from './docs/openapi/document.ts';
export { sentDocument } from './docs/openapi/schemas.ts';

// refusals
export {
  adminOnly,
  badBody,
  badFilter,
  badParameter,
  badRequest,
  busy,
  conflict,
  contested,
  Failure,
  forbidden,
  signInFirst,
  tooMany,
  unknownDocument,
  unknownPath,
  wrongContentType,
} from './errors/errors.ts';
export { failureFrom } from './operations/failures.ts';
export { fromApi } from './models/mongoose/model-code-errors.ts';
export { fromDatabase } from './models/database-errors.ts';
export { suggestion } from './text/nearest.ts';

// models, and collections of one's own
export type { ModelEntry } from './models/entry.ts';
export type { Registry } from './models/registry.ts';
export type { AddedOption } from './models/options/added-option.ts';
export { letters } from './models/letters.ts';
export { type InternalModel, internalSchema, objectId, readByTheirUsers } from './models/built-in/internal-model.ts';
export {
  type ClientSession,
  type Collection,
  inSession,
  internalCollection,
  modelOf,
  mongo,
  ObjectId,
  type Row,
} from './models/mongoose.ts';
export { isPlainObject } from './models/plain-object.ts';

// who may see what
export { type Policy, policyFor } from './policy/policy.ts';
export { maySee } from './policy/grants.ts';
export { operator, type Principal, principalOf } from './policy/principal.ts';
export { shapeValue } from './policy/shape.ts';
export type { ShapedJson } from './policy/shaped.ts';
export type { AuthCore } from './auth/core.ts';
export type { AddedPurpose } from './auth/credentials/jwt.ts';
export { digest } from './auth/credentials/tokens.ts';
export type { BuiltInMail } from './auth/mails/content.ts';
export type { AddedEvent } from './auth/events/contract.ts';
export { recordEvent } from './auth/events/record-event.ts';

// reads and writes
export type { Filter } from './query/filter.ts';
export { filterFromJson } from './query/json-filter.ts';
export type { AnswerCache, EncodedAnswer } from './read/contract.ts';
export { commit, writerOf } from './write/commit.ts';
export { changeRow, insertRow, removeRow } from './write/own-rows.ts';
export type { Author, Mutation, Recorder, States } from './write/contract.ts';
export { type DocumentOperation, operationOf } from './write/mutation/row-changes.ts';

// work beside other requests
export { Semaphore } from './async/semaphore.ts';
export { makeYielder, turnForJson } from './async/yield.ts';
export { escapedHtml } from './text/html.ts';
