/** The public interface for programs and model files. Importing it also adds the model options to Mongoose's types. */
import './models/options/schema-options.ts';
import type { AddedFileOptions } from './features/file-options.ts';
import type { CoreFileOptions } from './models/options/options.ts';

export { defineModel, ObjectId, Schema } from './models/options/define-model.ts';
export { definePlugin, defineRoute, type Reply, reply } from './define/index.ts';
export { createServer, type DossierServer, type ServerOptions } from './server.ts';
export type {
  HookContext,
  MailInput,
  MailTemplate,
  MailText,
  ReplyBody,
  ReplyParts,
  Route,
  RouteAccess,
  RouteCaller,
  RouteDefinition,
  RouteInput,
  RouteMethod,
  RouteSchema,
  StandardSchema,
} from './define/contract.ts';
export type { ChangedEvent, ChangedHandler } from './define/changed.ts';
export type { WriteCaller } from './policy/principal.ts';
export type { MiddlewareContext } from './write/mutation/middleware-context.ts';
export type { Actor, Api, Application, LaterOptions, MailMessage, ProgramLog } from './api/contract.ts';
export type { Context, ModelContext } from './context.ts';
export type { LogTarget } from './ports/log.ts';
export type { ModelQueryLimits } from './models/options/options.ts';
/** What a model file may set beside Mongoose's own options; everything is optional. */
export type ModelFileOptions = CoreFileOptions & AddedFileOptions;
export type { RoleRights, RowRule } from './models/options/permissions.ts';
export type {
  DossierConfig,
  HookName,
  HookRequest,
  MailName,
  Plugin,
  PostHook,
  PreHook,
  ThrottleStore,
} from './settings/config-file.ts';
export type { SignedUpHook, VerifiedHook } from './features/account-hooks/config.ts';
export type { OAuthConfig, OAuthProvider } from './features/oauth/config.ts';
export type { ConfigSchedule } from './features/schedules/config.ts';
export { ProjectError } from './start/faults.ts';
export { SettingsError } from './settings/read.ts';
export { ModelFileError } from './models/loading/files.ts';
export type { Settings, SettingsInput } from './settings/types.ts';
