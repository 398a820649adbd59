/** The public entry point: the client, its errors, and the types of what it accepts and returns. */
export {
  Client,
  type ClientOptions,
  createClient,
  type Credentials,
  type Invitation,
  type Login,
  type Me,
  type RequestOptions,
} from './client.ts';
export { DossierError, type FailureBody, type Fault } from './error.ts';
export { Live, RowsEvent } from './live/live.ts';
export { type CsvOptions, ModelApi } from './model-api.ts';
export { ModelClient } from './model-client.ts';
export type { Call, OperationCall, Parameter, Sender } from './sender.ts';
export type { Tokens, WebStorage } from './session.ts';
export { indexedDbStore, type IndexedDbStore } from './sync/indexed-db-store.ts';
export { type MapLike, mapStore } from './sync/map-store.ts';
export type { SyncChange, SyncStore } from './sync/store.ts';
export type { SyncOptions, SyncResult } from './sync/sync.ts';
export type { Fetch, RetryOptions } from './transport.ts';
export type { Condition, Filter, OwnFilter } from './types/filter.ts';
export type {
  HistoryChange,
  HistoryEntry,
  HistoryOperation,
  HistoryOptions,
  ModelHistoryEntry,
  Reverted,
  RevertOptions,
  Revision,
} from './types/history.ts';
export type { AnyDocument, AnyModels, ModelMap, ModelTypes, NameIn } from './types/models.ts';
export type {
  Abortable,
  BatchAnswer,
  BatchOperation,
  BulkOperation,
  BulkResult,
  ChangeOptions,
  ListOptions,
  Page,
  Patch,
  PatchOperation,
  PatchOptions,
  Removed,
  RemoveOptions,
  Rights,
  Selection,
  Shown,
  Sort,
  Update,
  WriteOptions,
} from './types/options.ts';
export type { AnyRoutes, RouteArguments, RouteIn, RouteMap, RouteOptions, RouteTypes } from './types/routes.ts';
export type { PopulateOf, ResultOf } from './types/result.ts';
export { type Change, ChangeEvent, FaultEvent, Watch, type WatchOptions } from './watch/watch.ts';
